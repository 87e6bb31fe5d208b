import type { Clock } from '../kit/clock.js';
import type { DataManager } from '../jobs/dataManager/dataManager.js';
import type { InteriorPoint } from '../geo/shapes/interiorPoint.js';
import type { Insight } from '../jobs/insight/jobInsight.js';
import type { JobWork } from '../jobs/steps/jobWork.js';
import { cachedWeatherSource } from './weather/cache/cachedWeatherSource.js';
import type { DaySpan } from './weather/fieldDays.js';
import { fieldHeights, type TerrainSource } from './weather/terrain/fieldHeight.js';
import { tolerantShelf } from './weather/cache/shelf.js';
import type { WeatherCache } from './weather/cache/weatherCache.js';
import type { WeatherError, WeatherSource } from './weather/weatherSource.js';
import { historyWith, isBetter } from './record/betterRecord.js';
import { buildGddRecord } from './record/buildGddRecord.js';
import { calculateSeason, type CalculatedSeason } from './gather/calculateSeason.js';
import { fieldReadFailure, noPlace } from './gather/gddFailures.js';
import { gddParametersOf, type StoredGddParameters } from './form/gddParameters.js';
import { isGddRecord } from './form/gddRecord.js';
import { weatherPatienceOf } from './gather/makingDo.js';
import { gddInsight } from './record/publishGdd.js';
import { lacksInWords } from './gather/shortcomings.js';

/** What a GDD job needs from outside. */
export interface GddJobPorts {
  readonly dataManagerFor: (tenant: string) => Promise<DataManager>;
  /** Providers in order of preference, without a cache of their own. */
  readonly weather: readonly WeatherSource[];
  readonly terrain: TerrainSource;
  readonly weatherCache: WeatherCache;
  readonly clock: Clock;
  /** Number of forecast days that are used, today included, 1–9; default 8. */
  readonly trustedForecastDays?: number;
  /** Whether the providers' days are measured at the field; default false. */
  readonly isMeasured?: boolean;
  /** Called with faults of the weather cache, which do not change the result. */
  readonly onCacheFault?: (error: unknown) => void;
  /** Called when days from today on rest on normals, because no provider gave a forecast. */
  readonly onNoForecast?: (faults: readonly WeatherError[]) => void;
}

/**
 * The work of a GDD job: field → place → weather → season → record.
 *
 * While a job can wait for missing weather (makingDo.ts), the attempt fails; later the record names the missing parts in
 * `incomplete`.
 */
export function runGddJob(ports: GddJobPorts): JobWork<Insight> {
  const { clock, terrain, trustedForecastDays = 8, isMeasured = false, onCacheFault = () => undefined } = ports;
  const shelf = tolerantShelf(ports.weatherCache, onCacheFault);
  const calculate = calculateSeason({
    weather: ports.weather.map((source) => cachedWeatherSource(source, { shelf, clock })),
    findHeight: fieldHeights({ terrain, shelf }),
    clock,
    trustedForecastDays,
    isMeasured,
  });
  return async (job, insightId, signal, kept) => {
    const parameters = gddParametersOf(job.parameters);
    const point = await placeOfField(await ports.dataManagerFor(job.tenant), parameters, signal);
    const [longitude, latitude] = point.position;
    const patience = weatherPatienceOf(job, clock.now().getTime());
    const span: DaySpan = { from: parameters.gddStartDate, to: parameters.gddEndDate };
    const { crop, temperatureUnit: unit } = parameters;
    const calculated = await calculate({ place: { latitude, longitude }, span, crop, unit, patience }, signal);
    if (lacksForecast(calculated)) ports.onNoForecast?.(calculated.season.faults);
    const earlier = kept !== undefined && isGddRecord(kept) ? kept : undefined;
    const record = buildGddRecord({
      insightId,
      jobId: job.jobId,
      parameters,
      point,
      ...calculated,
      asOf: clock.now(),
      isMeasured,
      ...(earlier && { history: historyWith(earlier) }),
    });
    const lacks = lacksInWords(calculated.incomplete, calculated.season);
    const told = lacks === undefined ? {} : { lacks };
    if (earlier !== undefined && !isBetter(record, earlier)) return { kind: 'unchanged', ...told };
    return { kind: 'done', insight: gddInsight(record), ...told };
  };
}

/** Whether a day from today on rests on normals for lack of a forecast. */
const lacksForecast = ({ season: { hasForecast, today }, days }: CalculatedSeason): boolean =>
  !hasForecast && days.some(({ date, source }) => date >= today && source === 'NORMAL');

async function placeOfField(
  dataManager: DataManager,
  parameters: StoredGddParameters,
  signal: AbortSignal,
): Promise<InteriorPoint> {
  const { point } = await dataManager
    .getField(parameters.partyId, parameters.resourceId, signal)
    .catch((error: unknown) => {
      throw fieldReadFailure(error, parameters);
    });
  if (point === undefined) throw noPlace(parameters);
  return point;
}
