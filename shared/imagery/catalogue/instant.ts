import { isDay } from '../../validation/calendar.js';

/** Day, hour and minute, second, fraction, zone, as RFC 3339 writes an instant. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/**
 * An instant of a catalogue, ISO 8601 UTC to the millisecond; undefined for what is none: a day that doesn't exist, an
 * hour 25, a time without its zone. Computers have no leap second: 23:59:60 UTC is the second before it.
 *
 * @see RFC 3339, sections 5.6 and 5.7
 */
export function instantOf(value: unknown): string | undefined {
  const [, day = '', minute = '', second = '', fraction = '', zone = ''] =
    INSTANT.exec(typeof value === 'string' ? value : '') ?? [];
  if (!isDay(day)) return undefined;
  const isLeap = second === '60';
  const instant = new Date(`${day}T${minute}:${isLeap ? '59' : second}${fraction}${zone.toUpperCase()}`);
  if (Number.isNaN(instant.getTime())) return undefined;
  const text = instant.toISOString();
  // A zone may lead out of the years that four digits write, and a leap second ends a UTC day.
  return /^\d{4}-/.test(text) && (!isLeap || text.includes('T23:59:59')) ? text : undefined;
}
