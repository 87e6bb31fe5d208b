import type { FaultDetail } from '../../kit/errors/fault.js';
import { addYears, daysBetween, isDay, latestToday } from '../../kit/validation/calendar.js';

/** Most days of one GDD job, both ends counted. */
const MAX_GDD_DAYS = 400;
const EARLIEST_START = '1950-01-01';

/** The rules on the dates of a GDD job that the schema cannot express; the schema refuses days that do not exist. */
export function gddDateFaults(body: unknown, now: Date): FaultDetail[] {
  const parameters = (body as { readonly partnerRequestBody?: Record<string, unknown> } | null)?.partnerRequestBody;
  const start = parameters?.['gddStartDate'];
  const end = parameters?.['gddEndDate'];
  if (!isDay(start)) return [];
  return [...startFaults(start, now), ...(isDay(end) ? spanFaults(start, end) : [])];
}

function startFaults(start: string, now: Date): FaultDetail[] {
  const latest = addYears(latestToday(now), 1);
  if (start < EARLIEST_START)
    return [fault('gddStartDate', `is before ${EARLIEST_START}, the earliest day accepted`, 'too_early')];
  if (start <= latest) return [];
  return [fault('gddStartDate', `is more than one year ahead; ${latest} is the latest day accepted`, 'too_late')];
}

function spanFaults(start: string, end: string): FaultDetail[] {
  const days = daysBetween(start, end) + 1;
  if (days < 1)
    return [fault('gddEndDate', 'is before gddStartDate; it must be the same day or later', 'before_start')];
  if (days <= MAX_GDD_DAYS) return [];
  return [fault('gddEndDate', `makes a period of ${days} days; at most ${MAX_GDD_DAYS} are allowed`, 'too_long')];
}

function fault(property: string, text: string, type: string): FaultDetail {
  return { loc: ['partnerRequestBody', property], msg: `partnerRequestBody.${property} ${text}`, type };
}
