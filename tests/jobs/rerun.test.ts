import { describe, expect, test } from '@jest/globals';
import { workLineOf } from '../../shared/jobs/line.js';
import {
  firstRerun,
  isAtWorkAgain,
  mayRunAgain,
  MOST_RERUNS,
  nextRerun,
  ranAgain,
  runningAgain,
} from '../../shared/jobs/rerun.js';
import { aJob, START } from './aJob.js';

const SIX_HOURS_MS = 6 * 3_600_000;
const lacks = 'the newest forecast';
const due = { dueAt: START, runs: 0, lacks };
const lease = { token: 't', until: START + 60_000 };

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

  test.each([
    { why: 'not while nothing is lacking', job: aJob(), may: false, isAtWork: false },
    { why: 'when it is due', job: aJob({ rerun: due }), may: true, isAtWork: true },
    { why: 'not a moment earlier', job: aJob({ rerun: { ...due, dueAt: START + 1 } }), may: false, isAtWork: false },
    { why: 'not while another run owns it', job: aJob({ rerun: due, lease }), may: false, isAtWork: true },
    {
      why: 'when the lease of a run that died is over',
      job: aJob({ rerun: due, lease: { token: 't', until: START } }),
      may: true,
      isAtWork: true,
    },
    {
      why: 'not before it is due, though a run of it is on its way',
      job: aJob({ rerun: { ...due, dueAt: START + 1 }, lease }),
      may: false,
      isAtWork: true,
    },
    { why: 'not when only a lease is left', job: aJob({ lease }), may: false, isAtWork: false },
  ])('is run by who holds its message $why', ({ job, may, isAtWork }) => {
    expect([mayRunAgain(job, START), isAtWorkAgain(job, START)]).toEqual([may, isAtWork]);
  });
});

describe('a run that begins', () => {
  const parked = { line: 'x', askedAt: START };

  test('is counted, owns the job and has left its line', () => {
    const job = runningAgain({ ...aJob({ parked }), rerun: due }, lease, START);
    expect(job).toEqual({ ...aJob(), epoch: START, rerun: { ...due, runs: 1 }, lease });
  });

  test('after one that died tells the data manager first, which is no run', () => {
    const job = runningAgain({ ...aJob({ lease }), rerun: due }, { token: 'new', until: START + 99 }, START + 7);
    expect(job.rerun).toEqual({ ...due, untoldSince: START + 7 });
    const again = runningAgain({ ...job, rerun: job.rerun! }, lease, START + 50);
    expect(again.rerun?.untoldSince).toBe(START + 7);
  });
});

describe('after a run', () => {
  const running = aJob({ status: 'SUCCEEDED', lease, lines: ['x'], rerun: due, parked: { line: 'x', askedAt: 1 } });

  test('with nothing left to be done the job is as any that SUCCEEDED', () => {
    expect(ranAgain(running, undefined)).toEqual(aJob({ status: 'SUCCEEDED' }));
  });

  test('with something left it stands in its tenant’s line from when it is due', () => {
    const next = { dueAt: START + 5, runs: 1, lacks };
    const line = workLineOf(running);
    expect(ranAgain(running, next)).toEqual(
      aJob({ status: 'SUCCEEDED', rerun: next, lines: [line], parked: { line, askedAt: START + 5 } }),
    );
  });
});
