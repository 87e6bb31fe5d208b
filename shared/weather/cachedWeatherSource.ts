import type { Clock } from '../clock.js';
import type { JsonObject } from '../jobs/job.js';
import type { Day, DaySpan } from './calendar.js';
import { dayNumber } from '../validation/calendar.js';
import { daysOf } from './calendar.js';
import { keyedLock } from './keyedLock.js';
import type { ArchiveChunk, CachedDay, ReferenceWeather, WeatherCache } from './weatherCache.js';
import {
  archiveKey,
  cellOf,
  dayCellDegrees,
  forecastKey,
  isFreshDay,
  isFreshForecast,
  isFreshReference,
  referenceCellDegrees,
  referenceKey,
  referenceOf,
  referenceSpan,
} from './weatherCache.js';
import type { Place, WeatherAnswer, WeatherOrigin, WeatherSource } from './weatherSource.js';
import { WeatherError } from './weatherSource.js';

/** A provider behind the cache, which can tell its reference years too. */
export interface CachedWeatherSource extends WeatherSource {
  /** All days of 1991–2020 in the place's cell of 0.1°. */
  reference(place: Place, signal?: AbortSignal): Promise<ReferenceWeather>;
}

export interface CachedWeatherOptions {
  readonly cache: WeatherCache;
  readonly clock: Clock;
  /** Told of every fault of the cache; the job goes on without it. */
  readonly onCacheFault: (error: unknown) => void;
}

/**
 * Asks the provider only for what the cache does not know, for the centre of the place's cell. Requests of one cell
 * wait for each other, so that jobs of one field make one call; other processes may at most repeat it.
 */
export function cachedWeatherSource(source: WeatherSource, options: CachedWeatherOptions): CachedWeatherSource {
  const inTurn = keyedLock((fault) => fault instanceof WeatherError);
  const shelf = tolerant(options);
  const now = (): number => options.clock.now().getTime();

  return {
    provider: source.provider,
    archive: (place, span, signal) => {
      const cell = cellOf(place, dayCellDegrees);
      return inTurn(archiveKey(source.provider, cell, 'all'), async () => {
        signal?.throwIfAborted();
        const years = await readYears(shelf, source.provider, { cell, span });
        return await answerSpan(years, { source, shelf, cell, span, now: now(), ...(signal && { signal }) });
      });
    },
    ...(source.forecast && {
      forecast: (place, signal) => {
        const cell = cellOf(place, dayCellDegrees);
        return inTurn(forecastKey(source.provider, cell), () => newestForecast(source, { shelf, cell, now }, signal));
      },
    }),
    reference: (place, signal) => {
      const cell = cellOf(place, referenceCellDegrees);
      const key = referenceKey(source.provider, cell);
      return inTurn(key, async () => {
        signal?.throwIfAborted();
        const kept = await shelf.get<ReferenceWeather>(key);
        if (kept !== undefined && isFreshReference(kept, now())) return kept;
        const reference = referenceOf(await source.archive(cell, referenceSpan, signal));
        await shelf.put(key, reference);
        return reference;
      });
    },
  };
}

interface ForecastRequest {
  readonly shelf: Shelf;
  readonly cell: Place;
  readonly now: () => number;
}

async function newestForecast(
  source: WeatherSource,
  { shelf, cell, now }: ForecastRequest,
  signal?: AbortSignal,
): Promise<WeatherAnswer> {
  signal?.throwIfAborted();
  const key = forecastKey(source.provider, cell);
  const kept = await shelf.get<WeatherAnswer>(key);
  if (kept !== undefined && isFreshForecast(kept, now())) return kept;
  if (source.forecast === undefined) throw new WeatherError('refused', source.provider, 'has no forecast.');
  const answer = await source.forecast(cell, signal);
  await shelf.put(key, answer);
  return answer;
}

/** The cache without its faults: what can't be read is not there, what can't be written is not kept. */
interface Shelf {
  get<Kept>(key: string): Promise<Kept | undefined>;
  put(key: string, value: object): Promise<void>;
}

const tolerant = ({ cache, onCacheFault }: CachedWeatherOptions): Shelf => ({
  get: async <Kept>(key: string) => {
    try {
      return (await cache.get(key)) as Kept | undefined;
    } catch (error) {
      onCacheFault(error);
      return undefined;
    }
  },
  put: async (key, value) => {
    try {
      await cache.put(key, value as JsonObject);
    } catch (error) {
      onCacheFault(error);
    }
  },
});

interface KnownDays {
  readonly days: Map<Day, CachedDay>;
  origin: WeatherOrigin | undefined;
}

async function readYears(
  shelf: Shelf,
  provider: string,
  { cell, span }: { readonly cell: Place; readonly span: DaySpan },
): Promise<KnownDays> {
  const keys = yearsOf(span).map((year) => archiveKey(provider, cell, year));
  const chunks = await Promise.all(keys.map((key) => shelf.get<ArchiveChunk>(key)));
  return {
    days: new Map(chunks.flatMap((chunk) => chunk?.days ?? []).map((day) => [day.date, day])),
    origin: chunks.findLast((chunk) => chunk !== undefined)?.origin,
  };
}

const yearsOf = (span: DaySpan): string[] => [...new Set(daysOf(span).map((day) => day.slice(0, 4)))];

interface SpanRequest {
  readonly source: WeatherSource;
  readonly shelf: Shelf;
  readonly cell: Place;
  readonly span: DaySpan;
  readonly now: number;
  readonly signal?: AbortSignal;
}

async function answerSpan(known: KnownDays, request: SpanRequest): Promise<WeatherAnswer> {
  const unknown = daysOf(request.span).filter((date) => !isKnown(known.days.get(date), request.now));
  let notice: string | undefined;
  if (unknown.length > 0) {
    try {
      await refresh(known, unknown, request);
    } catch (error) {
      // What was read before is better than nothing while the provider is away; the gap rules see to the rest.
      if (!(error instanceof WeatherError) || known.origin === undefined) throw error;
      notice = `${error.message} Days read from it earlier were used.`;
    }
  }
  if (known.origin === undefined) throw new WeatherError('invalid', request.source.provider, 'told no origin.');
  return assemble(known.days, known.origin, { span: request.span, ...(notice !== undefined && { notice }) });
}

const isKnown = (day: CachedDay | undefined, now: number): boolean => day !== undefined && isFreshDay(day, now);

/** Asks for the days from the first to the last unknown one and keeps those that were not settled already. */
async function refresh(known: KnownDays, unknown: readonly Day[], request: SpanRequest): Promise<void> {
  const { source, shelf, cell, signal } = request;
  const from = unknown[0] ?? request.span.from;
  const to = unknown.at(-1) ?? request.span.to;
  const answer = await source.archive(cell, { from, to }, signal);
  const received = new Map(answer.days.map((day) => [day.date, day]));
  for (const date of unknown) {
    const { minC = null, maxC = null } = received.get(date) ?? {};
    known.days.set(date, { date, minC, maxC, retrievedAt: answer.retrievedAt });
  }
  known.origin = answer.origin;
  for (const year of yearsOf({ from, to })) {
    const days = [...known.days.values()].filter((day) => day.date.startsWith(year));
    days.sort((a, b) => dayNumber(a.date) - dayNumber(b.date));
    await shelf.put(archiveKey(source.provider, cell, year), { origin: answer.origin, days } satisfies ArchiveChunk);
  }
}

function assemble(
  known: ReadonlyMap<Day, CachedDay>,
  origin: WeatherOrigin,
  { span, notice }: { readonly span: DaySpan; readonly notice?: string },
): WeatherAnswer {
  const kept = daysOf(span).flatMap((date) => known.get(date) ?? []);
  return {
    days: kept.flatMap(({ date, minC, maxC }) => (minC === null || maxC === null ? [] : [{ date, minC, maxC }])),
    origin,
    retrievedAt: Math.max(...kept.map((day) => day.retrievedAt)),
    ...(notice !== undefined && { notice }),
  };
}
