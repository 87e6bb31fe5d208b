import { describe, test } from '@jest/globals';

/** Whether this is the full run, `npm run test:full`. `npm test` tries a tenth of the cases of a law. */
const isFull = process.env['TEST_RUN'] === 'full';

/** How many cases of a law are tried. @param full the number of the full run */
export const tries = (full: number): number => (isFull ? full : Math.ceil(full / 10));

/** A test of the full run alone: its subject is shown by quicker tests too, or changes seldom. */
export const testInFull = isFull ? test : test.skip;

/** Tests of the full run alone. */
export const describeInFull = isFull ? describe : describe.skip;
