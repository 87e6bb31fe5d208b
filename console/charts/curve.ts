import type { IndexDay, LayerStatistics } from '../api/fields.js';

/** The curve of a field: what it is of, and its figures by day. */
export interface Curve {
  /** The value that most curves stay below. */
  readonly top: number;
  readonly of: (day: IndexDay) => LayerStatistics | undefined;
}
