import type { Job, JobKey, JobStatus, SolutionId } from './job.js';

/** A job as read, with its ETag: a write with it succeeds only while nobody else wrote. */
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
  /** Of the party and its resource; absent in entries of before. */
  readonly partyId?: string;
  readonly resourceId?: string;
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

/** Names an entry of the index of ended jobs. */
export interface EndedJob extends JobKey {
  /** UTC day, YYYY-MM-DD. */
  readonly endedOn: string;
}

/** An entry of the index of ended jobs as read. */
export interface EndedEntry extends EndedJob {
  readonly etag: string;
}
