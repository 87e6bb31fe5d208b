import type { FaultDetail } from '../errors/serviceError.js';
import { addYears, daysBetween, isDay, latestToday } from './calendar.js';

/** Most days of one GDD job, both ends counted. */
export const MAX_GDD_DAYS = 400;
const EARLIEST_START = '1950-01-01';

/** The rules on a GDD job's dates that the schema can't say. Dates that don't exist are the schema's business. */
export function gddDateFaults(body: unknown, now: Date): FaultDetail[] {
  const parameters = (body as { readonly partnerRequestBody?: Record<string, unknown> } | null)?.partnerRequestBody;
  const start = parameters?.['gddStartDate'];
  const end = parameters?.['gddEndDate'];
  const faults: FaultDetail[] = [];
  const fault = (property: string, text: string, type: string): void => {
    faults.push({ loc: ['partnerRequestBody', property], msg: `partnerRequestBody.${property} ${text}`, type });
  };
  if (isDay(start)) {
    const latest = addYears(latestToday(now), 1);
    if (start < EARLIEST_START)
      fault('gddStartDate', `is before ${EARLIEST_START}, the earliest day accepted`, 'too_early');
    if (start > latest)
      fault('gddStartDate', `is more than one year ahead; ${latest} is the latest day accepted`, 'too_late');
  }
  if (isDay(start) && isDay(end)) {
    const days = daysBetween(start, end) + 1;
    if (days < 1) fault('gddEndDate', 'is before gddStartDate; it must be the same day or later', 'before_start');
    if (days > MAX_GDD_DAYS)
      fault('gddEndDate', `makes a period of ${days} days; at most ${MAX_GDD_DAYS} are allowed`, 'too_long');
  }
  return faults;
}
