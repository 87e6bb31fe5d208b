import type { ReferenceSeason } from './normals.js';
import { deviationOf } from './seasonBand.js';

/** How the rest of a season has changed over the reference years. */
export interface RestTrend {
  /** °C·day in ten years. */
  readonly perDecade: number;
  /** What is added to the mean of the reference years for the season's own year, °C·day. */
  readonly shift: number;
  /** The same for each reference year. */
  readonly shifts: readonly number[];
}

/** The whole trend of thirty years carries too much noise into the years after them; half of it held best. */
const believedFraction = 0.5;

/**
 * Half the linear trend of the rest of the season over the reference years, carried on to the season's year, and never
 * more than the years spread.
 *
 * @param rests sums of the season's remaining days, °C·day, one a reference year
 */
export function restTrend(
  seasons: readonly ReferenceSeason[],
  rests: readonly number[],
  seasonYear: number,
): RestTrend {
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const years = seasons.map(({ year }) => year);
  if (years.length < 2) return { perDecade: 0, shift: 0, shifts: years.map(() => 0) };
  const [meanYear, meanRest] = [meanOf(years), meanOf(rests)];
  const products = years.map((year, index) => (year - meanYear) * ((rests[index] ?? 0) - meanRest));
  const squares = years.map((year) => (year - meanYear) ** 2);
  const slope = meanOf(products) / meanOf(squares);
  const full = believedFraction * slope * (seasonYear - meanYear);
  const most = deviationOf(rests);
  const believed = believedFraction * slope * (Math.abs(full) > most ? most / Math.abs(full) : 1);
  return {
    perDecade: slope * 10,
    shift: believed * (seasonYear - meanYear),
    shifts: years.map((year) => believed * (seasonYear - year)),
  };
}
