import { cropModels } from '../../shared/gdd/days/crops.js';
import { degreeDaysOf, limitsOf } from '../../shared/gdd/days/degreeDays.js';
import { cumulativeOf } from '../../shared/gdd/days/degreeDaySeries.js';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { addDays, dayNumber } from '../../shared/kit/validation/calendar.js';
import { daysOf, type DaySpan } from '../../shared/gdd/weather/fieldDays.js';
import type { WeatherCache } from '../../shared/gdd/weather/cache/weatherCache.js';
import type { Temperatures, WeatherAnswer, WeatherSource } from '../../shared/gdd/weather/weatherSource.js';
import type { ManualClock } from '../support/manualClock.js';
import { jobWorld } from './gddJobUnderTest.js';
import { normalDraws } from './seededClimate.js';

/** Weather of a place by day. */
export type WeatherRecord = ReadonlyMap<string, Temperatures>;

/** A season of corn as the service told it on a day, and as it came. */
export interface ForwardSeason {
  readonly today: string;
  readonly record: GddRecord;
  /** Running sums, °C·day, one a day: of the season as it came, and as it could have come for all that was known. */
  readonly outcomes: readonly (readonly number[])[];
}

export interface ForwardTest {
  readonly weather: WeatherRecord;
  /** Years of the seasons, ascending. */
  readonly years: readonly number[];
  /** Days on which each season is calculated, `MM-DD`. */
  readonly on: readonly string[];
  /** Other weather of the days beyond the forecast; none for a station, which has one. */
  readonly continuations?: (rest: DaySpan) => readonly WeatherRecord[];
}

/** The newest day that an archive has. */
const archiveDelayDays = 6;
const forecastReach = { past: 31, ahead: 8 };
/** Error of a forecast by lead as a share of `spreadC`, as shared/gdd/outlook/forecastError.ts takes it. */
const errorShare = [0.33, 0.36, 0.42, 0.48, 0.58, 0.68, 0.77, 0.86, 0.9];
const spreadC = { maxC: 4.5, minC: 4 };
const dayCorrelation = 0.4;
const biasC = 0.5;

/** The weather as a forecast of a day tells it: with a bias in all days, and an error that grows from today on. */
function forecastOf(weather: WeatherRecord, today: string): (date: string) => Temperatures | undefined {
  const draw = normalDraws(dayNumber(today));
  const bias = biasC * draw();
  let error = draw();
  const errors = errorShare.map(() => (error = dayCorrelation * error + Math.sqrt(1 - dayCorrelation ** 2) * draw()));
  return (date) => {
    const known = weather.get(date);
    if (known === undefined) return undefined;
    const lead = dayNumber(date) - dayNumber(today);
    const part = (errorShare[lead] ?? 0) * (errors[lead] ?? 0);
    const maxC = known.maxC + bias + part * spreadC.maxC;
    return { maxC, minC: Math.min(maxC, known.minC + bias + 0.5 * part * spreadC.minC) };
  };
}

/** A provider that tells the weather up to some days ago, and a forecast with errors: nothing else of the days to come. */
function providerOf(weather: WeatherRecord, clock: () => ManualClock): WeatherSource {
  const today = (): string => clock().now().toISOString().slice(0, 10);
  const answer = (span: DaySpan, told: (date: string) => Temperatures | undefined): Promise<WeatherAnswer> => {
    const days = daysOf(span).flatMap((date) => {
      const temperatures = told(date);
      return temperatures === undefined ? [] : [{ date, ...temperatures }];
    });
    return Promise.resolve({ days, origin, retrievedAt: clock().now().getTime() });
  };
  return {
    provider: 'open-meteo',
    heightOf: 'point',
    models: { archive: 'era5_seamless', forecast: 'ecmwf_ifs' },
    archive: (_place, span) => {
      const newest = addDays(today(), -archiveDelayDays);
      return answer(span, (date) => (date > newest ? undefined : weather.get(date)));
    },
    forecast: () => {
      const span = { from: addDays(today(), -forecastReach.past), to: addDays(today(), forecastReach.ahead) };
      return answer(span, forecastOf(weather, today()));
    },
  };
}

const origin: WeatherAnswer['origin'] = {
  provider: 'open-meteo',
  model: 'era5_seamless',
  gridLatitude: 43,
  gridLongitude: -87.9,
  gridElevationM: 203,
  heightOf: 'point',
  dayBoundary: 'civil',
  timezone: 'America/Chicago',
  utcOffsetSeconds: -18_000,
  attribution: 'made up',
  licence: 'none',
};

/** A cache that hands out what was put into it: with text, reading decades of days would be most of a test's work. */
function sharedCache(): WeatherCache {
  const entries = new Map<string, Parameters<WeatherCache['put']>[1]>();
  return {
    get: (key) => Promise.resolve(entries.get(key)),
    put: (key, value) => {
      entries.set(key, value);
      return Promise.resolve();
    },
  };
}

/**
 * Seasons of corn from May to September as GDD jobs tell them while they run: providers know nothing of the days to come,
 * so that each season is held against the years before it alone.
 */
export async function forwardSeasons({ weather, years, on, ...other }: ForwardTest): Promise<ForwardSeason[]> {
  const source = providerOf(weather, () => world.clock);
  const world = jobWorld({
    answer: () => new Response(null, { status: 500 }),
    ports: { weatherCache: sharedCache(), weather: [source] },
  });
  const seasons: ForwardSeason[] = [];
  for (const year of years) {
    const span = { from: `${year}-05-01`, to: `${year}-09-30` };
    for (const monthDay of on) {
      const today = `${year}-${monthDay}`;
      world.clock.jump(Date.parse(`${today}T17:00:00Z`) - world.clock.now().getTime());
      const record = await world.run({ gddStartDate: span.from, gddEndDate: span.to });
      const rests = other.continuations?.({ from: addDays(today, forecastReach.ahead + 1), to: span.to }) ?? [];
      const outcomes = [weather, ...rests].map((rest) => sumsOf(span, (date) => rest.get(date) ?? weather.get(date)!));
      seasons.push({ today, record, outcomes });
    }
  }
  return seasons;
}

function sumsOf(span: DaySpan, temperaturesOn: (date: string) => Temperatures): number[] {
  const limits = limitsOf(cropModels.CORN);
  return cumulativeOf(daysOf(span).map((date) => degreeDaysOf(temperaturesOn(date), limits)));
}
