/** Limits on the structure of a JSON text, since its size alone does not limit the cost of reading it. */
export interface StructureBudget {
  /** Levels of arrays and objects inside each other. */
  readonly depth: number;
  /** Arrays and objects altogether. */
  readonly brackets: number;
  /** Commas and colons altogether: about the number of values. */
  readonly separators: number;
  /** Bytes of one string, escapes as written. */
  readonly stringBytes: number;
}

/** Enough for 50 MB of positions written with six decimals. */
export const geoJsonBudget: StructureBudget = {
  depth: 32,
  brackets: 4_000_000,
  separators: 8_000_000,
  stringBytes: 65_536,
};

/** For part `request` of a submission. */
export const requestBudget: StructureBudget = { depth: 8, brackets: 1_000, separators: 5_000, stringBytes: 65_536 };

/** For parts of a text that was scanned as a whole. */
export const unbounded: StructureBudget = {
  depth: Infinity,
  brackets: Infinity,
  separators: Infinity,
  stringBytes: Infinity,
};
