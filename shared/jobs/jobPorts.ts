import type { Job, JobKey, JobStatus, SolutionId } from './job.js';

/** A job as read, with the mark of that reading: a write with it succeeds only while nobody else wrote. */
export interface StoredJob {
  readonly job: Job;
  readonly etag: string;
}

/** A job as the lists of its tenant show it. */
export interface ListedJob extends JobKey {
  readonly status: JobStatus;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly endedAt?: number;
  readonly crop?: string;
  readonly insightId?: string;
}

/** One entry of a page; `position` is where the next page begins. */
export interface ListedEntry {
  readonly job: ListedJob;
  readonly position: string;
}

export interface JobPageQuery {
  readonly solutions: readonly SolutionId[];
  readonly status?: JobStatus;
  /** Position of the last job of the page before. */
  readonly after?: string;
  readonly limit: number;
}

/** The lists of a tenant's jobs. */
export interface JobPages {
  /** Newest first, at most `limit`. */
  listOf(tenant: string, query: JobPageQuery): Promise<readonly ListedEntry[]>;
}

/** An entry of the index of open jobs: those that have not ended, and those whose insight is to be taken back or made again. */
export interface OpenJob extends JobKey {
  /** When somebody should look at the job; milliseconds since 1970 UTC. */
  readonly checkAt: number;
  readonly etag: string;
  readonly refused?: RefusedWithdrawal;
}

/** How often a data manager has refused to let go of what was published for a job, and since when. */
export interface RefusedWithdrawal {
  readonly count: number;
  /** The first refusal; milliseconds since 1970 UTC. */
  readonly since: number;
}

/** Names an entry of the index of ended jobs. */
export interface EndedJob extends JobKey {
  /** UTC day, YYYY-MM-DD. */
  readonly endedOn: string;
}

/** An entry of the index of ended jobs as read. */
export interface EndedEntry extends EndedJob {
  readonly etag: string;
}

/**
 * Where jobs are kept. Every write recognises its own lost answer, so a changed row always means somebody else. What the
 * lists of the tenant show of a job changes in the same step as the job.
 */
export interface JobStore {
  /** Undefined when this tenant has no such job; another tenant's job is no such job. */
  find(key: JobKey): Promise<StoredJob | undefined>;
  /** False when a job of this key exists already. */
  insert(job: Job): Promise<boolean>;
  /** Undefined when the job was changed by somebody else since it was read. */
  replace(stored: StoredJob, next: Job): Promise<StoredJob | undefined>;
  /**
   * Stores the end of the job, or what became of an ended one that ran again; false when somebody else changed it. In
   * the same step the job leaves the index of open jobs, unless its insight is to be taken back or made again: then its
   * entry says when.
   */
  end(stored: StoredJob, next: Job): Promise<boolean>;
  /**
   * Stores an ended job that is opened again; false when somebody else changed it. In the same step it leaves the index
   * of ended jobs, and its entry on that of open jobs no longer says that its insight is to be taken back.
   */
  reopen(stored: StoredJob, next: Job): Promise<boolean>;
  /** The open jobs of one bucket that want a look at `now`, in no order. */
  listOverdue(bucket: number, now: number): AsyncIterable<OpenJob>;
  findOpen(key: JobKey): Promise<OpenJob | undefined>;
  /**
   * Moves the look at an open job; false when somebody else did so or the job has ended.
   *
   * @param refused stays as it was when absent
   */
  postpone(open: OpenJob, checkAt: number, refused?: RefusedWithdrawal): Promise<boolean>;
  /** Puts a job on the index of open jobs, whatever stands there. */
  putOpen(key: JobKey, checkAt: number): Promise<void>;
  /** Takes a job off the index of open jobs, unless somebody else has changed the entry. */
  dropOpen(open: OpenJob): Promise<void>;
  /** Jobs of one bucket that ended before the instant, oldest first. */
  listEndedBefore(bucket: number, instant: number): AsyncIterable<EndedEntry>;
  /**
   * Deletes a job and everything of it but its entry on the index of ended jobs, all or nothing; false when the entry is
   * gone or changed: then somebody else has deleted the job or opened it again, and what has its id now is left alone.
   */
  purge(ended: EndedEntry, job: Job): Promise<boolean>;
  /** Deletes entries of one bucket whose jobs are not there any more; deleting twice is harmless. */
  forget(ended: readonly EndedJob[]): Promise<void>;
}

/** Jobs as operators look for them: a walk over the whole table. */
export interface JobList {
  list(status: JobStatus): AsyncIterable<Job>;
}

/** Number of partitions over which jobs are spread; never change it: it decides where a job is found. */
export const BUCKETS = 16;

/** Tells workers that a job is due. */
export interface JobQueue {
  /** @param delayMs when the message becomes visible; 0 for at once */
  enqueue(key: JobKey, delayMs: number): Promise<void>;
  /**
   * How far the queue has come: when the message at its head was due, or `now` when none waits. A message that was due
   * later is not lost, however late it is.
   */
  servedUntil(now: number): Promise<number>;
}

/** The queue of each kind of job. */
export type JobQueues = Readonly<Record<SolutionId, JobQueue>>;
