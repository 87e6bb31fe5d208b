import { TableServiceClient, type TableClient } from '@azure/data-tables';
import { BlobServiceClient } from '@azure/storage-blob';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomId } from '../../shared/kit/ids.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { folderArchive } from '../../infra/local/backup/folderArchive.js';
import { backupNameAt, type BackupArchive } from '../../shared/operate/backup/backupArchive.js';
import { blobBackupArchive, listBackups } from '../../shared/operate/backup/blobBackupArchive.js';
import { exportTables } from '../../shared/operate/backup/exportTables.js';
import { restoreTables } from '../../shared/operate/restore/restoreTables.js';
import { keptTables, tableKinds } from '../../shared/operate/backup/tableKinds.js';
import {
  inProgress,
  ingested,
  type Enrollment,
  type EnrollmentKey,
} from '../../shared/enrollments/record/enrollment.js';
import { enrollmentRow, enrollmentRowKey } from '../../shared/enrollments/record/enrollmentRows.js';
import { ended, leavesInsight, type Job } from '../../shared/jobs/job.js';
import { jobKey, jobPartitionOf, jobRow } from '../../shared/jobs/jobRows.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import { firstRerun } from '../../shared/jobs/rerun.js';
import { tableNames, type TableName } from '../../shared/storage/names.js';
import { RawRows } from '../../shared/storage/azure/rawRows.js';
import { WorkStore } from '../../shared/work/item/workStore.js';
import { anEnrollment, START } from '../enrollments/builders.js';
import { aJob as jobLike, workOfJob } from '../jobs/aJob.js';
import { tombstonesInMemory } from '../support/keptTombstones.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { service } from './service.js';
import { settings, tableOf } from './storage.js';

/** Tables of this file alone: the service works on its own ones. */
const suffix = randomUUID().slice(0, 8);
const tables = new Map<TableName, TableClient>(tableNames.map((name) => [name, tableOf(`${name}${suffix}`)]));
const table = (name: TableName): TableClient => tables.get(name)!;
const rows = (name: TableName): AzureRows => new AzureRows(table(name), randomId);
/** Submissions whose inputs are there. */
let written: EnrollmentKey[] = [];
const ports = {
  inputs: { listWritten: () => Promise.resolve(written) },
  keptTombstones: tombstonesInMemory(),
  rawRows: (name: TableName) => new RawRows(table(name)),
  files: () => new MemoryBlobs(),
  rows,
  clock: new ManualClock(new Date(START).toISOString()),
};

let folder = '';
let archive: BackupArchive;
beforeAll(async () => {
  for (const client of tables.values()) await client.createTable();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  archive = folderArchive(folder);
  await destroy();
});
afterAll(async () => {
  for (const client of tables.values()) await client.deleteTable();
  rmSync(folder, { recursive: true, force: true });
});

type Row = Record<string, unknown>;

/** A text as it is; every other kind keeps its name, by which it comes back as what it was. */
function plainText(value: unknown): unknown {
  const typed = value as { readonly type?: unknown; readonly value?: unknown };
  return typed.type === 'String' ? typed.value : value;
}

async function rowsOf(name: TableName): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of table(name).listEntities<Row>({ disableTypeConversion: true })) {
    const stored = Object.entries(row).filter(([key]) => !/etag|timestamp|metadata/.test(key));
    rows.push(Object.fromEntries(stored.map(([key, value]) => [key, plainText(value)])));
  }
  return rows;
}

async function destroy(): Promise<void> {
  for (const name of tableNames) {
    for (const { partitionKey, rowKey } of await rowsOf(name)) {
      await table(name).deleteEntity(String(partitionKey), String(rowKey));
    }
  }
}

describe('every table of the service', () => {
  test('is exported, or named as one that comes again by itself', async () => {
    const tlsOptions = { ca: readFileSync(service.caFile, 'utf8') };
    const account = TableServiceClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', { tlsOptions });
    const there: string[] = [];
    for await (const { name = '' } of account.listTables()) if (!/[0-9a-f]{8}$/.test(name)) there.push(name);
    expect(there.sort()).toEqual(Object.keys(tableKinds).sort());
    const rebuilt = ['limits', 'interest', 'scenes', 'feed', 'notices'];
    expect([...keptTables].sort()).toEqual(tableNames.filter((name) => !rebuilt.includes(name)).sort());
  });
});

describe('the exports in a container', () => {
  const account = BlobServiceClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', {
    tlsOptions: { ca: readFileSync(service.caFile, 'utf8') },
  } as object);
  const container = account.getContainerClient(`backups-${suffix}`);
  beforeAll(() => container.create());
  afterAll(() => container.delete());

  test('are listed by when they were made, whatever their names; those that were cut off are left out', async () => {
    const made = [
      { name: '2026-11-21', exportedAt: '2026-11-21T02:10:04.000Z' },
      { name: 'before-migration', exportedAt: '2026-11-20T09:00:00.000Z' },
      { name: '2026-11-20', exportedAt: '2026-11-20T02:10:04.000Z' },
    ];
    for (const { name, exportedAt } of made) await blobBackupArchive(container, name).finish({ exportedAt, rows: {} });
    await container.getBlockBlobClient('2026-11-22/work.ndjson.gz').upload('', 0);
    expect(await listBackups(container)).toEqual(['2026-11-20', 'before-migration', '2026-11-21']);
  });

  test('are written once: a name that is taken is refused, whole or cut off, and what is there stays', async () => {
    const lines = async function* (text: string): AsyncGenerator<string> {
      yield await Promise.resolve(text);
    };
    const exportedAt = new Date(START).toISOString();
    const taken = blobBackupArchive(container, backupNameAt(new Date('2026-11-23T02:10:59Z')));
    expect(taken.place).toMatch(/\/2026-11-23T0210$/);
    await taken.write('work', lines('first'));
    await taken.finish({ exportedAt, rows: { work: 1 } });
    await expect(taken.write('work', lines('second'))).rejects.toThrow(/never written over: choose a new name/);
    await expect(taken.finish({ exportedAt, rows: {} })).rejects.toThrow(/2026-11-23T0210 already/);
    const kept: string[] = [];
    for await (const line of taken.read('work')) kept.push(line);
    expect([kept, await taken.manifest()]).toEqual([['first'], { exportedAt, rows: { work: 1 } }]);
  });
});

describe('an export', () => {
  test('brings every row back as it was, kinds of numbers and dates included', async () => {
    const row = {
      partitionKey: 'p',
      rowKey: 'r-1',
      text: 'ü\n"',
      whole: 7,
      fraction: 7.5,
      isGood: true,
    };
    await table('customers').createEntity({
      ...row,
      long: { type: 'Int64', value: '9007199254740993' },
      at: new Date(START),
    });
    await table('limits').createEntity({ partitionKey: 'p', rowKey: 'bucket' });
    const before = await rowsOf('customers');
    await exportTables(ports)(archive);
    await destroy();
    const { rows } = await restoreTables(ports)(archive, { isMerge: false });
    expect(rows).toEqual({ ...Object.fromEntries(keptTables.map((name) => [name, 0])), customers: 1 });
    expect(await rowsOf('customers')).toEqual(before);
    expect(await rowsOf('limits')).toEqual([]);
  });

  test('of rows that are larger together than a transaction may be comes back whole', async () => {
    const text = 'x'.repeat(30_000);
    const rows = Array.from({ length: 120 }, (_, index) => ({
      ...{ partitionKey: 'large', rowKey: `M_2026-06-01_${String(index).padStart(3, '0')}` },
      ...{ first: text, second: text },
    }));
    for (const row of rows) await table('fieldDates').createEntity(row);
    await exportTables(ports)(archive);
    await destroy();
    await restoreTables(ports)(archive, { isMerge: false });
    expect(await rowsOf('fieldDates')).toEqual(rows);
  });

  test('that was not finished is none', async () => {
    await expect(restoreTables(ports)(archive, { isMerge: false })).rejects.toThrow('holds no finished export');
  });
});

describe('a restore', () => {
  const tenant = (rowKey: string, name: string) => ({ partitionKey: 'tenants', rowKey, name });

  test('refuses tables that hold rows, and touches none', async () => {
    await table('tenants').createEntity(tenant('one', 'old'));
    await exportTables(ports)(archive);
    await table('tenants').updateEntity(tenant('one', 'new'), 'Replace');
    await expect(restoreTables(ports)(archive, { isMerge: false })).rejects.toThrow('The tables tenants are not empty');
    expect(await rowsOf('tenants')).toEqual([tenant('one', 'new')]);
  });

  test('that is told to merge replaces its rows and leaves others', async () => {
    await table('tenants').createEntity(tenant('one', 'old'));
    await exportTables(ports)(archive);
    await table('tenants').updateEntity(tenant('one', 'new'), 'Replace');
    await table('tenants').createEntity(tenant('two', 'later'));
    await restoreTables(ports)(archive, { isMerge: true });
    expect(await rowsOf('tenants')).toEqual([tenant('one', 'old'), tenant('two', 'later')]);
  });
});

describe('a customer who was purged', () => {
  const mine = [
    ['customers', { partitionKey: 'customers', rowKey: 'gone', fieldLimit: 250 }],
    ['customers', { partitionKey: 'keys_gone', rowKey: 'k1' }],
    ['customers', { partitionKey: 'key_k1', rowKey: 'key_k1', customer: 'gone' }],
    ['enrollments', { partitionKey: 'gone', rowKey: 'A_1' }],
    ['fields', { partitionKey: 'gone', rowKey: 'F_1' }],
    ['fieldDates', { partitionKey: 'gone', rowKey: 'f_1' }],
  ] as const;
  const stays = { partitionKey: 'customers', rowKey: 'stays', fieldLimit: 250 };
  const tombstone = { partitionKey: 'purged', rowKey: 'gone', purgedAt: '2026-06-01T00:00:00.000Z' };
  const everything = async (): Promise<unknown[]> =>
    (await Promise.all(keptTables.map((name) => rowsOf(name))))
      .flat()
      .map((row) => [row['partitionKey'], row['rowKey']]);
  const left = [
    ['customers', 'stays'],
    ['purged', 'gone'],
  ];
  beforeEach(async () => {
    for (const [name, row] of mine) await table(name).createEntity({ ...row });
    await table('customers').createEntity(stays);
    await exportTables(ports)(archive);
    await destroy();
  });

  test('stays so when an export from before comes back beside the tombstone', async () => {
    await table('customers').createEntity(tombstone);
    await restoreTables(ports)(archive, { isMerge: true });
    expect((await everything()).sort()).toEqual(left);
  });
  test('stays so when a newer export alone has the tombstone', async () => {
    const newer = folderArchive(mkdtempSync(join(tmpdir(), 'newer-')));
    await table('customers').createEntity(tombstone);
    await exportTables(ports)(newer);
    await destroy();
    await restoreTables(ports)(archive, { isMerge: false, newer: [newer] });
    expect((await everything()).sort()).toEqual(left);
  });
  test('stays so when the tombstone was kept beside the exports alone', async () => {
    const keptTombstones = tombstonesInMemory();
    await keptTombstones.keepPurge('gone', Date.parse(tombstone.purgedAt));
    await restoreTables({ ...ports, keptTombstones })(archive, { isMerge: false });
    expect((await everything()).sort()).toEqual(left);
  });
  test('is no other: without a tombstone everything comes back', async () => {
    await restoreTables(ports)(archive, { isMerge: false });
    expect(await everything()).toHaveLength(mine.length + 1);
  });
});

describe('rows that an export has torn, or a merge has revived', () => {
  const plansOf = async (): Promise<unknown[]> =>
    (await rowsOf('work')).map(({ rowKey }) => rowKey).filter((rowKey) => String(rowKey).startsWith('W|plan|'));
  const restored = async () => {
    await exportTables(ports)(archive);
    await destroy();
    return (await restoreTables(ports)(archive, { isMerge: false })).mended;
  };

  const aJob = (jobId: string, change: Partial<Job> = {}): Job =>
    jobLike({ tenant: 't', jobId, createdAt: START, lastActionAt: START, ...change });
  const putJob = (job: Job) => rows('work').put(jobPartitionOf(job), jobKey(job), jobRow(job));
  const workRowsThere = async (): Promise<string[]> =>
    (await rowsOf('work')).map(({ rowKey }) => String(rowKey)).sort();
  const position = `${9_999_999_999_999 - START}`;
  const listed = (jobId: string, status: string): string[] =>
    ['*', status].map((list) => `LIST|t|gdd|${list}|${position}|${jobId}|gdd`);
  const day = new Date(START).toISOString().slice(0, 10);

  /** The work of a job as if nothing had been tried: but what it writes is above all that was written before. */
  const anewOf = (job: Job, dueAt: number): object => {
    const notBefore = dueAt === START ? 0 : dueAt;
    const anew = { epoch: job.epoch, attempts: 0, failures: {}, notBefore, checkAt: dueAt };
    if (leavesInsight(job)) return { ...anew, place: { step: 'withdraw' } };
    // The jobs of a tenant stand in its lane, so that not all of them begin at once.
    const waits = { ...anew, parked: { lane: 'jobs|gdd|t', askedAt: dueAt }, lanes: ['jobs|gdd|t'] };
    return job.rerun === undefined ? waits : { ...waits, place: { step: 'rerun' } };
  };

  const begun = aJob('a', { status: 'RUNNING', startedAt: START, epoch: START });
  const rerun = firstRerun('the newest forecast', START);
  const succeeds = { status: 'SUCCEEDED', insightId: 'i' } as const;
  test.each<{ what: string; job: Job; dueAt?: number }>([
    { what: 'waits', job: aJob('a'), dueAt: START },
    { what: 'runs', job: begun, dueAt: START },
    { what: 'has SUCCEEDED', job: ended(begun, succeeds, START) },
    { what: 'has SUCCEEDED and runs again', job: ended(begun, { ...succeeds, rerun }, START), dueAt: rerun.dueAt },
    {
      what: 'has SUCCEEDED and was to run again by now',
      job: ended(begun, { ...succeeds, rerun: { ...rerun, dueAt: START - 1 } }, START),
      dueAt: START,
    },
    { what: 'was CANCELLED before it began', job: ended(aJob('a'), { status: 'CANCELLED' }, START) },
    {
      what: 'was CANCELLED when it may have published',
      job: ended(begun, { status: 'CANCELLED' }, START),
      dueAt: START,
    },
    {
      what: 'has FAILED when it may have published',
      job: ended(begun, { status: 'FAILED', failure: 'GDD-05000: x' }, START),
      dueAt: START,
    },
  ])(
    'a job that $what has every entry again, with what is to be done about it, and no other',
    async ({ job, dueAt }) => {
      await putJob(job);
      for (const stray of ['DONE|2026-01-01|t|gdd|gone', 'LIST|t|gdd|*|1|gone|gdd', 'W|gdd|t|gone', 'W|gdd|t|a']) {
        await rows('work').put(jobPartitionOf(job), stray, { checkAt: new Date(START).toISOString(), json: '{}' });
      }
      expect((await restored()).jobs).toBe(1);
      const done = job.status === 'WAITING' || job.status === 'RUNNING' ? [] : [`DONE|${day}|t|gdd|a`];
      const open = dueAt === undefined ? [] : ['W|gdd|t|a'];
      expect(await workRowsThere()).toEqual(['JOB|t|gdd|a', ...done, ...open, ...listed('a', job.status)].sort());
      const item = (await new WorkStore(rows('work')).find(workOfJob(job)))?.item;
      expect(item).toEqual(dueAt === undefined ? undefined : expect.objectContaining(anewOf(job, dueAt)));
      expect(item ?? {}).not.toHaveProperty('claim');
    },
  );

  test('work alone comes back in no other way: neither items nor lanes', async () => {
    await rows('work').put('w0', 'W|ingest|c|e', { checkAt: new Date(START).toISOString() });
    await rows('work').put('lane|x', 'S', { json: '{}' });
    await restored();
    expect(await workRowsThere()).toEqual([]);
  });

  test('a job that a merge takes back to what it was is listed as that alone, and is to be done', async () => {
    const waits = aJob('a');
    await putJob(waits);
    await exportTables(ports)(archive);
    const store = new JobStore(rows('work'));
    const later = aJob('a', { createdAt: START + 1, lastActionAt: START + 1 });
    await destroy();
    await store.insert(later, workOfJob(later));
    const cancelled = ended(later, { status: 'CANCELLED' }, START + 2);
    await store.replace((await store.find(later))!, cancelled, await store.findWork(later));
    await restoreTables(ports)(archive, { isMerge: true });
    expect((await workRowsThere()).filter((rowKey) => rowKey.startsWith('LIST|'))).toEqual(listed('a', 'WAITING'));
    expect((await store.findWork(waits))?.item).toMatchObject({ notBefore: 0, checkAt: START });
  });

  test('an item that a merge finds takes no attempt over to the job that it brings back', async () => {
    await putJob(begun);
    await exportTables(ports)(archive);
    const store = new JobStore(rows('work'));
    await destroy();
    await store.insert(begun, workOfJob(begun, { claim: 'mine', notBefore: START + 60_000, attempts: 3 }));
    await restoreTables(ports)(archive, { isMerge: true });
    const item = (await store.findWork(begun))?.item;
    expect(item).toMatchObject({ attempts: 0, notBefore: 0, epoch: begun.epoch });
    expect(item).not.toHaveProperty('claim');
  });

  test('150 jobs, more than one transaction takes, have their entries', async () => {
    for (let index = 0; index < 150; index += 1) await putJob(aJob(`job-${index}`));
    expect((await restored()).jobs).toBe(150);
    expect(await workRowsThere()).toHaveLength(4 * 150);
  });

  const put = (enrollment: Enrollment) =>
    rows('enrollments').put(enrollment.customer, enrollmentRowKey(enrollment), enrollmentRow(enrollment));
  const done = () => ingested(anEnrollment(), { processed: 1, errors: [] }, START);
  test('an enrollment under monitoring begins anew', async () => {
    const enrollment = done();
    await put(enrollment);
    expect((await restored()).plans).toBe(1);
    expect(await plansOf()).toEqual([`W|plan|${enrollment.customer}|${enrollment.enrollmentId}`]);
  });

  const ofThePast = () => ({
    ...done(),
    request: { ...done().request, startDate: '2025-01-01', endDate: '2025-02-01' },
  });
  test('one of past days that was taken in a week before may not have been searched: it begins anew', async () => {
    await put({ ...ofThePast(), completedAt: START - 7 * 86_400_000 });
    expect((await restored()).plans).toBe(1);
  });

  test('one that was stopped, or whose last day is over for long, does not', async () => {
    const over = { ...ofThePast(), completedAt: START - 9 * 86_400_000 };
    for (const enrollment of [{ ...done(), stoppedAt: START }, over]) {
      await put(enrollment);
    }
    expect((await restored()).plans).toBe(0);
    expect(await plansOf()).toEqual([]);
  });

  test('inputs of which no row tells have work that removes them, others have none', async () => {
    const [died, ingested] = [anEnrollment(), { ...done(), stoppedAt: START }];
    await put(ingested);
    written = [died, ingested];
    await restored();
    written = [];
    const open = (await rowsOf('work')).map(({ rowKey }) => rowKey);
    expect(open).toEqual([`W|ingest|${died.customer}|${died.enrollmentId}`]);
  });

  test('one whose ingest has not ended has its ingest', async () => {
    const enrollments = [anEnrollment(), inProgress(anEnrollment(), { processed: 0, errors: [] })];
    for (const enrollment of enrollments) await put(enrollment);
    expect((await restored()).ingests).toBe(2);
    expect(await plansOf()).toEqual([]);
    const open = (await rowsOf('work')).map(({ rowKey }) => String(rowKey));
    const wanted = enrollments.map(({ customer, enrollmentId }) => `W|ingest|${customer}|${enrollmentId}`);
    expect(open.sort()).toEqual(wanted.sort());
  });
});
