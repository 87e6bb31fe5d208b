import type { Clock } from '../../kit/clock.js';
import type { EnrollmentKey } from '../../enrollments/record/enrollment.js';
import type { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import { deterministicId } from '../../kit/ids.js';
import type { Notice } from '../../notices/log/notice.js';
import { customerOfOwner, ownerOfCustomer, type NoticeOwner } from '../../notices/log/noticeOwner.js';
import type { FindNotices } from '../../notices/log/noticeKind.js';
import { noticeWork } from '../../notices/log/outbox.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { WorkStore } from '../../work/item/workStore.js';
import type { Period } from '../../scenes/stac/searchPeriods.js';
import { openSearches } from './openSearches.js';

/** Has the customer told once the days of a new enrollment have been looked through. Called before they are asked for. */
export type TellOfBackfill = (key: EnrollmentKey, days: Period) => Promise<void>;

const MINUTE_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * MINUTE_MS;

export interface TellBackfillPorts {
  readonly listens: (owner: NoticeOwner) => Promise<boolean>;
  readonly work: Pick<Enqueuer, 'plan'>;
  readonly clock: Pick<Clock, 'now'>;
}

export const tellOfBackfill =
  ({ listens, work, clock }: TellBackfillPorts): TellOfBackfill =>
  async ({ customer, enrollmentId }, { from, to }) => {
    const owner = ownerOfCustomer(customer);
    if (!(await listens(owner))) return;
    const order = { ...noticeWork(owner, 'backfill', enrollmentId), facts: { from, to } };
    await work.plan(order, clock.now().getTime() + MINUTE_MS);
  };

export interface FindBackfillPorts {
  readonly enrollments: Pick<EnrollmentStore, 'find'>;
  readonly store: Pick<WorkStore, 'idsOf' | 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Finds out whether a new enrollment has been looked through: whether none of its first searches is open. Such work makes
 * the images of what it finds before it ends. What failed for a reason that may pass is made later, and told as images.
 */
export const findBackfillEnd =
  ({ enrollments, store, clock }: FindBackfillPorts): FindNotices =>
  async (owner, enrollmentId, { createdAt, facts }) => {
    const customer = customerOfOwner(owner);
    if (customer === undefined) return { entries: [] };
    const key = { customer, enrollmentId };
    const { isPlanned, periods } = await openSearches(store)(key);
    const now = clock.now().getTime();
    if (isPlanned || periods.length > 0) {
      return { entries: [], until: now + Math.min(LONGEST_PAUSE_MS, Math.max(MINUTE_MS, (now - createdAt) / 8)) };
    }
    const enrollment = (await enrollments.find(key))?.enrollment;
    if (enrollment === undefined || enrollment.stoppedAt !== undefined) return { entries: [] };
    const days = facts as unknown as Period;
    return { entries: [{ notice: noticeOfBackfill(key, { days, fields: enrollment.processedFields, now }) }] };
  };

function noticeOfBackfill(
  { customer, enrollmentId }: EnrollmentKey,
  { days, fields, now }: { readonly days: Period; readonly fields: number; readonly now: number },
): Notice {
  return {
    id: deterministicId('notice', 'backfill', customer, enrollmentId),
    type: 'partner.backfill.completed',
    subject: `/v1/enrollments/${enrollmentId}`,
    time: new Date(now).toISOString(),
    data: { enrollment_id: enrollmentId, from: days.from, to: days.to, fields },
  };
}
