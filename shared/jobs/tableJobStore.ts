import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import type { NewId } from '../ids.js';
import { fromStorage, unlessStatus } from '../storage/storageErrors.js';
import { firstRows } from '../storage/tableRows.js';
import { checkAt, endedOn, wantsLook, type Job, type JobKey, type JobStatus, type SolutionId } from './job.js';
import { BUCKETS, type EndedJob, type JobList, type JobStore, type OpenJob, type StoredJob } from './jobPorts.js';

/**
 * Rows of table `jobs`. PartitionKey is one of 16 hash buckets of the key, so a job and its index entries change in
 * one transaction and no tenant has a partition of its own to fill up. RowKeys:
 *
 * - `JOB_<key>`: the job, as JSON; `revision` is unique to each write and tells our own lost answer from another's write
 * - `OPEN_<key>`: index of jobs that have not ended, and of those whose insight is to be taken back or made again, with
 *   the time of the next look
 * - `DONE_<day>_<key>`: index of ended jobs by day, for their deletion
 */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type JobRow = {
  readonly job: string;
  readonly revision: string;
  /** For people who look at the table. */
  readonly status: string;
  /** On an ended job that runs again: its entry in the index of open jobs can be made from the row after a restore. */
  readonly runsAgain?: true;
};

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type OpenRow = {
  readonly checkAt: string;
};

const keyText = ({ tenant, solution, jobId }: JobKey): string => `${tenant}|${solution}|${jobId}`;

function keyOf(text: string): JobKey {
  const [tenant = '', solution = '', jobId = ''] = text.split('|');
  return { tenant, solution: solution as SolutionId, jobId };
}

const partition = (bucket: number): string => `b${bucket.toString(16)}`;

function partitionOf(key: JobKey): string {
  return partition(createHash('sha256').update(keyText(key)).digest().readUInt8(0) % BUCKETS);
}

const doneKey = (ended: EndedJob): string => `DONE_${ended.endedOn}_${keyText(ended)}`;

const instantText = (instant: number): string => new Date(instant).toISOString();

export class TableJobStore implements JobStore, JobList {
  readonly #table: TableClient;
  readonly #newId: NewId;

  constructor(table: TableClient, newId: NewId) {
    this.#table = table;
    this.#newId = newId;
  }

  async find(key: JobKey): Promise<StoredJob | undefined> {
    return (await this.#read(key))?.stored;
  }

  async insert(job: Job): Promise<boolean> {
    const row = this.#row(job);
    const actions: TransactionAction[] = [
      ['create', row],
      ['upsert', openRow(job, checkAt(job)), 'Replace'],
    ];
    return (await this.#write(actions, job, row.revision)) !== undefined;
  }

  async replace(stored: StoredJob, next: Job): Promise<StoredJob | undefined> {
    const row = this.#row(next);
    const etag = await unlessStatus([404, 412], async () => {
      const answer = await this.#table.updateEntity(row, 'Replace', { etag: stored.etag });
      return answer.etag;
    });
    if (etag !== undefined) return { job: next, etag };
    return this.#ownLostWrite(next, row.revision);
  }

  async end(stored: StoredJob, next: Job): Promise<boolean> {
    const row = this.#row(next);
    const { partitionKey } = row;
    const open = openRow(next, checkAt(next));
    const done = { partitionKey, rowKey: doneKey({ ...next, endedOn: endedOn(next) }) };
    const actions: TransactionAction[] = [
      ['update', row, 'Replace', { etag: stored.etag }],
      wantsLook(next) ? ['upsert', open, 'Replace'] : ['delete', open],
      ['upsert', done, 'Replace'],
    ];
    return (await this.#write(actions, next, row.revision)) !== undefined;
  }

  async reopen(stored: StoredJob, next: Job): Promise<boolean> {
    const row = this.#row(next);
    const done = doneKey({ ...stored.job, endedOn: endedOn(stored.job) });
    const actions: TransactionAction[] = [
      ['update', row, 'Replace', { etag: stored.etag }],
      ['upsert', openRow(next, checkAt(next)), 'Replace'],
      ['delete', { partitionKey: row.partitionKey, rowKey: done }],
    ];
    return (await this.#write(actions, next, row.revision)) !== undefined;
  }

  async *list(status: JobStatus): AsyncIterable<Job> {
    const rows = await this.#list<JobRow>(odata`RowKey ge 'JOB_' and RowKey lt 'JOB\`' and status eq ${status}`);
    for (const { job } of rows) yield JSON.parse(job) as Job;
  }

  async *listOverdue(bucket: number, now: number): AsyncIterable<OpenJob> {
    const filter = odata`PartitionKey eq ${partition(bucket)} and RowKey ge 'OPEN_' and RowKey lt 'OPEN\`' and checkAt le ${instantText(now)}`;
    for (const row of await this.#list<OpenRow>(filter)) {
      yield { ...keyOf(row.rowKey.slice('OPEN_'.length)), checkAt: Date.parse(row.checkAt), etag: row.etag };
    }
  }

  async findOpen(key: JobKey): Promise<OpenJob | undefined> {
    const row = await unlessStatus([404], () =>
      this.#table.getEntity<OpenRow>(partitionOf(key), `OPEN_${keyText(key)}`),
    );
    return row === undefined ? undefined : { ...key, checkAt: Date.parse(row.checkAt), etag: row.etag };
  }

  async postpone(open: OpenJob, next: number): Promise<boolean> {
    const row = openRow(open, next);
    const answer = await unlessStatus([404, 412], () => this.#table.updateEntity(row, 'Replace', { etag: open.etag }));
    return answer !== undefined;
  }

  async putOpen(key: JobKey, next: number): Promise<void> {
    await fromStorage(() => this.#table.upsertEntity(openRow(key, next), 'Replace'));
  }

  async dropOpen(open: OpenJob): Promise<void> {
    const { partitionKey, rowKey } = openRow(open, open.checkAt);
    await unlessStatus([404, 412], () => this.#table.deleteEntity(partitionKey, rowKey, { etag: open.etag }));
  }

  async *listEndedBefore(bucket: number, instant: number): AsyncIterable<EndedJob> {
    const day = instantText(instant).slice(0, 10);
    const filter = odata`PartitionKey eq ${partition(bucket)} and RowKey ge 'DONE_' and RowKey lt ${`DONE_${day}`}`;
    for (const { rowKey } of await this.#list<object>(filter)) {
      yield { ...keyOf(rowKey.slice('DONE_YYYY-MM-DD_'.length)), endedOn: rowKey.slice(5, 15) };
    }
  }

  async purge(ended: EndedJob): Promise<boolean> {
    const partitionKey = partitionOf(ended);
    // The entry is the fence: whatever ends, opens or deletes this very job changes it in the same transaction.
    const actions: TransactionAction[] = [
      ['delete', { partitionKey, rowKey: doneKey(ended) }],
      ['delete', { partitionKey, rowKey: `JOB_${keyText(ended)}` }],
    ];
    return (await unlessStatus([404], () => this.#table.submitTransaction(actions))) !== undefined;
  }

  async forget(ended: EndedJob): Promise<void> {
    await unlessStatus([404], () => this.#table.deleteEntity(partitionOf(ended), doneKey(ended)));
  }

  /** Whether the tenant has any job, open or ended. */
  async hasJobsOf(tenant: string): Promise<boolean> {
    const found = await Promise.all(
      Array.from({ length: BUCKETS }, (_, bucket) => {
        const filter = odata`PartitionKey eq ${partition(bucket)} and RowKey ge ${`JOB_${tenant}|`} and RowKey lt ${`JOB_${tenant}}`}`;
        return firstRows(this.#table, filter, 1);
      }),
    );
    return found.some((rows) => rows.length > 0);
  }

  #row(job: Job): JobRow & { readonly partitionKey: string; readonly rowKey: string } {
    return {
      partitionKey: partitionOf(job),
      rowKey: `JOB_${keyText(job)}`,
      job: JSON.stringify(job),
      revision: this.#newId(),
      status: job.status,
      ...(job.rerun === undefined ? {} : { runsAgain: true }),
    };
  }

  async #read(key: JobKey): Promise<{ readonly stored: StoredJob; readonly revision: string } | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<JobRow>(partitionOf(key), `JOB_${keyText(key)}`));
    if (row === undefined) return undefined;
    return { stored: { job: JSON.parse(row.job) as Job, etag: row.etag }, revision: row.revision };
  }

  /** A transaction on a job; undefined when somebody else's row or write stands in the way. */
  async #write(actions: TransactionAction[], job: Job, revision: string): Promise<StoredJob | undefined> {
    const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions));
    if (answer === undefined) return this.#ownLostWrite(job, revision);
    return { job, etag: answer.getResponseForEntity(`JOB_${keyText(job)}`)?.etag ?? '' };
  }

  /**
   * After a refused write: the write may have been our own, its answer lost and the client's repetition refused. The
   * revision in the row tells.
   */
  async #ownLostWrite(job: Job, revision: string): Promise<StoredJob | undefined> {
    const current = await this.#read(job);
    return current?.revision === revision ? current.stored : undefined;
  }

  /** All rows of a range; read before use, so that a caller may change what it walks over. */
  async #list<T extends object>(filter: string): Promise<(T & { rowKey: string; etag: string })[]> {
    return fromStorage(async () => {
      const rows: (T & { rowKey: string; etag: string })[] = [];
      for await (const row of this.#table.listEntities<T>({ queryOptions: { filter } })) {
        rows.push({ ...row, rowKey: row.rowKey ?? '', etag: row.etag });
      }
      return rows;
    });
  }
}

function openRow(key: JobKey, next: number): OpenRow & { readonly partitionKey: string; readonly rowKey: string } {
  return { partitionKey: partitionOf(key), rowKey: `OPEN_${keyText(key)}`, checkAt: instantText(next) };
}
