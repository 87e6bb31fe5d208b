import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ended, redriven, running, type Job } from '../../shared/jobs/job.js';
import type { EndedEntry } from '../../shared/jobs/jobPorts.js';
import { jobPartitionOf } from '../../shared/jobs/jobRows.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import { firstRerun, withRerun } from '../../shared/jobs/rerun.js';
import type { Action } from '../../shared/storage/rows.js';
import { claimed, takenOver, type WorkItem } from '../../shared/work/item/workItem.js';
import { workPartitions, WorkStore } from '../../shared/work/item/workStore.js';
import { MemoryRows } from '../support/memoryRows.js';
import { aJob as jobLike, START, workOfJob } from './aJob.js';

const DAY_MS = 86_400_000;
const LEASE_MS = 60_000;

/** A job of a tenant of its own, for all tests share one table. */
const aJob = (changes: Partial<Job> = {}): Job =>
  jobLike({
    ...{ tenant: randomUUID(), jobId: 'Spring_Corn-2026.v1', e2eId: randomUUID(), parameters: { crop: 'CORN' } },
    ...changes,
  });

/** Rows that remember each write, one transaction after the other. */
class RememberedRows extends MemoryRows {
  readonly writes: (readonly Action[])[] = [];

  override transact(partitionKey: string, actions: readonly Action[]) {
    this.writes.push(actions);
    return super.transact(partitionKey, actions);
  }
}

describe('the job store', () => {
  const rows = new RememberedRows();
  const store = new JobStore(rows);
  const work = new WorkStore(rows);

  const insert = (job: Job): Promise<boolean> => store.insert(job, workOfJob(job));
  const stored = async (job: Job) => (await store.find(job))!;
  const open = (job: Job) => store.findWork(job);
  /** All rows of the job, by their keys. */
  const rowsOf = ({ tenant }: Job): string[] =>
    rows
      .all()
      .map(({ rowKey }) => rowKey)
      .filter((rowKey) => rowKey.includes(tenant));
  const kindsOf = (job: Job): string[] => rowsOf(job).map((rowKey) => rowKey.slice(0, rowKey.indexOf('|')));

  /** The job and its item as an attempt has claimed them. */
  async function claim(job: Job, now: number): Promise<Job> {
    const there = await stored(job);
    const item = (await open(job))!;
    const held = claimed(item.item, { claim: randomUUID(), leaseEnd: now + LEASE_MS, now });
    const next = running(there.job, held, now);
    expect(await store.replace(there, next, item, { item: held })).toBe(true);
    return next;
  }

  /** The job at its end, with what is left to be done about it. */
  async function end(job: Job, next: Job, item?: WorkItem): Promise<Job> {
    expect(await store.replace(await stored(job), next, await open(job), { item })).toBe(true);
    return next;
  }

  test('gives back what was inserted, and what is to be done about it', async () => {
    const job = aJob();
    await expect(insert(job)).resolves.toBe(true);
    expect((await store.find(job))?.job).toEqual(job);
    expect((await open(job))?.item).toEqual(workOfJob(job));
    expect((await work.find(workOfJob(job)))?.item).toEqual(workOfJob(job));
  });

  test('inserts a job, its entries in the lists and its work item in one transaction', async () => {
    const job = aJob();
    rows.writes.length = 0;
    await insert(job);
    expect(rows.writes).toHaveLength(1);
    expect(rows.writes[0]).toHaveLength(4);
    expect(kindsOf(job).sort()).toEqual(['JOB', 'LIST', 'LIST', 'W']);
  });

  test('inserts nothing where there is a job of the key, or work that is left of one', async () => {
    const job = aJob();
    await insert(job);
    const before = rowsOf(job);
    await expect(insert({ ...job, createdAt: START + 1 })).resolves.toBe(false);
    expect(rowsOf(job)).toEqual(before);
    const another = aJob();
    await work.insert(workOfJob(another));
    await expect(insert(another)).resolves.toBe(false);
    expect(kindsOf(another)).toEqual(['W']);
  });

  test('takes one of forty inserts of a key at the same time', async () => {
    const job = aJob();
    const inserted = await Promise.all(Array.from({ length: 40 }, () => insert({ ...job, e2eId: randomUUID() })));
    expect(inserted.filter(Boolean)).toHaveLength(1);
  });

  test("knows no job of another tenant, of another kind or of the id's other casing", async () => {
    const job = aJob();
    await insert(job);
    for (const other of [
      { ...job, tenant: randomUUID() },
      { ...job, solution: 'partnerAgPowered.smartBoundary' as const },
      { ...job, jobId: job.jobId.toLowerCase() },
    ]) {
      await expect(store.find(other)).resolves.toBeUndefined();
      await expect(store.findWork(other)).resolves.toBeUndefined();
    }
  });

  test('takes one of twenty replacements of one reading', async () => {
    const job = aJob();
    await insert(job);
    const [before, item] = [await stored(job), (await open(job))!];
    const next = (number: number): Job => ({ ...job, failure: `of the ${number}th` });
    const replaced = await Promise.all(
      Array.from({ length: 20 }, (_, number) => store.replace(before, next(number), item, { item: item.item })),
    );
    expect(replaced.filter(Boolean)).toHaveLength(1);
    expect((await stored(job)).job).toEqual(next(replaced.indexOf(true)));
  });

  test('writes nothing for a reading that is outdated, of the job or of its work item', async () => {
    const job = aJob();
    await insert(job);
    const [oldJob, oldItem] = [await stored(job), (await open(job))!];
    // A look of the sweep writes the item alone.
    await work.update(oldItem, { ...oldItem.item, checkAt: START + 1 });
    const cancelled = ended(job, { status: 'CANCELLED' }, START);
    await expect(store.replace(oldJob, cancelled, oldItem, { item: oldItem.item })).resolves.toBe(false);
    await claim(job, START);
    const before = rowsOf(job);
    await expect(store.replace(oldJob, cancelled, await open(job))).resolves.toBe(false);
    expect(rowsOf(job)).toEqual(before);
    expect((await stored(job)).job.status).toBe('RUNNING');
    expect(await open(job)).toBeDefined();
  });

  test('replaces a job with what is left to be done about it, in one transaction', async () => {
    const job = aJob();
    await insert(job);
    const claimedJob = await claim(job, START);
    const cancelled = ended(claimedJob, { status: 'CANCELLED' }, START + 1);
    const item = takenOver((await open(job))!.item, { place: { step: 'withdraw' }, epoch: cancelled.epoch }, START + 1);
    rows.writes.length = 0;
    await end(job, cancelled, item);
    expect(rows.writes).toHaveLength(1);
    expect((await stored(job)).job).toEqual(cancelled);
    expect((await open(job))?.item).toEqual(item);
  });

  test('takes the work item away where nothing is left to be done', async () => {
    const job = aJob();
    await insert(job);
    await end(job, ended(job, { status: 'CANCELLED' }, START));
    expect(await open(job)).toBeUndefined();
    expect(kindsOf(job).sort()).toEqual(['DONE', 'JOB', 'LIST', 'LIST']);
  });

  test('gives a job whose work was done a new work item, which is refused where one has come up', async () => {
    const job = aJob();
    await insert(job);
    const failed = await end(job, ended(job, { status: 'FAILED', failure: 'GDD-05000: x' }, START));
    const before = await stored(job);
    const again = redriven(failed, 'ada', START + 5);
    await expect(store.replace(before, again, undefined, { item: workOfJob(again) })).resolves.toBe(true);
    expect((await open(job))?.item).toEqual(workOfJob(again));
    await expect(store.replace(await stored(job), again, undefined, { item: workOfJob(again) })).resolves.toBe(false);
  });

  const endedBefore = async (before: number, { tenant }: Job): Promise<readonly EndedEntry[]> => {
    const entries = await Promise.all(workPartitions.map((partition) => store.listEndedBefore(partition, before)));
    return entries.flat().filter((entry) => entry.tenant === tenant);
  };
  const anEndedJob = async (): Promise<Job> => {
    const job = aJob();
    await insert(job);
    return end(job, ended(job, { status: 'CANCELLED' }, START));
  };

  test('lists an ended job for deletion when its day is over, and deletes it once', async () => {
    const job = await anEndedJob();
    expect(await endedBefore(START, job)).toHaveLength(0);
    const [entry] = await endedBefore(START + DAY_MS, job);
    expect(entry).toMatchObject({ jobId: job.jobId, endedOn: '2026-06-15' });
    await expect(store.purge(entry!, job)).resolves.toBe(true);
    await expect(store.purge(entry!, job)).resolves.toBe(false);
    await expect(store.find(job)).resolves.toBeUndefined();
    await store.forget([entry!]);
    expect(rowsOf(job)).toEqual([]);
  });

  test('lists ended jobs of a partition oldest first', async () => {
    const days = [3, 1, 2];
    const jobs: Job[] = [];
    while (jobs.length < days.length) {
      const job = aJob();
      if (jobPartitionOf(job) !== 'w0') continue;
      await insert(job);
      jobs.push(await end(job, ended(job, { status: 'CANCELLED' }, START + days[jobs.length]! * DAY_MS)));
    }
    const listed = (await store.listEndedBefore('w0', START + 9 * DAY_MS)).map(({ tenant }) => tenant);
    const ours = listed.filter((tenant) => jobs.some((job) => job.tenant === tenant));
    expect(ours).toEqual([jobs[1]?.tenant, jobs[2]?.tenant, jobs[0]?.tenant]);
  });

  test('opens an ended job again for one of two who ask, and off the index of ended jobs', async () => {
    const job = aJob();
    await insert(job);
    const failed = await end(job, ended(job, { status: 'FAILED', failure: 'GDD-05000: x' }, START));
    const before = await stored(job);
    const next = redriven(failed, 'ada', START + 9_000);
    const reopened = await Promise.all(
      [next, next].map((each) => store.replace(before, each, undefined, { item: workOfJob(each) })),
    );
    expect(reopened.filter(Boolean)).toHaveLength(1);
    expect((await stored(job)).job).toEqual(next);
    expect(await endedBefore(START + DAY_MS, job)).toHaveLength(0);
  });

  test('keeps the entry of a job that SUCCEEDED while it runs again, as it was', async () => {
    const job = aJob();
    await insert(job);
    const rerun = firstRerun('the newest forecast', START);
    const claimedJob = await claim(job, START);
    const item = (await open(job))!.item;
    const succeeded = await end(job, ended(claimedJob, { status: 'SUCCEEDED', insightId: 'i', rerun }, START), item);
    const before = await endedBefore(START + DAY_MS, job);
    expect(before).toHaveLength(1);
    await end(job, { ...succeeded, epoch: START + 1 }, item);
    await end(job, withRerun(succeeded, undefined));
    expect(await endedBefore(START + DAY_MS, job)).toEqual(before);
  });

  test('lists jobs by their status', async () => {
    const [waits, cancelled] = [aJob(), await anEndedJob()];
    await insert(waits);
    const listed: string[] = [];
    for await (const { tenant } of store.list('CANCELLED')) listed.push(tenant);
    expect(listed).toContain(cancelled.tenant);
    expect(listed).not.toContain(waits.tenant);
  });

  test('leaves a new job of the same id alone when the old one is deleted once more', async () => {
    const job = await anEndedJob();
    const [entry] = await endedBefore(START + DAY_MS, job);
    await store.purge(entry!, job);
    const later = aJob({ ...job, status: 'WAITING', e2eId: randomUUID(), createdAt: START + DAY_MS });
    await insert(later);
    await store.purge(entry!, job);
    await store.forget([entry!]);
    expect((await store.find(job))?.job).toEqual(later);
    expect(await open(job)).toBeDefined();
  });

  test('forgets an entry and leaves the job', async () => {
    const job = await anEndedJob();
    const [entry] = await endedBefore(START + DAY_MS, job);
    await store.forget([entry!]);
    expect(await endedBefore(START + DAY_MS, job)).toHaveLength(0);
    expect((await store.find(job))?.job.status).toBe('CANCELLED');
  });

  test('finds whether a tenant has any job, and takes none of a tenant whose id begins so for it', async () => {
    const job = aJob();
    await expect(store.hasJobsOf(job.tenant)).resolves.toBe(false);
    await insert(job);
    await expect(store.hasJobsOf(job.tenant)).resolves.toBe(true);
    await expect(store.hasJobsOf(job.tenant.slice(0, -1))).resolves.toBe(false);
    await end(job, ended(job, { status: 'CANCELLED' }, START));
    await expect(store.hasJobsOf(job.tenant)).resolves.toBe(true);
  });

  test('leaves the entry without the job when a deletion is cut short, and forgets it another time', async () => {
    const job = await anEndedJob();
    const [entry] = await endedBefore(START + DAY_MS, job);
    await store.purge(entry!, job);
    await expect(store.find(job)).resolves.toBeUndefined();
    expect(await endedBefore(START + DAY_MS, job)).toMatchObject([{ jobId: job.jobId, endedOn: '2026-06-15' }]);
    await store.forget([entry!]);
    expect(rowsOf(job)).toEqual([]);
  });

  test('deletes nothing of a job that was opened again since its entry was read', async () => {
    const job = aJob();
    await insert(job);
    const failed = await end(job, ended(job, { status: 'FAILED', failure: 'GDD-05000: x' }, START));
    const [entry] = await endedBefore(START + DAY_MS, job);
    const again = redriven(failed, 'somebody', START + 1);
    await end(job, again, workOfJob(again));
    await expect(store.purge(entry!, failed)).resolves.toBe(false);
    expect((await store.find(job))?.job.status).toBe('WAITING');
    await expect(open(job)).resolves.toBeDefined();
  });

  describe('asked to close the work of a job', () => {
    /** A job that SUCCEEDED without something; its work item is the one that is handed in. */
    const lackingWith = async (change: (item: WorkItem) => WorkItem): Promise<Job> => {
      const job = aJob();
      await insert(job);
      const rerun = firstRerun('the newest forecast', START);
      const next = ended(await claim(job, START), { status: 'SUCCEEDED', insightId: 'i', rerun }, START);
      const { claim: _claim, ...item } = (await open(job))!.item;
      return end(job, next, change(item));
    };
    const held = (until: number) => (item: WorkItem) => ({ ...item, claim: 'mine', notBefore: until });
    const close = async (job: Job) => store.closeWork(await stored(job), START);

    test('has nothing to do where none is left', async () => {
      const job = await anEndedJob();
      rows.writes.length = 0;
      await expect(close(job)).resolves.toBe(true);
      expect(rows.writes).toEqual([]);
    });

    test.each([
      { what: 'that waits, however long', change: (item: WorkItem) => ({ ...item, notBefore: START + DAY_MS }) },
      { what: 'whose attempt has died: its lease is over', change: held(START) },
    ])('takes the item away $what, and its rerun off the job', async ({ change }) => {
      const job = await lackingWith(change);
      await expect(close(job)).resolves.toBe(true);
      expect(await open(job)).toBeUndefined();
      expect((await stored(job)).job).toEqual(withRerun(job, undefined));
    });

    test('refuses while an attempt holds the item', async () => {
      const job = await lackingWith(held(START + 1));
      await expect(close(job)).resolves.toBe(false);
      expect((await open(job))?.item.claim).toBe('mine');
      expect((await stored(job)).job).toEqual(job);
    });

    test('refuses when somebody has claimed the item since the job was read', async () => {
      const job = await lackingWith((item) => ({ ...item, notBefore: START }));
      const before = await stored(job);
      const item = (await open(job))!;
      const now = claimed(item.item, { claim: 'quicker', leaseEnd: START, now: START });
      await store.replace(before, { ...job, epoch: now.epoch }, item, { item: now });
      await expect(store.closeWork(before, START)).resolves.toBe(false);
      expect((await open(job))?.item.claim).toBe('quicker');
    });
  });
});
