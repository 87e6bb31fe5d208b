import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  deadlineOf,
  firstLook,
  isOverdue,
  lookPauseMs,
  placeOfLook,
  stateOf,
  type LookState,
} from '../../../shared/boundary/job/lookState.js';

const MINUTE_MS = 60_000;

describe('the state between two looks', () => {
  test('is that of the first look for a job that has not waited', () => {
    expect(stateOf({})).toEqual(firstLook);
    expect(firstLook).toEqual({ phase: 'slot', round: 0, mayGrow: true });
  });

  test('is read as it was stored', () => {
    const state = fc.record(
      {
        phase: fc.constantFrom<LookState['phase']>('slot', 'ingest'),
        round: fc.constantFrom<LookState['round']>(0, 1),
        mayGrow: fc.boolean(),
        since: fc.nat(),
      },
      { requiredKeys: ['phase', 'round', 'mayGrow'] },
    );
    fc.assert(
      fc.property(state, (look) => {
        expect(stateOf({ place: placeOfLook(look) })).toEqual(look);
      }),
    );
  });

  test('that an earlier version stored is the nearest to it', () => {
    expect(stateOf({ place: { step: 'publication', state: { round: 7, since: 'long ago' } } })).toEqual(firstLook);
  });
});

describe('the pause before the next look', () => {
  test.each([
    { waitedMs: 0, pause: 2_000 },
    { waitedMs: 20_000, pause: 2_000 },
    { waitedMs: 60_000, pause: 6_000 },
    { waitedMs: 60_004, pause: 6_000 },
    { waitedMs: 150_000, pause: 15_000 },
    { waitedMs: 1_000_000, pause: 15_000 },
  ])('is $pause ms after $waitedMs ms', ({ waitedMs, pause }) => {
    expect(lookPauseMs(waitedMs)).toBe(pause);
  });
});

describe('the time of a job', () => {
  test('ends 30 minutes after it got its slot; a look that began in time has 15 more', () => {
    expect(deadlineOf(1_000)).toBe(1_000 + 30 * MINUTE_MS);
    const look = { ...firstLook, since: 1_000 };
    expect(isOverdue(look, 1_000 + 45 * MINUTE_MS)).toBe(false);
    expect(isOverdue(look, 1_001 + 45 * MINUTE_MS)).toBe(true);
  });

  test('does not run while it stands in the lane', () => {
    expect(isOverdue(firstLook, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
