import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DataManager } from '../../shared/jobs/dataManager/dataManager.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { BlobInsightStore } from '../../shared/jobs/insight/blobInsightStore.js';
import { insightIdOf } from '../../shared/jobs/steps/insightId.js';
import { publishInsight } from '../../shared/jobs/insight/publishInsight.js';
import { publicationOf } from '../../shared/wiring/areas/insightKinds.js';
import type { JobKey } from '../../shared/jobs/job.js';
import { jobKey, jobPartitionOf } from '../../shared/jobs/jobRows.js';
import { boundaryInsight } from '../../shared/boundary/record/boundaryInsight.js';
import type { Action } from '../../shared/storage/rows.js';
import { aRecord, pictureGrid } from '../boundary/job/aRecord.js';
import { tries } from '../support/fullRun.js';
import { JOB_LEASE_MS, JobsInMemory } from '../support/jobsInMemory.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { MemoryRows } from '../support/memoryRows.js';

const key: JobKey = { tenant: 'tenant-a', solution: 'partnerAgPowered.smartBoundary', jobId: 'raced' };
const SCHEDULES = tries(2_000);
const isEnd = /^Job:(Succeeded|Failed|Cancelled)$/;

/** A table in which the row of the job has no fence: it is written whatever has happened since the job was read. */
class UnfencedRows extends MemoryRows {
  override async transact(partitionKey: string, actions: readonly Action[]) {
    const etag = (await this.find(partitionKey, jobKey(key)))?.etag;
    const unfenced = (action: Action): Action =>
      etag !== undefined && 'update' in action && action.update === jobKey(key) ? { ...action, etag } : action;
    return super.transact(partitionKey, actions.map(unfenced));
  }
}

/** Blobs without a fence: each write counts, however late it comes. */
class UnfencedBlobs extends MemoryBlobs {
  override write(...[name, bytes, { onto: _, ...write }]: Parameters<MemoryBlobs['write']>) {
    return super.write(name, bytes, write);
  }
}

/** Lets a request, or its answer, be on its way for as long as the schedule says. */
type OnItsWay = (what: string) => Promise<void>;

/** A storage whose requests and answers take their time. @param isRaced whether a request, by its first argument, does */
function slow<T extends object>(storage: T, onItsWay: OnItsWay, isRaced: (of: unknown) => boolean): T {
  return new Proxy(storage, {
    get: (target, name) => {
      const call = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return (...args: unknown[]): unknown => {
        if (!isRaced(args[0])) return call.apply(target, args);
        return onItsWay(`${String(name)} is sent`)
          .then(() => call.apply(target, args))
          .then((answer) => onItsWay(`${String(name)} is answered`).then(() => answer));
      };
    },
  });
}

/** A data manager that knows what it was told, and refuses nothing. */
function slowDataManager(onItsWay: OnItsWay) {
  const told = new Set<string>();
  const tell = (id: string) => onItsWay('put').then(() => void told.add(id));
  const forget = (id: string) => onItsWay('remove').then(() => void told.delete(id));
  const dataManager = {
    putInsight: () => tell('insight'),
    putInsightAttachment: () => tell('attachment'),
    removeInsight: () => forget('insight'),
    removeInsightAttachment: () => forget('attachment'),
  } as unknown as DataManager;
  return { told, dataManager };
}

interface Storage {
  readonly rows: MemoryRows;
  readonly blobs: MemoryBlobs;
}

interface Race extends Storage {
  /** Whether leases end in the race, and one worker stands still, wherever it is by then, until all others are done. */
  readonly isLong: boolean;
}

/** A job with everything that it changes, some of it slow. */
async function aSlowJob({ rows, blobs }: Storage, scheduler: fc.Scheduler) {
  let isRacing = false;
  const onItsWay: OnItsWay = async (what) => {
    if (isRacing) await scheduler.schedule(Promise.resolve(), what);
  };
  const instance = new JobsInMemory(
    (_job, insightId) =>
      Promise.resolve({ kind: 'done', insight: boundaryInsight(aRecord({ insightId }), undefined, pictureGrid) }),
    { rows: slow(rows, onItsWay, (partition) => isRacing && partition === jobPartitionOf(key)) },
  );
  const insights = new BlobInsightStore(slow(blobs, onItsWay, () => isRacing));
  const { told, dataManager } = slowDataManager(onItsWay);
  instance.publishInsight = publishInsight({
    ...{ insights, publicationOf },
    dataManagerFor: () => Promise.resolve(dataManager),
  });
  await instance.create(key);
  const race = async (run: () => Promise<void>): Promise<void> => {
    isRacing = true;
    await run();
    isRacing = false;
  };
  return { instance, insights, told, onItsWay, race };
}

type CancelAnswer = 'acknowledged' | 'refused';

async function cancel(instance: JobsInMemory): Promise<CancelAnswer> {
  try {
    await instance.cancel(key);
    return 'acknowledged';
  } catch (error) {
    if (error instanceof ServiceError) return 'refused';
    throw error;
  }
}

/**
 * Two workers with a message each, a caller who cancels, a worker with a message of after the cancel, and a sweep, all at
 * once, in the order of the schedule.
 */
async function raced({ isLong, ...storage }: Race, scheduler: fc.Scheduler) {
  const { instance, insights, told, onItsWay, race } = await aSlowJob(storage, scheduler);
  const work = () => instance.run(key);
  const workLater = async (): Promise<void> => {
    await onItsWay('the lease ends');
    instance.clock.jump(JOB_LEASE_MS + 1);
    await work();
  };
  let slowest: Promise<void> = Promise.resolve();
  let answer: CancelAnswer | undefined;
  const cancelAndWork = async (): Promise<void> => {
    answer = await cancel(instance);
    await work();
  };
  await race(async () => {
    slowest = work();
    const others = [cancelAndWork(), work(), instance.kernel.sweep(), isLong ? workLater() : slowest];
    await scheduler.waitFor(Promise.all(others));
  });
  instance.kernel.messages.sent.length = 0;
  // What comes of it within the next minutes; then the worker that stood still goes on.
  await instance.sweepFor(6);
  await scheduler.waitFor(slowest);
  await instance.sweepFor(6);
  const job = await instance.job(key);
  const isKept = (await insights.find(key.tenant, insightIdOf(job))) !== undefined;
  const ends = instance.events.filter((event) => isEnd.test(event));
  return { answer, job, isKept, told, ends, item: await instance.item(key) };
}

/**
 * The first end is final and the only one; only of a job that succeeded an insight is left, and nothing is left to be
 * done.
 */
const lawOf = (newRace: () => Race) =>
  fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const setting = newRace();
    const { answer, job, isKept, told, ends, item } = await raced(setting, scheduler);
    expect(job.status).toBe(answer === 'acknowledged' ? 'CANCELLED' : 'SUCCEEDED');
    expect(ends).toEqual([answer === 'acknowledged' ? 'Job:Cancelled' : 'Job:Succeeded']);
    expect(isKept).toBe(job.status === 'SUCCEEDED');
    // No fence keeps a host that stood still from the data manager: docs/reliability.md says what may be left there.
    if (!setting.isLong) expect(told.size).toBe(job.status === 'SUCCEEDED' ? 2 : 0);
    expect(item).toBeUndefined();
  });

const options = { numRuns: SCHEDULES, seed: 1 };
const storage = (): Storage => ({ rows: new MemoryRows(), blobs: new MemoryBlobs() });

describe('a cancel, workers and a sweep on one job, in whatever order their requests happen', () => {
  test.each([
    { isLong: false, when: 'within one lease' },
    { isLong: true, when: 'while leases end and one worker stands still' },
  ])('the first end is final, and only a succeeded job leaves an insight: $when', async ({ isLong }) => {
    await fc.assert(
      lawOf(() => ({ ...storage(), isLong })),
      options,
    );
  });

  test.each([
    { why: 'a table that lets a later end overwrite the first', rows: UnfencedRows, blobs: MemoryBlobs },
    { why: 'blobs that take what a host that stood still writes', rows: MemoryRows, blobs: UnfencedBlobs },
  ])('the law finds $why', async ({ rows, blobs }) => {
    const { failed, errorInstance } = await fc.check(
      lawOf(() => ({ rows: new rows(), blobs: new blobs(), isLong: true })),
      options,
    );
    expect(failed).toBe(true);
    // By the law, and not because such a storage cannot be used at all.
    expect(String(errorInstance)).toContain('expect(received)');
  });
});
