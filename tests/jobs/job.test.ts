import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ended,
  failing,
  isEnded,
  jobOfWork,
  leavesInsight,
  processingSeconds,
  redriven,
  running,
  workOf,
  type Job,
} from '../../shared/jobs/job.js';
import { claimed } from '../../shared/work/item/workItem.js';
import { aJob, START, workOfJob } from './aJob.js';

/** The job as an attempt claims it. @param epoch of its work item as it was before */
const begun = (job: Job, now: number, epoch = job.epoch): Job =>
  running(job, claimed(workOfJob(job, { epoch }), { claim: 'c', leaseEnd: now + 60_000, now }), now);

const outage = { dependency: 'the weather services', code: 'X', since: START, until: START + 1, refusals: 1 };

test('the work item of a job is named by kind, tenant and id, and names the job', () => {
  const { tenant, jobId } = aJob();
  for (const [solution, kind] of [
    ['partnerAgPowered.gdd', 'gdd'],
    ['partnerAgPowered.smartBoundary', 'smartBoundary'],
  ] as const) {
    const key = { tenant, solution, jobId };
    expect(workOf(key)).toEqual({ kind, id: 'tenant-a|spring-corn' });
    expect(jobOfWork(workOf(key))).toEqual(key);
  }
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
  kind: fc.constantFrom('claim', 'tell', 'refuse', 'succeed', 'fail', 'cancel', 'redrive'),
  step: fc.integer({ min: -600_000, max: 600_000 }),
});

function after(job: Job, kind: string, now: number): Job {
  switch (kind) {
    case 'claim':
      return begun(job, now);
    case 'tell':
      return failing(job, { failure: 'GDD-05005: away' }, now);
    case 'refuse':
      return failing(job, { failure: 'GDD-05003: away', outage }, now);
    case 'succeed':
      return ended(job, { status: 'SUCCEEDED', insightId: 'i' }, now);
    case 'fail':
      return ended(job, { status: 'FAILED', failure: 'GDD-05000: x' }, now);
    case 'redrive':
      return redriven(job, 'ada', now);
    default:
      return ended(job, { status: 'CANCELLED' }, now);
  }
}

describe('whatever happens to a job and its clocks', () => {
  const history = fc.array(move, { maxLength: 40 });
  /** Of the moves those that the state of the job allows. */
  const play = (moves: readonly { kind: string; step: number }[]): Job[] => {
    let now = START;
    let job = aJob();
    const jobs = [job];
    for (const { kind, step } of moves) {
      now += step;
      if (kind === 'redrive' ? job.status !== 'FAILED' : isEnded(job)) continue;
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

  test('only SUCCEEDED shows an insight, and no ended job waits for anybody', () => {
    fc.assert(
      fc.property(history, (moves) => {
        for (const job of play(moves)) {
          expect(job.insightId !== undefined).toBe(job.status === 'SUCCEEDED');
          expect(isEnded(job) && job.outage !== undefined).toBe(false);
        }
      }),
    );
  });

  test('the fencing token never falls, and grows with each claim and with each end that is taken back', () => {
    fc.assert(
      fc.property(history, (moves) => {
        const jobs = play(moves);
        jobs.forEach((job, index) => {
          const before = jobs[index - 1] ?? job;
          expect(job.epoch).toBeGreaterThanOrEqual(before.epoch);
          if (leavesInsight(job)) expect(job.epoch).toBeGreaterThan(before.epoch);
          if (!isEnded(job)) expect(begun(job, START).epoch).toBeGreaterThan(job.epoch);
        });
      }),
    );
  });
});

describe('a job that its attempt begins', () => {
  test('is RUNNING since the first claim, with the fencing token of its work item', () => {
    const first = begun(aJob(), START + 5);
    expect(first).toEqual(aJob({ status: 'RUNNING', epoch: START + 5, startedAt: START + 5, lastActionAt: START + 5 }));
    expect(begun(first, START + 9)).toMatchObject({ startedAt: START + 5, lastActionAt: START + 9 });
  });

  test('is being tried: what refuses it stays known, without the time of the next try', () => {
    expect(begun(aJob({ outage: { ...outage, nextAt: START + 5 } }), START + 5).outage).toEqual(outage);
  });
});

describe('a job whose attempt failed', () => {
  const job = begun(aJob(), START);

  test('says why, and who refuses it if somebody does', () => {
    const told = failing(job, { failure: 'X: away', outage: { ...outage, nextAt: START + 9 } }, START + 1);
    expect(told).toEqual({
      ...job,
      failure: 'X: away',
      lastActionAt: START + 1,
      outage: { ...outage, nextAt: START + 9 },
    });
  });

  test('for a reason of our own waits for nobody', () => {
    expect(failing({ ...job, outage }, { failure: 'X: broken' }, START + 1)).not.toHaveProperty('outage');
  });
});

describe('an end without success', () => {
  test.each([
    { end: { status: 'CANCELLED' } as const },
    { end: { status: 'FAILED', failure: 'GDD-05000: x' } as const },
  ])('may have left an insight once the job was claimed, and not before: $end.status', ({ end }) => {
    expect(leavesInsight(ended(aJob(), end, START + 1))).toBe(false);
    expect(leavesInsight(ended(begun(aJob(), START), end, START + 1))).toBe(true);
  });

  test('is not a success: what that has published stays', () => {
    expect(leavesInsight(ended(begun(aJob(), START), { status: 'SUCCEEDED', insightId: 'i' }, START + 1))).toBe(false);
  });

  test('of a job that was never claimed leaves its token at 0', () => {
    expect(ended(aJob(), { status: 'CANCELLED' }, START + 1).epoch).toBe(0);
  });
});

describe('a job that an operator opens again', () => {
  const failed = ended(begun(aJob(), START), { status: 'FAILED', failure: 'GDD-05000: x' }, START + 9);

  test('is WAITING, and says who opened it and why it had FAILED', () => {
    const job = redriven(failed, 'ada', START + 20);
    expect(job).toMatchObject({ status: 'WAITING', createdAt: START, lastActionAt: START + 20 });
    expect(job.redrives).toEqual([{ at: START + 20, by: 'ada', failure: 'GDD-05000: x' }]);
    for (const gone of ['startedAt', 'endedAt', 'failure']) expect(job).not.toHaveProperty(gone);
  });

  test('remembers every time that it was opened, the oldest first', () => {
    const again = ended(redriven(failed, 'ada', START + 20), { status: 'FAILED', failure: 'GDD-05001: y' }, START + 30);
    const redrives = redriven(again, 'bob', START + 40).redrives?.map(({ by, failure }) => [by, failure]);
    expect(redrives).toEqual([
      ['ada', 'GDD-05000: x'],
      ['bob', 'GDD-05001: y'],
    ]);
  });

  test('has something to take back after its next end when it had before, and nothing when it had not', () => {
    const cancelled = (job: Job): Job => ended(redriven(job, 'ada', START + 20), { status: 'CANCELLED' }, START + 30);
    expect(leavesInsight(cancelled(failed))).toBe(true);
    const neverClaimed = ended(aJob(), { status: 'FAILED', failure: 'GDD-05000: x' }, START + 9);
    expect(leavesInsight(cancelled(neverClaimed))).toBe(false);
  });

  test.each(['WAITING', 'RUNNING', 'SUCCEEDED', 'CANCELLED'] as const)('has FAILED before: %s is refused', (status) => {
    expect(() => redriven(aJob({ status }), 'ada', START)).toThrow(status);
  });
});

describe('the fencing token of a job', () => {
  test('grows with each claim, with an end that is taken back and with the claim after that, clocks put back or not', () => {
    const first = begun(aJob(), START);
    const second = begun(first, START - 5_000);
    const failed = ended(second, { status: 'FAILED', failure: 'f' }, START - 9_000);
    const again = begun(redriven(failed, 'ada', START - 9_000), START - 9_000);
    const epochs = [aJob(), first, second, failed, again].map(({ epoch }) => epoch);
    expect(epochs).toEqual([0, START, START + 1, START + 2, START + 3]);
  });

  test('stays with a success: what it has published is its own', () => {
    const job = begun(aJob(), START);
    expect(ended(job, { status: 'SUCCEEDED', insightId: 'i' }, START + 1).epoch).toBe(job.epoch);
  });

  test('of a row that a restore has brought back is above what was written after the export', () => {
    const exported = begun(aJob(), START);
    const lost = begun(begun(exported, START + 1_000), START + 2_000);
    expect(begun(exported, START + 3_000).epoch).toBeGreaterThan(lost.epoch);
  });
});
