import { beforeAll, describe, expect, test } from '@jest/globals';
import type { GeoBox } from '../../../shared/scenes/place/footprint.js';
import { ServiceUnderTest } from './serviceUnderTest.js';

const FIRST_DAY = '2026-06-01';
const BOX: GeoBox = [13.14, 48.29, 13.142, 48.2915];
const [CUSTOMER, ENROLLMENT] = ['contoso', 'e1'];

/** A customer with images of two days. @param endDate of the monitoring */
async function monitored(endDate: string): Promise<ServiceUnderTest> {
  const service = new ServiceUnderTest(`${FIRST_DAY}T00:30:00Z`);
  await service.enrol({
    customer: CUSTOMER,
    enrollmentId: ENROLLMENT,
    fields: [{ fieldId: 'north', box: BOX }],
    request: { startDate: FIRST_DAY, endDate, layers: ['ndvi'] },
  });
  await service.pass(1);
  for (const day of ['2026-06-01', '2026-06-02']) service.catalogue.show({ day }, `${day}T16:00:00Z`);
  await service.passDays(2);
  return service;
}

describe('A stop', () => {
  /** Images of a scene that the catalogue shows an hour after a stop. */
  async function imagesAfter(stop: 'stop' | 'stopDying'): Promise<readonly string[]> {
    const service = await monitored('2026-06-30');
    await service[stop](CUSTOMER, ENROLLMENT);
    await service.pass(1);
    service.catalogue.show({ day: '2026-06-03' }, service.now.toISOString());
    await service.pass(3);
    return service.images(CUSTOMER).filter((path) => path.includes('2026-06-03'));
  }

  test('ends what is made of scenes that come an hour later', async () => {
    expect(await imagesAfter('stop')).toEqual([]);
  });

  test('ends it too when its process dies before those who make images are told', async () => {
    expect(await imagesAfter('stopDying')).toEqual([]);
  });
});

describe.each([
  { end: 'has had its time', endDate: '2026-06-10', isStopped: false },
  { end: 'was stopped', endDate: '2026-08-31', isStopped: true },
])('What is kept for an enrollment that $end', ({ endDate, isStopped }) => {
  /** Late scenes are taken for 30 days, products are kept for 60. */
  const DAYS_AFTER = 75;
  let service: ServiceUnderTest;
  let before: ServiceUnderTest['kept'];
  beforeAll(async () => {
    service = await monitored(endDate);
    before = service.kept;
    if (isStopped) await service.stop(CUSTOMER, ENROLLMENT);
    await service.passDays(DAYS_AFTER);
  });

  test('are its scenes, and notes of its fields, while it is at work', () => {
    expect(before).toEqual({ products: 2, notes: 1 });
  });

  test('are no scenes of a tile of which nobody wants images any more', () => {
    expect(service.kept.products).toBe(0);
  });

  test('are no notes of its fields', () => {
    expect(service.kept.notes).toBe(0);
  });
});
