import type { FieldDate } from './fieldDate.js';

/** What lists of fields show of a field's days. */
export interface NewestDays {
  /** The last day on which a scene shows the field; null when there is none yet. */
  readonly newest: Pick<FieldDate, 'date' | 'outcome' | 'clearPercent' | 'layers'> | null;
  /** The last day with files. */
  readonly newestPicture: string | null;
}

/** A field that no scene has shown yet. */
export const noDays: NewestDays = { newest: null, newestPicture: null };

/** The newest days of a field. @param recorded all its days, by date */
export function newestOf(recorded: readonly FieldDate[]): NewestDays {
  const last = recorded.at(-1);
  if (last === undefined) return noDays;
  const { date, outcome, clearPercent, layers } = last;
  const picture = recorded.findLast((day) => day.outcome === 'done');
  return { newest: { date, outcome, clearPercent, layers }, newestPicture: picture?.date ?? null };
}
