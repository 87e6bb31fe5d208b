import { callJson } from './client.js';
import type { JobState } from './jobs.js';

/** A job as `GET /v1/jobs` lists it. */
export interface ListedJob {
  readonly requestPath: string;
  readonly kind: 'gdd' | 'smartBoundary';
  readonly status: JobState['status'];
  readonly jobCreatedDateTime: string;
  readonly crop?: string;
  readonly insightId?: string;
}

/** The newest jobs of a kind. @throws ApiError */
export async function newestJobs(
  kind: ListedJob['kind'],
  limit: number,
  signal?: AbortSignal,
): Promise<readonly ListedJob[]> {
  const query = new URLSearchParams({ kind, limit: String(limit) });
  const page = await callJson<{ readonly items: readonly ListedJob[] }>({
    path: `/v1/jobs?${query.toString()}`,
    as: 'token',
    signal,
  });
  return page.items;
}

/** The id that a job's path ends with. */
export const jobIdOf = ({ requestPath }: ListedJob): string => requestPath.split('/').at(-1) ?? '';
