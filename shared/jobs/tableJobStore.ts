import { odata, type TableClient, type TableTransactionResponse, type TransactionAction } from '@azure/data-tables';
import type { NewId } from '../ids.js';
import { fromStorage, unlessStatus } from '../storage/storageErrors.js';
import { firstRows } from '../storage/tableRows.js';
import { checkAt, endedOn, jobStatuses, wantsLook, type Job, type JobKey, type JobStatus } from './job.js';
import {
  BUCKETS,
  type EndedJob,
  type JobList,
  type JobStore,
  type OpenJob,
  type StoredJob,
  type UnlistedJobs,
} from './jobPorts.js';
import {
  doneKey,
  instantText,
  jobKey,
  keyOf,
  LIST_PREFIX,
  listRow,
  openKey,
  openRow,
  partition,
  partitionOf,
  type JobRow,
  type OpenRow,
} from './jobRows.js';

/** Table `jobs`; `jobRows.ts` says what its rows are. */
export class TableJobStore implements JobStore, JobList, UnlistedJobs {
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
    const row = this.#row(job, true);
    const actions: TransactionAction[] = [
      ['create', row],
      ['upsert', openRow(job, checkAt(job)), 'Replace'],
      ...entered(job),
    ];
    return (await this.#write(actions, job, row)) !== undefined;
  }

  async replace(stored: StoredJob, next: Job): Promise<StoredJob | undefined> {
    const { isListed } = stored;
    const row = this.#row(next, isListed);
    const moves = moved(stored, next);
    if (moves.length > 0) return this.#write([['update', row, 'Replace', { etag: stored.etag }], ...moves], next, row);
    const etag = await unlessStatus([404, 412], async () => {
      const answer = await this.#table.updateEntity(row, 'Replace', { etag: stored.etag });
      return answer.etag;
    });
    if (etag !== undefined) return { job: next, etag, isListed };
    return this.#ownLostWrite(next, row);
  }

  async end(stored: StoredJob, next: Job): Promise<boolean> {
    const row = this.#row(next, stored.isListed);
    const { partitionKey } = row;
    const open = openRow(next, checkAt(next));
    const done = { partitionKey, rowKey: doneKey({ ...next, endedOn: endedOn(next) }) };
    const actions: TransactionAction[] = [
      ['update', row, 'Replace', { etag: stored.etag }],
      wantsLook(next) ? ['upsert', open, 'Replace'] : ['delete', open],
      ['upsert', done, 'Replace'],
      ...moved(stored, next),
    ];
    return (await this.#write(actions, next, row)) !== undefined;
  }

  async reopen(stored: StoredJob, next: Job): Promise<boolean> {
    const row = this.#row(next, stored.isListed);
    const done = doneKey({ ...stored.job, endedOn: endedOn(stored.job) });
    const actions: TransactionAction[] = [
      ['update', row, 'Replace', { etag: stored.etag }],
      ['upsert', openRow(next, checkAt(next)), 'Replace'],
      ['delete', { partitionKey: row.partitionKey, rowKey: done }],
      ...moved(stored, next),
    ];
    return (await this.#write(actions, next, row)) !== undefined;
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
    const row = await unlessStatus([404], () => this.#table.getEntity<OpenRow>(partitionOf(key), openKey(key)));
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

  async purge(ended: EndedJob, job: Job): Promise<boolean> {
    const partitionKey = partitionOf(ended);
    // The entry is the fence: whatever ends, opens or deletes this very job changes it in the same transaction.
    const rowKeys = [doneKey(ended), jobKey(ended)];
    const actions = rowKeys.map((rowKey): TransactionAction => ['delete', { partitionKey, rowKey }]);
    return (await this.#submit([...actions, ...left(job)])) !== undefined;
  }

  async forget(ended: EndedJob): Promise<void> {
    await unlessStatus([404], () => this.#table.deleteEntity(partitionOf(ended), doneKey(ended)));
  }

  async *listUnlisted(bucket: number): AsyncIterable<JobKey> {
    const filter = odata`PartitionKey eq ${partition(bucket)} and RowKey ge 'JOB_' and RowKey lt 'JOB\`'`;
    const queryOptions = { filter, select: ['rowKey', 'isListed'] };
    const rows = await fromStorage(async () => {
      const unlisted: string[] = [];
      for await (const { rowKey = '', isListed } of this.#table.listEntities<JobRow>({ queryOptions })) {
        if (isListed !== true) unlisted.push(rowKey);
      }
      return unlisted;
    });
    for (const rowKey of rows) yield keyOf(rowKey.slice('JOB_'.length));
  }

  async enlist({ job, etag }: StoredJob): Promise<boolean> {
    // An instance of before lists that wrote the job while others listed it has left its entry of that time behind.
    for (const status of jobStatuses.filter((each) => each !== job.status)) {
      const { partitionKey, rowKey } = listRow(job, status);
      await unlessStatus([404], () => this.#table.deleteEntity(partitionKey, rowKey));
    }
    const row = this.#row(job, true);
    const actions: TransactionAction[] = [['update', row, 'Replace', { etag }], ...entered(job)];
    return (await this.#write(actions, job, row)) !== undefined;
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

  #row(job: Job, isListed: boolean): KeyedJobRow {
    return {
      partitionKey: partitionOf(job),
      rowKey: jobKey(job),
      job: JSON.stringify(job),
      revision: this.#newId(),
      status: job.status,
      ...(job.rerun === undefined ? {} : { runsAgain: true }),
      ...(isListed ? { isListed } : {}),
    };
  }

  async #read(key: JobKey): Promise<{ readonly stored: StoredJob; readonly revision: string } | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<JobRow>(partitionOf(key), jobKey(key)));
    if (row === undefined) return undefined;
    const stored = { job: JSON.parse(row.job) as Job, etag: row.etag, isListed: row.isListed === true };
    return { stored, revision: row.revision };
  }

  /** A transaction on a job; undefined when somebody else's row or write stands in the way. */
  async #write(actions: TransactionAction[], job: Job, row: KeyedJobRow): Promise<StoredJob | undefined> {
    const answer = await this.#submit(actions);
    // The job's own row comes first; by its key the client finds no answer, for keys come back escaped.
    const etag = answer?.subResponses[0]?.etag;
    if (etag === undefined) return this.#ownLostWrite(job, row);
    return { job, etag, isListed: row.isListed === true };
  }

  async #submit(actions: TransactionAction[]): Promise<TableTransactionResponse | undefined> {
    const refusals = [404, 409, 412];
    const answer = await unlessStatus(refusals, () => this.#table.submitTransaction(actions));
    if (answer !== undefined || !actions.some(isListDeletion)) return answer;
    // An entry that somebody has taken out of a list by hand must not hold up its job; the ETag still guards the rest.
    const others = actions.filter((action) => !isListDeletion(action));
    return unlessStatus(refusals, () => this.#table.submitTransaction(others));
  }

  /**
   * After a refused write: the write may have been our own, its answer lost and the client's repetition refused. The
   * revision in the row tells.
   */
  async #ownLostWrite(job: Job, { revision }: KeyedJobRow): Promise<StoredJob | undefined> {
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

type KeyedJobRow = JobRow & { readonly partitionKey: string; readonly rowKey: string };

/** The job's entries in the lists of its tenant. */
const entered = (job: Job): TransactionAction[] =>
  [undefined, job.status].map((status) => ['upsert', listRow(job, status), 'Replace']);

/** Those of a job that is deleted. */
const left = (job: Job): TransactionAction[] =>
  [undefined, job.status].map((status) => ['delete', listRow(job, status)]);

/** What a change of the job changes in the lists; nothing for a job that isn't in them. */
function moved({ job, isListed }: StoredJob, next: Job): TransactionAction[] {
  if (!isListed || listRow(job, undefined).json === listRow(next, undefined).json) return [];
  return job.status === next.status ? entered(next) : [...entered(next), ['delete', listRow(job, job.status)]];
}

const isListDeletion = ([kind, row]: TransactionAction): boolean =>
  kind === 'delete' && row.rowKey.startsWith(LIST_PREFIX);
