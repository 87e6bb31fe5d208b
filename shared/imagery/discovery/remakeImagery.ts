import type { Clock } from '../../kit/clock.js';
import { allEnrollments } from '../../enrollments/lists/allEnrollments.js';
import type { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import type { FieldStore } from '../../enrollments/fields/fieldStore.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { askBackfill } from './backfill.js';
import { commonDays, workDay, type Period } from '../../scenes/stac/searchPeriods.js';

export interface RemakePorts {
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What is to be made again where its files are gone: days, all when absent. */
export interface Remake extends Partial<Period> {
  /** All fields when absent. */
  readonly fieldId?: string;
}

/**
 * Asks for backfills that compare a customer's files with the records and make what is gone again, files whose time is over
 * included, as far as the catalogue still has the scenes. Doing it twice is harmless.
 *
 * @returns number of work items
 */
export const remakeImagery =
  (ports: RemakePorts) =>
  async (customer: string, { fieldId, from = '0000-01-01', to = '9999-12-31' }: Remake): Promise<number> => {
    const today = workDay(ports.clock.now().getTime());
    const asked = commonDays({ from, to }, { from, to: today });
    let count = 0;
    for await (const { enrollmentId, request, stoppedAt } of allEnrollments(ports.enrollments, customer)) {
      const key = { customer, enrollmentId };
      if (stoppedAt !== undefined) continue;
      const fields = await ports.fields.listFields(key);
      const isAsked = fields.some(
        (field) => field.status === 'ready' && (fieldId === undefined || field.fieldId === fieldId),
      );
      if (!isAsked) continue;
      const days = commonDays(asked, { from: request.startDate, to: request.endDate });
      const only = fieldId === undefined ? {} : { fieldIds: [fieldId] };
      count += await askBackfill(ports.enqueuer, { ...key, ...only, ...days, why: 'remake' });
    }
    return count;
  };
