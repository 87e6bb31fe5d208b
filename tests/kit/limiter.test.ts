import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eachOf, limiter } from '../../shared/kit/limiter.js';

describe('a limiter', () => {
  test('never runs more tasks than its limit, runs all, in order, and gives back what they give', async () => {
    const counts = fc.record({ limit: fc.integer({ min: 1, max: 5 }), waits: fc.array(fc.nat(4), { maxLength: 20 }) });
    await fc.assert(
      fc.asyncProperty(counts, async ({ limit, waits }) => {
        const run = limiter(limit);
        let [running, most] = [0, 0];
        const started: number[] = [];
        const results = await Promise.all(
          waits.map((wait, index) =>
            run(async () => {
              started.push(index);
              running += 1;
              most = Math.max(most, running);
              for (let turn = 0; turn < wait; turn += 1) await Promise.resolve();
              running -= 1;
              return index * 2;
            }),
          ),
        );
        expect(most).toBeLessThanOrEqual(limit);
        expect(started).toEqual(waits.map((_, index) => index));
        expect(results).toEqual(waits.map((_, index) => index * 2));
      }),
    );
  });

  test('a task that fails makes room for the next', async () => {
    const run = limiter(1);
    const failing = run(() => Promise.reject(new Error('no')));
    const next = run(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
  });
});

describe('something done for each of several', () => {
  test('begins nothing after a fault, and ends when what had begun has ended: nothing goes on behind the caller', async () => {
    const events: string[] = [];
    let end = (): void => undefined;
    const slow = new Promise<void>((resolve) => (end = resolve));
    const all = eachOf(['slow', 'broken', 'next'], 2, async (name) => {
      events.push(name);
      if (name === 'broken') throw new Error('no');
      await slow;
      events.push(`${name} ended`);
    }).catch((fault: unknown) => events.push(String(fault)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(events).toEqual(['slow', 'broken']);
    end();
    await all;
    expect(events).toEqual(['slow', 'broken', 'slow ended', 'Error: no']);
  });
});
