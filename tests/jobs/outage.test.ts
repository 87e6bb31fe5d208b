import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { outageWith, type Outage } from '../../shared/jobs/outage.js';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-06-15T12:00:00Z');
const refusal = (dependency: string, hour: number) => ({ dependency, code: 'X-1', at: START + hour * HOUR_MS });
const after = (refusals: readonly (readonly [dependency: string, hour: number])[]): Outage =>
  refusals.reduce<Outage | undefined>(
    (before, [dependency, hour]) => outageWith(refusal(dependency, hour), { before, startedAt: START }, 24),
    undefined,
  )!;

describe('an outage', () => {
  test('lasts from its first refusal for as long as the service has patience', () => {
    expect(
      after([
        ['weather', 1],
        ['weather', 2],
        ['weather', 7],
      ]),
    ).toEqual({
      dependency: 'weather',
      code: 'X-1',
      since: START + HOUR_MS,
      until: START + 25 * HOUR_MS,
      refusals: 3,
    });
  });

  test('of another dependency begins anew: the former has answered meanwhile', () => {
    const outage = after([
      ['data manager', 0],
      ['data manager', 20],
      ['weather', 21],
    ]);
    expect(outage).toMatchObject({ dependency: 'weather', since: START + 21 * HOUR_MS, refusals: 1 });
    expect(outage.until).toBe(START + 45 * HOUR_MS);
  });

  test('ends three patiences after the start at the latest, whoever refuses in turns', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.double({ min: 0, max: 80, noNaN: true })), {
          minLength: 1,
        }),
        (refusals) => {
          const { since, until } = after(refusals.sort(([, a], [, b]) => a - b));
          expect(until).toBeLessThanOrEqual(START + 72 * HOUR_MS);
          expect(until - since).toBeLessThanOrEqual(24 * HOUR_MS);
        },
      ),
    );
  });

  test('keeps the pause that was asked for last', () => {
    const asked = outageWith({ ...refusal('weather', 0), askedSeconds: 7 }, { before: undefined, startedAt: 0 }, 24);
    expect(asked.askedSeconds).toBe(7);
    expect(outageWith(refusal('weather', 1), { before: asked, startedAt: 0 }, 24).askedSeconds).toBeUndefined();
  });
});
