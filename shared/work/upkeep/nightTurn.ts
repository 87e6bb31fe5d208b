import { createHash } from 'node:crypto';

const DAY_MS = 86_400_000;

/**
 * Whether it is the turn of something in the night of a day, where each thing has its turn in one night of several: as many
 * in each, so that a night costs the same however many there are.
 *
 * @param subject its name
 * @param day UTC
 */
export function isTurn(
  subject: string,
  { day, everyDays }: { readonly day: string; readonly everyDays: number },
): boolean {
  const number = createHash('sha256').update(subject).digest().readUInt32BE(0);
  return number % everyDays === Math.floor(Date.parse(day) / DAY_MS) % everyDays;
}
