import { callJson } from './client.js';
import type { JobState } from './jobs.js';

/** A job as `GET /v1/jobs` lists it. */
export interface ListedJob {
  readonly requestPath: string;
  readonly kind: 'gdd' | 'smartBoundary';
  readonly status: JobState['status'];
  readonly jobCreatedDateTime: string;
  readonly crop?: string;
  readonly partyId?: string;
  /** Its field or farm. */
  readonly resourceId?: string;
  readonly insightId?: string;
}

/** A page of the list. */
export interface JobPage {
  readonly items: readonly ListedJob[];
  /** For the next page; null on the last. */
  readonly cursor: string | null;
}

interface WantedJobs {
  readonly kind: ListedJob['kind'];
  readonly limit: number;
  /** Null for the first page. */
  readonly cursor: string | null;
}

/** The jobs of a kind, newest first. @throws ApiError */
export function listJobs({ kind, limit, cursor }: WantedJobs, signal?: AbortSignal): Promise<JobPage> {
  const query = new URLSearchParams({ kind, limit: String(limit), ...(cursor === null ? {} : { cursor }) });
  return callJson<JobPage>({ path: `/v1/jobs?${query.toString()}`, as: 'token', signal });
}

/** The id that a job's path ends with. */
export const jobIdOf = ({ requestPath }: ListedJob): string => requestPath.split('/').at(-1) ?? '';
