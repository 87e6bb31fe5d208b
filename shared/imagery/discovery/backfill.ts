import { createHash } from 'node:crypto';
import type { EnrollmentKey } from '../../enrollments/record/enrollment.js';
import { workOfEnrollment } from '../../enrollments/record/enrollmentWork.js';
import { newestFirst } from '../../kit/validation/calendar.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { backfillsLaneOf } from '../../work/lanes/lane.js';
import { ownerOf, type WorkKey, type WorkOrder } from '../../work/item/workItem.js';
import type { Retry } from '../records/recordFieldDates.js';
import { searchPeriods, workBeginsAt, type Period } from '../../scenes/stac/searchPeriods.js';

/** The kind of work that begins to monitor an enrollment. */
export const PLAN = 'plan';

/** The work that begins to monitor an enrollment. */
export const planOf = (key: EnrollmentKey): WorkKey => workOfEnrollment(PLAN, key);

/** The kind of work that looks through days of an enrollment and makes the images that are missing. */
export const BACKFILL = 'backfill';

/**
 * Why days are looked through:
 *
 * - `first`, `new`: the newest days of a new enrollment, and its other days
 * - `mended`: an entry of the enrollment was missing in the index
 * - `retry`: something failed
 * - `remake`: an operator wants files compared with the records
 */
export type BackfillReason = 'first' | 'new' | 'mended' | 'retry' | 'remake';

/** Days of an enrollment that are looked through, 31 at most. */
export interface Backfill extends EnrollmentKey, Period {
  readonly why: BackfillReason;
  /** Only these fields; all of the enrollment when absent. */
  readonly fieldIds?: readonly string[];
}

const hashOf = (fieldIds: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(fieldIds)).digest('hex').slice(0, 16);

function orderOf({ customer, ...backfill }: Backfill): WorkOrder {
  const { enrollmentId, from, to, why, fieldIds } = backfill;
  const fields = fieldIds === undefined ? [] : [hashOf(fieldIds)];
  const id = [customer, enrollmentId, newestFirst(to), from, to, why, ...fields].join('|');
  return { kind: BACKFILL, id, facts: { ...backfill } };
}

/** The backfill of a work item. */
export function backfillOf(work: WorkOrder): Backfill {
  return { customer: ownerOf(work), ...(work.facts as unknown as Omit<Backfill, 'customer'>) };
}

const reasonOf = (id: string): string | undefined => id.split('|')[5];

/** Whether a backfill makes the first images of a new enrollment, for which somebody waits. */
export const isAwaited = ({ id }: WorkKey): boolean => reasonOf(id) === ('first' satisfies BackfillReason);

const ofNew: readonly (string | undefined)[] = ['first', 'new'] satisfies BackfillReason[];

/** Whether the backfill of an id is one with which the monitoring of an enrollment begins. */
export const isOfNewEnrollment = (id: string): boolean => ofNew.includes(reasonOf(id));

/** The days of the backfill of an id. */
export function periodOfBackfill(id: string): Period {
  const [, , , from = '', to = ''] = id.split('|');
  return { from, to };
}

/**
 * Asks for backfills of days, a month each and the newest first, in the lane of the customer. Doing it again is harmless.
 *
 * @returns number of work items
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

/** Asks for another backfill of a day, due on a later day; one that is asked for already keeps its time. */
export const askRetry =
  (enqueuer: Pick<Enqueuer, 'ask'>) =>
  ({ customer, enrollmentId, date, dueDate }: Retry): Promise<void> => {
    const order = orderOf({ customer, enrollmentId, from: date, to: date, why: 'retry' });
    return enqueuer.ask(order, { lane: backfillsLaneOf(customer), dueAt: workBeginsAt(dueDate) });
  };
