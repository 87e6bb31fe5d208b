import type { Clock } from '../../kit/clock.js';
import { addDays } from '../../kit/validation/calendar.js';
import type { CachedWeatherSource } from '../weather/cache/cachedWeatherSource.js';
import { type Day, dayAtOffset, dayInZone, daysOf, type DaySpan } from '../weather/fieldDays.js';
import { corrected, type Correction, heightCorrection } from '../weather/terrain/elevation.js';
import type { FieldHeight, FindHeight } from '../weather/terrain/fieldHeight.js';
import { solarOffsetSeconds } from '../weather/providers/localDays.js';
import { contradicts, wholeDays } from '../weather/partialDays.js';
import type { DayTemperatures, GroundPoint, WeatherAnswer, WeatherOrigin } from '../weather/weatherSource.js';
import { WeatherError } from '../weather/weatherSource.js';
import { forecastBias, type ForecastBias } from './forecastBias.js';
import { type DayValues, interpolateGaps, pastGaps, placeDays, type SeasonDay } from '../days/season.js';

/** An answer of a provider, as a season uses it. */
export interface WeatherUse {
  readonly product: 'archive' | 'forecast' | 'reference';
  readonly origin: WeatherOrigin;
  /** Milliseconds since 1970 UTC. */
  readonly retrievedAt: number;
  /** Added to the temperatures for the difference in height. */
  readonly correction: Correction;
  /** Added besides to those of a forecast, for its difference from the archive. */
  readonly bias?: ForecastBias;
  readonly notice?: string;
  /** Number of the season's days that are from this answer. */
  readonly dayCount?: number;
  /** Those of them that the provider will replace. */
  readonly preliminary?: readonly Day[];
}

/** The weather of a season as far as it is known; unknown days have no source yet. */
export interface GatheredSeason {
  /** The calendar day at the field. */
  readonly today: Day;
  readonly timezone?: string;
  /** Height of the field by the terrain model; absent when the model can't be read. */
  readonly height?: FieldHeight;
  /** Height that temperatures are brought to: that of the terrain model, else that of a weather answer. */
  readonly elevationM?: number;
  readonly days: readonly SeasonDay[];
  readonly hasForecast: boolean;
  /** Whether the forecast is a cached one, because no newer one could be had. */
  readonly isForecastKept: boolean;
  readonly uses: readonly WeatherUse[];
  /** Faults of providers, in the order of the requests, but for those that a notice of `uses` tells. */
  readonly faults: readonly WeatherError[];
  /** Faults of the requests for a forecast; empty when no provider has forecasts. */
  readonly forecastFaults: readonly WeatherError[];
  /** Faults of archives that did not answer, or not for every day. */
  readonly archiveFaults: readonly WeatherError[];
}

/** What a season is gathered from. */
export interface SeasonPorts {
  /** Providers in order of preference. */
  readonly weather: readonly CachedWeatherSource[];
  readonly findHeight: FindHeight;
  readonly clock: Clock;
  /** Number of forecast days that are used, today included, 1–9. */
  readonly trustedForecastDays: number;
  /** Whether days are measured at the field: they are neither doubted nor corrected for a bias. */
  readonly isMeasured: boolean;
}

interface SeasonRequest {
  readonly place: GroundPoint;
  readonly span: DaySpan;
  /** Whether a cached forecast of the last three days is used when no newer one can be had. */
  readonly mayUseKeptForecast: boolean;
}

/** Days around today that a forecast answer covers. */
export const forecastReach = { past: 31, ahead: 8 } as const;
const secondsPerHour = 3600;

/**
 * Collects a season's days at the height of the field: the forecast of the first provider that has one, the archive of
 * the first provider, and the archives of the next ones for gaps that can't be interpolated.
 */
export const gatherSeason =
  (ports: SeasonPorts) =>
  async ({ place: ground, ...rest }: SeasonRequest, signal?: AbortSignal): Promise<GatheredSeason> => {
    const height = await notingFault(ports.findHeight(ground, signal), []);
    const place = height === undefined ? ground : { ...ground, elevationM: height.elevationM };
    const request = { ...rest, place };
    const now = ports.clock.now().getTime();
    const [forecastFaults, faults]: [WeatherError[], WeatherError[]] = [[], []];
    const forecast = touchesForecast(request.span, now)
      ? await firstForecast(ports.weather, { ...request, faults: forecastFaults }, signal)
      : undefined;
    const today = todayAt(now, place, forecast?.origin);
    const { days, uses } = await collectArchive({ ...ports, ...request, today, forecast, faults }, signal);
    const timezone = uses.find(({ origin }) => origin.timezone !== undefined)?.origin.timezone;
    const elevationM = fieldElevationOf(place, uses);
    return {
      today,
      ...(height !== undefined && { height }),
      ...(timezone !== undefined && { timezone }),
      ...(elevationM !== undefined && { elevationM }),
      days,
      hasForecast: forecast !== undefined,
      isForecastKept: forecast?.isKept === true,
      uses,
      faults: [...forecastFaults, ...faults.filter((fault) => !isNoticed(uses, fault))],
      forecastFaults,
      archiveFaults: faults,
    };
  };

const isNoticed = (uses: readonly WeatherUse[], { message }: WeatherError): boolean =>
  uses.some(({ notice }) => notice?.startsWith(message) === true);

/** Whether a forecast has days of the span, wherever on Earth the field lies. */
const touchesForecast = ({ from, to }: DaySpan, now: number): boolean =>
  to >= addDays(dayAtOffset(now, -12 * secondsPerHour), -forecastReach.past) &&
  from <= addDays(dayAtOffset(now, 14 * secondsPerHour), forecastReach.ahead);

/** The day at the field by its time zone; without one by the sun, an hour for each 15° of longitude. */
function todayAt(now: number, { longitude }: GroundPoint, origin: WeatherOrigin | undefined): Day {
  const byZone = origin?.timezone === undefined ? undefined : dayInZone(now, origin.timezone);
  return byZone ?? dayAtOffset(now, origin?.utcOffsetSeconds ?? solarOffsetSeconds(longitude));
}

/** The answer, or undefined with its WeatherError added to the faults. Other errors are thrown. */
export async function notingFault<Answer>(asked: Promise<Answer>, faults: WeatherError[]): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof WeatherError)) throw error;
    faults.push(error);
    return undefined;
  }
}

interface Forecast extends WeatherAnswer {
  readonly isKept?: true;
}

async function firstForecast(
  weather: readonly CachedWeatherSource[],
  { place, mayUseKeptForecast, faults }: SeasonRequest & { readonly faults: WeatherError[] },
  signal?: AbortSignal,
): Promise<Forecast | undefined> {
  for (const source of weather) {
    if (source.forecast === undefined) continue;
    const answer = await notingFault(source.forecast(place, signal), faults);
    if (answer !== undefined) return answer;
  }
  return faults.length > 0 && mayUseKeptForecast ? await keptForecast(weather, place) : undefined;
}

/** The cached forecast of the last three days of the first provider that has one. */
async function keptForecast(
  weather: readonly CachedWeatherSource[],
  place: GroundPoint,
): Promise<Forecast | undefined> {
  for (const source of weather) {
    const kept = await source.keptForecast?.(place);
    if (kept === undefined) continue;
    const issuedAt = new Date(kept.retrievedAt).toISOString().slice(0, 16);
    return { ...kept, isKept: true, notice: `No newer forecast could be had; that of ${issuedAt}Z was used.` };
  }
  return undefined;
}

interface Collecting extends Pick<SeasonRequest, 'place' | 'span'>, Omit<SeasonPorts, 'findHeight' | 'clock'> {
  readonly today: Day;
  readonly forecast: Forecast | undefined;
  readonly faults: WeatherError[];
}

/** Days known so far, at the height of the field. */
interface Collected {
  readonly archive: Map<Day, DayTemperatures>;
  /** Days of the forecast interface, those before today too. */
  readonly expected: DayValues;
  bias?: ForecastBias | undefined;
}

async function collectArchive(
  collecting: Collecting,
  signal?: AbortSignal,
): Promise<Pick<GatheredSeason, 'days' | 'uses'>> {
  const { weather, place, span, today, forecast, faults } = collecting;
  const uses = forecast === undefined ? [] : [useOf('forecast', forecast, place.elevationM)];
  const collected: Collected = { archive: new Map(), expected: expectedDays(collecting) };
  let wanted = daysOfArchive(collecting);
  for (const source of weather) {
    const [from, to] = [wanted[0], wanted.at(-1)];
    if (from === undefined || to === undefined) break;
    if (source.archive === undefined) continue;
    const answer = await notingFault(source.archive(place, { from, to }, signal), faults);
    if (answer === undefined) continue;
    if (answer.missed !== undefined) faults.push(answer.missed);
    const use = useOf('archive', answer, fieldElevationOf(place, uses));
    const newestIsPartial = source.newestDayIsPartial === true;
    const believed = believedDays(answer.days, { ...collecting, ...collected, ...use, newestIsPartial });
    const taken = believed.filter(({ date }) => wanted.includes(date));
    addDaysOf(taken, collected, collecting);
    uses.push({ ...use, ...shareOf(taken, span) });
    wanted = openDays(seasonOf(collected, collecting), today);
  }
  const { bias } = collected;
  const told = uses.map((use) => (bias !== undefined && use.product === 'forecast' ? { ...use, bias } : use));
  return { days: seasonOf(collected, collecting), uses: told };
}

/** Past days of the season; with a forecast, also the earlier days that show its bias. */
function daysOfArchive({ span, today, forecast, isMeasured }: Collecting): Day[] {
  const overlap = addDays(today, -forecastReach.past);
  const from = forecast !== undefined && !isMeasured && overlap < span.from ? overlap : span.from;
  return daysOf({ from, to: span.to }).filter((day) => day < today);
}

/** Number of an answer's days within the season, and the preliminary ones among them. */
function shareOf(taken: readonly DayTemperatures[], { from }: DaySpan): Pick<WeatherUse, 'dayCount' | 'preliminary'> {
  const own = taken.filter(({ date }) => date >= from);
  const preliminary = own.flatMap(({ date, revision }) => (revision === 'preliminary' ? [date] : []));
  return { dayCount: own.length, preliminary };
}

/** Adds days of an archive; the first archive that has any also shows the bias of the forecast. */
function addDaysOf(
  taken: readonly DayTemperatures[],
  collected: Collected,
  { forecast, isMeasured }: Collecting,
): void {
  const { archive, expected } = collected;
  const isFirst = archive.size === 0;
  for (const day of taken) archive.set(day.date, day);
  if (!isFirst || isMeasured || forecast === undefined) return;
  collected.bias = forecastBias(archive, expected, forecast.memory === undefined ? 5 : 7);
}

interface Believing extends Pick<Collecting, 'today' | 'isMeasured'>, Pick<Collected, 'expected'> {
  readonly correction: Correction;
  readonly newestIsPartial: boolean;
}

/** The days of an archive's answer at the height of the field, without those that are parts of a day. */
function believedDays(days: readonly DayTemperatures[], believing: Believing): DayTemperatures[] {
  const { correction, isMeasured, expected } = believing;
  if (isMeasured) return days.map((day) => corrected(day, correction));
  return wholeDays(days, believing)
    .map((day) => corrected(day, correction))
    .filter((day) => !contradicts(day, expected.get(day.date)));
}

function expectedDays({ place, forecast }: Collecting): DayValues {
  const correction = heightCorrection(forecast?.origin.gridElevationM, place.elevationM);
  return new Map((forecast?.days ?? []).map((day) => [day.date, corrected(day, correction)]));
}

function seasonOf({ archive, expected, bias }: Collected, collecting: Collecting): SeasonDay[] {
  const { place, today, forecast } = collecting;
  const unbiased =
    bias === undefined ? expected : new Map([...expected].map(([date, day]) => [date, corrected(day, bias)]));
  const forecastMadeOn = forecast && todayAt(forecast.retrievedAt, place, forecast.origin);
  return interpolateGaps(placeDays({ ...collecting, archive, forecast: unbiased, forecastMadeOn }), today);
}

const openDays = (days: readonly SeasonDay[], today: Day): Day[] =>
  pastGaps(days, today).flatMap(({ first, last }) => days.slice(first, last + 1).map(({ date }) => date));

/** The height of the field, else the height that the first provider with values of the place itself took it for, m. */
const fieldElevationOf = ({ elevationM }: GroundPoint, uses: readonly WeatherUse[]): number | undefined =>
  elevationM ?? uses.find(({ origin }) => origin.heightOf === 'point')?.origin.gridElevationM;

/** How an answer is used for a field at a height, m. */
export function useOf(
  product: WeatherUse['product'],
  { origin, retrievedAt, notice }: Pick<WeatherAnswer, 'origin' | 'retrievedAt' | 'notice'>,
  fieldElevationM: number | undefined,
): WeatherUse {
  const correction = heightCorrection(origin.gridElevationM, fieldElevationM);
  return { product, origin, retrievedAt, correction, ...(notice !== undefined && { notice }) };
}
