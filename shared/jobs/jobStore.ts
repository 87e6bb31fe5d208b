import type { Action, Etag, Rows } from '../storage/rows.js';
import { isClaimable, type WorkItem } from '../work/item/workItem.js';
import { workActions, workPartitions, WorkStore, type StoredWork } from '../work/item/workStore.js';
import { endedOn, workOf, type Job, type JobKey, type JobStatus } from './job.js';
import type { EndedEntry, EndedJob, StoredJob } from './jobPorts.js';
import {
  changeOf,
  DONE_PREFIX,
  doneKey,
  entriesOf,
  JOB_PREFIX,
  jobKey,
  jobOf,
  jobPartitionOf,
  jobRow,
  keyOf,
  listKey,
  type JobRow,
} from './jobRows.js';
import { withRerun } from './rerun.js';

/**
 * Where jobs are kept, in table `work`; `jobRows.ts` says what the rows are. Every write recognises its own lost answer,
 * so a changed row always means somebody else. What lists show of a job changes in the same transaction as the job.
 */
export class JobStore {
  readonly #rows: Rows;
  readonly #work: WorkStore;

  constructor(rows: Rows) {
    this.#rows = rows;
    this.#work = new WorkStore(rows);
  }

  /** Undefined when this tenant has no such job; another tenant's job is no such job. */
  async find(key: JobKey): Promise<StoredJob | undefined> {
    const row = await this.#rows.find<JobRow>(jobPartitionOf(key), jobKey(key));
    return row === undefined ? undefined : { job: jobOf(row), etag: row.etag };
  }

  /** The work item of a job; undefined when nothing is to be done about the job. */
  findWork(key: JobKey): Promise<StoredWork | undefined> {
    return this.#work.find(workOf(key));
  }

  /** Stores a job with its work item. @returns false when a job of this key exists already */
  async insert(job: Job, item: WorkItem): Promise<boolean> {
    const row: Action = { insert: jobKey(job), value: jobRow(job) };
    return (await this.#write(job, [row, ...entriesOf(job), workActions.insert(item)])) !== undefined;
  }

  /**
   * Stores what became of a job, and what is to be done about it: `item` takes the place of its work item, without one the
   * work is done. What lies `beside` is written in the same transaction.
   *
   * @returns false when somebody else has changed the job or its work item
   */
  async replace(
    stored: StoredJob,
    next: Job,
    work: StoredWork | undefined,
    { item, beside = [] }: { readonly item?: WorkItem | undefined; readonly beside?: readonly Action[] } = {},
  ): Promise<boolean> {
    const actions = [...changeOf(stored, next), ...workChange(next, work, item), ...beside];
    return (await this.#write(next, actions)) !== undefined;
  }

  /** The jobs of a status, for operators: a walk over the whole table. */
  async *list(status: JobStatus): AsyncIterable<Job> {
    const where = { column: 'status', equals: status };
    for await (const page of this.#rows.scan<JobRow>({ prefix: JOB_PREFIX }, { where })) yield* page.map(jobOf);
  }

  /** Jobs of a tenant in one partition behind a job of it, by their keys; fewer than `most` are the last. */
  async pageOf(
    tenant: string,
    { partition, after, most }: { readonly partition: string; readonly after: Job | undefined; readonly most: number },
  ): Promise<readonly StoredJob[]> {
    const span = { prefix: `${JOB_PREFIX}${tenant}|`, ...(after === undefined ? {} : { above: jobKey(after) }) };
    const rows = await this.#rows.range<JobRow>(partition, span, { most });
    return rows.map((row) => ({ job: jobOf(row), etag: row.etag }));
  }

  /** Jobs of one partition that ended before the day of the instant, oldest first. */
  async listEndedBefore(partition: string, instant: number): Promise<readonly EndedEntry[]> {
    const day = new Date(instant).toISOString().slice(0, 10);
    const rows = await this.#rows.range(partition, { from: DONE_PREFIX, below: `${DONE_PREFIX}${day}` });
    return rows.map(({ rowKey, etag }) => {
      const [, endedOn = '', ...key] = rowKey.split('|');
      return { ...keyOf(key.join('|')), endedOn, etag };
    });
  }

  /**
   * Takes what is left to be done off a job that is to be deleted.
   *
   * @returns false while an attempt is at it, or when somebody has changed the job: then it is deleted another night
   */
  async closeWork(stored: StoredJob, now: number): Promise<boolean> {
    const work = await this.findWork(stored.job);
    if (work === undefined) return true;
    if (work.item.claim !== undefined && !isClaimable(work.item, now)) return false;
    // Each claim writes the row of the job: when this write succeeds, nobody has claimed the item since.
    return this.replace(stored, withRerun(stored.job, undefined), work);
  }

  /**
   * Deletes a job and everything of it but its entry on the index of ended jobs, all or nothing; false when the entry is
   * gone or changed: then somebody else has deleted the job or opened it again, and what has its id now is left alone.
   *
   * The entry is the fence: whatever opens or deletes this very job changes the entry in the same transaction. So the rest
   * goes with a write of the entry as it was read, and the entry itself stays until it is forgotten: whoever dies before
   * the transaction leaves everything, whoever dies behind it leaves an entry without a job, which the next night
   * forgets. Nothing of a job can be left without the entry by which it is found.
   */
  async purge(ended: EndedEntry, job: Job): Promise<boolean> {
    const gone = [jobKey(ended), listKey(job, undefined), listKey(job, job.status)];
    const fence: Action = { patch: doneKey(ended), value: {}, etag: ended.etag };
    return (await this.#write(ended, [fence, ...gone.map((rowKey): Action => ({ delete: rowKey }))])) !== undefined;
  }

  /**
   * Deletes an ended job with every row of it, its work item too: the other rows first, so that whoever dies in between
   * leaves the job to be found. @returns false when somebody has changed the job, or an attempt has begun
   */
  async erase({ job, etag }: StoredJob): Promise<boolean> {
    const gone = [listKey(job, undefined), listKey(job, job.status), doneKey({ ...job, endedOn: endedOn(job) })];
    const etags = await this.#write(job, [
      { patch: jobKey(job), value: {}, etag },
      ...gone.map((rowKey): Action => ({ delete: rowKey })),
      workActions.delete(workOf(job)),
    ]);
    const last = etags?.get(jobKey(job));
    return last !== undefined && this.#rows.delete(jobPartitionOf(job), jobKey(job), last);
  }

  /** Deletes entries of one partition whose jobs are not there any more; deleting twice is harmless. */
  async forget(ended: readonly EndedJob[]): Promise<void> {
    const [first] = ended;
    if (first !== undefined) await this.#rows.deleteMany(jobPartitionOf(first), ended.map(doneKey));
  }

  /** Whether the tenant has any job, open or ended. */
  async hasJobsOf(tenant: string): Promise<boolean> {
    const span = { prefix: `${JOB_PREFIX}${tenant}|` };
    const found = await Promise.all(workPartitions.map((partition) => this.#rows.range(partition, span, { most: 1 })));
    return found.some((rows) => rows.length > 0);
  }

  #write(key: JobKey, actions: readonly Action[]): Promise<ReadonlyMap<string, Etag> | undefined> {
    return this.#rows.transact(jobPartitionOf(key), actions);
  }
}

/** Without an ETag of its own a deletion rides on that of the job, which every claim of the item renews. */
function workChange(job: Job, work: StoredWork | undefined, item: WorkItem | undefined): Action[] {
  if (item === undefined) return work === undefined ? [] : [workActions.delete(workOf(job))];
  return [work === undefined ? workActions.insert(item) : workActions.update(work, item)];
}
