import type { Clock } from '../../kit/clock.js';
import { isIngestEnded } from '../../enrollments/record/enrollment.js';
import type { TellOfEnrollment } from '../../enrollments/ingest/enrollmentNotices.js';
import type { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import type { FieldStore } from '../../enrollments/fields/fieldStore.js';
import { enrollmentOfWork } from '../../enrollments/record/enrollmentWork.js';
import { LEAVE, stopAskedAt } from '../../enrollments/submission/stopEnrollment.js';
import type { Attempt } from '../../work/item/attempt.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { WorkItem } from '../../work/item/workItem.js';
import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import { done, type Outcome, type Step, type WorkKind } from '../../work/item/workKind.js';
import { unindexEnrollment, type LeavePorts } from './indexEnrollment.js';

/** What completing a stop needs. */
export interface LeaveIndexPorts extends LeavePorts {
  readonly enrollments: Pick<EnrollmentStore, 'find'>;
  readonly fields: Pick<FieldStore, 'listFields' | 'release'>;
  readonly tellOfEnrollment: TellOfEnrollment;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
const FIRST_WAIT_MS = 5_000;
/** A stop that is not written after so long died before its write. */
const PATIENCE_MS = 24 * HOUR_MS;

/**
 * Completes the stop of an enrollment: releases its fields and takes it out of the index. The work is asked for before the
 * stop is written, so it waits for that write.
 */
export function leaveKind(ports: LeaveIndexPorts, leaseMs: number): WorkKind {
  const begin = (before: WorkItem): Promise<Step> => {
    const key = enrollmentOfWork(before);
    const run = async ({ item }: Attempt): Promise<Outcome> => {
      const enrollment = (await ports.enrollments.find(key))?.enrollment;
      if (enrollment?.stoppedAt !== undefined) {
        await ports.fields.release(key);
        await unindexEnrollment(ports)(enrollment);
        // A stop may have ended the ingest, of which the command that stopped it tells nobody.
        if (isIngestEnded(enrollment)) await ports.tellOfEnrollment(key, () => Promise.resolve());
        return done;
      }
      const now = ports.clock.now().getTime();
      const age = now - stopAskedAt(item);
      if (enrollment === undefined || age >= PATIENCE_MS) return done;
      return { kind: 'wait', until: now + Math.max(FIRST_WAIT_MS, age) };
    };
    return Promise.resolve({
      // Retried without end: a stopped enrollment must not stay in the index.
      retry: retryOfStorage,
      failureOf,
      run,
      giveUp: (_attempt, reason) => {
        ports.log('Interest:NotLeft', { ...key, cause: reason });
        return Promise.resolve({ kind: 'wait', until: ports.clock.now().getTime() + HOUR_MS, hasProgress: true });
      },
    });
  };
  return { kind: LEAVE, leaseMs, begin };
}
