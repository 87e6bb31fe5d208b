import type { Enrollment, EnrollmentKey } from '../../enrollments/enrollment.js';
import type { EnrollmentStore } from '../../enrollments/enrollmentStore.js';
import type { FieldStore } from '../../enrollments/fieldStore.js';
import { enrollmentOfWork } from '../../enrollments/enrollmentWork.js';
import type { Clock } from '../../clock.js';
import type { Log } from '../../telemetry/telemetry.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { failureOf, retryOfStorage } from '../../work/retry.js';
import type { WorkItem } from '../../work/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../../work/workKind.js';
import { indexEnrollment, unindexEnrollment, type LeavePorts } from '../interest/indexEnrollment.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { askBackfill, PLAN, planOf } from './backfill.js';
import { commonDays, workBeginsAt } from '../catalogue/searchPeriods.js';

export interface PlanPorts extends LeavePorts {
  readonly enrollments: Pick<EnrollmentStore, 'find'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly interest: Pick<InterestStore, 'write' | 'remove'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Has the monitoring of an enrollment begin on its first day. Doing it again is harmless. */
export const beginMonitoring =
  ({ enqueuer }: Pick<PlanPorts, 'enqueuer'>) =>
  (enrollment: Enrollment): Promise<void> =>
    enqueuer.ask(planOf(enrollment), { dueAt: workBeginsAt(enrollment.request.startDate) });

/** An enrollment that is at work and in the index; undefined when it was stopped. */
async function entered(ports: PlanPorts, key: EnrollmentKey): Promise<Enrollment | undefined> {
  const find = async () => (await ports.enrollments.find(key))?.enrollment;
  const enrollment = await find();
  if (enrollment === undefined) return undefined;
  if (enrollment.stoppedAt === undefined) {
    await indexEnrollment(ports)(enrollment, await ports.fields.listFields(key));
    const now = await find();
    if (now !== undefined && now.stoppedAt === undefined) return now;
  }
  // Whoever took it out for a stop that came meanwhile may have done so before it was in, or before an attempt died here.
  await unindexEnrollment(ports)(enrollment);
  return undefined;
}

/**
 * Begins the monitoring of an enrollment: it enters the index, then its days to the present one are to be looked through.
 * Whatever the catalogue showed before it was in the index, that finds; whatever comes later, the feed.
 */
async function plan(ports: PlanPorts, key: EnrollmentKey): Promise<Outcome> {
  const enrollment = await entered(ports, key);
  if (enrollment === undefined) return done;
  const { startDate, endDate } = enrollment.request;
  const today = ports.clock.now().toISOString().slice(0, 10);
  const days = commonDays({ from: startDate, to: endDate }, { from: startDate, to: today });
  await askBackfill(ports.enqueuer, { ...key, ...days, why: 'new' });
  return done;
}

const HOUR_MS = 3_600_000;

export function planKind(ports: PlanPorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> => {
    const key = enrollmentOfWork(item);
    return Promise.resolve({
      // An enrollment is never let go.
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
