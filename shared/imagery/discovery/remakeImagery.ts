import type { MarkStore } from '../../openMarks/openMark.js';
import type { Clock } from '../../clock.js';
import { allEnrollments } from '../../enrollments/allEnrollments.js';
import type { EnrollmentStore, FieldStore } from '../../enrollments/enrollmentPorts.js';
import type { ImageryWorkStore } from '../imageryPorts.js';
import { searchesOf } from './planImagery.js';
import { commonDays, searchPeriods, workDay, type Period } from './searchPeriods.js';

export interface RemakePorts {
  readonly enrollments: Pick<EnrollmentStore, 'list'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly work: Pick<ImageryWorkStore, 'add'>;
  readonly marks: Pick<MarkStore, 'raise'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What is to be made again where its files are gone. */
export interface Remake extends Partial<Period> {
  /** All fields when absent. */
  readonly fieldId?: string;
}

/**
 * Has a customer's days looked through again and their files compared with the record: what is gone is made again, as
 * far as the catalogue still has its scenes, what had its time included. The next sweep begins with it. Doing it twice is harmless.
 *
 * @returns how many searches were left for the service
 */
export const remakeImagery =
  (ports: RemakePorts) =>
  async (customer: string, { fieldId, from = '0000-01-01', to = '9999-12-31' }: Remake): Promise<number> => {
    const now = ports.clock.now().getTime();
    const today = workDay(now);
    await ports.marks.raise({ kind: 'imagery', customer, checkAt: now, raisedAt: now });
    let count = 0;
    for await (const { enrollmentId, request, stoppedAt } of allEnrollments(ports.enrollments, customer)) {
      if (stoppedAt !== undefined) continue;
      const ready = (await ports.fields.listFields({ customer, enrollmentId })).filter(
        (field) => field.status === 'ready',
      );
      const fields = ready.filter((field) => fieldId === undefined || field.fieldId === fieldId);
      const asked = commonDays({ from, to }, { from: request.startDate, to: today });
      const days = commonDays(asked, { from: asked.from, to: request.endDate });
      const searches = searchesOf({ enrollmentId }, fields, searchPeriods(days), {
        comparesFiles: true,
        isRemake: true,
      });
      await ports.work.add(customer, 'search', searches);
      count += searches.length;
    }
    return count;
  };
