import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ended, LOST_MESSAGE_MS, redriven, type Job } from '../../shared/jobs/job.js';
import { firstRerun, nextRerun, ranAgain } from '../../shared/jobs/rerun.js';
import { BUCKETS, type EndedEntry, type OpenJob } from '../../shared/jobs/jobPorts.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { MemoryRows } from '../support/memoryRows.js';

const START = Date.parse('2026-06-15T12:00:00Z');

const aJob = (): Job => ({
  tenant: randomUUID(),
  solution: 'partnerAgPowered.gdd',
  jobId: 'Spring_Corn-2026.v1',
  e2eId: randomUUID(),
  status: 'WAITING',
  parameters: { crop: 'CORN' },
  createdAt: START,
  lastActionAt: START,
  attempt: 0,
  epoch: 0,
});

describe('the job store', () => {
  const store = new TableJobStore(new MemoryRows());

  const overdue = async (now: number): Promise<OpenJob[]> => {
    const open: OpenJob[] = [];
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      for await (const entry of store.listOverdue(bucket, now)) open.push(entry);
    }
    return open;
  };

  test('gives back what was inserted', async () => {
    const job = aJob();
    await expect(store.insert(job)).resolves.toBe(true);
    expect((await store.find(job))?.job).toEqual(job);
  });

  test('takes one of forty inserts of a key at the same time', async () => {
    const job = aJob();
    const inserted = await Promise.all(Array.from({ length: 40 }, () => store.insert({ ...job, e2eId: randomUUID() })));
    expect(inserted.filter(Boolean)).toHaveLength(1);
  });

  test("knows no job of another tenant, of another kind or of the id's other casing", async () => {
    const job = aJob();
    await store.insert(job);
    await expect(store.find({ ...job, tenant: randomUUID() })).resolves.toBeUndefined();
    await expect(store.find({ ...job, solution: 'partnerAgPowered.smartBoundary' })).resolves.toBeUndefined();
    await expect(store.find({ ...job, jobId: job.jobId.toLowerCase() })).resolves.toBeUndefined();
  });

  test('takes one of twenty replacements of one reading', async () => {
    const job = aJob();
    await store.insert(job);
    const stored = (await store.find(job))!;
    const replaced = await Promise.all(
      Array.from({ length: 20 }, (_, attempt) => store.replace(stored, { ...job, attempt })),
    );
    const winners = replaced.filter((next) => next !== undefined);
    expect(winners).toHaveLength(1);
    expect((await store.find(job))?.job.attempt).toBe(winners[0]?.job.attempt);
  });

  test('gives with each write the reading that the next one takes, and that is outdated after it', async () => {
    const job = aJob();
    await store.insert(job);
    const running = (await store.replace((await store.find(job))!, { ...job, status: 'RUNNING' }))!;
    await expect(store.replace(running, { ...running.job, attempt: 1 })).resolves.toBeDefined();
    await expect(store.replace(running, { ...running.job, attempt: 2 })).resolves.toBeUndefined();
    await expect(store.end(running, ended(running.job, { status: 'CANCELLED' }, START))).resolves.toBe(false);
  });

  test('refuses an end from an outdated reading, and takes one of two ends', async () => {
    const job = aJob();
    await store.insert(job);
    const old = (await store.find(job))!;
    const current = (await store.replace(old, { ...job, attempt: 1 }))!;
    await expect(store.end(old, ended(old.job, { status: 'CANCELLED' }, START))).resolves.toBe(false);
    const ends = await Promise.all([
      store.end(current, ended(current.job, { status: 'CANCELLED' }, START)),
      store.end(current, ended(current.job, { status: 'FAILED', failure: 'GDD-05000: x' }, START)),
    ]);
    expect(ends.filter(Boolean)).toHaveLength(1);
  });

  test('lists a job as overdue from two minutes after its creation until it ends', async () => {
    const job = aJob();
    await store.insert(job);
    const isListed = async (now: number): Promise<boolean> =>
      (await overdue(now)).some(({ tenant }) => tenant === job.tenant);
    expect(await isListed(START + LOST_MESSAGE_MS - 1)).toBe(false);
    expect(await isListed(START + LOST_MESSAGE_MS)).toBe(true);
    const stored = (await store.find(job))!;
    await store.end(stored, ended(job, { status: 'CANCELLED' }, START));
    expect(await isListed(START + LOST_MESSAGE_MS)).toBe(false);
    await expect(store.findOpen(job)).resolves.toBeUndefined();
  });

  test('keeps a job that ended while it was publishing on the index, until it is taken off', async () => {
    const job = { ...aJob(), status: 'RUNNING', isPublishing: true } as const;
    await store.insert(job);
    const cancelled = ended(job, { status: 'CANCELLED' }, START + 5_000);
    await store.end((await store.find(job))!, cancelled);
    const open = (await store.findOpen(job))!;
    expect(open.checkAt).toBe(START + 5_000);
    await store.putOpen(job, START + 6_000);
    await store.dropOpen(open);
    expect((await store.findOpen(job))?.checkAt).toBe(START + 6_000);
    await store.dropOpen((await store.findOpen(job))!);
    await expect(store.findOpen(job)).resolves.toBeUndefined();
    await store.dropOpen(open);
  });

  test('keeps a job that runs again on the index, with the time, until it has', async () => {
    const job = aJob();
    await store.insert(job);
    const rerun = firstRerun('the newest forecast', START);
    const succeeded = ended(job, { status: 'SUCCEEDED', insightId: 'i', rerun }, START);
    await expect(store.end((await store.find(job))!, succeeded)).resolves.toBe(true);
    expect((await store.find(job))?.job).toEqual(succeeded);
    expect((await store.findOpen(job))?.checkAt).toBe(rerun.dueAt);
    const later = nextRerun({ ...rerun, runs: 1 }, 'the newest forecast', START + 1_000);
    await expect(store.end((await store.find(job))!, ranAgain(succeeded, later))).resolves.toBe(true);
    expect((await store.findOpen(job))?.checkAt).toBe(later?.dueAt);
    await expect(store.end((await store.find(job))!, ranAgain(succeeded, undefined))).resolves.toBe(true);
    await expect(store.findOpen(job)).resolves.toBeUndefined();
    expect(await endedBefore(START + DAY_MS, job)).toHaveLength(1);
  });

  test('takes a new job although an entry of an earlier one of its id is left on the index', async () => {
    const job = aJob();
    await store.putOpen(job, START);
    await expect(store.insert(job)).resolves.toBe(true);
    expect((await store.findOpen(job))?.checkAt).toBe(START + LOST_MESSAGE_MS);
  });

  test('lets one of two looks postpone the next', async () => {
    const job = aJob();
    await store.insert(job);
    const open = (await store.findOpen(job))!;
    const postponed = await Promise.all([store.postpone(open, START + 1e6), store.postpone(open, START + 2e6)]);
    expect(postponed.filter(Boolean)).toHaveLength(1);
  });

  const DAY_MS = 86_400_000;
  const endedBefore = async (before: number, { tenant }: Job): Promise<EndedEntry[]> => {
    const entries: EndedEntry[] = [];
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      for await (const entry of store.listEndedBefore(bucket, before)) if (entry.tenant === tenant) entries.push(entry);
    }
    return entries;
  };
  const anEndedJob = async (): Promise<Job> => {
    const job = aJob();
    await store.insert(job);
    await store.end((await store.find(job))!, ended(job, { status: 'CANCELLED' }, START));
    return job;
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
    expect(await endedBefore(START + DAY_MS, job)).toHaveLength(0);
  });

  test('opens an ended job again for one of two who ask, and off the index of ended jobs', async () => {
    const job = await anEndedJob();
    const stored = (await store.find(job))!;
    const next: Job = { ...job, lastActionAt: START + 9_000 };
    const reopened = await Promise.all([store.reopen(stored, next), store.reopen(stored, next)]);
    expect(reopened.filter(Boolean)).toHaveLength(1);
    expect((await store.find(job))?.job).toEqual(next);
    expect((await store.findOpen(job))?.checkAt).toBe(START + 9_000 + LOST_MESSAGE_MS);
    expect(await endedBefore(START + DAY_MS, job)).toHaveLength(0);
  });

  test('lists jobs by their status', async () => {
    const [waits, cancelled] = [aJob(), await anEndedJob()];
    await store.insert(waits);
    const listed: string[] = [];
    for await (const { tenant } of store.list('CANCELLED')) listed.push(tenant);
    expect(listed).toContain(cancelled.tenant);
    expect(listed).not.toContain(waits.tenant);
  });

  test('leaves a new job of the same id alone when the old one is deleted once more', async () => {
    const job = await anEndedJob();
    const [entry] = await endedBefore(START + DAY_MS, job);
    await store.purge(entry!, job);
    const later = { ...job, e2eId: randomUUID(), createdAt: START + DAY_MS, lastActionAt: START + DAY_MS };
    await store.insert(later);
    await store.purge(entry!, job);
    await store.forget([entry!]);
    expect((await store.find(job))?.job).toEqual(later);
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
    await store.insert(job);
    await expect(store.hasJobsOf(job.tenant)).resolves.toBe(true);
    await expect(store.hasJobsOf(job.tenant.slice(0, -1))).resolves.toBe(false);
    await store.end((await store.find(job))!, ended(job, { status: 'CANCELLED' }, START));
    await expect(store.hasJobsOf(job.tenant)).resolves.toBe(true);
  });

  test('leaves the entry without the job when a deletion is cut short, and forgets it another time', async () => {
    const job = await anEndedJob();
    const [entry] = await endedBefore(START + DAY_MS, job);
    await store.purge(entry!, (await store.find(job))!.job);
    await expect(store.find(job)).resolves.toBeUndefined();
    expect(await endedBefore(START + DAY_MS, job)).toMatchObject([{ jobId: job.jobId, endedOn: '2026-06-15' }]);
    await store.forget([entry!]);
    expect(await endedBefore(START + DAY_MS, job)).toEqual([]);
  });

  test('deletes nothing of a job that was opened again since its entry was read', async () => {
    const job = aJob();
    await store.insert(job);
    const failed = ended(job, { status: 'FAILED', failure: 'GDD-05000: x' }, START);
    await store.end((await store.find(job))!, failed);
    const [entry] = await endedBefore(START + DAY_MS, job);
    await store.reopen((await store.find(job))!, redriven(failed, 'somebody', START + 1));
    await expect(store.purge(entry!, failed)).resolves.toBe(false);
    expect((await store.find(job))?.job.status).toBe('WAITING');
    await expect(store.findOpen(job)).resolves.toBeDefined();
  });
});
