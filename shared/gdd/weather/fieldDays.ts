import { dayNumber, dayOf } from '../../kit/validation/calendar.js';

/** A calendar day at the field, YYYY-MM-DD: text order is time order. Days are never shifted by a UTC offset. */
export type Day = string;

/** Consecutive days, both ends included. */
export interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

/** Number of days of a span; 0 or less when its end lies before its start. */
export const countDays = ({ from, to }: DaySpan): number => dayNumber(to) - dayNumber(from) + 1;

/** Every day of the span in order; none when its end lies before its start. */
export const daysOf = (span: DaySpan): Day[] => {
  const first = dayNumber(span.from);
  return Array.from({ length: Math.max(0, countDays(span)) }, (_, index) => dayOf(first + index));
};

/** The calendar day of an instant at a fixed offset from UTC. @param instant milliseconds since 1970 UTC */
export const dayAtOffset = (instant: number, offsetSeconds: number): Day =>
  new Date(instant + offsetSeconds * 1000).toISOString().slice(0, 10);

/** The calendar day of an instant in an IANA time zone; undefined for a zone that the runtime does not know. */
export function dayInZone(instant: number, timezone: string): Day | undefined {
  const parts = daysInZone(timezone)?.formatToParts(instant);
  if (parts === undefined) return undefined;
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** One format for each zone, of some six hundred: making a format takes a millisecond. */
const formatsByZone = new Map<string, Intl.DateTimeFormat>();

function daysInZone(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formatsByZone.get(timeZone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formatsByZone.set(timeZone, format);
    return format;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // The runtime does not know the zone.
    throw error;
  }
}
