import { useEffect, useRef, useState } from 'preact/hooks';
import type { GddRecord } from '../../../shared/gdd/form/gddRecord.js';
import { serviceToday } from '../../api/clock.js';
import { readGddInsight } from '../../api/insights.js';
import { cancelJob, createJob, fetchJob, followJob, type JobState } from '../../api/jobs.js';
import { farmPlaceOf, go, hrefOf, lastHref, placeOf } from '../../router.js';
import { units } from '../../parts/units.js';
import { credentials } from '../../session/session.js';
import { fieldIdOf } from './fieldOfMap.js';
import type { SeasonWanted } from './seasonWanted.js';

/** Where a calculation stands. */
export interface SeasonState {
  readonly job?: JobState | undefined;
  readonly record?: GddRecord | undefined;
  readonly error?: unknown;
  /** Milliseconds from the question to the answer. */
  readonly tookMs?: number | undefined;
  readonly isBusy: boolean;
}

/**
 * The field that the address names by party, farm and field, else the one that the map was left with, else the first of
 * the farm that came with the sign-in.
 */
function firstField(parts: readonly string[]): Pick<SeasonWanted, 'partyId' | 'farmId' | 'fieldId' | 'mapField'> {
  if (parts.length > 1) return farmPlaceOf(parts);
  const { partyId = '', farmId = '', fields = [] } = credentials.value?.farm ?? {};
  const [mapField] = placeOf(lastHref('fields')).parts;
  return { partyId, farmId, fieldId: fields[0]?.id ?? '', mapField };
}

/** The unit of a new season. */
export const unitWanted = (): SeasonWanted['unit'] => (units.value === 'us' ? 'f' : 'c');

/** The last season of a summer crop. @param parts of the address */
export function firstWanted(parts: readonly string[]): SeasonWanted {
  const today = serviceToday();
  const year = Number(today.slice(0, 4)) - (today < `${today.slice(0, 4)}-06-01` ? 1 : 0);
  return {
    ...firstField(parts),
    crop: 'CORN',
    from: `${year}-05-01`,
    to: `${year}-09-30`,
    startEvent: 'PLANTING',
    unit: unitWanted(),
  };
}

/** What a season that was calculated had been asked for. */
export const wantedOfRecord = (record: GddRecord): Omit<SeasonWanted, 'farmId'> => ({
  partyId: record.partyId,
  fieldId: record.resourceId,
  crop: record.crop,
  from: record.gddStartDate,
  to: record.gddEndDate,
  startEvent: record.startEvent ?? 'PLANTING',
  unit: record.temperatureUnit === 'C' ? 'c' : 'f',
});

const parametersOf = ({ partyId, crop, from, to, startEvent, unit }: SeasonWanted, fieldId: string) => ({
  partyId,
  resourceType: 'Field',
  resourceId: fieldId,
  crop,
  gddStartDate: from,
  gddEndDate: to,
  temperatureUnit: unit,
  ...(startEvent === 'PLANTING' ? {} : { startEvent }),
});

/** Calculates seasons, one at a time; the address names the job, so that it can be opened again. */
export function useSeason(jobId: string | undefined): SeasonState & {
  readonly calculate: (wanted: SeasonWanted) => void;
  readonly cancel: () => void;
} {
  const [state, setState] = useState<SeasonState>({ isBusy: false });
  const waiting = useRef<AbortController | undefined>(undefined);
  const shownJob = useRef<string | undefined>(undefined);

  async function follow(begin: () => Promise<JobState>): Promise<void> {
    waiting.current?.abort();
    const { signal } = (waiting.current = new AbortController());
    const begunAt = performance.now();
    const tell = (change: Partial<SeasonState>): void => {
      if (!signal.aborted) setState((last) => ({ ...last, ...change }));
    };
    setState({ isBusy: true });
    try {
      const created = await begin();
      shownJob.current = created.id;
      go(hrefOf('degree-days', created.id), 'replace');
      const ended = await followJob('gdd', created, {
        onState: (job) => {
          tell({ job });
        },
        signal,
      });
      const record = ended.insightId === undefined ? undefined : await readGddInsight(ended.insightId, signal);
      tell({ isBusy: false, job: ended, record, tookMs: performance.now() - begunAt });
    } catch (error) {
      tell({ isBusy: false, error });
    }
  }

  useEffect(() => {
    if (jobId === undefined || jobId === shownJob.current) return;
    void follow(() => fetchJob('gdd', jobId));
  }, [jobId]);
  useEffect(
    () => () => {
      waiting.current?.abort();
    },
    [],
  );
  return {
    ...state,
    calculate: (wanted) => {
      void follow(async () => createJob('gdd', parametersOf(wanted, await fieldIdOf(wanted))));
    },
    cancel: () => {
      // The one who follows sees the job end; one that has ended meanwhile needn't be cancelled.
      if (state.job !== undefined) cancelJob('gdd', state.job.id).catch(() => undefined);
    },
  };
}
