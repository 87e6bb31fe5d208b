import { describe, expect, test } from '@jest/globals';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { ServiceUnderTest } from './serviceUnderTest.js';

const FIRST_DAY = '2026-06-01';
const DAYS = 6;
const FIELDS = Array.from({ length: 10 }, (_, index) => {
  const west = 13.14 + index * 0.003;
  return { fieldId: `field ${index}`, box: [west, 48.29, west + 0.002, 48.2915] as const };
});

const enrol = (service: ServiceUnderTest, enrollmentId: string): Promise<void> =>
  service.enrol({
    customer: 'contoso',
    enrollmentId,
    fields: FIELDS,
    request: { startDate: FIRST_DAY, endDate: '2026-06-30', layers: ['ndvi'] },
  });

/** Fields enrolled before their scenes came: each first in one collection, hours later in the other. */
async function shownInBoth(): Promise<ServiceUnderTest> {
  const service = new ServiceUnderTest(`${FIRST_DAY}T00:30:00Z`);
  await enrol(service, 'first');
  await service.pass(1);
  for (let index = 0; index < DAYS; index += 1) {
    const day = addDays(FIRST_DAY, index);
    service.catalogue.show({ day, collection: 'sentinel-2-l2a' }, `${day}T16:00:00Z`);
    service.catalogue.show({ day, collection: 'sentinel-2-c1-l2a' }, `${day}T19:00:00Z`);
  }
  await service.passDays(DAYS);
  return service;
}

describe('Images of scenes that the catalogue showed in one collection and then in the other', () => {
  test('are made once', async () => {
    const service = await shownInBoth();
    expect(service.images('contoso')).toHaveLength(FIELDS.length * DAYS);
    expect(service.imageWrites()).toHaveLength(FIELDS.length * DAYS);
  });

  test('are left alone when the same fields are enrolled again', async () => {
    const service = await shownInBoth();
    const written = service.imageWrites().length;
    await enrol(service, 'second');
    await service.passDays(1);
    expect({ rewritten: service.imageWrites().length - written, of: written }).toEqual({ rewritten: 0, of: written });
  });
});
