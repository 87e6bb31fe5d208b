import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { limiter } from '../../shared/raster/limiter.js';

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
