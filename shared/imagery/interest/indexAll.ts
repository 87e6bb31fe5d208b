import type { Clock } from '../../clock.js';
import type { CustomerStore } from '../../customers/customerPorts.js';
import { allEnrollments } from '../../enrollments/allEnrollments.js';
import { LATE_SCENE_DAYS, type Enrollment } from '../../enrollments/enrollment.js';
import type { EnrollmentStore, FieldStore } from '../../enrollments/enrollmentPorts.js';
import { addDays } from '../../validation/calendar.js';
import { indexEnrollment } from './indexEnrollment.js';
import type { InterestStore } from './interestPorts.js';

/** How far the index has been made of all that was enrolled before. */
export interface IndexProgress {
  /** The customers up to this one are done. */
  readonly after?: string;
  /** When all were done. ISO 8601. */
  readonly completedAt?: string;
}

export interface IndexProgressStore {
  findProgress(): Promise<IndexProgress | undefined>;
  putProgress(progress: IndexProgress): Promise<void>;
}

export interface IndexAllPorts {
  readonly customers: Pick<CustomerStore, 'list'>;
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly interest: Pick<InterestStore, 'write'>;
  readonly indexProgress: IndexProgressStore;
  readonly clock: Pick<Clock, 'now'>;
}

export interface IndexedAll {
  readonly customers: number;
  readonly enrollments: number;
}

const isActive = ({ status, stoppedAt, request }: Enrollment, today: string): boolean =>
  status === 'completed' && stoppedAt === undefined && addDays(request.endDate, LATE_SCENE_DAYS) >= today;

/**
 * Enters every enrollment under monitoring that is from before the index, customer by customer. A run that dies goes on
 * behind the customer it had done last; a run after one that was completed does all again, which is harmless.
 */
export const indexAll = (ports: IndexAllPorts) => async (): Promise<IndexedAll> => {
  const { indexProgress, clock } = ports;
  const today = clock.now().toISOString().slice(0, 10);
  const { after = '', completedAt } = (await indexProgress.findProgress()) ?? {};
  const begin = completedAt === undefined ? after : '';
  const count = { customers: 0, enrollments: 0 };
  const names = (await ports.customers.list()).filter(({ isPurging }) => isPurging !== true);
  for (const customer of names.map((one) => one.customer).sort()) {
    if (customer <= begin) continue;
    for await (const enrollment of allEnrollments(ports.enrollments, customer)) {
      if (!isActive(enrollment, today)) continue;
      await indexEnrollment(ports)(enrollment, await ports.fields.listFields(enrollment));
      count.enrollments += 1;
    }
    count.customers += 1;
    await indexProgress.putProgress({ after: customer });
  }
  await indexProgress.putProgress({ completedAt: clock.now().toISOString() });
  return count;
};
