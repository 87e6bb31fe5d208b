import type { FieldDate } from './fieldDate.js';

/** What became of fields on days. */
export interface FieldDateStore {
  /** By date; all days without a period. */
  list(
    customer: string,
    fieldId: string,
    period?: { readonly from: string; readonly to: string },
  ): Promise<readonly FieldDate[]>;
  /**
   * Stores each of these as `settle` puts it together with what is stored of the same day by then; nothing that others
   * write in between is lost.
   *
   * @returns what is stored of these days now
   */
  merge(
    customer: string,
    fieldDates: readonly FieldDate[],
    settle: Settle,
    options?: MergeOptions,
  ): Promise<readonly FieldDate[]>;
}

/** How records are stored. */
export interface MergeOptions {
  /** Nothing is known to be stored of these days: that is read only where it proves wrong. */
  readonly isNew?: boolean;
  /** What was made with these records, for the end of its time: stored with the first of them, never after. */
  readonly makings?: readonly Making[];
}

/** What is to be stored of a day, given what was found and what is stored. */
export type Settle = (found: FieldDate, stored: FieldDate | undefined) => FieldDate;

/** Fields whose files of a date were made on a day, together. */
export interface Making {
  /** UTC day. */
  readonly madeOn: string;
  readonly date: string;
  readonly fieldIds: readonly string[];
}

/** What was made when, so that it is found once it has had its time; it comes with the records of it. */
export interface MakingStore {
  /** Up to `most` of those before a day, the oldest first. */
  listBefore(customer: string, day: string, most: number): Promise<readonly Making[]>;
  /** Removing twice is harmless. */
  remove(customer: string, making: Making): Promise<void>;
}

/** Where a field's files of one day lie. */
export interface FieldDatePlace {
  readonly customer: string;
  readonly fieldId: string;
  readonly date: string;
}
