import type { Clock } from '../../../kit/clock.js';
import { type Day, daysOf, type DaySpan } from '../fieldDays.js';
import { dayNumber } from '../../../kit/validation/calendar.js';
import { keyedLock, type KeyedLock } from './keyedLock.js';
import type { Shelf } from './shelf.js';
import type { ArchiveChunk, CachedDay, ReferenceWeather, WeatherProduct } from './weatherCache.js';
import {
  archiveKey,
  continued,
  dayCellDegrees,
  forecastKey,
  isFreshDay,
  isFreshForecast,
  isFreshReference,
  isUsableForecast,
  lastCompleteYear,
  lastYearOf,
  referenceCellOf,
  referenceKey,
  referenceOf,
  referenceYears,
  weatherCellOf,
} from './weatherCache.js';
import type { GroundPoint, WeatherAnswer, WeatherOrigin, WeatherSource } from '../weatherSource.js';
import { WeatherError } from '../weatherSource.js';

/** A provider behind the cache, with its reference years. */
export interface CachedWeatherSource extends Pick<WeatherSource, 'provider' | 'archive' | 'newestDayIsPartial'> {
  forecast?(place: GroundPoint, signal?: AbortSignal): Promise<WeatherAnswer>;
  /** The newest cached forecast that is at most 72 hours old. */
  keptForecast?(place: GroundPoint): Promise<WeatherAnswer | undefined>;
  /** All days from 1991 to the last complete year in the place's cell of 0.1°; absent when the provider has no archive. */
  reference?(place: GroundPoint, signal?: AbortSignal): Promise<ReferenceWeather>;
}

interface Caching {
  readonly shelf: Shelf;
  readonly now: () => number;
  readonly inTurn: KeyedLock;
}

/**
 * Asks the provider only for days that the cache does not have, for the centre of the place's cell. Requests for one cell
 * wait for each other, so that the jobs of a field make one call; another process may make the same call once more.
 */
export function cachedWeatherSource(
  source: WeatherSource,
  { shelf, clock }: { readonly shelf: Shelf; readonly clock: Clock },
): CachedWeatherSource {
  const inTurn = keyedLock((fault) => fault instanceof WeatherError);
  const caching: Caching = { shelf, now: () => clock.now().getTime(), inTurn };
  const { provider, newestDayIsPartial = false } = source;
  return { provider, newestDayIsPartial, ...archiveOf(source, caching), ...forecastOf(source, caching) };
}

/** The point that a provider is asked for. Without a use for the height, the height would only multiply the cells. */
const asked = ({ heightOf }: WeatherSource, { latitude, longitude, elevationM }: GroundPoint): GroundPoint =>
  heightOf === 'point' && elevationM !== undefined ? { latitude, longitude, elevationM } : { latitude, longitude };

function archiveOf(
  source: WeatherSource,
  { shelf, now, inTurn }: Caching,
): Pick<CachedWeatherSource, 'archive' | 'reference'> {
  const askArchive = source.archive?.bind(source);
  const model = source.models.archive;
  if (askArchive === undefined || model === undefined) return {};
  const product: WeatherProduct = { provider: source.provider, model };
  return {
    archive: (place, span, signal) => {
      const cell = weatherCellOf(asked(source, place), dayCellDegrees);
      return inTurn(archiveKey(product, cell, 'all'), async () => {
        signal?.throwIfAborted();
        return await answerSpan({ askArchive, product, shelf, cell, span, now: now(), signal });
      });
    },
    reference: (place, signal) => {
      const cell = referenceCellOf(asked(source, place));
      const key = referenceKey(product, cell);
      return inTurn(key, async () => {
        signal?.throwIfAborted();
        const kept = await shelf.get<ReferenceWeather>(key);
        const lastYear = lastCompleteYear(now());
        if (kept !== undefined && isFreshReference(kept, now()) && lastYearOf(kept) >= lastYear) return kept;
        const reference = await renewedReference(kept, lastYear, (span) => askArchive(cell, span, signal));
        if (reference !== kept) await shelf.put(key, reference);
        return reference;
      });
    },
  };
}

/** Asks for the years that are new since the reference was read, or for all years where days are missing. */
async function renewedReference(
  kept: ReferenceWeather | undefined,
  lastYear: number,
  askYears: (span: DaySpan) => Promise<WeatherAnswer>,
): Promise<ReferenceWeather> {
  const isWhole = kept !== undefined && !kept.minC.includes(null) && lastYearOf(kept) < lastYear;
  const firstYear = isWhole ? lastYearOf(kept) + 1 : referenceYears.first;
  const span: DaySpan = { from: `${firstYear}-01-01`, to: `${lastYear}-12-31` };
  try {
    const years = referenceOf(await askYears(span), span);
    return isWhole ? continued(kept, years) : years;
  } catch (error) {
    // Without an answer of the provider, the cached years are used.
    if (!(error instanceof WeatherError) || kept === undefined) throw error;
    return kept;
  }
}

function forecastOf(
  source: WeatherSource,
  { shelf, now, inTurn }: Caching,
): Pick<CachedWeatherSource, 'forecast' | 'keptForecast'> {
  const askForecast = source.forecast?.bind(source);
  const model = source.models.forecast;
  if (askForecast === undefined || model === undefined) return {};
  const cellAt = (place: GroundPoint): GroundPoint => weatherCellOf(asked(source, place), dayCellDegrees);
  const keyOf = (cell: GroundPoint): string => forecastKey({ provider: source.provider, model }, cell);
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

interface SpanRequest {
  readonly askArchive: NonNullable<WeatherSource['archive']>;
  readonly product: WeatherProduct;
  readonly shelf: Shelf;
  readonly cell: GroundPoint;
  readonly span: DaySpan;
  readonly now: number;
  readonly signal: AbortSignal | undefined;
}

interface KnownDays {
  readonly days: Map<Day, CachedDay>;
  origin: WeatherOrigin | undefined;
}

async function answerSpan(request: SpanRequest): Promise<WeatherAnswer> {
  const { product, span, now } = request;
  const known = await cachedDays(request);
  const isKnown = (day: CachedDay | undefined): boolean => day !== undefined && isFreshDay(day, now);
  const unknown = daysOf(span).filter((date) => !isKnown(known.days.get(date)));
  let missed: WeatherError | undefined;
  try {
    await refresh(known, unknown, request);
  } catch (error) {
    // Without an answer of the provider, the cached days are used; the rules for gaps fill in the others.
    if (!(error instanceof WeatherError) || known.origin === undefined) throw error;
    missed = error;
  }
  const { origin } = known;
  if (origin === undefined) throw new WeatherError('invalid', product.provider, 'told no origin.');
  const kept = daysOf(span).flatMap((date) => known.days.get(date) ?? []);
  return {
    days: kept.flatMap(({ date, minC, maxC, revision }) =>
      minC === null || maxC === null ? [] : [{ date, minC, maxC, ...(revision && { revision }) }],
    ),
    origin,
    retrievedAt: Math.max(...kept.map((day) => day.retrievedAt)),
    ...(missed !== undefined && { missed, notice: `${missed.message} Days read from it earlier were used.` }),
  };
}

async function cachedDays({ shelf, product, cell, span }: SpanRequest): Promise<KnownDays> {
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

/** Asks for the days from the first to the last unknown one, and keeps the unknown ones. */
async function refresh(known: KnownDays, unknown: readonly Day[], request: SpanRequest): Promise<void> {
  const { askArchive, product, shelf, cell, signal } = request;
  const [from, to] = [unknown[0], unknown.at(-1)];
  if (from === undefined || to === undefined) return;
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
