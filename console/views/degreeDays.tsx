import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/errors.js';
import { jobIdOf, newestJobs, type ListedJob } from '../api/jobList.js';
import type { JobState } from '../api/jobs.js';
import { dayText } from '../parts/dateText.js';
import { Fault } from '../parts/fault.js';
import { Steps, type Step } from '../parts/steps.js';
import { hrefOf, place } from '../router.js';
import { hasToken } from '../session/session.js';
import { NeedsToken } from '../session/needsToken.js';
import { cropName, faultsByInput } from './gdd/season.js';
import { SeasonForm } from './gdd/seasonForm.js';
import { SeasonResult } from './gdd/seasonResult.js';
import { firstWanted, useSeason, type SeasonState } from './gdd/useSeason.js';

/** Degree-days: a season is asked for, calculated in steps, and read day by day. */
export const DegreeDays = (): JSX.Element => (hasToken.value ? <Seasons /> : <NeedsToken view="Degree-days" />);

function Seasons(): JSX.Element {
  const [jobId] = place.value.parts;
  const [wanted, setWanted] = useState(firstWanted);
  const season = useSeason(jobId);
  const { job, isBusy, error } = season;
  const faults = error instanceof ApiError && error.status === 400 ? faultsByInput(error.message) : NO_FAULTS;
  return (
    <div class="split">
      <section class="ask">
        <h1>Degree-days</h1>
        <SeasonForm
          wanted={wanted}
          isBusy={isBusy}
          faults={faults}
          onChange={setWanted}
          onCalculate={() => {
            season.calculate(wanted);
          }}
        />
        {job === undefined && !isBusy ? null : <Steps steps={stepsOf(season)} />}
        {isBusy && job !== undefined ? (
          <button type="button" onClick={season.cancel}>
            Cancel
          </button>
        ) : null}
        <RecentSeasons ended={isBusy ? undefined : job?.id} />
      </section>
      <section class="wide">
        <Outcome season={season} isAtInputs={[...faults.keys()].some((name) => name !== '')} />
      </section>
    </div>
  );
}

const NO_FAULTS: ReadonlyMap<string, string> = new Map();

/** What came of it. @param isAtInputs whether its faults stand at their inputs already */
function Outcome({ season, isAtInputs }: { readonly season: SeasonState; readonly isAtInputs: boolean }): JSX.Element {
  const { job, record, isBusy, error } = season;
  if (error !== undefined && !isAtInputs) return <Fault title="Not calculated" error={error} />;
  if (job?.status === 'FAILED') return <Fault title="The calculation failed" error={failureOf(job)} />;
  return record === undefined ? <Nothing isBusy={isBusy} /> : <SeasonResult key={record.insightId} record={record} />;
}

const Nothing = ({ isBusy }: { readonly isBusy: boolean }): JSX.Element => (
  <p class="nothing quiet">{isBusy ? 'Calculating …' : 'Choose a field, a crop and a season, then Calculate.'}</p>
);

/** A job's message begins with its code. */
function failureOf({ message }: JobState): ApiError {
  const [, code = '', text = message] = /^([A-Z]+-\d+): ([^]*)$/.exec(message) ?? [];
  return new ApiError(text, { code });
}

const secondsText = (ms: number): string => (ms < 1000 ? 'under 1 s' : `${Math.round(ms / 1000)} s`);

function stepsOf({ job, tookMs }: SeasonState): readonly Step[] {
  const status = job?.status ?? 'WAITING';
  const last: Readonly<Record<string, readonly [string, Step['state']]>> = {
    SUCCEEDED: ['Done', 'done'],
    FAILED: ['Failed', 'failed'],
    CANCELLED: ['Cancelled', 'failed'],
  };
  const [text, state] = last[status] ?? ['Done', 'open'];
  return [
    { text: 'Queued', state: status === 'WAITING' ? 'now' : 'done' },
    { text: 'Calculating', state: status === 'WAITING' ? 'open' : status === 'RUNNING' ? 'now' : 'done' },
    { text, state, note: tookMs === undefined ? undefined : secondsText(tookMs) },
  ];
}

const SHOWN = 8;
const STATES: Readonly<Record<JobState['status'], string>> = {
  WAITING: 'queued',
  RUNNING: 'calculating',
  SUCCEEDED: 'done',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** The tenant's last seasons, to be opened again. @param ended told when one has ended, for a newer list */
function RecentSeasons({ ended }: { readonly ended: string | undefined }): JSX.Element | null {
  const [jobs, setJobs] = useState<readonly ListedJob[]>([]);
  useEffect(() => {
    const left = new AbortController();
    newestJobs('gdd', SHOWN, left.signal).then(setJobs, () => undefined); // Only a way back: the view works without it.
    return () => {
      left.abort();
    };
  }, [ended]);
  if (jobs.length === 0) return null;
  return (
    <section class="recent">
      <h2>Last calculated</h2>
      <ul>
        {jobs.map((job) => (
          <li key={job.requestPath}>
            <a
              href={hrefOf('degree-days', jobIdOf(job))}
              aria-current={place.value.parts[0] === jobIdOf(job) ? 'true' : undefined}
            >
              <b>{job.crop === undefined ? 'Season' : cropName(job.crop)}</b>
              <small>
                {dayText(job.jobCreatedDateTime.slice(0, 10))} · {STATES[job.status]}
              </small>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
