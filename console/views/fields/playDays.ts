import type { IndexDay } from '../../api/fields.js';

/** The day with a picture after one; behind the last the first. */
export function dateToPlay(days: readonly IndexDay[], date: string): string | undefined {
  const pictures = days.filter(({ outcome }) => outcome === 'done').map((day) => day.date);
  return pictures.find((each) => each > date) ?? pictures[0];
}
