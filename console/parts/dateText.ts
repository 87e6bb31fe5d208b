const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

const partsOf = (date: string): readonly [year: string, month: number, day: number] => {
  const [year = '', month = '1', day = '1'] = date.split('-');
  return [year, Number(month), Number(day)];
};

/** Name of a month. @param month 1 to 12 */
export const monthName = (month: number): string => MONTHS[month - 1] ?? '';

/** Name of a month in three letters, as axes have room for. */
export const shortMonth = (month: number): string => monthName(month).slice(0, 3);

/** `2026-07-16` as `16 July 2026`. */
export function dayText(date: string): string {
  const [year, month, day] = partsOf(date);
  return `${day} ${monthName(month)} ${year}`;
}

/** `2026-07-16` as `16 Jul`. */
export function shortDay(date: string): string {
  const [, month, day] = partsOf(date);
  return `${day} ${shortMonth(month)}`;
}

/** Days between the first of 1970 and a date. */
export const dayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000);

/** The date so many days after the first of 1970. */
export const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
