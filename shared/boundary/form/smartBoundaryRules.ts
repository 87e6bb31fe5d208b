import type { FaultDetail } from '../../kit/errors/fault.js';
import { daysBetween, isDay, latestToday } from '../../kit/validation/calendar.js';

/** Most days between the first and the last day of imagery (specification 8). */
const MAX_IMAGERY_SPAN_DAYS = 14;

/** The launch of Sentinel-2A: there is no imagery of an earlier day. */
export const FIRST_IMAGERY_DAY = '2015-06-23';

/** No satellite of the collection sees the ground beyond this latitude, degrees north or south. */
const HIGHEST_LATITUDE = 83;

type Values = Readonly<Record<string, unknown>>;

/** The rules on a Smart Boundary job that the schema cannot express; the schema refuses values of a wrong type. */
export function smartBoundaryFaults(body: unknown, now: Date): FaultDetail[] {
  const parameters = (body as { readonly partnerRequestBody?: Values } | null)?.partnerRequestBody;
  const start = parameters?.['imageStartDate'];
  const end = parameters?.['imageEndDate'];
  const point = parameters?.['pointOnSurface'] as Values | null | undefined;
  return [
    ...(isDay(start) && isDay(end) ? spanFaults(start, end) : []),
    ...earlyFaults({ imageStartDate: start, imageEndDate: end }),
    ...(isDay(end) ? futureFaults(end, latestToday(now)) : []),
    ...latitudeFaults(point?.['latitude']),
  ];
}

function spanFaults(start: string, end: string): FaultDetail[] {
  const days = daysBetween(start, end);
  if (days < 0) {
    return [fault(['imageEndDate'], 'is before imageStartDate; it must be the same day or later', 'before_start')];
  }
  if (days <= MAX_IMAGERY_SPAN_DAYS) return [];
  const text = `is ${days} days after imageStartDate; at most ${MAX_IMAGERY_SPAN_DAYS} are allowed`;
  return [fault(['imageEndDate'], text, 'too_long')];
}

function earlyFaults(dates: Values): FaultDetail[] {
  const text = `is before ${FIRST_IMAGERY_DAY}, when Sentinel-2 was launched; choose a later day`;
  return Object.entries(dates)
    .filter(([, date]) => isDay(date) && date < FIRST_IMAGERY_DAY)
    .map(([name]) => fault([name], text, 'too_early'));
}

function futureFaults(end: string, latest: string): FaultDetail[] {
  if (end <= latest) return [];
  return [fault(['imageEndDate'], `is in the future; ${latest} is the latest day accepted`, 'in_future')];
}

function latitudeFaults(latitude: unknown): FaultDetail[] {
  const isSeen = typeof latitude !== 'number' || Math.abs(latitude) <= HIGHEST_LATITUDE || Math.abs(latitude) > 90;
  if (isSeen) return [];
  const text = `is beyond ${HIGHEST_LATITUDE} degrees, where there is no imagery`;
  return [fault(['pointOnSurface', 'latitude'], text, 'not_covered')];
}

function fault(path: readonly string[], text: string, type: string): FaultDetail {
  const loc = ['partnerRequestBody', ...path];
  return { loc, msg: `${loc.join('.')} ${text}`, type };
}
