import type { Clock } from '../../kit/clock.js';
import { deterministicId } from '../../kit/ids.js';
import type { Notice } from '../../notices/log/notice.js';
import { customerOfOwner, ownerOfCustomer, type NoticeOwner } from '../../notices/log/noticeOwner.js';
import type { FindNotices } from '../../notices/log/noticeKind.js';
import { noticeWork } from '../../notices/log/outbox.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { isIngestEnded, type Enrollment, type EnrollmentKey } from '../record/enrollment.js';
import type { EnrollmentStore } from '../record/enrollmentStore.js';

/**
 * Makes a write that may end the ingest of an enrollment, and has the customer told. The work that tells is made before
 * the write: whoever dies between the two leaves work that finds the end.
 */
export type TellOfEnrollment = <T>(key: EnrollmentKey, write: () => Promise<T>) => Promise<T>;

const MINUTE_MS = 60_000;
/** The work looks then at the latest, in case nobody asks for it after the write. */
const LATE_MS = 2 * MINUTE_MS;
/** An ingest that has not ended by then has no attempt left that could end it. */
const HOPELESS_MS = 72 * 60 * MINUTE_MS;

export interface TellEnrollmentPorts {
  readonly listens: (owner: NoticeOwner) => Promise<boolean>;
  readonly work: Pick<Enqueuer, 'plan' | 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
}

export const tellOfEnrollment =
  ({ listens, work, clock }: TellEnrollmentPorts): TellOfEnrollment =>
  async (key, write) => {
    const owner = ownerOfCustomer(key.customer);
    if (!(await listens(owner))) return write();
    const order = noticeWork(owner, 'enrollment', key.enrollmentId);
    await work.plan(order, clock.now().getTime() + LATE_MS);
    const written = await write();
    await work.ask(order);
    return written;
  };

/** What is told of an enrollment whose ingest has ended. */
export function noticeOfEnrollment(enrollment: Enrollment): Notice {
  const { customer, enrollmentId, status, totalFields, processedFields, failedFields, request, createdAt } = enrollment;
  const { description } = request;
  return {
    id: deterministicId('notice', 'enrollment', customer, enrollmentId, status),
    type: status === 'completed' ? 'partner.enrollment.completed' : 'partner.enrollment.failed',
    subject: `/v1/enrollments/${enrollmentId}`,
    time: new Date(enrollment.completedAt ?? createdAt).toISOString(),
    data: {
      enrollment_id: enrollmentId,
      status,
      total_fields: totalFields,
      processed_fields: processedFields,
      failed_fields: failedFields,
      ...(description === undefined ? {} : { description }),
    },
  };
}

/** Finds the end of an enrollment's ingest; looks again while there is none. */
export const findEnrollmentEnd =
  ({
    enrollments,
    clock,
  }: { readonly enrollments: Pick<EnrollmentStore, 'find'> } & Pick<TellEnrollmentPorts, 'clock'>): FindNotices =>
  async (owner, enrollmentId, { createdAt }) => {
    const customer = customerOfOwner(owner);
    if (customer === undefined) return { entries: [] };
    const enrollment = (await enrollments.find({ customer, enrollmentId }))?.enrollment;
    if (enrollment !== undefined && isIngestEnded(enrollment)) {
      return { entries: [{ notice: noticeOfEnrollment(enrollment) }] };
    }
    const now = clock.now().getTime();
    const age = now - createdAt;
    if (enrollment === undefined || age > HOPELESS_MS) return { entries: [] };
    return { entries: [], until: now + Math.max(LATE_MS, age) };
  };
