import { meanOf, sumOf } from './quantiles.js';

/** The trend of a value over some years. */
export interface ClimateTrend {
  /** Change in ten years. */
  readonly perDecade: number;
  /** Added to the mean of the years to get the value of the season's own year. */
  readonly shift: number;
  /** The same for the value of each year. */
  readonly shifts: readonly number[];
}

interface YearlyValues {
  readonly years: readonly number[];
  /** One for each year. */
  readonly values: readonly number[];
  /** Change of a value when all its days are a degree warmer. */
  readonly perDegree: number;
}

/**
 * Warming of farmland expected before the years themselves are looked at: mean and one standard deviation, °C a decade.
 * Compared with other ways of extending a trend by tests/bench/seasonTrend.ts; docs/gdd.md has the figures.
 */
export const warmingPrior = { perDecadeC: 0.25, deviationC: 0.15 } as const;

/**
 * The linear trend of the years, extended to the season's year. The slope of thirty years has a large error, so the trend
 * is the mean of that slope and the expected warming, each weighted by its certainty (inverse variance).
 *
 * @param seasonYear a year before the others counts as the first of them: warming did not begin long before
 */
export function climateTrend(yearly: YearlyValues, seasonYear: number): ClimateTrend {
  const { years, perDegree } = yearly;
  const expected = (warmingPrior.perDecadeC / 10) * perDegree;
  const variance = ((warmingPrior.deviationC / 10) * perDegree) ** 2;
  const { slope, slopeVariance } = leastSquares(yearly);
  const weight = variance / (variance + slopeVariance);
  const believed = weight === 0 ? expected : weight * slope + (1 - weight) * expected;
  const target = Math.max(seasonYear, ...years.slice(0, 1));
  return {
    perDecade: believed * 10,
    shift: believed * (target - meanOf(years)),
    shifts: years.map((year) => believed * (target - year)),
  };
}

/** Slope a year and the square of its standard error, which is infinite for fewer than three years. */
function leastSquares({ years, values }: YearlyValues): { readonly slope: number; readonly slopeVariance: number } {
  if (years.length < 3) return { slope: 0, slopeVariance: Infinity };
  const [meanYear, mean] = [meanOf(years), meanOf(values)];
  const offsets = years.map((year) => year - meanYear);
  const anomalies = values.map((value) => value - mean);
  const squares = sumOf(offsets.map((offset) => offset ** 2));
  const slope = sumOf(offsets.map((offset, index) => offset * (anomalies[index] ?? 0))) / squares;
  const left = sumOf(anomalies.map((anomaly, index) => (anomaly - slope * (offsets[index] ?? 0)) ** 2));
  return { slope, slopeVariance: left / (years.length - 2) / squares };
}
