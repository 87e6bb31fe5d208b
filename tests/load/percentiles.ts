/** What a number of measured times come to, milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * Percentiles by nearest rank: the smallest measured value that at least the share of all does not exceed. NaN
 * without a value.
 */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).sort();
  const at = (percent: number): number => sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)] ?? NaN;
  return { p50: at(50), p95: at(95), p99: at(99), max: at(100) };
}

/** The middle of an odd number of values, the lower one of the two middle values of an even number. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? NaN;
}
