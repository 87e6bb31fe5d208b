import { createHash } from 'node:crypto';
import type { EnrollmentKey } from '../../enrollments/enrollment.js';
import { workOfEnrollment } from '../../enrollments/enrollmentWork.js';
import { newestFirst } from '../../validation/calendar.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { backfillsLaneOf } from '../../work/lane.js';
import { ownerOf, type WorkKey, type WorkOrder } from '../../work/workItem.js';
import type { Retry } from '../records/recordFieldDates.js';
import { searchPeriods, workBeginsAt, type Period } from '../catalogue/searchPeriods.js';

/** The kind of work that begins the monitoring of an enrollment. */
export const PLAN = 'plan';

/** The work that begins the monitoring of an enrollment. */
export const planOf = (key: EnrollmentKey): WorkKey => workOfEnrollment(PLAN, key);

/** The kind of work that looks some days of an enrollment through and makes what is missing. */
export const BACKFILL = 'backfill';

/**
 * Why days are looked through: `first` and `new` because their enrollment is new, the newest days first; `mended` because
 * it was missing in the index; `retry` because something failed; `remake` because an operator wants files held against the
 * record.
 */
export type BackfillReason = 'first' | 'new' | 'mended' | 'retry' | 'remake';

export interface Backfill extends EnrollmentKey, Period {
  readonly why: BackfillReason;
  /** Only these fields; all of the enrollment when absent. */
  readonly fieldIds?: readonly string[];
}

const markOf = (fieldIds: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(fieldIds)).digest('hex').slice(0, 16);

function orderOf({ customer, ...backfill }: Backfill): WorkOrder {
  const { enrollmentId, from, to, why, fieldIds } = backfill;
  const fields = fieldIds === undefined ? [] : [markOf(fieldIds)];
  const id = [customer, enrollmentId, newestFirst(to), from, to, why, ...fields].join('|');
  return { kind: BACKFILL, id, facts: { ...backfill } };
}

/** The backfill that a piece of work is. */
export function backfillOf(work: WorkOrder): Backfill {
  return { customer: ownerOf(work), ...(work.facts as unknown as Omit<Backfill, 'customer'>) };
}

/** Somebody waits for the first pictures of a new enrollment. */
export const isAwaited = ({ id }: WorkKey): boolean => id.split('|')[5] === ('first' satisfies BackfillReason);

/**
 * Has days looked through, a month at a time and the newest first, as many at once as the customer has slots. Doing it
 * again is harmless.
 *
 * @returns how many pieces of work that are
 */
export async function askBackfill(
  enqueuer: Pick<Enqueuer, 'ask'>,
  { from, to, why, ...backfill }: Backfill,
): Promise<number> {
  const lane = backfillsLaneOf(backfill.customer);
  const periods = searchPeriods({ from, to });
  for (const [index, period] of periods.entries()) {
    const reason = why === 'new' && index === 0 ? 'first' : why;
    // The newest days of all enrollments of the customer come first.
    const rank = Number(newestFirst(period.to));
    await enqueuer.ask(orderOf({ ...backfill, ...period, why: reason }), { lane, rank });
  }
  return periods.length;
}

/** Has a day looked through again on a later day; where that is planned already, at the planned time. */
export const askRetry =
  (enqueuer: Pick<Enqueuer, 'ask'>) =>
  ({ customer, enrollmentId, date, dueDate }: Retry): Promise<void> => {
    const order = orderOf({ customer, enrollmentId, from: date, to: date, why: 'retry' });
    return enqueuer.ask(order, { lane: backfillsLaneOf(customer), dueAt: workBeginsAt(dueDate) });
  };
