import type { FieldDate } from './fieldDate.js';

/** What lists of fields tell of a field's days. */
export interface NewestDays {
  /** The last day on which a scene shows the field; null when none has yet. */
  readonly newest: Pick<FieldDate, 'date' | 'outcome' | 'clearPercent' | 'layers'> | null;
  /** The last day with files. */
  readonly newestPicture: string | null;
}

export const noDays: NewestDays = { newest: null, newestPicture: null };

/** @param recorded all days of a field, by date */
export function newestOf(recorded: readonly FieldDate[]): NewestDays {
  const last = recorded.at(-1);
  if (last === undefined) return noDays;
  const { date, outcome, clearPercent, layers } = last;
  const picture = recorded.findLast((day) => day.outcome === 'done');
  return { newest: { date, outcome, clearPercent, layers }, newestPicture: picture?.date ?? null };
}
