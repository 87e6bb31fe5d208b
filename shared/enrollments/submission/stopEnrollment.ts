import type { Clock } from '../../kit/clock.js';
import { fieldFaults } from '../../kit/errors/catalogue.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { WorkOrder } from '../../work/item/workItem.js';
import { givenUp, isIngestEnded, type Enrollment, type EnrollmentKey } from '../record/enrollment.js';
import type { EnrollmentStore } from '../record/enrollmentStore.js';
import type { FieldStore } from '../fields/fieldStore.js';
import { workOfEnrollment } from '../record/enrollmentWork.js';

interface StopEnrollmentPorts {
  readonly enrollments: EnrollmentStore;
  readonly fields: FieldStore;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Clock;
}

const TRIES = 10;

/** The kind of work that completes a stop: releases the fields and removes them from the index of monitored places. */
export const LEAVE = 'leave';

/** The work of a stop. @param askedAt milliseconds since 1970 UTC */
const leaveOf = (key: EnrollmentKey, askedAt: number): WorkOrder => ({
  ...workOfEnrollment(LEAVE, key),
  facts: { askedAt },
});

/** When the stop of this work was requested, milliseconds since 1970 UTC. */
export const stopAskedAt = ({ facts }: Pick<WorkOrder, 'facts'>): number =>
  (facts as { readonly askedAt: number }).askedAt;

/**
 * Ends the monitoring of an enrollment; existing images stay. An enrollment that is not ingested yet fails.
 *
 * @returns the stopped enrollment, or undefined when the customer has none of this id
 */
export const stopEnrollment =
  ({ enrollments, fields, enqueuer, clock }: StopEnrollmentPorts) =>
  async (key: EnrollmentKey): Promise<Enrollment | undefined> => {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const stored = await enrollments.find(key);
      if (stored === undefined) return undefined;
      const now = clock.now().getTime();
      const next = stopped(stored.enrollment, now);
      // Before the other writes: the work completes a stop that dies between them.
      await enqueuer.ask(leaveOf(key, now), { both: () => ({ askedAt: now }) });
      if ((await enrollments.replace(stored, next)) === undefined) continue;
      await fields.release(key);
      return next;
    }
    throw new Error('The enrollment kept changing; try again.');
  };

function stopped(enrollment: Enrollment, now: number): Enrollment {
  const stoppedAt = enrollment.stoppedAt ?? now;
  if (isIngestEnded(enrollment)) return { ...enrollment, stoppedAt };
  const message = 'The enrollment was stopped by an operator before all its fields were ingested.';
  return { ...givenUp(enrollment, { code: fieldFaults.stopped.code, message }, now), stoppedAt };
}
