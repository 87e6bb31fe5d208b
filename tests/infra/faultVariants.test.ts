import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { crashPoints } from '../faults/crashPoints.mjs';
import { noticePoints } from '../faults/noticePoints.mjs';
import type { SourceChange } from '../faults/runningService.mjs';
import { scenePoints } from '../faults/scenePoints.mjs';
import {
  deadlyField,
  movableClock,
  nextVersion,
  protections,
  shortPutBack,
  shortWaits,
  slowableJobs,
  soonRerun,
} from '../faults/variants.mjs';

/** Texts that a change can't find in its file, or finds more than once: the experiment could not be built. */
const misplaced = (changes: readonly SourceChange[]): readonly string[] =>
  changes
    .filter(({ file, from }) => readFileSync(file, 'utf8').split(from).length !== 2)
    .map(({ file, from }) => `${file}: ${from}`);

describe('what the fault experiments change in the code stands there once', () => {
  test.each(Object.entries(protections))('to take out the protection %s', (_name, changes) => {
    expect(misplaced(changes)).toEqual([]);
  });

  test('to let a host die at each crash point, to shorten waits and to move clocks', () => {
    expect(misplaced([...crashPoints, ...scenePoints, ...noticePoints, ...shortWaits, ...movableClock])).toEqual([]);
  });

  test('for single experiments', () => {
    expect(misplaced([...nextVersion, ...shortPutBack, ...soonRerun, ...slowableJobs, deadlyField])).toEqual([]);
  });
});
