import type { Enrollment } from '../../enrollments/record/enrollment.js';
import { isIngestEnded } from '../../enrollments/record/enrollment.js';
import { daysBetween } from '../../kit/validation/calendar.js';
import type { WorkStore } from '../../work/item/workStore.js';
import { commonDays, type Period } from '../../scenes/stac/searchPeriods.js';
import type { BackfillProgress } from './backfillSchemas.js';
import { openSearches } from './openSearches.js';

const countOf = ({ from, to }: Period): number => Math.max(0, daysBetween(from, to) + 1);

/** The days that are looked through when the monitoring begins: those up to the end of the ingest, or the first one. */
function daysAtBeginning({ request: { startDate, endDate }, completedAt }: Enrollment): Period {
  const begun = completedAt === undefined ? startDate : new Date(completedAt).toISOString().slice(0, 10);
  return commonDays({ from: startDate, to: endDate }, { from: startDate, to: begun > startDate ? begun : startDate });
}

/**
 * How far the backfill of an enrollment is. The open searches tell: each is there until the images of all that it found
 * are made, so a day counts as looked through when nothing of its search is left.
 */
export const backfillProgress =
  ({ openWork }: { readonly openWork: Pick<WorkStore, 'idsOf' | 'find'> }) =>
  async (enrollment: Enrollment): Promise<BackfillProgress> => {
    const days = daysAtBeginning(enrollment);
    const whole = { enrollment_id: enrollment.enrollmentId, from: days.from, to: days.to, days: countOf(days) };
    if (!isIngestEnded(enrollment)) return { ...whole, status: 'waiting', days_left: whole.days };
    const { isPlanned, periods } = await openSearches(openWork)(enrollment);
    if (isPlanned) return { ...whole, status: 'waiting', days_left: whole.days };
    // A plan that was carried out on a later day has asked for the days since as well.
    const left = periods.reduce((sum, period) => sum + countOf(period), 0);
    return {
      ...whole,
      status: periods.length === 0 ? 'completed' : 'running',
      days_left: Math.min(whole.days, left),
    };
  };
