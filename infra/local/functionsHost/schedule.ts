import { Cron } from 'croner';
import { parseTimeSpan } from './timeSpan.js';

/** The next time a timer fires after a moment; undefined when it never does. */
export type Schedule = (after: Date) => Date | undefined;

/**
 * Reads an NCRONTAB expression (five fields, or six with seconds first; UTC; both day fields must fit) or a TimeSpan.
 */
export function parseSchedule(text: string): Schedule {
  const intervalMs = parseTimeSpan(text);
  if (intervalMs !== undefined && intervalMs > 0) return (after) => new Date(after.getTime() + intervalMs);
  const fields = text.trim().split(/\s+/).length;
  if (fields !== 5 && fields !== 6) throw new Error(`The schedule "${text}" has ${fields} fields; five or six fit.`);
  const cron = new Cron(text, { timezone: 'UTC', domAndDow: true, paused: true });
  return (after) => cron.nextRun(after) ?? undefined;
}
