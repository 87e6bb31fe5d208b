import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  askingLater,
  checkAt,
  claimDecision,
  claimed,
  ended,
  isEnded,
  linesWith,
  LOST_MESSAGE_MS,
  MAX_ATTEMPTS,
  parked,
  processingSeconds,
  redriven,
  refused,
  released,
  renewed,
  waiting,
  type Job,
} from '../../shared/jobs/job.js';
import { aJob, START } from './aJob.js';

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
    { why: 'a job that was due a moment ago is claimed', job: aJob({ dueAt: START }), expected: 'claim' },
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

describe('the lease of an attempt', () => {
  test('moves on with each renewal and stays the attempt’s own', () => {
    const lease = { token: 'mine', until: START + 60_000 };
    expect(renewed(aJob({ lease }), START + 80_000)).toEqual(aJob({ lease: { token: 'mine', until: START + 80_000 } }));
  });

  test('is not made by a renewal for a job that nobody owns', () => {
    expect(renewed(aJob(), START + 80_000)).toEqual(aJob());
  });
});

describe('a job that its attempt gives back', () => {
  const running = claimed(aJob(), { token: 't', until: START + 60_000 }, START);
  const outage = { dependency: 'the weather services', code: 'X', since: START, until: START + 1, refusals: 1 };

  test('keeps where it goes on, and remembers the line of the place it has', () => {
    const wait = { dueAt: START + 5, phase: 'ingest', state: { round: 2 }, line: 'ingest|x' };
    const job = waiting({ ...running, lines: ['work|x'] }, wait, START + 1);
    expect(job).toMatchObject({ dueAt: START + 5, waiting: { phase: 'ingest', state: { round: 2 } } });
    expect(job.lines).toEqual(['work|x', 'ingest|x']);
    const { line: _line, ...inNoLine } = wait;
    expect(waiting(running, inNoLine, START + 1)).not.toHaveProperty('lines');
  });

  test('stands in a line without a time at which it is due: its message comes with its place', () => {
    const place = { phase: 'ingest', state: { round: 1 }, line: 'ingest|x', askedAt: START + 1 };
    const job = parked({ ...running, dueAt: START, outage }, place, START + 2);
    expect(job).toMatchObject({ waiting: { phase: 'ingest', state: { round: 1 } }, lines: ['ingest|x'] });
    expect(job.parked).toEqual({ line: 'ingest|x', askedAt: START + 1 });
    for (const gone of ['dueAt', 'lease', 'outage']) expect(job).not.toHaveProperty(gone);
    expect(claimDecision(job, START + 2)).toBe('claim');
  });

  test('stands in each line once', () => {
    expect(linesWith(aJob(), 'a')).toEqual(['a']);
    expect(linesWith(aJob({ lines: ['a', 'b'] }), 'b')).toEqual(['a', 'b']);
  });

  test('because it waits for long asks for its place again when it is due', () => {
    const later = refused(running, { dueAt: START + 900_000, failure: 'X: away', outage }, START + 1);
    expect(askingLater(later, 'work|x').parked).toEqual({ line: 'work|x', askedAt: START + 900_000 });
    expect(askingLater(aJob({ lastActionAt: START + 3 }), 'work|x').parked).toEqual({
      line: 'work|x',
      askedAt: START + 3,
    });
  });

  test('because something refuses it begins anew, unless it says where to go on', () => {
    const release = { dueAt: START + 5, failure: 'X: away', outage };
    expect(refused({ ...running, waiting: { phase: 'a', state: {} } }, release, START)).not.toHaveProperty('waiting');
    const kept = refused(running, { ...release, waiting: { phase: 'publication', state: {} } }, START);
    expect(kept.waiting).toEqual({ phase: 'publication', state: {} });
  });
});

describe('an end without success', () => {
  const lease = { token: 't', until: START + 60_000 };

  test('is followed by taking back what was published, once the attempt can write no more', () => {
    const running = claimed(aJob(), lease, START);
    expect(ended(running, { status: 'CANCELLED' }, START + 1).withdrawAt).toBe(lease.until);
    const { lease: _lease, ...released } = running;
    expect(ended(released, { status: 'CANCELLED' }, START + 1).withdrawAt).toBe(START + 1);
  });

  test('of a job that never published leaves nothing to take back', () => {
    expect(ended(aJob(), { status: 'CANCELLED' }, START + 1)).not.toHaveProperty('withdrawAt');
  });
});

describe('a job that an operator opens again', () => {
  const failed = ended(aJob({ attempt: 5 }), { status: 'FAILED', failure: 'GDD-05000: x' }, START + 9);

  test('is WAITING with all its attempts, and says who opened it and why it had FAILED', () => {
    const job = redriven({ ...failed, startedAt: START, endedAt: START + 9 }, 'ada', START + 20);
    expect(job).toMatchObject({ status: 'WAITING', attempt: 0, createdAt: START, lastActionAt: START + 20 });
    expect(job.redrives).toEqual([{ at: START + 20, by: 'ada', failure: 'GDD-05000: x' }]);
    for (const gone of ['startedAt', 'endedAt', 'failure', 'withdrawAt']) expect(job).not.toHaveProperty(gone);
  });

  test('has something to take back when it had before, and nothing when it had not', () => {
    expect(redriven({ ...failed, withdrawAt: START }, 'ada', START)).toMatchObject({ isPublishing: true });
    expect(redriven(failed, 'ada', START)).not.toHaveProperty('isPublishing');
  });

  test.each(['WAITING', 'RUNNING', 'SUCCEEDED', 'CANCELLED'] as const)('has FAILED before: %s is refused', (status) => {
    expect(() => redriven(aJob({ status }), 'ada', START)).toThrow(status);
  });
});

describe('the next look at a job', () => {
  const lease = { token: 't', until: START + 60_000 };
  const rerun = { dueAt: START + 7, runs: 0 };
  test.each([
    { why: 'comes when its message is overdue', job: aJob(), at: START + LOST_MESSAGE_MS },
    { why: 'counts from when it is due', job: aJob({ dueAt: START + 5 }), at: START + 5 + LOST_MESSAGE_MS },
    { why: 'comes when the lease is over', job: aJob({ lease, dueAt: START }), at: lease.until },
    { why: 'comes when its insight is to be taken back', job: aJob({ withdrawAt: START + 3, lease }), at: START + 3 },
    { why: 'comes when it runs again', job: aJob({ status: 'SUCCEEDED', rerun }), at: START + 7 },
    {
      why: 'comes when it asks for its place again: no message could be late',
      job: aJob({ dueAt: START + 5, parked: { line: 'x', askedAt: START + 5 } }),
      at: START + 5,
    },
    {
      why: 'finds one that stands in line as late as a message would be',
      job: aJob({ parked: { line: 'x', askedAt: START } }),
      at: START + LOST_MESSAGE_MS,
    },
  ])('$why', ({ job, at }) => {
    expect(checkAt(job)).toBe(at);
  });
});

describe('the fencing token of a job', () => {
  const lease = { token: 't', until: START + 60_000 };

  test('grows with each claim, with an end that is taken back and with the claim after that, clocks put back or not', () => {
    const first = claimed(aJob(), lease, START);
    const second = claimed(released(first, { dueAt: START, failure: 'f' }, START), lease, START - 5_000);
    const failed = ended(second, { status: 'FAILED', failure: 'f' }, START - 9_000);
    const again = claimed(redriven(failed, 'ada', START - 9_000), lease, START - 9_000);
    const epochs = [aJob(), first, second, failed, again].map(({ epoch }) => epoch);
    expect(epochs).toEqual([0, START, START + 1, START + 2, START + 3]);
  });

  test('stays with a success: what it has published is its own', () => {
    const job = claimed(aJob(), lease, START);
    expect(ended(job, { status: 'SUCCEEDED', insightId: 'i' }, START + 1).epoch).toBe(job.epoch);
  });

  test('of a row that a restore has brought back is above what was written after the export', () => {
    const exported = claimed(aJob(), lease, START);
    const lost = claimed(claimed(exported, lease, START + 1_000), lease, START + 2_000);
    expect(claimed(exported, lease, START + 3_000).epoch).toBeGreaterThan(lost.epoch);
  });
});
