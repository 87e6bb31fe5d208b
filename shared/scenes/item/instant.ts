import { isDay } from '../../kit/validation/calendar.js';

/** Day, hour and minute, second, fraction, zone, as RFC 3339 writes an instant. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * An instant of a catalogue, ISO 8601 UTC to the millisecond; undefined for anything else: a day that doesn't exist, an
 * hour 25, a time without a zone. A leap second, 23:59:60 UTC, becomes the second before it.
 *
 * @see RFC 3339, sections 5.6 and 5.7
 */
export function instantOf(value: unknown): string | undefined {
  const parts = typeof value === 'string' ? INSTANT.exec(value) : null;
  const isLeap = parts?.[3] === '60';
  const instant = parts !== null && isDay(parts[1]) ? writtenInstant(parts, isLeap ? '59' : parts[3]) : undefined;
  // A leap second ends a UTC day.
  return isLeap && instant?.includes('T23:59:59') === false ? undefined : instant;
}

function writtenInstant([, day, minute, , fraction = '', zone]: readonly string[], second = ''): string | undefined {
  const instant = new Date(`${day ?? ''}T${minute ?? ''}:${second}${fraction}${zone?.toUpperCase() ?? ''}`);
  const text = Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
  // In UTC the year may be beyond 9999 or below 0.
  return /^\d{4}-/.test(text) ? text : undefined;
}
