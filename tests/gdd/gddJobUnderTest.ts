import type { DataManager, DataManagerField } from '../../shared/jobs/dataManager/dataManager.js';
import { DataManagerError } from '../../shared/jobs/dataManager/dataManager.js';
import { gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import type { StoredGddParameters } from '../../shared/gdd/form/gddParameters.js';
import { GddRecord, isGddRecord } from '../../shared/gdd/form/gddRecord.js';
import type { MultiPolygon, Point, Polygon } from '../../shared/geo/shapes/geoJson.js';
import { interiorPointOf } from '../../shared/geo/shapes/interiorPoint.js';
import type { GddJobPorts } from '../../shared/gdd/runGddJob.js';
import { runGddJob } from '../../shared/gdd/runGddJob.js';
import type { Insight } from '../../shared/jobs/insight/jobInsight.js';
import type { Job } from '../../shared/jobs/job.js';
import type { WeatherHttpOptions } from '../../shared/gdd/weather/providers/weatherHttpClient.js';
import type { WeatherSource } from '../../shared/gdd/weather/weatherSource.js';
import { nasaPowerSource } from '../../shared/gdd/weather/providers/nasaPowerSource.js';
import { openMeteoSource } from '../../shared/gdd/weather/providers/openMeteoSource.js';
import { faultsOf } from '../../shared/kit/validation/validator.js';
import { ManualClock } from '../support/manualClock.js';
import type { FakeFetch } from './weather/fakeProviders.js';
import { archiveUrl, fakeFetch, forecastUrl, memoryCache, powerUrl } from './weather/fakeProviders.js';

export const partyId = '3f0d5a3e-8a35-4f0e-9b6c-0f4b8a2f6d11';
export const fieldId = 'b9c7b6de-0f0e-4a51-8a46-6d1e9d3c7a52';
export const insightId = '0a6c6a0e-7a4e-5d0b-9f64-2f0b7f3f9f10';

/** A field as a data manager stores it. */
export type FieldOfTest = Omit<DataManagerField, 'point'> & { readonly geometry?: Point | Polygon | MultiPolygon };

/** A square field south of Milwaukee. */
export const squareField: FieldOfTest = {
  id: fieldId,
  partyId,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-87.91, 42.95],
        [-87.9, 42.95],
        [-87.9, 42.96],
        [-87.91, 42.96],
        [-87.91, 42.95],
      ],
    ],
  },
};

const unused = () => Promise.reject(new Error('not used by a GDD job'));

/** A data manager that holds one field, or fails with an error. */
export function dataManagerWith(field: FieldOfTest | Error): DataManager & { readonly reads: string[] } {
  const reads: string[] = [];
  const notFound = new DataManagerError('not_found', 'no such field', { status: 404 });
  return {
    reads,
    getField: (party, id) => {
      reads.push(`${party}/${id}`);
      if (field instanceof Error) return Promise.reject(field);
      if (party !== field.partyId || id !== field.id) return Promise.reject(notFound);
      const { geometry, ...rest } = field;
      const point = geometry === undefined || geometry.type === 'Point' ? undefined : interiorPointOf(geometry);
      return Promise.resolve({ ...rest, point });
    },
    getParty: unused,
    getFarm: unused,
    putInsight: unused,
    putInsightAttachment: unused,
  } as Partial<DataManager> as DataManager & { readonly reads: string[] };
}

export const aJob = (parameters: Partial<StoredGddParameters> = {}): Job => ({
  tenant: 'tenant-a',
  solution: 'partnerAgPowered.gdd',
  jobId: 'spring-corn',
  e2eId: 'e2e',
  status: 'RUNNING',
  parameters: {
    partyId,
    resourceType: 'FIELD',
    resourceId: fieldId,
    crop: 'CORN',
    gddStartDate: '2026-05-01',
    gddEndDate: '2026-09-30',
    temperatureUnit: 'C',
    ...parameters,
  },
  createdAt: 0,
  lastActionAt: 0,
  epoch: 0,
});

/** What a job's row says after so many looks that the weather services refused; `isOver`: this look is the last. */
export const refusedBefore = (refusals: number, { isOver = false } = {}): Pick<Job, 'outage'> => ({
  outage: {
    dependency: gddJobFaults.weatherUnavailable.dependency,
    code: gddJobFaults.weatherUnavailable.code,
    since: 0,
    until: isOver ? 0 : Number.MAX_SAFE_INTEGER,
    refusals,
  },
});

export type Providers = readonly ('open-meteo' | 'nasa-power')[];

export interface JobWorld {
  readonly clock: ManualClock;
  readonly ports: GddJobPorts;
  readonly calls: FakeFetch['calls'];
  readonly run: (parameters?: Partial<StoredGddParameters>) => Promise<GddRecord>;
  readonly insight: (parameters?: Partial<StoredGddParameters>) => Promise<Insight>;
}

export interface JobWorldOptions {
  readonly now?: string;
  /** What each provider answers to an address. */
  readonly answer: (url: URL, world: { readonly clock: ManualClock }) => Response | Promise<Response>;
  readonly providers?: Providers;
  /** Height of the field; undefined: at sea. */
  readonly fieldElevationM?: number;
  readonly ports?: Partial<GddJobPorts>;
}

/** Everything a GDD job needs, with providers behind a `fetch` of ours. Waits take no time. */
export function jobWorld(options: JobWorldOptions): JobWorld {
  const { now = '2026-08-28T17:00:00Z', answer, providers, fieldElevationM = 203, ports } = options;
  const clock = new ManualClock(now);
  const impatient = { now: () => clock.now(), sleep: () => Promise.resolve(), every: clock.every.bind(clock) };
  const { fetch, calls } = fakeFetch((url) => answer(url, { clock }));
  const http: WeatherHttpOptions = { fetch, clock: impatient, random: () => 0, timeoutMs: 50 };
  const sources: Record<Providers[number], WeatherSource> = {
    'open-meteo': openMeteoSource({ ...http, archiveUrl, forecastUrl }),
    'nasa-power': nasaPowerSource({ ...http, dailyUrl: powerUrl }),
  };
  const all: GddJobPorts = {
    dataManagerFor: () => Promise.resolve(dataManagerWith(squareField)),
    weather: (providers ?? ['open-meteo']).map((provider) => sources[provider]),
    terrain: { heightAt: () => Promise.resolve(fieldElevationM) },
    weatherCache: memoryCache(),
    clock: impatient,
    ...ports,
  };
  const work = runGddJob(all);
  const insight = async (parameters?: Partial<StoredGddParameters>): Promise<Insight> => {
    const outcome = await work(aJob(parameters), insightId, new AbortController().signal);
    if (outcome.kind !== 'done') throw new Error('a GDD job never waits');
    // Whatever a test makes a job calculate is described to the last member.
    const undescribed = faultsOf(GddRecord, outcome.insight.record);
    if (undescribed.length > 0) throw new Error(`The record is not as published: ${JSON.stringify(undescribed)}`);
    return outcome.insight;
  };
  return {
    clock,
    ports: all,
    calls,
    insight,
    run: async (parameters) => {
      const { record } = await insight(parameters);
      if (!isGddRecord(record)) throw new Error('not a GDD record');
      return record;
    },
  };
}
