import type { Action, Rows } from '../storage/rows.js';
import { endedOn, isEnded, wantsLook, type Job, type JobKey, type JobStatus } from './job.js';
import {
  BUCKETS,
  type EndedEntry,
  type EndedJob,
  type JobList,
  type JobStore,
  type OpenJob,
  type StoredJob,
} from './jobPorts.js';
import {
  doneKey,
  entriesOf,
  instantText,
  JOB_PREFIX,
  jobKey,
  jobOf,
  jobRow,
  keyOf,
  listEntries,
  listKey,
  listRow,
  openEntries,
  openKey,
  openOf,
  openRow,
  partition,
  partitionOf,
  type JobRow,
  type OpenRow,
} from './jobRows.js';

/** Table `jobs`; `jobRows.ts` says what its rows are. */
export class TableJobStore implements JobStore, JobList {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(key: JobKey): Promise<StoredJob | undefined> {
    const row = await this.#rows.find<JobRow>(partitionOf(key), jobKey(key));
    return row === undefined ? undefined : { job: jobOf(row), etag: row.etag };
  }

  async insert(job: Job): Promise<boolean> {
    const row = { insert: jobKey(job), value: jobRow(job) };
    return (await this.#rows.transact(partitionOf(job), [row, ...entriesOf(job)])) !== undefined;
  }

  async replace({ job, etag }: StoredJob, next: Job): Promise<StoredJob | undefined> {
    const key = jobKey(next);
    const written =
      listRow(job).json === listRow(next).json
        ? await this.#rows.update(partitionOf(next), key, jobRow(next), etag)
        : (await this.#write({ job, etag }, next, listEntries(next)))?.get(key);
    return written === undefined ? undefined : { job: next, etag: written };
  }

  async end(stored: StoredJob, next: Job): Promise<boolean> {
    const closed: Action[] = wantsLook(next) ? [] : [{ delete: openKey(next) }];
    // After a run of an ended job its entries are as they were, but for the look.
    const entries = isEnded(stored.job) ? openEntries(next) : entriesOf(next);
    return (await this.#write(stored, next, [...entries, ...closed])) !== undefined;
  }

  async reopen(stored: StoredJob, next: Job): Promise<boolean> {
    const done: Action = { delete: doneKey({ ...stored.job, endedOn: endedOn(stored.job) }) };
    return (await this.#write(stored, next, [...entriesOf(next), done])) !== undefined;
  }

  async *list(status: JobStatus): AsyncIterable<Job> {
    const where = { column: 'status', equals: status };
    for await (const page of this.#rows.scan<JobRow>({ prefix: JOB_PREFIX }, { where })) yield* page.map(jobOf);
  }

  async *listOverdue(bucket: number, now: number): AsyncIterable<OpenJob> {
    const where = { column: 'checkAt', atMost: instantText(now) };
    for (const row of await this.#rows.range<OpenRow>(partition(bucket), { prefix: 'OPEN_' }, { where })) {
      yield openOf(keyOf(row.rowKey.slice('OPEN_'.length)), row);
    }
  }

  async findOpen(key: JobKey): Promise<OpenJob | undefined> {
    const row = await this.#rows.find<OpenRow>(partitionOf(key), openKey(key));
    return row && openOf(key, row);
  }

  async postpone(open: OpenJob, next: number, refused = open.refused): Promise<boolean> {
    const row = openRow(next, refused);
    return (await this.#rows.update(partitionOf(open), openKey(open), row, open.etag)) !== undefined;
  }

  async putOpen(key: JobKey, next: number): Promise<void> {
    await this.#rows.put(partitionOf(key), openKey(key), openRow(next));
  }

  async dropOpen(open: OpenJob): Promise<void> {
    await this.#rows.delete(partitionOf(open), openKey(open), open.etag);
  }

  async *listEndedBefore(bucket: number, instant: number): AsyncIterable<EndedEntry> {
    const day = instantText(instant).slice(0, 10);
    for (const { rowKey, etag } of await this.#rows.range(partition(bucket), { from: 'DONE_', below: `DONE_${day}` })) {
      yield { ...keyOf(rowKey.slice('DONE_YYYY-MM-DD_'.length)), endedOn: rowKey.slice(5, 15), etag };
    }
  }

  /**
   * The entry is the fence: whatever opens or deletes this very job changes the entry in the same transaction. So the rest
   * goes with a write of the entry as it was read, and the entry itself stays until it is forgotten: whoever dies before
   * the transaction leaves everything, whoever dies behind it leaves an entry without a job, which the next night
   * forgets. Nothing of a job can be left without the entry by which it is found.
   */
  async purge(ended: EndedEntry, job: Job): Promise<boolean> {
    const gone = [jobKey(ended), listKey(job, undefined), listKey(job, job.status)];
    const fence: Action = { patch: doneKey(ended), value: {}, etag: ended.etag };
    const deletions = gone.map((rowKey): Action => ({ delete: rowKey }));
    return (await this.#rows.transact(partitionOf(ended), [fence, ...deletions])) !== undefined;
  }

  async forget(ended: readonly EndedJob[]): Promise<void> {
    const [first] = ended;
    if (first !== undefined) await this.#rows.deleteMany(partitionOf(first), ended.map(doneKey));
  }

  /** Whether the tenant has any job, open or ended. */
  async hasJobsOf(tenant: string): Promise<boolean> {
    const span = { prefix: `${JOB_PREFIX}${tenant}|` };
    const buckets = Array.from({ length: BUCKETS }, (_, bucket) => partition(bucket));
    const found = await Promise.all(buckets.map((bucket) => this.#rows.range(bucket, span, { most: 1 })));
    return found.some((rows) => rows.length > 0);
  }

  /** The job as it is next, with what else is written; its entry in the list of a status that it has left goes. */
  #write({ job, etag }: StoredJob, next: Job, others: readonly Action[]): ReturnType<Rows['transact']> {
    const row: Action = { update: jobKey(next), value: jobRow(next), etag };
    const left: Action[] = job.status === next.status ? [] : [{ delete: listKey(job, job.status) }];
    return this.#rows.transact(partitionOf(next), [row, ...others, ...left]);
  }
}
