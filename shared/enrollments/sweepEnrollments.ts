import type { Clock } from '../clock.js';
import type { CustomerStore } from '../customers/customerPorts.js';
import type { MarkStore, StoredMark } from '../openMarks/openMark.js';
import { limiter } from '../raster/limiter.js';
import type { Log } from '../telemetry/telemetry.js';
import { isEnded, type EnrollmentKey } from './enrollment.js';
import type { EnrollmentInputStore, EnrollmentStore, FieldStore, IngestQueue, StoredWork } from './enrollmentPorts.js';
import { giveUp } from './ingestEnrollment.js';
import { claimDecision, resent } from './ingestWork.js';
import { markIngests, markStoredInputs } from './markIngests.js';

export interface SweepEnrollmentsPorts {
  readonly customers: Pick<CustomerStore, 'list'>;
  readonly marks: MarkStore;
  readonly enrollments: EnrollmentStore;
  readonly fields: FieldStore;
  readonly inputs: EnrollmentInputStore;
  readonly ingestQueue: IngestQueue;
  readonly clock: Clock;
  readonly log: Log;
}

export type IngestRevival = 'enqueued' | 'failed' | 'not due';

/** What one sweep has done; `orphans` are submissions of which only inputs were left. */
export type EnrollmentSweepCount = Readonly<Record<IngestRevival | 'orphans', number>>;

/** One after the other, thousands would take longer than the minute until the next sweep. */
const MARKS_AT_ONCE = 8;
/** A submission takes minutes; what has no enrollment after a day never gets one. */
const ORPHAN_AFTER_MS = 24 * 3_600_000;

/**
 * Looks at the submissions whose mark is due, whoever's they are: sends lost messages again, ends what can't be ingested,
 * deletes the inputs of submissions that died before their enrollment came to be. The first one of all marks what was
 * open before there were marks.
 */
export const sweepEnrollments = (ports: SweepEnrollmentsPorts) => async (): Promise<EnrollmentSweepCount> => {
  const count = { enqueued: 0, failed: 0, 'not due': 0, orphans: 0 };
  const { due, isTakenOver } = await ports.marks.listDue('ingest', ports.clock.now().getTime());
  if (!isTakenOver) {
    await markIngests(ports)();
    await markStoredInputs(ports)();
    await ports.marks.finishTakeOver('ingest');
  }
  const looking = limiter(MARKS_AT_ONCE);
  const look = async (stored: StoredMark): Promise<void> => {
    count[await lookAt(ports, stored)] += 1;
  };
  await Promise.all(due.map((stored) => looking(() => look(stored))));
  return count;
};

async function lookAt(ports: SweepEnrollmentsPorts, stored: StoredMark): Promise<IngestRevival | 'orphans'> {
  const { customer, enrollmentId = '' } = stored.mark;
  const key = { customer, enrollmentId };
  const found = await ports.enrollments.findWork(key);
  if (found === undefined) return lookWithoutWork(ports, stored, key);
  const now = ports.clock.now().getTime();
  const isDue = found.work.checkAt <= now;
  const revival = isDue ? await revive(ports, found) : 'not due';
  const checkAt = isDue ? resent(found.work, now).checkAt : found.work.checkAt;
  await ports.marks.settle(stored, revival === 'failed' ? undefined : checkAt);
  return revival;
}

/** Either everything is done and only the mark is left, or the submission died, or it is still being written. */
async function lookWithoutWork(
  { enrollments, inputs, marks, clock }: SweepEnrollmentsPorts,
  stored: StoredMark,
  key: EnrollmentKey,
): Promise<'not due' | 'orphans'> {
  const enrollment = (await enrollments.find(key))?.enrollment;
  const now = clock.now().getTime();
  const { raisedAt } = stored.mark;
  const isOrphan = enrollment === undefined && now >= raisedAt + ORPHAN_AFTER_MS;
  // An open one came with its work since the look for work: it still needs the mark.
  const isDone = enrollment !== undefined && (isEnded(enrollment) || enrollment.stoppedAt !== undefined);
  if (isOrphan) await inputs.remove(key);
  // The longer nothing has come of it, the longer until the next look: ten in that day.
  const later = Math.max(resent({ checkAt: 0 }, now).checkAt, now + (now - raisedAt));
  await marks.settle(stored, isDone || isOrphan ? undefined : Math.min(later, raisedAt + ORPHAN_AFTER_MS));
  return isOrphan ? 'orphans' : 'not due';
}

/** The same for one enrollment, whose message ended in the poison queue. */
export const reviveIngest =
  (ports: SweepEnrollmentsPorts) =>
  async (key: EnrollmentKey): Promise<void> => {
    const stored = await ports.enrollments.findWork(key);
    if (stored !== undefined) await revive(ports, stored);
  };

/** Sends a lost message again, once for all who look; ends an enrollment whose attempts are used up. */
async function revive(ports: SweepEnrollmentsPorts, stored: StoredWork): Promise<IngestRevival> {
  const now = ports.clock.now().getTime();
  const decision = claimDecision(stored.work, now);
  if (decision === 'wait') return 'not due';
  if (decision === 'exhausted') {
    return (await giveUp(ports, stored.work, stored.work.failure)) ? 'failed' : 'not due';
  }
  const marked = await ports.enrollments.replaceWork(stored, resent(stored.work, now));
  if (marked === undefined) return 'not due';
  await ports.ingestQueue.enqueue(stored.work, 0);
  return 'enqueued';
}
