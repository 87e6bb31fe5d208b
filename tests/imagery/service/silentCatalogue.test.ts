import { beforeAll, describe, expect, test } from '@jest/globals';
import type { GeoBox } from '../../../shared/scenes/place/footprint.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { ServiceUnderTest } from './serviceUnderTest.js';
import type { SceneToShow } from './shownCatalogue.js';

const FIRST_DAY = '2026-06-01';
const BOX: GeoBox = [13.14, 48.29, 13.142, 48.2915];

interface Cost {
  readonly requests: number;
  readonly operations: number;
}

/** Customers with a field each at one place, who have the images of two days. */
async function customersAtOnePlace(count: number): Promise<ServiceUnderTest> {
  const service = new ServiceUnderTest(`${FIRST_DAY}T00:30:00Z`);
  const request = { startDate: FIRST_DAY, endDate: '2026-07-31', layers: ['ndvi'] as const };
  for (let index = 0; index < count; index += 1) {
    const fields = [{ fieldId: 'north', box: BOX }];
    await service.enrol({ customer: `customer-${index}`, enrollmentId: `e-${index}`, fields, request });
  }
  for (const days of [0, 1]) show(service, { day: addDays(FIRST_DAY, days) });
  await service.passDays(2);
  return service;
}

const show = (service: ServiceUnderTest, scene: SceneToShow): void => {
  service.catalogue.show(scene, `${scene.day}T16:00:00Z`);
};

/** What some days ask of the catalogue and of storage. */
async function costOf(service: ServiceUnderTest, days: number): Promise<Cost> {
  const [requests, operations] = [service.catalogue.requests, service.operations];
  await service.passDays(days);
  return { requests: service.catalogue.requests - requests, operations: service.operations - operations };
}

describe('A catalogue that shows nothing new for 20 days', () => {
  const DAYS = 20;
  /** In the tile, and far from every field. */
  const beside: GeoBox = [12.4, 47.8, 12.6, 47.9];
  const silent: Cost[] = [];
  const showing: Cost[] = [];

  async function costOfScenesBeside(customers: number): Promise<Cost> {
    const service = await customersAtOnePlace(customers);
    for (let day = 2; day < DAYS; day += 2) show(service, { day: addDays(FIRST_DAY, day), footprint: beside });
    return costOf(service, DAYS);
  }

  beforeAll(async () => {
    for (const customers of [1, 10, 100]) silent.push(await costOf(await customersAtOnePlace(customers), DAYS));
    for (const customers of [1, 10]) showing.push(await costOfScenesBeside(customers));
  });

  test('is asked every day all the same', () => {
    for (const { requests } of [...silent, ...showing]) expect(requests).toBeGreaterThan(DAYS);
  });

  test('is asked as often for 10 and for 100 customers as for one', () => {
    const requests = silent.map((cost) => cost.requests);
    expect(requests).toEqual(requests.map(() => requests[0]));
  });

  test('takes no more looks into storage for a further customer than a catalogue that shows scenes beside the fields', () => {
    const [ofSilence, ofScenesBeside] = [silent, showing].map(([one, ten]) => (ten!.operations - one!.operations) / 9);
    expect(ofSilence).toBeLessThanOrEqual(ofScenesBeside!);
  });
});

describe('An item that names no files', () => {
  const DAYS = 12;
  const item: SceneToShow = { day: addDays(FIRST_DAY, 2), hasNoFiles: true };

  test('leaves a record of its day for everybody', async () => {
    const service = await customersAtOnePlace(2);
    show(service, item);
    await service.passDays(2);
    for (const customer of ['customer-0', 'customer-1']) {
      expect(await service.outcomes(customer, 'north')).toMatchObject({ [item.day]: 'failed' });
    }
  });

  /** One look when the item is shown, and one each time a failure that may pass is tried again: after 1, 2, 4 and 8 days. */
  const MOST_LOOKS = 5;

  test.failing.each([1, 10])(
    'is asked about at most five times in twelve days, with customers: %d',
    async (customers) => {
      const [without, withItem] = [await customersAtOnePlace(customers), await customersAtOnePlace(customers)];
      show(withItem, item);
      const [few, many] = [await costOf(without, DAYS), await costOf(withItem, DAYS)];
      expect(many.requests - few.requests).toBeLessThanOrEqual(MOST_LOOKS);
    },
  );
});
