import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  ended,
  isEnded,
  jobKinds,
  redriven,
  running,
  solutionOf,
  type Job,
  type JobKind,
} from '../../shared/jobs/job.js';
import type { JobPageQuery } from '../../shared/jobs/jobPorts.js';
import { JobPageReader } from '../../shared/jobs/jobPageReader.js';
import { doneKey, jobPartitionOf, listKey } from '../../shared/jobs/jobRows.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import { MemoryRows } from '../support/memoryRows.js';
import { workOfJob } from './aJob.js';

/** In the future: the sweeper of a running service leaves these jobs alone. */
const START = Date.parse('2031-06-15T12:00:00Z');

const aJob = (tenant: string, changes: Partial<Job> & { readonly kind?: JobKind } = {}): Job => {
  const { kind = 'gdd', ...rest } = changes;
  return {
    tenant,
    solution: solutionOf(kind),
    jobId: `job-${randomUUID()}`,
    e2eId: randomUUID(),
    status: 'WAITING',
    parameters: kind === 'gdd' ? { crop: 'CORN' } : {},
    createdAt: START,
    lastActionAt: START,
    epoch: 0,
    ...rest,
  };
};

describe("the lists of a tenant's jobs", () => {
  const rows = new MemoryRows();
  const [store, pages] = [new JobStore(rows), new JobPageReader(rows)];

  const insert = (job: Job): Promise<boolean> => store.insert(job, workOfJob(job));
  const stored = async (job: Job) => (await store.find(job))!;
  /** The job as it became, with work left as long as it is open. */
  const become = async (job: Job, next: Job): Promise<boolean> => {
    const item = isEnded(next) ? undefined : workOfJob(next);
    return store.replace(await stored(job), next, await store.findWork(job), { item });
  };
  const idsOf = async (tenant: string, query: Partial<JobPageQuery> = {}): Promise<string[]> => {
    const entries = await pages.listOf(tenant, { solutions: jobKinds.map(solutionOf), limit: 500, ...query });
    return entries.map(({ job }) => job.jobId);
  };

  test('hold the jobs of the tenant newest first, page by page, each once', async () => {
    const tenant = randomUUID();
    // Three of a millisecond each, so that the id has to decide.
    const jobs = Array.from({ length: 90 }, (_, index) =>
      aJob(tenant, { kind: jobKinds[index % 2] ?? 'gdd', createdAt: START + Math.floor(index / 3) }),
    );
    await Promise.all([...jobs.map(insert), insert(aJob(randomUUID()))]);
    const newestFirst = jobs
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.jobId < b.jobId ? -1 : 1))
      .map(({ jobId }) => jobId);
    expect(await idsOf(tenant)).toEqual(newestFirst);
    const shown: string[] = [];
    for (let after: string | undefined; ;) {
      const query = { solutions: jobKinds.map(solutionOf), limit: 7, ...(after === undefined ? {} : { after }) };
      const page = await pages.listOf(tenant, query);
      shown.push(...page.map(({ job }) => job.jobId));
      after = page.at(-1)?.position;
      if (after === undefined) break;
    }
    expect(shown).toEqual(newestFirst);
  });

  test('hold the jobs of one kind by themselves', async () => {
    const tenant = randomUUID();
    const [gdd, boundary] = [aJob(tenant), aJob(tenant, { kind: 'smartBoundary' })];
    await Promise.all([insert(gdd), insert(boundary)]);
    expect(await idsOf(tenant, { solutions: [solutionOf('gdd')] })).toEqual([gdd.jobId]);
    expect(await idsOf(tenant, { solutions: [solutionOf('smartBoundary')] })).toEqual([boundary.jobId]);
  });

  test('show the status of a job as a fetch does, from its creation to its end and when it is opened again', async () => {
    const tenant = randomUUID();
    const job = aJob(tenant);
    const listedAs = async (): Promise<string[]> => {
      const [entry, ...others] = await pages.listOf(tenant, { solutions: [job.solution], limit: 10 });
      expect(others).toEqual([]);
      const statuses = ['WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
      const counts = await Promise.all(statuses.map(async (status) => (await idsOf(tenant, { status })).length));
      return [entry?.job.status ?? '', ...statuses.filter((_, index) => counts[index] === 1)];
    };
    await insert(job);
    expect(await listedAs()).toEqual(['WAITING', 'WAITING']);
    await become(job, running(job, { epoch: START }, START + 1));
    expect(await listedAs()).toEqual(['RUNNING', 'RUNNING']);
    const { job: begun } = await stored(job);
    await become(job, ended(begun, { status: 'FAILED', failure: 'GDD-05000: x' }, START + 2));
    expect(await listedAs()).toEqual(['FAILED', 'FAILED']);
    const { job: failed } = await stored(job);
    await become(job, redriven(failed, 'somebody', START + 3));
    expect(await listedAs()).toEqual(['WAITING', 'WAITING']);
  });

  test('tell crop, party, field, creation, end and insight of a job', async () => {
    const parameters = { crop: 'CORN', partyId: 'the-party', resourceId: 'the-field' };
    const job = aJob(randomUUID(), { status: 'RUNNING', startedAt: START, parameters });
    await insert(job);
    const insightId = randomUUID();
    await become(job, ended(job, { status: 'SUCCEEDED', insightId }, START + 5_000));
    const [entry] = await pages.listOf(job.tenant, { solutions: [job.solution], limit: 1 });
    const { tenant, solution, jobId } = job;
    const facts = { status: 'SUCCEEDED', createdAt: START, endedAt: START + 5_000, ...parameters, insightId };
    expect(entry?.job).toEqual({ tenant, solution, jobId, ...facts });
  });

  test('lose a job that is deleted', async () => {
    const job = aJob(randomUUID());
    await insert(job);
    const cancelled = ended(job, { status: 'CANCELLED' }, START);
    await become(job, cancelled);
    const { tenant, solution, jobId } = job;
    const key = { tenant, solution, jobId, endedOn: '2031-06-15' };
    const { etag } = (await rows.find(jobPartitionOf(job), doneKey(key)))!;
    await store.purge({ ...key, etag }, cancelled);
    expect(await idsOf(tenant)).toEqual([]);
    expect(await idsOf(tenant, { status: 'CANCELLED' })).toEqual([]);
  });

  test('do not hold up a job whose entry somebody has deleted', async () => {
    const job = aJob(randomUUID());
    await insert(job);
    await rows.delete(jobPartitionOf(job), listKey(job, 'WAITING'));
    await expect(become(job, ended(job, { status: 'CANCELLED' }, START))).resolves.toBe(true);
    expect(await idsOf(job.tenant, { status: 'CANCELLED' })).toEqual([job.jobId]);
  });

  test('are in order where one partition holds nearly all of them', async () => {
    const tenant = randomUUID();
    const aPartition = jobPartitionOf({ ...aJob(tenant), jobId: 'first' });
    const crowded: Job[] = [];
    for (let index = 0; crowded.length < 40; index += 1) {
      const job = { ...aJob(tenant), jobId: `crowded-${index}`, createdAt: index };
      if (jobPartitionOf(job) === aPartition || crowded.length % 8 === 7) crowded.push(job);
    }
    await Promise.all(crowded.map(insert));
    const ids = crowded.toReversed().map(({ jobId }) => jobId);
    expect(await idsOf(tenant, { solutions: [solutionOf('gdd')], limit: 30 })).toEqual(ids.slice(0, 30));
  });
});
