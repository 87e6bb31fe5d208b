import { describe, expect, test } from '@jest/globals';
import { begunRerun, firstRerun, MOST_RERUNS, nextRerun, withRerun } from '../../shared/jobs/rerun.js';
import { aJob, START } from './aJob.js';

const SIX_HOURS_MS = 6 * 3_600_000;
const lacks = 'the newest forecast';
const due = { dueAt: START, runs: 0, lacks };

describe('a job that SUCCEEDED without something', () => {
  test('runs again after six hours', () => {
    expect(firstRerun(lacks, START)).toEqual({ dueAt: START + SIX_HOURS_MS, runs: 0, lacks });
  });

  test('runs again three times at most, and not when nothing is lacking any more', () => {
    const after = (runs: number, still: string | undefined) => nextRerun({ dueAt: START, runs }, still, START);
    expect(after(MOST_RERUNS - 1, lacks)).toEqual({ dueAt: START + SIX_HOURS_MS, runs: MOST_RERUNS - 1, lacks });
    expect(after(MOST_RERUNS, lacks)).toBeUndefined();
    expect(after(1, undefined)).toBeUndefined();
  });
});

describe('a run that begins', () => {
  test('is counted, and is due no more', () => {
    expect(begunRerun(due, START)).toEqual({ runs: 1, lacks });
  });

  test('after one that died tells the data manager first, which is no run', () => {
    const first = begunRerun({ runs: 1, lacks }, START + 7);
    expect(first).toEqual({ runs: 1, lacks, untoldSince: START + 7 });
    expect(begunRerun(first, START + 50)).toEqual(first);
  });

  test('for an insight that is still to be told is no run either', () => {
    const untold = { ...due, untoldSince: START - 9 };
    expect(begunRerun(untold, START)).toEqual({ runs: 0, lacks, untoldSince: START - 9 });
  });
});

describe('after a run', () => {
  const before = aJob({ status: 'SUCCEEDED', rerun: due });

  test('with nothing left to be done the job is as any that SUCCEEDED', () => {
    expect(withRerun(before, undefined)).toEqual(aJob({ status: 'SUCCEEDED' }));
  });

  test('with something left it is the same job, which says when it runs again', () => {
    const rerun = { dueAt: START + 5, runs: 1, lacks };
    expect(withRerun(before, rerun)).toEqual(aJob({ status: 'SUCCEEDED', rerun }));
  });
});
