import { countDays } from '../weather/fieldDays.js';
import type { GddHistoryRecord, GddRecord } from '../form/gddRecord.js';

/** Days that lack a source they should have; a day counts once for each reason. */
const lackingDays = ({ incomplete = [] }: GddRecord): number =>
  incomplete.reduce((sum, span) => sum + countDays(span), 0);

/** When the forecast of a record was made; empty without a forecast. */
const forecastOf = ({ sources }: GddRecord): string =>
  sources.find(({ product }) => product === 'forecast')?.retrievedAt ?? '';

/** Whether a record may replace an earlier one: it lacks fewer days, or as many and has a newer forecast. */
export function isBetter(next: GddRecord, earlier: GddRecord): boolean {
  const [now, before] = [lackingDays(next), lackingDays(earlier)];
  return now < before || (now === before && forecastOf(next) > forecastOf(earlier));
}

/** The history of the record that replaces this one, the oldest result first. */
export const historyWith = ({ history = [], asOf, total, incomplete }: GddRecord): readonly GddHistoryRecord[] => [
  ...history,
  { asOf, total, ...(incomplete !== undefined && { incomplete }) },
];
