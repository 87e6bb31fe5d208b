/** How something has changed over the reference years. */
export interface ClimateTrend {
  /** In ten years. */
  readonly perDecade: number;
  /** What is added to the mean of the reference years for the season's own year. */
  readonly shift: number;
  /** The same for each reference year. */
  readonly shifts: readonly number[];
}

/** Something that each reference year has one value of. */
export interface YearlyValues {
  readonly years: readonly number[];
  readonly values: readonly number[];
  /** What a degree on all its days is worth in the unit of the values. */
  readonly perDegree: number;
}

/**
 * How fast farmland warms, before its own years are looked at: mean and one standard deviation, °C a decade. Held
 * against other ways to carry a trend on by tests/bench/seasonTrend.ts; docs/gdd.md has the figures.
 */
export const warmingPrior = { perDecadeC: 0.25, deviationC: 0.15 } as const;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The linear trend of the reference years, carried on to the season's year. Thirty years tell it with much noise, so it is
 * the mean of their slope and of the warming expected everywhere, each weighted by its certainty (inverse variance).
 *
 * @param seasonYear a year before the reference years counts as the first of them: warming did not begin long before
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

/** Slope a year and the square of its standard error; fewer than three years tell nothing of it. */
function leastSquares({ years, values }: YearlyValues): { readonly slope: number; readonly slopeVariance: number } {
  if (years.length < 3) return { slope: 0, slopeVariance: Infinity };
  const [meanYear, mean] = [meanOf(years), meanOf(values)];
  const offsets = years.map((year) => year - meanYear);
  const anomalies = values.map((value) => value - mean);
  const squares = offsets.reduce((sum, offset) => sum + offset ** 2, 0);
  const slope = offsets.reduce((sum, offset, index) => sum + offset * (anomalies[index] ?? 0), 0) / squares;
  const left = anomalies.reduce((sum, anomaly, index) => sum + (anomaly - slope * (offsets[index] ?? 0)) ** 2, 0);
  return { slope, slopeVariance: left / (years.length - 2) / squares };
}
