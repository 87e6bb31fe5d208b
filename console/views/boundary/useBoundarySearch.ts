import { useEffect, useRef, useState } from 'preact/hooks';
import type { Polygon, Position } from '../../../shared/geo/geoJson.js';
import { addDays } from '../../../shared/validation/calendar.js';
import { cancelJob, type JobState } from '../../api/jobs.js';
import { credentials } from '../../session/session.js';
import { adjusted, candidatesOf, findBoundary, type Candidate, type FoundBoundary } from './boundarySearch.js';
import { recentFarms, rememberFarm, type FarmIds } from './recentFarms.js';

/** Days of imagery that are looked at unless others are wanted: the most that the service takes. */
const PERIOD_DAYS = 14;

/** What is looked for besides the place. */
export interface SearchSettings {
  readonly partyId: string;
  readonly farmId: string;
  readonly from: string;
  readonly to: string;
}

/** A search for a boundary, from the question to the outline that is taken. */
export interface BoundarySearch {
  readonly settings: SearchSettings;
  readonly setSettings: (settings: SearchSettings) => void;
  /** The farm that was asked for last; the settings may have changed since. */
  readonly asked: FarmIds | undefined;
  readonly isBusy: boolean;
  /** The job's last state; undefined before the first question. */
  readonly job: JobState | undefined;
  readonly jobId: string | undefined;
  /** Whole seconds that the job took. */
  readonly seconds: number | undefined;
  /** Why there is no answer, when there is none. */
  readonly error: unknown;
  readonly found: FoundBoundary | undefined;
  readonly candidates: readonly Candidate[];
  readonly chosen: string;
  readonly isAdjusting: boolean;
  readonly ask: (place: Position) => void;
  readonly cancel: () => void;
  readonly choose: (candidateId: string) => void;
  readonly setAdjusting: (isAdjusting: boolean) => void;
  readonly adjust: (geometry: Polygon) => void;
}

function firstSettings(linked: FarmIds): SearchSettings {
  const farm = linked.farmId !== '' ? linked : (credentials.value?.farm ?? recentFarms()[0]);
  const today = new Date().toISOString().slice(0, 10);
  return {
    partyId: farm?.partyId ?? '',
    farmId: farm?.farmId ?? '',
    from: addDays(today, -PERIOD_DAYS),
    to: today,
  };
}

interface Answer {
  readonly job?: JobState;
  readonly seconds?: number;
  readonly error?: unknown;
  readonly found?: FoundBoundary;
}

/** Asks for one boundary at a time; a new question, or leaving the view, ends the wait for the one before. @param linked the farm that the address names */
export function useBoundarySearch(linked: FarmIds): BoundarySearch {
  const [settings, setSettings] = useState(() => firstSettings(linked));
  const [asked, setAsked] = useState<FarmIds>();
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer>({});
  const [candidates, setCandidates] = useState<readonly Candidate[]>([]);
  const [chosen, setChosen] = useState('0');
  const [isAdjusting, setAdjusting] = useState(false);
  const waiting = useRef<AbortController | undefined>(undefined);
  useEffect(
    () => () => {
      waiting.current?.abort();
    },
    [],
  );

  async function search(place: Position, signal: AbortSignal): Promise<void> {
    const begun = Date.now();
    const onState = (job: JobState): void => {
      if (!signal.aborted) setAnswer({ job });
    };
    try {
      rememberFarm(settings);
      const { job, found } = await findBoundary({ ...settings, place }, { onState, signal });
      setAnswer({ job, seconds: Math.round((Date.now() - begun) / 1000), ...(found === undefined ? {} : { found }) });
      setCandidates(found === undefined ? [] : candidatesOf(found));
    } catch (error) {
      if (!signal.aborted) setAnswer((last) => ({ ...last, error }));
    }
    if (!signal.aborted) setBusy(false);
  }

  return {
    settings,
    setSettings,
    asked,
    isBusy,
    job: answer.job,
    jobId: answer.job?.id,
    seconds: answer.seconds,
    error: answer.error,
    found: answer.found,
    candidates,
    chosen,
    isAdjusting,
    ask: (place) => {
      waiting.current?.abort();
      waiting.current = new AbortController();
      setAsked({ partyId: settings.partyId, farmId: settings.farmId });
      setAnswer({});
      setCandidates([]);
      setChosen('0');
      setAdjusting(false);
      setBusy(true);
      void search(place, waiting.current.signal);
    },
    cancel: () => {
      const jobId = answer.job?.id;
      // The search sees the job end; one that has ended meanwhile can't be cancelled, and needn't be.
      if (jobId !== undefined) cancelJob('smartBoundary', jobId).catch(() => undefined);
    },
    choose: setChosen,
    setAdjusting,
    adjust: (geometry) => {
      setCandidates((all) => all.map((one) => (one.id === chosen ? adjusted(one, geometry) : one)));
    },
  };
}
