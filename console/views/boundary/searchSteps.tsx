import type { JSX } from 'preact';
import { ApiError } from '../../api/errors.js';
import type { JobState } from '../../api/jobs.js';
import { Fault } from '../../parts/fault.js';
import { Steps, type Step } from '../../parts/steps.js';
import { cancelBoundary, type SearchState } from './boundaryStore.js';

const ENDS: Readonly<Record<JobState['status'], { readonly text: string; readonly state: Step['state'] }>> = {
  WAITING: { text: 'Found', state: 'open' },
  RUNNING: { text: 'Found', state: 'open' },
  SUCCEEDED: { text: 'Found', state: 'done' },
  FAILED: { text: 'Nothing found', state: 'failed' },
  CANCELLED: { text: 'Cancelled', state: 'failed' },
};

function stepsOf({ job, seconds }: Pick<SearchState, 'job' | 'seconds'>): readonly Step[] {
  const status = job?.status ?? 'WAITING';
  const isWaiting = status === 'WAITING';
  return [
    { text: 'Queued', state: isWaiting ? 'now' : 'done' },
    { text: 'Reading scenes, drawing the edge', state: readingState(status) },
    { ...ENDS[status], note: seconds === undefined ? undefined : `${seconds} s` },
  ];
}

function readingState(status: JobState['status']): Step['state'] {
  if (status === 'WAITING') return 'open';
  return status === 'RUNNING' ? 'now' : 'done';
}

/** What a job ended with, as an error: its message begins with its code. */
function failureOf({ status, message }: JobState): ApiError | undefined {
  if (status !== 'FAILED') return undefined;
  const [, code = '', text = message] = /^([A-Z]+-\d+): (.*)$/s.exec(message) ?? [];
  return new ApiError(text, { code });
}

/** Where the search stands, and why it found nothing. */
export function SearchSteps({ search }: { readonly search: SearchState }): JSX.Element | null {
  const { job, isBusy, error } = search;
  if (job === undefined && !isBusy && error === undefined) return null;
  const failure = job === undefined ? undefined : failureOf(job);
  return (
    <>
      {error === undefined ? <Steps steps={stepsOf(search)} /> : null}
      {isBusy && job !== undefined ? (
        <button type="button" class="small" onClick={cancelBoundary}>
          Cancel
        </button>
      ) : null}
      {failure === undefined ? null : <Fault title="No boundary" error={failure} />}
      {error === undefined ? null : <Fault title="The boundary was not found" error={error} />}
    </>
  );
}
