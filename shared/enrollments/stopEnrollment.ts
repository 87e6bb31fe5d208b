import type { Clock } from '../clock.js';
import { fieldFaults } from '../errors/catalogue.js';
import { unindexEnrollment } from '../imagery/interest/indexEnrollment.js';
import type { InterestStore } from '../imagery/interest/interestPorts.js';
import { givenUp, isEnded, type Enrollment, type EnrollmentKey } from './enrollment.js';
import type { EnrollmentStore, FieldStore } from './enrollmentPorts.js';

export interface StopEnrollmentPorts {
  readonly enrollments: EnrollmentStore;
  readonly fields: FieldStore;
  readonly interest: Pick<InterestStore, 'remove'>;
  readonly clock: Clock;
}

const TRIES = 10;

/**
 * Ends the monitoring of an enrollment; images made so far stay. One whose fields were not ingested yet fails.
 *
 * @returns the enrollment as it stands now, or undefined when the customer has none of this id
 */
export const stopEnrollment =
  ({ enrollments, fields, interest, clock }: StopEnrollmentPorts) =>
  async (key: EnrollmentKey): Promise<Enrollment | undefined> => {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const stored = await enrollments.find(key);
      if (stored === undefined) return undefined;
      const next = stopped(stored.enrollment, clock.now().getTime());
      if ((await enrollments.replace(stored, next)) === undefined) continue;
      await fields.release(key);
      await unindexEnrollment({ fields, interest })(next);
      return next;
    }
    throw new Error('The enrollment kept changing; try again.');
  };

function stopped(enrollment: Enrollment, now: number): Enrollment {
  const stoppedAt = enrollment.stoppedAt ?? now;
  if (isEnded(enrollment)) return { ...enrollment, stoppedAt };
  const message = 'The enrollment was stopped by an operator before all its fields were ingested.';
  return { ...givenUp(enrollment, { code: fieldFaults.stopped.code, message }, now), stoppedAt };
}
