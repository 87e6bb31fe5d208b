import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gddFaults, gddJobFaults } from '../../shared/errors/catalogue.js';
import { ServiceError } from '../../shared/errors/serviceError.js';
import type { Insight } from '../../shared/insights/insight.js';
import { cancelJob } from '../../shared/jobs/cancelJob.js';
import { createJob } from '../../shared/jobs/createJob.js';
import type { Job, JobKey } from '../../shared/jobs/job.js';
import type { JobStore, StoredJob } from '../../shared/jobs/jobPorts.js';
import type { ReviveJobPorts } from '../../shared/jobs/reviveJob.js';
import { runJob, type RunJobPorts } from '../../shared/jobs/runJob.js';
import { sweepJobs } from '../../shared/jobs/sweepJobs.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryJobQueue } from '../support/memoryJobQueue.js';
import { MemoryRows } from '../support/memoryRows.js';
import { memoryLines } from '../support/memoryLines.js';
import { succeeds } from './works.js';
import { tries } from '../support/fullRun.js';

const key: JobKey = { tenant: 'tenant-a', solution: 'partnerAgPowered.gdd', jobId: 'raced' };
const LEASE_MS = 60_000;
const SCHEDULES = tries(2_000);

/** A store without the fence: an end is written whatever has happened since the job was read. */
class UnfencedStore extends TableJobStore {
  override async end({ job }: StoredJob, next: Job): Promise<boolean> {
    const current = (await this.find(job))!;
    return super.end(current, next);
  }
}

/** The store with every call and every answer on its way for as long as the schedule says. */
function slow(store: TableJobStore, scheduler: fc.Scheduler): JobStore {
  const steps = ['find', 'insert', 'replace', 'end', 'findOpen', 'postpone', 'putOpen', 'dropOpen'] as const;
  const delayed = Object.fromEntries(
    steps.map((step) => {
      const call = store[step].bind(store) as (...args: unknown[]) => Promise<unknown>;
      return [
        step,
        async (...args: unknown[]) => {
          await scheduler.schedule(Promise.resolve(), `${step} is sent`);
          const answer = await call(...args);
          await scheduler.schedule(Promise.resolve(), `${step} is answered`);
          return answer;
        },
      ];
    }),
  );
  return {
    ...(delayed as unknown as Pick<JobStore, (typeof steps)[number]>),
    listOverdue: (bucket, now) => store.listOverdue(bucket, now),
    listEndedBefore: (bucket, instant) => store.listEndedBefore(bucket, instant),
    reopen: (stored, next) => store.reopen(stored, next),
    purge: (ended, job) => store.purge(ended, job),
    forget: (ended) => store.forget(ended),
  };
}

/** What happens in the minutes after: sweeps, and the messages they send. */
async function sweepUntilQuiet(
  ports: RunJobPorts & ReviveJobPorts & { readonly clock: ManualClock },
  queue: MemoryJobQueue,
): Promise<void> {
  for (let minute = 0; minute < 4; minute += 1) {
    queue.sent.length = 0;
    ports.clock.jump(60_000);
    await sweepJobs(ports)();
    await runJob(ports, { work: succeeds, faults: gddJobFaults, leaseMs: LEASE_MS, patienceHours: 24 })(key);
  }
}

type CancelAnswer = 'acknowledged' | 'refused';

/** Two workers with a message each, a caller who cancels and a sweep, all at once, in the order of the schedule. */
async function race(scheduler: fc.Scheduler, store: TableJobStore) {
  const clock = new ManualClock();
  const queue = new MemoryJobQueue(clock);
  const shown = new Set<string>();
  let ids = 0;
  const jobQueues = { 'partnerAgPowered.gdd': queue, 'partnerAgPowered.smartBoundary': queue };
  const ports = {
    jobs: slow(store, scheduler),
    jobQueues,
    ...memoryLines({ jobQueues, clock }),
    clock,
    newId: () => `id-${(ids += 1)}`,
    random: () => 0.5,
    log: () => undefined,
    publishInsight: {
      publish: async (_job: Job, { insightId }: Insight) => {
        await scheduler.schedule(Promise.resolve(), 'publish');
        shown.add(insightId);
      },
      findKept: () => Promise.resolve(undefined),
      publishKept: () => Promise.resolve(false),
      abandon: () => Promise.resolve(),
      withdraw: async (_job: Job, insightId: string) => {
        await scheduler.schedule(Promise.resolve(), 'withdraw');
        shown.delete(insightId);
      },
    },
  };
  await createJob({ ...ports, jobs: store })({ key, parameters: {}, exists: gddFaults.jobExists });
  const work = () => runJob(ports, { work: succeeds, faults: gddJobFaults, leaseMs: LEASE_MS, patienceHours: 24 })(key);
  const cancel = async (): Promise<CancelAnswer> => {
    try {
      await cancelJob(ports, { unknown: gddFaults.unknownJob, notCancellable: gddFaults.notCancellable })(key);
      return 'acknowledged';
    } catch (error) {
      if (error instanceof ServiceError) return 'refused';
      throw error;
    }
  };
  const answers = scheduler.waitFor(Promise.all([cancel(), work(), work(), sweepJobs(ports)()]));
  const [answer] = await answers;
  await sweepUntilQuiet(
    {
      ...ports,
      jobs: store,
      publishInsight: { ...ports.publishInsight, withdraw: (_job, id) => Promise.resolve(void shown.delete(id)) },
    },
    queue,
  );
  return { answer, job: (await store.find(key))!.job, shown };
}

const lawOf = (newStore: () => TableJobStore) =>
  fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const { answer, job, shown } = await race(scheduler, newStore());
    expect(job.status).toBe(answer === 'acknowledged' ? 'CANCELLED' : 'SUCCEEDED');
    expect([...shown]).toEqual(job.status === 'SUCCEEDED' ? [job.insightId] : []);
  });

describe('a cancel, two workers and a sweep on one job, in whatever order their steps happen', () => {
  test('the first end is final, and only a succeeded job leaves an insight', async () => {
    await fc.assert(
      lawOf(() => new TableJobStore(new MemoryRows())),
      { numRuns: SCHEDULES, seed: 1 },
    );
  });

  test('the law finds a store that lets a later end overwrite the first', async () => {
    const { failed } = await fc.check(
      lawOf(() => new UnfencedStore(new MemoryRows())),
      { numRuns: SCHEDULES, seed: 1 },
    );
    expect(failed).toBe(true);
  });
});
