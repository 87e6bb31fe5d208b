import { expect, test } from '@jest/globals';
import { watchImagery, type WaitingWork } from '../../../shared/imagery/work/watchImagery.js';
import { ManualClock } from '../../support/manualClock.js';

const HOUR_MS = 3_600_000;

test('imagery that customers wait for is counted: late on the latest days, and waiting whatever the day', async () => {
  const clock = new ManualClock('2026-06-15T12:00:00Z');
  const now = clock.now().getTime();
  const works: Record<string, readonly WaitingWork[]> = {
    fresh: [{ date: '2026-06-14', since: now - 1 * HOUR_MS }],
    late: [
      { date: '2026-06-14', since: now - 7 * HOUR_MS },
      { date: '2026-06-05', since: now - 30 * HOUR_MS },
      // A backfill may take its time, but not for ever.
      { date: '2025-06-14', since: now - 7 * HOUR_MS },
      { date: '2025-06-13', since: now - 25 * HOUR_MS },
    ],
    leaving: [{ date: '2026-06-14', since: now - 70 * HOUR_MS }],
  };
  const asked: number[] = [];
  const watch = watchImagery({
    customers: {
      list: () =>
        Promise.resolve(
          Object.keys(works).map((customer) => ({
            ...{ customer, fieldLimit: 250, createdAt: 0 },
            ...(customer === 'leaving' ? { isPurging: true } : {}),
          })) as never,
        ),
    },
    listWaiting: (customer, before) => {
      asked.push(before);
      return Promise.resolve((works[customer] ?? []).filter(({ since }) => since <= before));
    },
    listWaitingUnits: (before) =>
      Promise.resolve(
        [
          { date: '2026-06-14', since: now - 7 * HOUR_MS },
          { date: '2026-06-14', since: now - 1 * HOUR_MS },
          // A flood of old scenes may take its time as well.
          { date: '2025-06-13', since: now - 7 * HOUR_MS },
          { date: '2025-06-12', since: now - 25 * HOUR_MS },
        ].filter(({ since }) => since <= before),
      ),
    clock,
  });
  expect(await watch()).toEqual({ late: 3, waiting: 3, waitingUnits: 2, waitingCustomers: 1 });
  expect(new Set(asked)).toEqual(new Set([now - 6 * HOUR_MS]));
});
