import { callJson } from './client.js';
import { ApiError } from './errors.js';
import { pause } from './pause.js';

/** The solutions whose jobs people start here. */
export type SolutionName = 'gdd' | 'smartBoundary';

/** A job as every answer has it. */
export interface JobState {
  readonly id: string;
  readonly status: 'WAITING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  /** Begins with its code. */
  readonly message: string;
  readonly insightId?: string;
}

/** First segments of the paths that jobs of a solution have. */
const FOLDERS: Readonly<Record<SolutionName, string>> = { gdd: 'gdd', smartBoundary: 'smart-boundary' };
/** Seconds between looks; the last one again and again. */
const WAITS_SECONDS = [0.5, 1, 2, 3, 5];

const requestPathOf = (solution: SolutionName, jobId: string): string => `/v1/${FOLDERS[solution]}/${jobId}`;

function callJob(solution: SolutionName, operation: string, body: object, signal?: AbortSignal): Promise<JobState> {
  const path = `/solutions/partnerAgPowered.${solution}:${operation}`;
  // Fetching changes nothing, whatever its method.
  return callJson<JobState>({ path, as: 'token', method: 'POST', body, isRead: operation === 'fetch', signal });
}

/** Reads a job. @throws ApiError */
export const fetchJob = (solution: SolutionName, jobId: string, signal?: AbortSignal): Promise<JobState> =>
  callJob(solution, 'fetch', { requestPath: requestPathOf(solution, jobId) }, signal);

/** Ends a job that has not ended. @throws ApiError */
export const cancelJob = (solution: SolutionName, jobId: string): Promise<JobState> =>
  callJob(solution, 'cancel', { requestPath: requestPathOf(solution, jobId) });

/**
 * Creates a job under an id of its own. When the answer was lost the job is looked up first: it may be there.
 *
 * @throws ApiError
 */
export async function createJob(solution: SolutionName, parameters: object): Promise<JobState> {
  const jobId = crypto.randomUUID();
  const create = (): Promise<JobState> =>
    callJob(solution, 'create', {
      requestPath: requestPathOf(solution, jobId),
      partnerRequestBody: parameters,
    });
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0) throw error;
    return fetchJob(solution, jobId).catch((missing: unknown) => {
      if (missing instanceof ApiError && missing.status === 404) return create();
      throw missing;
    });
  }
}

const hasEnded = ({ status }: JobState): boolean => status !== 'WAITING' && status !== 'RUNNING';

/**
 * Looks at a job until it has ended.
 *
 * @param onState told of every look
 * @throws ApiError, or an AbortError once the signal is aborted
 */
export async function followJob(
  solution: SolutionName,
  created: JobState,
  { onState, signal }: { readonly onState: (job: JobState) => void; readonly signal: AbortSignal },
): Promise<JobState> {
  let job = created;
  onState(job);
  for (let look = 0; !hasEnded(job); look += 1) {
    await pause(WAITS_SECONDS[Math.min(look, WAITS_SECONDS.length - 1)] ?? 5, signal);
    job = await fetchJob(solution, job.id, signal);
    onState(job);
  }
  return job;
}
