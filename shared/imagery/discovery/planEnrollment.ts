import type { Enrollment, EnrollmentKey } from '../../enrollments/record/enrollment.js';
import type { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import type { FieldStore } from '../../enrollments/fields/fieldStore.js';
import { enrollmentOfWork } from '../../enrollments/record/enrollmentWork.js';
import type { Clock } from '../../kit/clock.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import type { WorkItem } from '../../work/item/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../../work/item/workKind.js';
import { indexEnrollment, unindexEnrollment, type LeavePorts } from '../interest/indexEnrollment.js';
import type { TableInterestStore } from '../interest/tableInterestStore.js';
import { askBackfill, PLAN, planOf } from './backfill.js';
import type { TellOfBackfill } from './backfillNotices.js';
import { commonDays, workBeginsAt } from '../../scenes/stac/searchPeriods.js';

/** What beginning to monitor an enrollment needs. */
export interface PlanPorts extends LeavePorts {
  readonly enrollments: Pick<EnrollmentStore, 'find'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly interest: Pick<TableInterestStore, 'write' | 'remove'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly tellOfBackfill: TellOfBackfill;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Asks for the work that begins to monitor an enrollment, due on its first day. Doing it again is harmless. */
export const beginMonitoring =
  ({ enqueuer }: Pick<PlanPorts, 'enqueuer'>) =>
  (enrollment: Enrollment): Promise<void> =>
    enqueuer.ask(planOf(enrollment), { dueAt: workBeginsAt(enrollment.request.startDate) });

/** Enters an enrollment in the index. @returns undefined when the enrollment was stopped or deleted */
async function entered(ports: PlanPorts, key: EnrollmentKey): Promise<Enrollment | undefined> {
  const find = async () => (await ports.enrollments.find(key))?.enrollment;
  const enrollment = await find();
  if (enrollment === undefined) return undefined;
  if (enrollment.stoppedAt === undefined) {
    await indexEnrollment(ports)(enrollment, await ports.fields.listFields(key));
    const now = await find();
    if (now !== undefined && now.stoppedAt === undefined) return now;
  }
  // Stopped: the work of the stop may have removed the entries before they were written here, or by an attempt that died.
  await unindexEnrollment(ports)(enrollment);
  return undefined;
}

/**
 * Begins to monitor an enrollment: enters it in the index, then asks for backfills of its days up to today. What the
 * catalogue showed before the entry is found by a backfill, what it shows later by the feed.
 */
async function plan(ports: PlanPorts, key: EnrollmentKey): Promise<Outcome> {
  const enrollment = await entered(ports, key);
  if (enrollment === undefined) return done;
  const { startDate, endDate } = enrollment.request;
  const today = ports.clock.now().toISOString().slice(0, 10);
  const days = commonDays({ from: startDate, to: endDate }, { from: startDate, to: today });
  await ports.tellOfBackfill(key, days);
  await askBackfill(ports.enqueuer, { ...key, ...days, why: 'new' });
  return done;
}

const HOUR_MS = 3_600_000;

/** The kind of work that begins to monitor an enrollment. */
export function planKind(ports: PlanPorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> => {
    const key = enrollmentOfWork(item);
    return Promise.resolve({
      // Retried without end: see `giveUp`.
      retry: retryOfStorage,
      failureOf,
      run: () => plan(ports, key),
      giveUp: (_attempt, reason) => {
        ports.log('Imagery:PlanFailed', { ...key, cause: reason });
        return Promise.resolve({ kind: 'wait', until: ports.clock.now().getTime() + HOUR_MS, hasProgress: true });
      },
    });
  };
  return { kind: PLAN, leaseMs, begin };
}
