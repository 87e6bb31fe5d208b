import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { IdleService, operationsOf, type TimerCost } from './idleService.js';
import { MemoryStorage } from './memoryStorage.js';

const SIZES = [10, 100, 1_000] as const;
const MANY = 10_000;
/** Five customers have their fields in one tile. */
const TILES_OF_MANY = 2_000;
const MINUTES = 1_440;

describe('A day on which nobody calls and nothing is new', () => {
  const days: (readonly TimerCost[])[] = [];
  let service: IdleService;

  beforeAll(async () => {
    service = await IdleService.on(new MemoryStorage());
    for (const size of SIZES) {
      await service.growTo(size);
      days.push(await service.day());
    }
  });
  afterAll(() => service.stop());

  /** Operations of storage for each further customer in tiles that are known already. */
  function ofEachCustomer(fewer: 0 | 1 = 1): number {
    const [few, many] = [days[fewer]!, days[fewer + 1]!].map((day) => operationsOf(day, 0));
    return (many! - few!) / (SIZES[fewer + 1]! - SIZES[fewer]);
  }

  test('asks the same of storage in every minute, whoever is enrolled', () => {
    const minutes = days.map((day) => day.filter(({ timesADay }) => timesADay === MINUTES));
    expect(minutes[0]!.length).toBeGreaterThan(0);
    expect(minutes).toEqual(SIZES.map(() => minutes[0]));
  });

  test('asks as much more of storage for each customer when there are few as when there are many', () => {
    // A night compares a thirtieth of the enrollments, which is not the same share of few as of many.
    expect(Math.abs(ofEachCustomer(0) - ofEachCustomer(1))).toBeLessThan(1);
  });

  test('takes at most 45,000 operations of storage with 10,000 customers', () => {
    const all = operationsOf(days.at(-1)!, TILES_OF_MANY) + (MANY - SIZES[2]) * ofEachCustomer();
    expect(Math.round(all)).toBeLessThanOrEqual(45_000);
  });

  test('takes at most 3,200 operations of storage for each further 10,000 customers in these tiles', () => {
    // About 3,000, more or less by the thirtieth of the customers that the night of the test looks at.
    expect(Math.round(ofEachCustomer() * 10_000)).toBeLessThanOrEqual(3_200);
  });
});
