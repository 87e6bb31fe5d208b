import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TimerParts, startTimer } from '../../../infra/local/functionsHost/timer.js';
import type { TypedData } from '../../../infra/local/functionsHost/rpc.js';

const log = { system: jest.fn(), user: jest.fn() };
const everyMs =
  (ms: number) =>
  (after: Date): Date =>
    new Date(after.getTime() + ms);

/** A timer whose calls are counted; each lasts a while. `called` resolves with so many calls. */
function counted({ lastsMs, ...parts }: Partial<TimerParts> & { readonly lastsMs: number }) {
  const calls: TypedData[] = [];
  let running = 0;
  let mostAtOnce = 0;
  let look = (): void => undefined;
  const timer = startTimer({
    name: 'counted',
    schedule: everyMs(40),
    runOnStartup: false,
    log,
    run: async (input) => {
      calls.push(input);
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      await sleep(lastsMs);
      running -= 1;
      look();
    },
    ...parts,
  });
  const called = (count: number): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (calls.length >= count) resolve();
      };
    });
  return { timer, calls, called, running: () => running, mostAtOnce: () => mostAtOnce };
}

describe('a timer', () => {
  beforeAll(() => {
    log.system.mockClear();
  });

  test('calls its function again and again, never twice at once', async () => {
    const { timer, called, mostAtOnce } = counted({ lastsMs: 60 });
    await called(3);
    await timer.stop();
    expect(mostAtOnce()).toBe(1);
  });

  test('waits at its end for the call that runs, and makes no other', async () => {
    const { timer, calls, running } = counted({ lastsMs: 100, runOnStartup: true });
    await timer.stop();
    expect({ calls: calls.length, running: running() }).toEqual({ calls: 1, running: 0 });
    await sleep(100);
    expect(calls).toHaveLength(1);
  });

  test('does not wait in one piece for a moment further away than setTimeout reaches', async () => {
    const { timer, calls } = counted({ lastsMs: 0, schedule: everyMs(2 ** 31 + 5_000) });
    await sleep(50);
    await timer.stop();
    expect(calls).toEqual([]);
  });

  test('goes on after a call that failed', async () => {
    const run = jest.fn<TimerParts['run']>().mockRejectedValueOnce(new Error('planned'));
    const again = new Promise<void>((resolve) => {
      run.mockImplementation(() => {
        resolve();
        return Promise.resolve();
      });
    });
    const timer = startTimer({ name: 'failing', schedule: everyMs(20), runOnStartup: true, log, run });
    await again;
    await timer.stop();
    expect(log.system).toHaveBeenCalledWith('error', expect.stringContaining('failing failed: Error: planned'));
  });

  test('tells its function that nothing is past due, and when it comes next', async () => {
    const before = Date.now();
    const { timer, calls } = counted({ lastsMs: 0, runOnStartup: true });
    await timer.stop();
    const input = JSON.parse(calls[0]?.json ?? '') as { IsPastDue: boolean; ScheduleStatus: { Next: string } };
    expect(input.IsPastDue).toBe(false);
    expect(Date.parse(input.ScheduleStatus.Next)).toBeGreaterThan(before);
  });
});
