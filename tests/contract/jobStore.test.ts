import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { randomId } from '../../shared/ids.js';
import { ended, solutionOf, type Job } from '../../shared/jobs/job.js';
import { enlistJobs } from '../../shared/jobs/enlistJobs.js';
import { jobKey, listRow, partitionOf } from '../../shared/jobs/jobRows.js';
import { TableJobPageReader } from '../../shared/jobs/tableJobPageReader.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { describeJobPages } from '../jobs/jobPagesSuite.js';
import { describeJobStore } from '../jobs/jobStoreSuite.js';
import { tableOf, type Exchange } from './storage.js';

describeJobStore('in a table', () => Promise.resolve(new TableJobStore(tableOf('jobs'), randomId)));
describeJobPages('in a table', () => {
  const table = tableOf('jobs');
  return { store: new TableJobStore(table, randomId), pages: new TableJobPageReader(table) };
});

/** Loses the answer of the first try of each write: the write is done, the client sees a broken connection. */
function losesFirstAnswers(): { readonly around: Exchange; readonly lost: () => number } {
  let lost = 0;
  let isArmed = true;
  return {
    lost: () => lost,
    around: async (send) => {
      await send();
      isArmed = !isArmed;
      if (isArmed) return;
      lost += 1;
      throw Object.assign(new Error('socket hang up'), { name: 'RestError', code: 'ECONNRESET' });
    },
  };
}

const aJob = (): Job => ({
  tenant: randomUUID(),
  solution: 'partnerAgPowered.gdd',
  jobId: 'spring-corn',
  e2eId: randomUUID(),
  status: 'WAITING',
  parameters: {},
  createdAt: Date.now(),
  lastActionAt: Date.now(),
  attempt: 0,
});

describe('the jobs of a tenant', () => {
  test('are found whatever their state, and those of a tenant whose id begins so are not taken for them', async () => {
    const store = new TableJobStore(tableOf('jobs'), randomId);
    const job = aJob();
    await expect(store.hasJobsOf(job.tenant)).resolves.toBe(false);
    await store.insert(job);
    await expect(store.hasJobsOf(job.tenant)).resolves.toBe(true);
    await expect(store.hasJobsOf(job.tenant.slice(0, -1))).resolves.toBe(false);
    const stored = (await store.find(job))!;
    await store.end(stored, ended(stored.job, { status: 'CANCELLED' }, Date.now()));
    await expect(store.hasJobsOf(job.tenant)).resolves.toBe(true);
  });
});

describe('a write whose answer is lost', () => {
  test('is recognised as our own: a first and only insert is no conflict', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { around, lost } = losesFirstAnswers();
      const store = new TableJobStore(tableOf('jobs', around), randomId);
      await expect(store.insert(aJob())).resolves.toBe(true);
      expect(lost()).toBeGreaterThan(0);
    }
  });

  test("is not mistaken for ours when it was another's", async () => {
    const job = aJob();
    await new TableJobStore(tableOf('jobs'), randomId).insert(job);
    const { around } = losesFirstAnswers();
    const store = new TableJobStore(tableOf('jobs', around), randomId);
    await expect(store.insert({ ...job, e2eId: randomUUID() })).resolves.toBe(false);
  });

  test('is recognised at a replacement and at the end', async () => {
    const job = aJob();
    const plain = new TableJobStore(tableOf('jobs'), randomId);
    await plain.insert(job);
    const first = losesFirstAnswers();
    const replaced = await new TableJobStore(tableOf('jobs', first.around), randomId).replace(
      (await plain.find(job))!,
      {
        ...job,
        attempt: 1,
      },
    );
    expect(first.lost()).toBeGreaterThan(0);
    expect(replaced?.job.attempt).toBe(1);
    const second = losesFirstAnswers();
    const end = ended(replaced!.job, { status: 'CANCELLED' }, Date.now());
    await expect(new TableJobStore(tableOf('jobs', second.around), randomId).end(replaced!, end)).resolves.toBe(true);
    expect(second.lost()).toBeGreaterThan(0);
  });
});

describe('the lists of a tenant', () => {
  const table = tableOf('jobs');
  const store = new TableJobStore(table, randomId);
  const pages = new TableJobPageReader(table);
  const query = { solutions: [solutionOf('gdd')], limit: 50 };
  const listed = async (tenant: string, status?: Job['status']) =>
    (await pages.listOf(tenant, status === undefined ? query : { ...query, status })).map(({ job }) => job.status);

  /** Stores the job as a version of before lists did. */
  const madeBefore = async (job: Job): Promise<void> => {
    await store.insert(job);
    const row = await table.getEntity(partitionOf(job), jobKey(job));
    const { isListed: _, ...before } = row;
    await table.upsertEntity({ ...before, partitionKey: partitionOf(job), rowKey: jobKey(job) }, 'Replace');
    for (const status of [undefined, job.status]) {
      const { partitionKey, rowKey } = listRow(job, status);
      await table.deleteEntity(partitionKey, rowKey);
    }
  };

  test('gain the jobs of before lists once, whatever has become of them until then', async () => {
    const [waits, ends] = [aJob(), aJob()];
    await Promise.all([madeBefore(waits), madeBefore(ends)]);
    const read = (await store.find(ends))!;
    await expect(store.end(read, ended(read.job, { status: 'CANCELLED' }, Date.now()))).resolves.toBe(true);
    expect(await listed(ends.tenant)).toEqual([]);
    const enlist = enlistJobs({ jobs: store, unlisted: store });
    expect(await enlist()).toBeGreaterThanOrEqual(2);
    expect(await listed(waits.tenant, 'WAITING')).toEqual(['WAITING']);
    expect(await listed(ends.tenant)).toEqual(['CANCELLED']);
    expect(await enlist()).toBe(0);
  });

  test('lose the entry that a job has left behind while versions changed', async () => {
    const job = aJob();
    await madeBefore(job);
    await table.upsertEntity(listRow({ ...job, status: 'RUNNING' }, 'RUNNING'), 'Replace');
    await enlistJobs({ jobs: store, unlisted: store })();
    expect(await listed(job.tenant, 'RUNNING')).toEqual([]);
    expect(await listed(job.tenant, 'WAITING')).toEqual(['WAITING']);
  });

  test('do not hold up a job whose entry somebody has deleted', async () => {
    const job = aJob();
    await store.insert(job);
    const { partitionKey, rowKey } = listRow(job, 'WAITING');
    await table.deleteEntity(partitionKey, rowKey);
    const read = (await store.find(job))!;
    await expect(store.end(read, ended(job, { status: 'CANCELLED' }, Date.now()))).resolves.toBe(true);
    expect(await listed(job.tenant, 'CANCELLED')).toEqual(['CANCELLED']);
  });

  test('are in order where one bucket holds nearly all of them', async () => {
    const tenant = randomUUID();
    const aBucket = partitionOf({ ...aJob(), tenant, jobId: 'first' });
    const crowded: Job[] = [];
    for (let index = 0; crowded.length < 40; index += 1) {
      const job = { ...aJob(), tenant, jobId: `crowded-${index}`, createdAt: index };
      if (partitionOf(job) === aBucket || crowded.length % 8 === 7) crowded.push(job);
    }
    await Promise.all(crowded.map((job) => store.insert(job)));
    const ids = crowded.toReversed().map(({ jobId }) => jobId);
    const entries = await pages.listOf(tenant, { ...query, limit: 30 });
    expect(entries.map(({ job }) => job.jobId)).toEqual(ids.slice(0, 30));
  });
});
