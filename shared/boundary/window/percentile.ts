const { floor, min } = Math;

type Values = Float32Array | Float64Array;

/**
 * Percentiles by linear interpolation between order statistics.
 *
 * @param values at least one; reordered by the call
 * @param percents 0–100
 */
export function percentilesInPlace(values: Values, percents: readonly number[]): number[] {
  return percents.map((percent) => {
    const position = ((values.length - 1) * percent) / 100;
    const lower = floor(position);
    const value = selectInPlace(values, lower);
    if (position === lower) return value;
    return value + (position - lower) * (smallestFrom(values, lower + 1) - value);
  });
}

function smallestFrom(values: Values, from: number): number {
  let smallest = Infinity;
  for (let k = from; k < values.length; k += 1) smallest = min(smallest, values[k] ?? 0);
  return smallest;
}

/** The value of rank `rank`; reorders so that no value before it is larger and none after it smaller (Hoare's select). */
function selectInPlace(values: Values, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const last = partitionInPlace(values, low, high);
    if (rank <= last) high = last;
    else low = last + 1;
  }
  return values[rank] ?? 0;
}

/** Reorders low…high so that no value up to the returned index is larger than one after it. */
function partitionInPlace(values: Values, low: number, high: number): number {
  const pivot = values[(low + high) >> 1] ?? 0;
  let left = low - 1;
  let right = high + 1;
  for (;;) {
    do left += 1;
    while ((values[left] ?? 0) < pivot);
    do right -= 1;
    while ((values[right] ?? 0) > pivot);
    if (left >= right) return right;
    const swapped = values[left] ?? 0;
    values[left] = values[right] ?? 0;
    values[right] = swapped;
  }
}
