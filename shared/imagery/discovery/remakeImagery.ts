import type { Clock } from '../../clock.js';
import { allEnrollments } from '../../enrollments/allEnrollments.js';
import type { EnrollmentStore } from '../../enrollments/enrollmentStore.js';
import type { FieldStore } from '../../enrollments/fieldStore.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { askBackfill } from './backfill.js';
import { commonDays, workDay, type Period } from '../catalogue/searchPeriods.js';

export interface RemakePorts {
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What is to be made again where its files are gone. */
export interface Remake extends Partial<Period> {
  /** All fields when absent. */
  readonly fieldId?: string;
}

/**
 * Has a customer's days looked through again and their files compared with the record: what is gone is made again, as
 * far as the catalogue still has its scenes, what had its time included. Doing it twice is harmless.
 *
 * @returns how many pieces of work were left for the service
 */
export const remakeImagery =
  (ports: RemakePorts) =>
  async (customer: string, { fieldId, from = '0000-01-01', to = '9999-12-31' }: Remake): Promise<number> => {
    const today = workDay(ports.clock.now().getTime());
    let count = 0;
    for await (const { enrollmentId, request, stoppedAt } of allEnrollments(ports.enrollments, customer)) {
      const key = { customer, enrollmentId };
      if (stoppedAt !== undefined) continue;
      const fields = await ports.fields.listFields(key);
      const isAsked = fields.some(
        (field) => field.status === 'ready' && (fieldId === undefined || field.fieldId === fieldId),
      );
      if (!isAsked) continue;
      const asked = commonDays({ from, to }, { from: request.startDate, to: today });
      const days = commonDays(asked, { from: asked.from, to: request.endDate });
      const only = fieldId === undefined ? {} : { fieldIds: [fieldId] };
      count += await askBackfill(ports.enqueuer, { ...key, ...only, ...days, why: 'remake' });
    }
    return count;
  };
