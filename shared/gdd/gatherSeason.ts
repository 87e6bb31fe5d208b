import type { Clock } from '../clock.js';
import type { CachedWeatherSource } from '../weather/cachedWeatherSource.js';
import type { Day, DaySpan } from '../weather/calendar.js';
import { addDays } from '../validation/calendar.js';
import { dayAtOffset, dayInZone, daysOf } from '../weather/calendar.js';
import { solarOffsetSeconds } from '../weather/localDays.js';
import { corrected, heightCorrection, type Correction } from '../weather/elevation.js';
import type { FieldHeight, FindHeight } from '../weather/fieldHeight.js';
import { contradicts, wholeDays } from '../weather/partialDays.js';
import type {
  DayTemperatures,
  GroundPoint,
  Temperatures,
  WeatherAnswer,
  WeatherOrigin,
} from '../weather/weatherSource.js';
import { WeatherError } from '../weather/weatherSource.js';
import { forecastBias, type ForecastBias } from './forecastBias.js';
import type { DayValues, SeasonDay } from './season.js';
import { interpolateGaps, pastGaps, placeDays } from './season.js';

/** One provider's part in a season. */
export interface WeatherUse {
  readonly product: 'archive' | 'forecast' | 'reference';
  readonly origin: WeatherOrigin;
  /** Milliseconds since 1970 UTC. */
  readonly retrievedAt: number;
  /** What was added to its temperatures for the difference in height. */
  readonly correction: Correction;
  /** What was added beside that, for the bias that the archive shows. */
  readonly bias?: ForecastBias;
  readonly notice?: string;
  /** How many days of the season are those of this answer. */
  readonly dayCount?: number;
  /** Those of them that the provider will replace. */
  readonly preliminary?: readonly Day[];
}

/** Everything that is known of a season's weather; days that nobody knows have no source yet. */
export interface GatheredSeason {
  /** The calendar day it is at the field. */
  readonly today: Day;
  readonly timezone?: string;
  /** Height of the field by the terrain model; absent while that can't be read. */
  readonly height?: FieldHeight;
  /** Height that temperatures are brought to: that of the terrain model, else one that a provider told. */
  readonly elevationM?: number;
  readonly days: readonly SeasonDay[];
  readonly hasForecast: boolean;
  /** Whether it is one of the last days, for lack of a newer one. */
  readonly isForecastKept: boolean;
  readonly uses: readonly WeatherUse[];
  /** Why providers did not answer, in the order they were asked. */
  readonly faults: readonly WeatherError[];
  /** Those of them that were asked for a forecast: none is no outage. */
  readonly forecastFaults: readonly WeatherError[];
  /** Why archives did not answer, or not for every day. */
  readonly archiveFaults: readonly WeatherError[];
}

export interface SeasonPorts {
  /** Providers in order of preference. */
  readonly weather: readonly CachedWeatherSource[];
  readonly findHeight: FindHeight;
  readonly clock: Clock;
  /** How many days of a forecast are believed, today included, 1–9. */
  readonly trustedForecastDays: number;
  /** Whether days are told as they were measured at the field: then nothing is doubted, and nothing added. */
  readonly isMeasured: boolean;
}

export interface SeasonRequest {
  readonly place: GroundPoint;
  readonly span: DaySpan;
  /** Whether a forecast of the last days does when no newer one can be had. */
  readonly mayUseKeptForecast: boolean;
}

/** Days around today that a forecast answer covers. */
export const forecastReach = { past: 31, ahead: 8 } as const;
const secondsPerHour = 3600;

/**
 * Collects a season's days: the forecast of the first provider that has one, the archive of the first provider, and
 * for gaps that can't be interpolated the archives of the next ones, brought to the height of the field.
 */
export const gatherSeason =
  (ports: SeasonPorts) =>
  async ({ place: ground, ...rest }: SeasonRequest, signal?: AbortSignal): Promise<GatheredSeason> => {
    const height = await notingFault(ports.findHeight(ground, signal), []);
    const place = height === undefined ? ground : { ...ground, elevationM: height.elevationM };
    const request = { ...rest, place };
    const now = ports.clock.now().getTime();
    const [forecastFaults, archiveFaults]: [WeatherError[], WeatherError[]] = [[], []];
    const forecast = touchesForecast(request.span, now)
      ? await firstForecast(ports.weather, { request, faults: forecastFaults }, signal)
      : undefined;
    const today = todayAt(now, request.place, forecast?.origin);
    const { trustedForecastDays, isMeasured } = ports;
    const collecting = { ...request, today, forecast, faults: archiveFaults, trustedForecastDays, isMeasured };
    const { days, uses } = await collectArchive(ports.weather, collecting, signal);
    const origins = uses.map((use) => use.origin);
    const timezone = origins.find((origin) => origin.timezone !== undefined)?.timezone;
    const elevationM = fieldElevationOf(place, origins);
    return {
      today,
      ...(height !== undefined && { height }),
      ...(timezone !== undefined && { timezone }),
      ...(elevationM !== undefined && { elevationM }),
      days,
      hasForecast: forecast !== undefined,
      isForecastKept: forecast?.isKept === true,
      uses,
      faults: [...forecastFaults, ...archiveFaults.filter((fault) => !missedIn(uses, fault))],
      forecastFaults,
      archiveFaults,
    };
  };

/** Whether a fault is told by the notice of an answer already. */
const missedIn = (uses: readonly WeatherUse[], { message }: WeatherError): boolean =>
  uses.some(({ notice }) => notice?.startsWith(message) === true);

/** Whether a forecast can say anything of the span, wherever on Earth the field lies. */
const touchesForecast = ({ from, to }: DaySpan, now: number): boolean =>
  to >= addDays(dayAtOffset(now, -12 * secondsPerHour), -forecastReach.past) &&
  from <= addDays(dayAtOffset(now, 14 * secondsPerHour), forecastReach.ahead);

/** The day at the field by its clock; by the sun (an hour for each 15° of longitude) where no time zone is told. */
function todayAt(now: number, { longitude }: GroundPoint, origin: WeatherOrigin | undefined): Day {
  const byZone = origin?.timezone === undefined ? undefined : dayInZone(now, origin.timezone);
  return byZone ?? dayAtOffset(now, origin?.utcOffsetSeconds ?? solarOffsetSeconds(longitude));
}

/** The answer, or undefined with the fault noted. Anything but a weather fault goes on upwards. */
export async function notingFault<Answer>(asked: Promise<Answer>, faults: WeatherError[]): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof WeatherError)) throw error;
    faults.push(error);
    return undefined;
  }
}

interface Asking {
  readonly request: SeasonRequest;
  readonly faults: WeatherError[];
}

interface Forecast extends WeatherAnswer {
  readonly isKept?: true;
}

async function firstForecast(
  weather: readonly CachedWeatherSource[],
  { request, faults }: Asking,
  signal?: AbortSignal,
): Promise<Forecast | undefined> {
  for (const source of weather) {
    if (source.forecast === undefined) continue;
    const answer = await notingFault(source.forecast(request.place, signal), faults);
    if (answer !== undefined) return answer;
  }
  return faults.length > 0 && request.mayUseKeptForecast ? await keptForecast(weather, request.place) : undefined;
}

/** What was forecast in the last three days: all sources that have a forecast are away. */
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

interface Collecting extends SeasonRequest {
  readonly today: Day;
  readonly forecast: WeatherAnswer | undefined;
  readonly faults: WeatherError[];
  readonly trustedForecastDays: number;
  readonly isMeasured: boolean;
}

/** What is known so far, at the height of the field. */
interface Collected {
  readonly archive: Map<Day, Temperatures>;
  /** What the forecast interface says, of the days before today too. */
  readonly expected: DayValues;
  bias?: ForecastBias;
}

async function collectArchive(
  weather: readonly CachedWeatherSource[],
  collecting: Collecting,
  signal?: AbortSignal,
): Promise<{ days: readonly SeasonDay[]; uses: readonly WeatherUse[] }> {
  const { place, span, today, forecast, faults } = collecting;
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
    const use = useOf(
      'archive',
      answer,
      fieldElevationOf(
        place,
        uses.map(({ origin }) => origin),
      ),
    );
    const newestIsPartial = source.newestDayIsPartial === true;
    const part = { days: answer.days, correction: use.correction, newestIsPartial, wanted };
    uses.push({ ...use, ...shareOf(addDaysOf(part, collected, collecting), span) });
    wanted = openDays(seasonOf(collected, collecting), today);
  }
  const { bias } = collected;
  const told = uses.map((use) => (bias !== undefined && use.product === 'forecast' ? { ...use, bias } : use));
  return { days: seasonOf(collected, collecting), uses: told };
}

/** Past days of the season; with a forecast also those before that tell its bias. */
function daysOfArchive({ span, today, forecast, isMeasured }: Collecting): Day[] {
  const overlap = addDays(today, -forecastReach.past);
  const from = forecast !== undefined && !isMeasured && overlap < span.from ? overlap : span.from;
  return daysOf({ from, to: span.to }).filter((day) => day < today);
}

interface ArchiveDays {
  readonly days: WeatherAnswer['days'];
  readonly correction: Correction;
  readonly newestIsPartial: boolean;
  readonly wanted: readonly Day[];
}

/** An answer's part in the season itself. */
function shareOf(taken: readonly DayTemperatures[], { from }: DaySpan): Pick<WeatherUse, 'dayCount' | 'preliminary'> {
  const own = taken.filter(({ date }) => date >= from);
  const preliminary = own.flatMap(({ date, revision }) => (revision === 'preliminary' ? [date] : []));
  return { dayCount: own.length, preliminary };
}

/**
 * Takes over what an archive says of the days that are wanted; the first one also tells the bias of the forecast.
 *
 * @returns the days taken over
 */
function addDaysOf(answer: ArchiveDays, collected: Collected, collecting: Collecting): DayTemperatures[] {
  const { archive, expected } = collected;
  const isFirst = archive.size === 0;
  const wanted = new Set(answer.wanted);
  const taken = believedDays(answer, expected, collecting).filter(({ date }) => wanted.has(date));
  for (const day of taken) archive.set(day.date, day);
  const { forecast, isMeasured } = collecting;
  if (!isFirst || isMeasured || forecast === undefined) return taken;
  const bias = forecastBias(archive, expected, forecast.memory === undefined ? 5 : 7);
  if (bias !== undefined) collected.bias = bias;
  return taken;
}

/** An answer's days at the height of the field, without those that are parts of a day. */
function believedDays(answer: ArchiveDays, expected: DayValues, { today, isMeasured }: Collecting): DayTemperatures[] {
  const { days, correction, newestIsPartial } = answer;
  if (isMeasured) return days.map((day) => corrected(day, correction));
  return wholeDays(days, { today, newestIsPartial })
    .map((day) => corrected(day, correction))
    .filter((day) => !contradicts(day, expected.get(day.date)));
}

function expectedDays({ place, forecast }: Collecting): DayValues {
  const correction = heightCorrection(forecast?.origin.gridElevationM, place.elevationM);
  return new Map((forecast?.days ?? []).map((day) => [day.date, corrected(day, correction)]));
}

function seasonOf({ archive, expected, bias }: Collected, collecting: Collecting): SeasonDay[] {
  const { place, span, today, forecast, trustedForecastDays } = collecting;
  const unbiased =
    bias === undefined ? expected : new Map([...expected].map(([date, day]) => [date, corrected(day, bias)]));
  const forecastMadeOn = forecast && todayAt(forecast.retrievedAt, place, forecast.origin);
  const weather = { span, today, archive, forecast: unbiased, trustedForecastDays };
  return interpolateGaps(placeDays({ ...weather, ...(forecastMadeOn && { forecastMadeOn }) }), today);
}

const openDays = (days: readonly SeasonDay[], today: Day): Day[] =>
  pastGaps(days, today).flatMap(({ first, last }) => days.slice(first, last + 1).map(({ date }) => date));

/** The height of the field itself, else what the first provider that brings its values to the place took it for. */
const fieldElevationOf = ({ elevationM }: GroundPoint, origins: readonly WeatherOrigin[]): number | undefined =>
  elevationM ?? origins.find((origin) => origin.heightOf === 'point')?.gridElevationM;

/** How an answer is used for a field at a height. */
export function useOf(
  product: WeatherUse['product'],
  answer: Pick<WeatherAnswer, 'origin' | 'retrievedAt' | 'notice'>,
  fieldElevationM: number | undefined,
): WeatherUse {
  const { origin, retrievedAt, notice } = answer;
  const correction = heightCorrection(origin.gridElevationM, fieldElevationM);
  return { product, origin, retrievedAt, correction, ...(notice !== undefined && { notice }) };
}
