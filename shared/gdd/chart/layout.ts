import type { GddRecord } from '../gddRecord.js';
import type { ValueScale } from './scale.js';

/** The scales of one picture. */
export interface Layout {
  readonly record: GddRecord;
  /** The picture's x of the morning of a day, by its index; `daily.length` is the evening of the last. */
  readonly x: (index: number) => number;
  /** Index of a day of the season; undefined when it is not one. */
  readonly indexOf: (day: string) => number | undefined;
  readonly sums: ValueScale;
  readonly days: ValueScale;
}
