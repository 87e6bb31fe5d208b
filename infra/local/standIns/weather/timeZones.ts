import { type DayNumber, parseDay } from './calendarDays.js';
import type { Place } from './weatherRecord.js';

/** Rough boxes [west, south, east, north]; the first that holds the place wins. */
const BOXES: readonly (readonly [zone: string, west: number, south: number, east: number, north: number])[] = [
  ['America/Regina', -109, 49, -101.7, 60],
  ['America/Winnipeg', -101.7, 49, -89, 60],
  ['America/Edmonton', -120, 49, -109, 60],
  ['America/Vancouver', -140, 48.4, -120, 60],
  ['America/Phoenix', -114.8, 31.3, -109, 37],
  ['America/Los_Angeles', -125, 32, -114.5, 49],
  ['America/Denver', -114.5, 31, -102.5, 49],
  ['America/Chicago', -102.5, 25, -86.5, 49],
  ['America/New_York', -86.5, 24, -66.5, 47.5],
  ['America/Toronto', -90, 41.5, -74, 57],
  ['America/Mexico_City', -107, 14, -86, 32],
  ['America/Argentina/Buenos_Aires', -70, -55, -57.6, -22],
  ['America/Sao_Paulo', -57.6, -34, -34, -5],
  ['Europe/Lisbon', -10, 36.8, -6.9, 42.2],
  ['Europe/Madrid', -9.5, 35.9, 3.4, 43.6],
  ['Europe/London', -8, 49.9, 1.8, 61],
  ['Europe/Dublin', -11, 51, -6, 56],
  ['Europe/Paris', -5, 42.3, 7, 51.2],
  ['Europe/Rome', 7, 36, 14, 47],
  ['Europe/Stockholm', 11, 55.3, 18.9, 69.2],
  ['Europe/Helsinki', 20.5, 59.7, 31, 70.2],
  ['Europe/Berlin', 5.8, 47, 15, 55.3],
  ['Europe/Warsaw', 14.2, 49, 23.6, 55.3],
  ['Europe/Kyiv', 22.1, 44.3, 40.2, 52.4],
  ['Asia/Kolkata', 68, 6, 97.4, 35.6],
  ['Asia/Shanghai', 97.4, 18, 135, 50],
  ['Asia/Tokyo', 129, 30, 146, 46],
  ['Africa/Johannesburg', 16, -35, 33, -22],
  ['Australia/Perth', 112, -36, 129, -13],
  ['Australia/Adelaide', 129, -39, 141, -26],
  ['Australia/Sydney', 141, -44, 154, -29],
  ['Pacific/Auckland', 166, -48, 179, -34],
];

/** The time zone of a place as its clocks show it: a known one where a box fits, else one by longitude alone. */
export function zoneAt({ latitude, longitude }: Place): string {
  const box = BOXES.find(
    ([, west, south, east, north]) => longitude >= west && longitude < east && latitude >= south && latitude < north,
  );
  if (box !== undefined) return box[0];
  const hours = Math.round(longitude / 15);
  if (hours === 0) return 'Etc/GMT';
  return hours > 0 ? `Etc/GMT-${hours}` : `Etc/GMT+${-hours}`; // the sign of these names is turned round
}

export function isZone(name: string): boolean {
  try {
    return name === new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone || name === 'GMT';
  } catch {
    return false; // how Intl says that it does not know the zone
  }
}

/** The calendar day that it is there. */
export function dayIn(zone: string, now: Date): DayNumber {
  const day = parseDay(new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now));
  if (day === undefined) throw new Error(`The calendar of ${zone} cannot be read.`);
  return day;
}

/** What Open-Meteo tells about a zone at an instant. */
export function zoneFacts(zone: string, now: Date): { readonly offsetSeconds: number; readonly abbreviation: string } {
  const name = (style: 'longOffset' | 'short'): string => {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: style }).formatToParts(now);
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  };
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d{2}):(\d{2})$/.exec(name('longOffset')) ?? [];
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  return { offsetSeconds: sign === '-' ? -seconds : seconds, abbreviation: name('short') };
}
