/** The page speaks English: dates are in the form of the reader's English, day first where another language is read. */
export function englishOf(language: string): string {
  // Some browsers add what is no part of a language, as in `en-US@posix`.
  const [, english] = /^(en(?:-[a-z]{2})?)(?![a-z])/i.exec(language) ?? [];
  return english === undefined || english === 'en' ? 'en-GB' : english;
}

const locale = englishOf(typeof document === 'undefined' ? 'en-GB' : navigator.language);

const formatOf = (parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' });
const LONG = formatOf({ day: 'numeric', month: 'long', year: 'numeric' });
const MIDDLE = formatOf({ day: 'numeric', month: 'short', year: 'numeric' });
const SHORT = formatOf({ day: 'numeric', month: 'short' });
const MONTH = formatOf({ month: 'long' });

const instantOf = (date: string): Date => new Date(`${date}T00:00:00Z`);

/** A date in a form; a text that is no date stays as it is. */
function written(format: Intl.DateTimeFormat, date: string): string {
  const instant = instantOf(date);
  return Number.isNaN(instant.getTime()) ? date : format.format(instant);
}

/** Name of a month. @param month 1 to 12 */
export const monthName = (month: number): string => MONTH.format(new Date(Date.UTC(2000, month - 1, 1)));

/** Name of a month in three letters, as axes have room for. */
export const shortMonth = (month: number): string => monthName(month).slice(0, 3);

/** `2026-07-16` as `16 July 2026`, or as `July 16, 2026`. */
export const dayText = (date: string): string => written(LONG, date);

/** `2026-07-16` as `16 Jul 2026`. */
export const middleDay = (date: string): string => written(MIDDLE, date);

/** `2026-07-16` as `16 Jul`. */
export const shortDay = (date: string): string => written(SHORT, date);

/** `2026-07-16T10:26:03.412Z` as `16 Jul 2026, 10:26:03 UTC`. */
export const instantText = (instant: string): string =>
  `${middleDay(instant.slice(0, 10))}, ${instant.slice(11, 19)} UTC`;

/** Days between the first of 1970 and a date. */
export const dayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000);

/** The date so many days after the first of 1970; empty for none. */
export const dateOf = (day: number): string =>
  Number.isNaN(day) ? '' : new Date(day * 86_400_000).toISOString().slice(0, 10);
