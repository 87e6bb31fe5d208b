import { addDays, daysBetween } from '../../../../../shared/kit/validation/calendar.js';

/**
 * Days moved by whole days into a period, in their order and with their gaps. Days that fit stay as they are.
 *
 * When they span more than the period the gaps shrink evenly; when there are more days than the period has, the
 * earliest are left out.
 *
 * @param dates different days, oldest first
 * @returns one entry per day that is shown
 */
export function shiftedInto(
  dates: readonly string[],
  from: string,
  to: string,
): readonly { readonly original: string; readonly shown: string }[] {
  const room = daysBetween(from, to);
  const kept = dates.slice(-(room + 1));
  const [first = from, last = to] = [kept[0], kept.at(-1)];
  const span = daysBetween(first, last);
  if (span > room) return squeezed(kept, from, room);
  const shift = first < from ? daysBetween(first, from) : Math.min(0, daysBetween(last, to));
  return kept.map((original) => ({ original, shown: addDays(original, shift) }));
}

function squeezed(dates: readonly string[], from: string, room: number) {
  const [first = from] = dates;
  const span = daysBetween(first, dates.at(-1) ?? first);
  let latest = -1;
  return dates.map((original, index) => {
    const wanted = Math.round((daysBetween(first, original) * room) / span);
    // Room is left for the days that follow, each on a day of its own.
    latest = Math.min(Math.max(wanted, latest + 1), room - (dates.length - 1 - index));
    return { original, shown: addDays(from, latest) };
  });
}
