import { dayNumber, dayOf } from '../validation/calendar.js';

/** A calendar day at the field, YYYY-MM-DD: text order is time order. Days are never shifted by a UTC offset. */
export type Day = string;

/** Consecutive days, both ends included. */
export interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

/** How many days a span has; 0 or less when it ends before it begins. */
export const countDays = ({ from, to }: DaySpan): number => dayNumber(to) - dayNumber(from) + 1;

/** Every day of the span in order; none when it ends before it begins. */
export const daysOf = (span: DaySpan): Day[] => {
  const first = dayNumber(span.from);
  return Array.from({ length: Math.max(0, countDays(span)) }, (_, index) => dayOf(first + index));
};

/** The calendar day of an instant at a fixed distance from UTC. @param instant milliseconds since 1970 UTC */
export const dayAtOffset = (instant: number, offsetSeconds: number): Day =>
  new Date(instant + offsetSeconds * 1000).toISOString().slice(0, 10);

/** The calendar day of an instant in an IANA time zone; undefined when the zone is not known here. */
export function dayInZone(instant: number, timezone: string): Day | undefined {
  const parts = daysInZone(timezone)?.formatToParts(instant);
  if (parts === undefined) return undefined;
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** Made once for each zone: making one takes a millisecond. The runtime knows some six hundred. */
const formatsByZone = new Map<string, Intl.DateTimeFormat>();

function daysInZone(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formatsByZone.get(timeZone);
  if (known !== undefined) return known;
  try {
    const made = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formatsByZone.set(timeZone, made);
    return made;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // the runtime's own word for an unknown zone
    throw error;
  }
}
