import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TimerParts, startTimer } from '../../../infra/local/functionsHost/timer.js';
import type { TypedData } from '../../../infra/local/functionsHost/rpc.js';

const log = { system: jest.fn(), user: jest.fn() };
const everyMs =
  (ms: number) =>
  (after: Date): Date =>
    new Date(after.getTime() + ms);

/** A timer whose calls are counted; each lasts a while. */
function counted({ lastsMs, ...parts }: Partial<TimerParts> & { readonly lastsMs: number }) {
  const calls: TypedData[] = [];
  let running = 0;
  let mostAtOnce = 0;
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
    },
    ...parts,
  });
  return { timer, calls, running: () => running, mostAtOnce: () => mostAtOnce };
}

describe('a timer', () => {
  beforeAll(() => {
    log.system.mockClear();
  });

  test('calls its function again and again, never twice at once', async () => {
    const { timer, calls, mostAtOnce } = counted({ lastsMs: 60 });
    await sleep(500);
    await timer.stop();
    expect(calls.length).toBeGreaterThanOrEqual(3);
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
    const run = jest.fn<TimerParts['run']>().mockRejectedValueOnce(new Error('planned')).mockResolvedValue();
    const timer = startTimer({ name: 'failing', schedule: everyMs(20), runOnStartup: true, log, run });
    await sleep(200);
    await timer.stop();
    expect(run.mock.calls.length).toBeGreaterThan(1);
    expect(log.system).toHaveBeenCalledWith('error', expect.stringContaining('failing failed: Error: planned'));
  });

  test('tells its function that nothing is past due, and when it comes next', async () => {
    const { timer, calls } = counted({ lastsMs: 0, runOnStartup: true });
    await timer.stop();
    const input = JSON.parse(calls[0]?.json ?? '') as { IsPastDue: boolean; ScheduleStatus: { Next: string } };
    expect(input.IsPastDue).toBe(false);
    expect(Date.parse(input.ScheduleStatus.Next)).toBeGreaterThan(Date.now() - 1_000);
  });
});
