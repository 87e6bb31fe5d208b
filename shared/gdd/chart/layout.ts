import type { GddRecord } from '../form/gddRecord.js';
import type { ValueScale } from './scale.js';

/** The scales of one picture. */
export interface Layout {
  readonly record: GddRecord;
  /** x of the morning of a day, by its index, pixels; `daily.length` is the evening of the last day. */
  readonly x: (index: number) => number;
  /** Index of a day; undefined outside of the season. */
  readonly indexOf: (day: string) => number | undefined;
  readonly sums: ValueScale;
  readonly days: ValueScale;
}
