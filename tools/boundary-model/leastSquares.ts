/**
 * The numbers whose products with each row's come closest to the values, in the sum of squares.
 *
 * @param rows as many numbers each; more rows than numbers, none a sum of others
 */
export function fittedLine(rows: readonly (readonly number[])[], values: readonly number[]): number[] {
  const width = rows[0]?.length ?? 0;
  const sums = Array.from({ length: width }, () => new Float64Array(width + 1));
  rows.forEach((row, k) => {
    const extended = [...row, values[k] ?? 0];
    sums.forEach((sum, i) => {
      for (let j = 0; j <= width; j += 1) sum[j] = (sum[j] ?? 0) + (row[i] ?? 0) * (extended[j] ?? 0);
    });
  });
  return solved(sums);
}

/** Gauss-Jordan elimination of symmetric, positive definite equations; the last column is the right side. */
function solved(equations: readonly Float64Array[]): number[] {
  equations.forEach((own, column) => {
    const pivot = own[column] ?? 0;
    for (let j = 0; j < own.length; j += 1) own[j] = (own[j] ?? 0) / pivot;
    for (const other of equations) {
      if (other === own) continue;
      const factor = other[column] ?? 0;
      for (let j = 0; j < own.length; j += 1) other[j] = (other[j] ?? 0) - factor * (own[j] ?? 0);
    }
  });
  return equations.map((equation) => equation.at(-1) ?? 0);
}
