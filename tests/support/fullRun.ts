import { describe, test } from '@jest/globals';

const run = process.env['TEST_RUN'];

/** Whether this is the full run, `npm run test:full`, or that of each change. `npm test` tries a tenth of the cases of a law. */
const isFull = run === 'full' || run === 'change';

/** How many cases of a law are tried. @param full the number of the full run */
export const tries = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** From one place of a series to the next: the full run tries every place, `npm test` each third. */
export const stride = isFull ? 1 : 3;

/** A test of the full run alone: its subject is shown by quicker tests too, or changes seldom. */
export const testInFull = isFull ? test : test.skip;

/** Tests of the full run alone. */
export const describeInFull = isFull ? describe : describe.skip;

/** Whether this is the full run, not that of each change, which leaves out what takes minutes. */
export const isByHand = run === 'full';

/** How many of a great number there are. @param full the number of the full run; others have a tenth */
export const amount = (full: number): number => (isByHand ? full : Math.ceil(full / 10));
