/** Calendar days as whole days since 1970-01-01, so that they can be counted. */
export type DayNumber = number;

const MS_PER_DAY = 86_400_000;

/** The day written `YYYY-MM-DD`; undefined when it is written otherwise or does not exist. */
export function parseDay(text: string): DayNumber | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`) / MS_PER_DAY;
  return Number.isInteger(day) && formatDay(day) === text ? day : undefined;
}

/** `YYYY-MM-DD`. */
export function formatDay(day: DayNumber): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** All days from the first to the last, both included. */
export function daysBetween(first: DayNumber, last: DayNumber): readonly DayNumber[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
