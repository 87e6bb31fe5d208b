import { describe, expect, test } from '@jest/globals';
import type { GeoBox } from '../../../shared/scenes/place/footprint.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { ServiceUnderTest } from './serviceUnderTest.js';

const FIRST_DAY = '2026-06-01';
const BOX: GeoBox = [13.14, 48.29, 13.142, 48.2915];
/** Every enrollment is compared with the index within so many nights. */
const MENDED_WITHIN_DAYS = 30;
const [LOST, NEIGHBOUR] = ['contoso', 'fabrikam'];

/** Two customers of one place, of whom the index loses one, and a scene on every third day. */
async function halfLost(): Promise<ServiceUnderTest> {
  const service = new ServiceUnderTest(`${FIRST_DAY}T12:30:00Z`);
  for (const customer of [LOST, NEIGHBOUR]) {
    await service.enrol({
      customer,
      enrollmentId: `${customer}-1`,
      fields: [{ fieldId: 'north', box: BOX }],
      request: { startDate: FIRST_DAY, endDate: '2026-07-31', layers: ['ndvi'] },
    });
  }
  await service.pass(1);
  await service.loseIndex(LOST);
  for (let days = 1; days < MENDED_WITHIN_DAYS; days += 3) {
    const day = addDays(FIRST_DAY, days);
    service.catalogue.show({ day }, `${day}T16:00:00Z`);
  }
  return service;
}

/** Lets days pass until the index knows the customer again. */
async function untilFoundAgain(service: ServiceUnderTest): Promise<void> {
  for (let day = 0; day < MENDED_WITHIN_DAYS && !service.isIndexed(LOST); day += 1) await service.passDays(1);
}

const daysOf = (service: ServiceUnderTest, customer: string): readonly string[] =>
  service.images(customer).map((path) => path.split('/')[4] ?? '');

describe('An enrollment that the index has lost', () => {
  test('is in the index again within a month, and its neighbour has missed nothing', async () => {
    const service = await halfLost();
    await untilFoundAgain(service);
    expect(service.isIndexed(LOST)).toBe(true);
    expect(daysOf(service, NEIGHBOUR).length).toBeGreaterThan(0);
  });

  test('has all images of the days in between on the morning after, as its neighbour has', async () => {
    const service = await halfLost();
    await untilFoundAgain(service);
    await service.passDays(1);
    expect(daysOf(service, LOST)).toEqual(daysOf(service, NEIGHBOUR));
  });
});
