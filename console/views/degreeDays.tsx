import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/errors.js';
import type { JobState } from '../api/jobs.js';
import { Fault } from '../parts/fault.js';
import { Steps, type Step } from '../parts/steps.js';
import { place } from '../router.js';
import { hasToken } from '../session/session.js';
import { NeedsToken } from '../session/needsToken.js';
import { FieldSeasons } from './gdd/fieldSeasons.js';
import { useFieldId } from './gdd/mapField.js';
import { RecentSeasons } from './gdd/recentSeasons.js';
import { faultsByInput } from './gdd/season.js';
import { SeasonForm } from './gdd/seasonForm.js';
import { SeasonResult } from './gdd/seasonResult.js';
import { firstWanted, unitWanted, useSeason, wantedOfRecord, type SeasonState } from './gdd/useSeason.js';

/** Degree-days: a season is asked for, calculated in steps, and read day by day. */
export const DegreeDays = (): JSX.Element => (hasToken.value ? <Seasons /> : <NeedsToken view="Degree-days" />);

function Seasons(): JSX.Element {
  const { parts } = place.value;
  const jobId = parts.length === 1 ? parts[0] : undefined;
  const [wanted, setWanted] = useState(() => firstWanted(parts));
  const season = useSeason(jobId);
  const { job, isBusy, error } = season;
  const faults = error instanceof ApiError && error.status === 400 ? faultsByInput(error.message) : NO_FAULTS;
  const outcome = useRef<HTMLElement>(null);
  const { record } = season;
  useEffect(() => {
    // The form says what the season beside it is of: opened from the list, by an address, or after a reload.
    if (record === undefined) return;
    setWanted(({ farmId, fieldId }) => ({
      ...wantedOfRecord(record),
      farmId: record.resourceId === fieldId ? farmId : '',
    }));
  }, [record]);
  const unit = unitWanted();
  useEffect(() => {
    // A season that was calculated keeps its unit.
    if (record === undefined) setWanted((last) => ({ ...last, unit }));
  }, [unit]);
  const fieldId = useFieldId(wanted);
  const isThere = record !== undefined;
  useEffect(() => {
    // On a phone the result stands below the form.
    if (isThere && outcome.current?.offsetLeft === 0) outcome.current.scrollIntoView();
  }, [isThere]);
  return (
    <div class="split">
      <div class="split-side">
        <section class="ask">
          <h1>Degree-days</h1>
          <SeasonForm
            wanted={wanted}
            isBusy={isBusy}
            faults={faults}
            onChange={(change) => {
              setWanted((last) => ({ ...last, ...change }));
            }}
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
        </section>
        <FieldSeasons partyId={wanted.partyId} fieldId={fieldId} ended={isBusy ? undefined : job?.id} />
        <RecentSeasons ended={isBusy ? undefined : job?.id} />
      </div>
      <section class="wide" ref={outcome}>
        <Outcome season={season} isAtInputs={[...faults.keys()].some((name) => name !== '')} />
      </section>
    </div>
  );
}

const NO_FAULTS: ReadonlyMap<string, string> = new Map();

/** What came of it. @param isAtInputs whether its faults stand at their inputs already */
function Outcome({ season, isAtInputs }: { readonly season: SeasonState; readonly isAtInputs: boolean }): JSX.Element {
  const { job, record, isBusy, error } = season;
  if (error !== undefined && !isAtInputs) {
    const isGone = error instanceof ApiError && error.status === 404;
    return <Fault title={isGone ? 'This season is not there, or not any more' : 'Not calculated'} error={error} />;
  }
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
