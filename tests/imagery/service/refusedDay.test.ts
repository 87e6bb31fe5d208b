import { describe, expect, test } from '@jest/globals';
import { idOfScene } from './shownCatalogue.js';
import { ServiceUnderTest } from './serviceUnderTest.js';

/** Sixteen fields of tile 33UUP, each in a cell of 20 km of its own. */
const FIELDS = Array.from({ length: 16 }, (_, index) => {
  const [west, south] = [12.72 + (index % 4) * 0.277, 47.93 + Math.floor(index / 4) * 0.184];
  return { fieldId: `field ${index}`, box: [west, south, west + 0.002, south + 0.0015] as const };
});
const DAY = '2026-06-10';
const REFUSED_DAY = '2026-06-12';
/** More than the service goes on asking for what is refused. */
const MOST_HOURS = 150;

/** Two days become known at once, after six hours in which the catalogue was away. */
async function twoDays(): Promise<ServiceUnderTest> {
  const service = new ServiceUnderTest('2026-06-12T12:30:00Z');
  const request = { startDate: '2026-06-01', endDate: '2026-06-30', layers: ['ndvi'] as const };
  await service.enrol({ customer: 'contoso', enrollmentId: 'e1', fields: FIELDS, request });
  await service.pass(1);
  service.catalogue.isAway = true;
  service.catalogue.show({ day: DAY }, '2026-06-12T14:00:00Z');
  service.catalogue.show({ day: REFUSED_DAY }, '2026-06-12T15:00:00Z');
  await service.pass(6);
  service.catalogue.isAway = false;
  return service;
}

/** Hours until all fields have their image of a day. */
async function hoursUntilWhole(service: ServiceUnderTest, day: string): Promise<number> {
  const isWhole = (): boolean =>
    service.images('contoso').filter((path) => path.includes(day)).length === FIELDS.length;
  for (let hours = 0; hours < MOST_HOURS; hours += 1) {
    await service.pass(1);
    if (isWhole()) return hours;
  }
  return Infinity;
}

describe('Of two days that become known late together', () => {
  test('one is whole at once when nothing is refused', async () => {
    expect(await hoursUntilWhole(await twoDays(), DAY)).toBe(0);
  });

  // What waits for a refusal to end holds no place of its lane.
  test('one is whole at once though every file of the other is refused', async () => {
    const service = await twoDays();
    service.refuse(idOfScene({ day: REFUSED_DAY }));
    expect(await hoursUntilWhole(service, DAY)).toBe(0);
  });
});
