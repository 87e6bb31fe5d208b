import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  claimDecision,
  claimed,
  ended,
  isEnded,
  MAX_ATTEMPTS,
  processingSeconds,
  released,
  renewed,
  waiting,
  type Job,
} from '../../shared/jobs/job.js';

const START = Date.parse('2026-06-15T12:00:00Z');

export const aJob = (changes: Partial<Job> = {}): Job => ({
  tenant: 'tenant-a',
  solution: 'partnerAgPowered.gdd',
  jobId: 'spring-corn',
  e2eId: '7c0f7a50-14a6-4a6c-8a5c-a5a4f4b0d6a1',
  status: 'WAITING',
  parameters: {},
  createdAt: START,
  lastActionAt: START,
  attempt: 0,
  ...changes,
});

describe('what a worker may do with a job', () => {
  const lease = { token: 'a', until: START + 60_000 };
  test.each([
    { why: 'a waiting job is claimed', job: aJob(), expected: 'claim' },
    { why: 'a job with a live lease is left alone', job: aJob({ status: 'RUNNING', lease }), expected: 'owned' },
    {
      why: 'a job whose lease is over is claimed',
      job: aJob({ lease: { token: 'a', until: START } }),
      expected: 'claim',
    },
    { why: 'a job that is due later is left alone', job: aJob({ dueAt: START + 1 }), expected: 'early' },
    { why: 'an ended job is left alone', job: aJob({ status: 'CANCELLED' }), expected: 'ended' },
    { why: 'a job without attempts left is to be failed', job: aJob({ attempt: MAX_ATTEMPTS }), expected: 'exhausted' },
    {
      why: 'a job that waits needs no attempt',
      job: aJob({ attempt: MAX_ATTEMPTS, waiting: { phase: 'ingest', state: {} } }),
      expected: 'claim',
    },
  ])('$why', ({ job, expected }) => {
    expect(claimDecision(job, START)).toBe(expected);
  });
});

describe('the seconds of processing', () => {
  test.each([
    { why: 'are 0 before the start', job: aJob(), expected: 0 },
    { why: 'are those elapsed while running', job: aJob({ status: 'RUNNING', startedAt: START - 2_900 }), expected: 2 },
    {
      why: 'are floor(end − start) after the end',
      job: aJob({ status: 'SUCCEEDED', startedAt: START - 9_000, endedAt: START - 5_001 }),
      expected: 3,
    },
    { why: 'are 0 for a job cancelled from WAITING', job: aJob({ status: 'CANCELLED' }), expected: 0 },
  ])('$why', ({ job, expected }) => {
    expect(processingSeconds(job, START)).toBe(expected);
  });
});

test('a job cancelled from WAITING has neither start nor end of processing', () => {
  const cancelled = ended(aJob(), { status: 'CANCELLED' }, START + 5);
  expect(cancelled).not.toHaveProperty('startedAt');
  expect(cancelled).not.toHaveProperty('endedAt');
});

/** Any of the moves, at a clock that may step back. */
const move = fc.record({
  kind: fc.constantFrom('claim', 'renew', 'release', 'wait', 'succeed', 'fail', 'cancel'),
  step: fc.integer({ min: -600_000, max: 600_000 }),
});

function after(job: Job, kind: string, now: number): Job {
  switch (kind) {
    case 'claim':
      return claimDecision(job, now) === 'claim' ? claimed(job, { token: 't', until: now + 60_000 }, now) : job;
    case 'renew':
      return renewed(job, now + 60_000);
    case 'release':
      return released(job, { dueAt: now, failure: 'GDD-05005: away' }, now);
    case 'wait':
      return waiting(job, { dueAt: now, phase: 'ingest', state: {} }, now);
    case 'succeed':
      return ended(job, { status: 'SUCCEEDED', insightId: 'i' }, now);
    case 'fail':
      return ended(job, { status: 'FAILED', failure: 'GDD-05000: x' }, now);
    default:
      return ended(job, { status: 'CANCELLED' }, now);
  }
}

describe('whatever happens to a job and its clocks', () => {
  const history = fc.array(move, { maxLength: 40 });
  const play = (moves: readonly { kind: string; step: number }[]): Job[] => {
    let now = START;
    let job = aJob();
    const jobs = [job];
    for (const { kind, step } of moves) {
      now += step;
      if (isEnded(job)) break;
      job = after(job, kind, now);
      jobs.push(job);
    }
    return jobs;
  };

  test('created ≤ start ≤ end ≤ last action, and the last action never runs back', () => {
    fc.assert(
      fc.property(history, (moves) => {
        const jobs = play(moves);
        jobs.forEach((job, index) => {
          const { createdAt, startedAt = createdAt, endedAt = startedAt, lastActionAt } = job;
          expect(createdAt <= startedAt && startedAt <= endedAt && endedAt <= lastActionAt).toBe(true);
          expect(lastActionAt).toBeGreaterThanOrEqual(jobs[index - 1]?.lastActionAt ?? 0);
        });
      }),
    );
  });

  test('an ended job refuses every further end', () => {
    fc.assert(
      fc.property(history, fc.constantFrom('succeed', 'fail', 'cancel'), (moves, kind) => {
        const last = play([...moves, { kind: 'cancel', step: 0 }]).at(-1)!;
        expect(() => after(last, kind, START)).toThrow();
      }),
    );
  });

  test('only SUCCEEDED shows an insight, and no ended job has a lease', () => {
    fc.assert(
      fc.property(history, (moves) => {
        const last = play(moves).at(-1)!;
        expect(last.insightId !== undefined).toBe(last.status === 'SUCCEEDED');
        expect(isEnded(last) && last.lease !== undefined).toBe(false);
      }),
    );
  });
});
