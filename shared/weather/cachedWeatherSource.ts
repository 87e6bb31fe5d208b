import type { Clock } from '../clock.js';
import type { Day, DaySpan } from './calendar.js';
import { dayNumber } from '../validation/calendar.js';
import { daysOf } from './calendar.js';
import { keyedLock, type KeyedLock } from './keyedLock.js';
import type { Shelf } from './shelf.js';
import type { ArchiveChunk, CachedDay, Product, ReferenceWeather } from './weatherCache.js';
import {
  archiveKey,
  cellOf,
  dayCellDegrees,
  forecastKey,
  isFreshDay,
  isFreshForecast,
  isFreshReference,
  isUsableForecast,
  referenceCellOf,
  referenceKey,
  lastCompleteYear,
  lastYearOf,
  continued,
  referenceOf,
  referenceYears,
} from './weatherCache.js';
import type { Place, WeatherAnswer, WeatherOrigin, WeatherSource } from './weatherSource.js';
import { WeatherError } from './weatherSource.js';

/** A provider behind the cache, which can tell its reference years too. */
export interface CachedWeatherSource extends Pick<WeatherSource, 'provider' | 'archive' | 'newestDayIsPartial'> {
  forecast?(place: Place, signal?: AbortSignal): Promise<WeatherAnswer>;
  /** The latest forecast that is known, while it is at most 72 hours old. */
  keptForecast?(place: Place): Promise<WeatherAnswer | undefined>;
  /** All days from 1991 to the last complete year in the place's cell of 0.1°; absent when the provider has no archive. */
  reference?(place: Place, signal?: AbortSignal): Promise<ReferenceWeather>;
}

export interface CachedWeatherOptions {
  readonly shelf: Shelf;
  readonly clock: Clock;
}

/**
 * Asks the provider only for what the cache does not know, for the centre of the place's cell. Requests of one cell
 * wait for each other, so that jobs of one field make one call; other processes may at most repeat it.
 */
export function cachedWeatherSource(
  source: WeatherSource,
  { shelf, clock }: CachedWeatherOptions,
): CachedWeatherSource {
  const inTurn = keyedLock((fault) => fault instanceof WeatherError);
  const caching: Caching = { shelf, now: () => clock.now().getTime(), inTurn };
  const { provider, newestDayIsPartial = false } = source;
  return { provider, newestDayIsPartial, ...archiveOf(source, caching), ...forecastOf(source, caching) };
}

interface Caching {
  readonly shelf: Shelf;
  readonly now: () => number;
  readonly inTurn: KeyedLock;
}

function archiveOf(
  source: WeatherSource,
  { shelf, now, inTurn }: Caching,
): Pick<CachedWeatherSource, 'archive' | 'reference'> {
  const { models } = source;
  const askArchive = source.archive?.bind(source);
  if (askArchive === undefined || models.archive === undefined) return {};
  const product: Product = { provider: source.provider, model: models.archive };
  return {
    archive: (place, span, signal) => {
      const cell = cellOf(asked(source, place), dayCellDegrees);
      return inTurn(archiveKey(product, cell, 'all'), async () => {
        signal?.throwIfAborted();
        const years = await readYears(shelf, product, { cell, span });
        return await answerSpan(years, {
          askArchive,
          product,
          shelf,
          cell,
          span,
          now: now(),
          ...(signal && { signal }),
        });
      });
    },
    reference: (place, signal) => {
      const cell = referenceCellOf(asked(source, place));
      const key = referenceKey(product, cell);
      return inTurn(key, async () => {
        signal?.throwIfAborted();
        const kept = await shelf.get<ReferenceWeather>(key);
        const asking: ReferenceRequest = {
          askArchive,
          cell,
          lastYear: lastCompleteYear(now()),
          ...(signal && { signal }),
        };
        if (kept !== undefined && isFreshReference(kept, now()) && lastYearOf(kept) >= asking.lastYear) return kept;
        const reference = await renewedReference(kept, asking);
        if (reference !== kept) await shelf.put(key, reference);
        return reference;
      });
    },
  };
}

interface ReferenceRequest {
  readonly askArchive: NonNullable<WeatherSource['archive']>;
  readonly cell: Place;
  readonly lastYear: number;
  readonly signal?: AbortSignal;
}

/** Asks for the years that are new since the reference was read, or for all where days are missing. */
async function renewedReference(
  kept: ReferenceWeather | undefined,
  { askArchive, cell, lastYear, signal }: ReferenceRequest,
): Promise<ReferenceWeather> {
  const isWhole = kept !== undefined && !kept.minC.includes(null) && lastYearOf(kept) < lastYear;
  const firstYear = isWhole ? lastYearOf(kept) + 1 : referenceYears.first;
  const span: DaySpan = { from: `${firstYear}-01-01`, to: `${lastYear}-12-31` };
  try {
    const asked = referenceOf(await askArchive(cell, span, signal), span);
    return isWhole ? continued(kept, asked) : asked;
  } catch (error) {
    // Years read before are better than none while the provider is away.
    if (!(error instanceof WeatherError) || kept === undefined) throw error;
    return kept;
  }
}

/** A height that the provider does nothing with would only make other cells of the same answers. */
const asked = ({ heightOf }: WeatherSource, { latitude, longitude, elevationM }: Place): Place =>
  heightOf === 'point' && elevationM !== undefined ? { latitude, longitude, elevationM } : { latitude, longitude };

function forecastOf(
  source: WeatherSource,
  { shelf, now, inTurn }: Caching,
): Pick<CachedWeatherSource, 'forecast' | 'keptForecast'> {
  const askForecast = source.forecast?.bind(source);
  const model = source.models.forecast;
  if (askForecast === undefined || model === undefined) return {};
  const cellAt = (place: Place): Place => cellOf(asked(source, place), dayCellDegrees);
  const keyOf = (cell: Place): string => forecastKey({ provider: source.provider, model }, cell);
  return {
    forecast: (place, signal) => {
      const cell = cellAt(place);
      return inTurn(keyOf(cell), async () => {
        signal?.throwIfAborted();
        const kept = await shelf.get<WeatherAnswer>(keyOf(cell));
        if (kept !== undefined && isFreshForecast(kept, now())) return kept;
        const answer = await askForecast(cell, signal, kept);
        await shelf.put(keyOf(cell), answer);
        return answer;
      });
    },
    keptForecast: async (place) => {
      const kept = await shelf.get<WeatherAnswer>(keyOf(cellAt(place)));
      return kept !== undefined && isUsableForecast(kept, now()) ? kept : undefined;
    },
  };
}

interface KnownDays {
  readonly days: Map<Day, CachedDay>;
  origin: WeatherOrigin | undefined;
}

async function readYears(
  shelf: Shelf,
  product: Product,
  { cell, span }: { readonly cell: Place; readonly span: DaySpan },
): Promise<KnownDays> {
  const keys = yearsOf(span).map((year) => archiveKey(product, cell, year));
  const chunks = await Promise.all(keys.map((key) => shelf.get<ArchiveChunk>(key)));
  return {
    days: new Map(chunks.flatMap((chunk) => chunk?.days ?? []).map((day) => [day.date, day])),
    origin: chunks.findLast((chunk) => chunk !== undefined)?.origin,
  };
}

/** The calendar years of a span. */
function yearsOf({ from, to }: DaySpan): string[] {
  const [first, last] = [Number(from.slice(0, 4)), Number(to.slice(0, 4))];
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

interface SpanRequest {
  readonly askArchive: NonNullable<WeatherSource['archive']>;
  readonly product: Product;
  readonly shelf: Shelf;
  readonly cell: Place;
  readonly span: DaySpan;
  readonly now: number;
  readonly signal?: AbortSignal;
}

async function answerSpan(known: KnownDays, request: SpanRequest): Promise<WeatherAnswer> {
  const unknown = daysOf(request.span).filter((date) => !isKnown(known.days.get(date), request.now));
  let missed: WeatherError | undefined;
  if (unknown.length > 0) {
    try {
      await refresh(known, unknown, request);
    } catch (error) {
      // What was read before is better than nothing while the provider is away; the gap rules see to the rest.
      if (!(error instanceof WeatherError) || known.origin === undefined) throw error;
      missed = error;
    }
  }
  if (known.origin === undefined) throw new WeatherError('invalid', request.product.provider, 'told no origin.');
  return assemble(known.days, known.origin, { span: request.span, ...(missed !== undefined && { missed }) });
}

const isKnown = (day: CachedDay | undefined, now: number): boolean => day !== undefined && isFreshDay(day, now);

/** Asks for the days from the first to the last unknown one and keeps those that were not settled already. */
async function refresh(known: KnownDays, unknown: readonly Day[], request: SpanRequest): Promise<void> {
  const { askArchive, product, shelf, cell, signal } = request;
  const from = unknown[0] ?? request.span.from;
  const to = unknown.at(-1) ?? request.span.to;
  const answer = await askArchive(cell, { from, to }, signal);
  const received = new Map(answer.days.map((day) => [day.date, day]));
  for (const date of unknown) {
    const day = received.get(date) ?? { date, minC: null, maxC: null };
    known.days.set(date, { ...day, retrievedAt: answer.retrievedAt });
  }
  known.origin = answer.origin;
  for (const year of yearsOf({ from, to })) {
    const days = [...known.days.values()].filter((day) => day.date.startsWith(year));
    days.sort((a, b) => dayNumber(a.date) - dayNumber(b.date));
    await shelf.put(archiveKey(product, cell, year), { origin: answer.origin, days } satisfies ArchiveChunk);
  }
}

function assemble(
  known: ReadonlyMap<Day, CachedDay>,
  origin: WeatherOrigin,
  { span, missed }: { readonly span: DaySpan; readonly missed?: WeatherError },
): WeatherAnswer {
  const kept = daysOf(span).flatMap((date) => known.get(date) ?? []);
  return {
    days: kept.flatMap(({ date, minC, maxC, revision }) =>
      minC === null || maxC === null ? [] : [{ date, minC, maxC, ...(revision && { revision }) }],
    ),
    origin,
    retrievedAt: Math.max(...kept.map((day) => day.retrievedAt)),
    ...(missed !== undefined && { missed, notice: `${missed.message} Days read from it earlier were used.` }),
  };
}
