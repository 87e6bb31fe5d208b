import type { InterestSummary } from '../interest/interest.js';

/** Fields of one cell on one day, of all customers: entries of the index from one key to another. */
export interface CutUnit {
  readonly cell: number;
  /** Counts the units of a cell, from 0. */
  readonly part: string;
  /** First and last key of the index, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly fields: number;
}

/** The most fields of one unit, unless a single entry of the index has more. */
export const MOST_UNIT_FIELDS = 2_000;
/** The most 10 m pixels in the boxes of one unit's fields, unless a single entry of the index has more. */
export const MOST_UNIT_PIXELS = 12_000_000;

/** Cuts a cell's entries, in the order of their keys, where one more would exceed a limit. */
function cutCell(cell: number, entries: readonly InterestSummary[]): readonly CutUnit[] {
  const units: { part: string; cell: number; from: string; to: string; fields: number }[] = [];
  let pixels = 0;
  for (const { key, fields, pixels: more } of entries) {
    const last = units.at(-1);
    if (last === undefined || last.fields + fields > MOST_UNIT_FIELDS || pixels + more > MOST_UNIT_PIXELS) {
      units.push({ cell, part: String(units.length), from: key, to: key, fields });
      pixels = more;
    } else {
      last.to = key;
      last.fields += fields;
      pixels += more;
    }
  }
  return units;
}

/** Cuts the entries of a tile into units of limited size. Each entry lies in exactly one unit. */
export function cutUnits(entries: readonly InterestSummary[]): readonly CutUnit[] {
  const cells = [...new Set(entries.map(({ cell }) => cell))].sort((a, b) => a - b);
  return cells.flatMap((cell) => {
    const inCell = entries.filter((entry) => entry.cell === cell);
    return cutCell(
      cell,
      inCell.toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    );
  });
}
