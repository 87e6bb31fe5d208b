import { addDays, dayNumber } from '../../shared/kit/validation/calendar.js';
import { daysOf, type DaySpan } from '../../shared/gdd/weather/fieldDays.js';
import type { Temperatures } from '../../shared/gdd/weather/weatherSource.js';

/** Made-up daily weather that is the same in every run. */
export interface SeededClimate {
  readonly seed: number;
  /** Whether every warm spell of the seed is a cold one: what chance adds to the one, it takes from the other. */
  readonly isMirrored: boolean;
  /** Warming, °C a decade, the same in every month. */
  readonly perDecadeC: number;
  readonly span: DaySpan;
}

/** Slopes that the range of a season has to hold in: no warming, and more of it than most farmland has seen. */
export const testedSlopes: readonly number[] = [0, 0.15, 0.3, 0.5];

/** Uniform numbers between 0 and 1 (mulberry32), the same for the same seed. */
function uniformDraws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

/** Numbers of the standard normal distribution (Box & Muller 1958), the same for the same seed. */
export function normalDraws(seed: number): () => number {
  const uniform = uniformDraws(seed);
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Share of an anomaly that is left on the next day, and its standard deviation, °C. */
const daily = { persistence: 0.65, deviationC: 3.6 } as const;
/** The same of an anomaly that lasts for a month. */
const monthly = { persistence: 0.97, deviationC: 1.2 } as const;
/** The middle of the years, where the warming is 0. */
const middleYear = 2005;

/** A climate with its weather, and other ways in which that could have gone on from a day. */
export interface ClimateRecord {
  readonly weather: ReadonlyMap<string, Temperatures>;
  readonly continuations: (span: DaySpan, count: number) => ReadonlyMap<string, Temperatures>[];
}

/** What the weather of a day hands on to the next: anomalies of a few days and of a month. */
interface Anomalies {
  readonly day: number;
  readonly month: number;
}

/**
 * A continental climate like that of Milwaukee: 9 °C on average, 26 °C between winter and summer, and sums of corn that
 * spread by about 125 °C·day from year to year beside the trend.
 */
export function seededClimate({ seed, isMirrored, perDecadeC, span }: SeededClimate): ClimateRecord {
  const next = ({ day, month }: Anomalies, draw: () => number): Anomalies => ({
    day: daily.persistence * day + Math.sqrt(1 - daily.persistence ** 2) * draw(),
    month: monthly.persistence * month + Math.sqrt(1 - monthly.persistence ** 2) * draw(),
  });
  const temperaturesOf = (number: number, { day, month }: Anomalies, draw: () => number): Temperatures => {
    const season = -Math.cos((2 * Math.PI * (number - 25)) / 365.25);
    const warming = (perDecadeC / 10) * ((number - dayNumber(`${middleYear}-01-01`)) / 365.25);
    const meanC = 9 + 13 * season + warming + daily.deviationC * day + monthly.deviationC * month;
    return { maxC: meanC + 5 + 0.8 * draw(), minC: meanC - 5 + 0.8 * draw() };
  };
  const drawn = normalDraws(seed);
  const draw = (): number => (isMirrored ? -drawn() : drawn());
  const states = new Map<string, Anomalies>();
  let state: Anomalies = { day: draw(), month: draw() };
  const weather = new Map<string, Temperatures>();
  for (const date of daysOf(span)) {
    state = next(state, draw);
    states.set(date, state);
    weather.set(date, temperaturesOf(dayNumber(date), state, draw));
  }
  const continuations = (rest: DaySpan, count: number) => {
    const anew = normalDraws(seed + dayNumber(rest.from));
    const days = daysOf(rest).map((date) => [date, dayNumber(date)] as const);
    return Array.from({ length: count }, () => {
      let branch = states.get(addDays(rest.from, -1)) ?? state;
      return new Map(
        days.map(([date, number]) => {
          branch = next(branch, anew);
          return [date, temperaturesOf(number, branch, anew)];
        }),
      );
    });
  };
  return { weather, continuations };
}
