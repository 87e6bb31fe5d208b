import { errorText, type Log } from '../telemetry/telemetry.js';
import type { MarkStore } from '../openMarks/openMark.js';
import { retryDelayMs } from '../retryDelay.js';
import { givenUp, inProgress, ingested, isEnded, type EnrollmentKey } from './enrollment.js';
import type { EnrollmentStore, IngestQueue, StoredEnrollment, StoredWork } from './enrollmentPorts.js';
import { batchesOf, ingestBatch, tallyOf, type IngestFieldsPorts } from './ingestFields.js';
import { IngestHold, IngestLost } from './ingestHold.js';
import { claimDecision, claimed, MAX_INGEST_ATTEMPTS, released } from './ingestWork.js';
import { firstSchedule } from './schedule.js';
import { ingestFailed, type InspectedField } from './uploadTasks.js';

export interface IngestEnrollmentPorts extends IngestFieldsPorts {
  readonly enrollments: EnrollmentStore;
  readonly ingestQueue: IngestQueue;
  readonly marks: Pick<MarkStore, 'raise' | 'lower'>;
  /** Reads the submitted features of an enrollment and checks the geometry of each. */
  readonly inspectFields: (key: EnrollmentKey) => Promise<readonly InspectedField[]>;
  readonly log: Log;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
}

/**
 * Does one attempt at the ingest of an enrollment for a message that names it: check each field, claim its id, store
 * it, count. A message for work that is done, held by another attempt or not due yet is dropped: the row is the
 * truth, not the message.
 */
export const ingestEnrollment =
  (ports: IngestEnrollmentPorts, leaseMs: number) =>
  async (key: EnrollmentKey): Promise<void> => {
    const claimedWork = await claim(ports, key, leaseMs);
    if (claimedWork === undefined) return;
    const hold = new IngestHold(ports, claimedWork, leaseMs);
    try {
      await ingest(ports, key, hold);
      await hold.end();
    } catch (error) {
      const work = await hold.end();
      if (error instanceof IngestLost) await letGo(ports, key);
      else await fail(ports, work, error);
    }
  };

async function claim(
  ports: IngestEnrollmentPorts,
  key: EnrollmentKey,
  leaseMs: number,
): Promise<StoredWork | undefined> {
  const stored = await ports.enrollments.findWork(key);
  if (stored === undefined) return undefined;
  const now = ports.clock.now().getTime();
  const decision = claimDecision(stored.work, now);
  if (decision === 'exhausted') await giveUp(ports, key, stored.work.failure);
  if (decision !== 'claim') return undefined;
  return ports.enrollments.replaceWork(stored, claimed(stored.work, now + leaseMs));
}

async function ingest(ports: IngestEnrollmentPorts, key: EnrollmentKey, hold: IngestHold): Promise<void> {
  const { enrollments, fields } = ports;
  let stored = await requireOpen(ports, key);
  let written = await fields.listFields(key);
  const progress = async (): Promise<void> => {
    hold.requireOwned();
    const next = await enrollments.replace(stored, inProgress(stored.enrollment, tallyOf(written)));
    if (next === undefined) throw new IngestLost();
    stored = next;
  };
  await progress();
  const inspected = written.length < stored.enrollment.totalFields ? await ports.inspectFields(key) : [];
  for (const batch of batchesOf(inspected, written)) {
    // The look at the features takes long, and what was lost meanwhile must not be written for.
    hold.requireOwned();
    written = await ingestBatch(ports, stored.enrollment, batch);
    await progress();
  }
  const now = ports.clock.now().getTime();
  const end = ingested(stored.enrollment, tallyOf(written), now);
  const schedule = end.status === 'completed' ? firstSchedule(end) : undefined;
  const mark = { kind: 'imagery', customer: key.customer, checkAt: now, raisedAt: now } as const;
  if (schedule !== undefined) await ports.marks.raise(mark);
  if (!(await enrollments.endIngest(stored, end, schedule))) throw new IngestLost();
  await lower(ports, key);
  const { processedFields, failedFields } = end;
  ports.log('Enrollment:Ingested', { ...key, status: end.status, processedFields, failedFields });
}

/** What stands too long is taken away by the sweep: no reason to do anything of this again. */
async function lower({ marks }: Pick<IngestEnrollmentPorts, 'marks'>, key: EnrollmentKey): Promise<void> {
  await marks.lower({ kind: 'ingest', ...keyOf(key) }).catch(() => undefined);
}

async function requireOpen({ enrollments }: IngestEnrollmentPorts, key: EnrollmentKey): Promise<StoredEnrollment> {
  const stored = await enrollments.find(key);
  if (stored === undefined || isEnded(stored.enrollment)) throw new IngestLost();
  return stored;
}

/** An attempt that lost its enrollment to a stop may have taken fields after that; they are let go. */
async function letGo({ enrollments, fields, log }: IngestEnrollmentPorts, key: EnrollmentKey): Promise<void> {
  log('Enrollment:IngestLost', { ...key });
  const stored = await enrollments.find(key);
  if (stored?.enrollment.stoppedAt !== undefined) await fields.release(key);
}

async function fail(ports: IngestEnrollmentPorts, stored: StoredWork, error: unknown): Promise<void> {
  const { work } = stored;
  ports.log('Enrollment:IngestFailed', { ...keyOf(work), attempt: work.attempts, cause: errorText(error) });
  const reason = error instanceof Error ? error.message : 'Unknown reason.';
  if (work.attempts >= MAX_INGEST_ATTEMPTS) {
    await giveUp(ports, work, reason);
    return;
  }
  const delayMs = retryDelayMs(work.attempts, ports.random());
  const dueAt = ports.clock.now().getTime() + delayMs;
  const next = await ports.enrollments.replaceWork(stored, released(work, dueAt, reason));
  if (next !== undefined) await ports.ingestQueue.enqueue(work, delayMs);
}

/**
 * Ends an enrollment that could not be ingested in any attempt. Its fields are let go; the reason goes to the log, for
 * it speaks of our parts and not of the submission.
 */
export async function giveUp(
  ports: Pick<IngestEnrollmentPorts, 'enrollments' | 'fields' | 'marks' | 'clock' | 'log'>,
  key: EnrollmentKey,
  reason: string | undefined,
): Promise<boolean> {
  const { enrollments, fields, clock, log } = ports;
  const stored = await enrollments.find(key);
  if (stored === undefined || isEnded(stored.enrollment)) return false;
  await fields.release(key);
  const error = ingestFailed('Every attempt failed; submit it again, and tell us the enrollment_id if it fails again.');
  const end = givenUp(stored.enrollment, error, clock.now().getTime());
  const isOurs = await enrollments.endIngest(stored, end, undefined);
  if (isOurs) await lower(ports, key);
  if (isOurs) log('Enrollment:GivenUp', { ...keyOf(key), reason });
  return isOurs;
}

const keyOf = ({ customer, enrollmentId }: EnrollmentKey): EnrollmentKey => ({ customer, enrollmentId });
