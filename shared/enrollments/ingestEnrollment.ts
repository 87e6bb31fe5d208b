import { usualPace } from '../retryDelay.js';
import type { Log } from '../telemetry/telemetry.js';
import type { Attempt } from '../work/attempt.js';
import { failureOf, type RetryPolicies } from '../work/retry.js';
import { LOST_MESSAGE_MS, type WorkItem, type WorkKey } from '../work/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../work/workKind.js';
import { givenUp, inProgress, ingested, isIngestEnded, type Enrollment, type EnrollmentKey } from './enrollment.js';
import type { EnrollmentStore, StoredEnrollment } from './enrollmentStore.js';
import type { EnrollmentInputStore } from './enrollmentInputStore.js';
import { enrollmentOfWork, workOfEnrollment } from './enrollmentWork.js';
import { batchesOf, ingestBatch, tallyOf, type IngestFieldsPorts } from './ingestFields.js';
import { ingestFailed, type InspectedField } from './uploadTasks.js';

export interface IngestEnrollmentPorts extends IngestFieldsPorts {
  readonly enrollments: EnrollmentStore;
  readonly inputs: Pick<EnrollmentInputStore, 'putGeometry' | 'remove'>;
  /** Reads the submitted features of an enrollment and checks the geometry of each. */
  readonly inspectFields: (key: EnrollmentKey) => Promise<readonly InspectedField[]>;
  /** Has the monitoring of what was ingested begin, on its first day. Doing it again is harmless. */
  readonly beginMonitoring: (enrollment: Enrollment) => Promise<void>;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
/** A submission takes minutes; what has no enrollment after a day never gets one. */
const ORPHAN_AFTER_MS = 24 * HOUR_MS;
/** An attempt begins at most so often. */
export const MAX_INGEST_ATTEMPTS = 5;

const retry: RetryPolicies = {
  fault: { ...usualPace, maximumAttempts: MAX_INGEST_ATTEMPTS },
  outage: { ...usualPace, maximumElapsedMs: 24 * HOUR_MS },
  refusal: { ...usualPace, maximumAttempts: MAX_INGEST_ATTEMPTS },
};

/** The kind of work that an ingest is. */
export const INGEST = 'ingest';

/** The work that ingests an enrollment. */
export const ingestWork = (key: EnrollmentKey): WorkKey => workOfEnrollment(INGEST, key);

/**
 * The ingest of enrollments: check each field, claim its id, store it, count. Its work is there before the enrollment, so
 * that nothing of a submission that died can stay: what got no enrollment within a day is removed.
 *
 * @param leaseMs for so long an attempt that died keeps others from its enrollment
 */
export function ingestKind(ports: IngestEnrollmentPorts, leaseMs: number): WorkKind {
  const step: Step = {
    retry,
    failureOf,
    run: (attempt) => run(ports, attempt),
    giveUp: (attempt, reason) => giveUp(ports, attempt, reason),
  };
  return { kind: INGEST, leaseMs, begin: () => Promise.resolve(step) };
}

async function run(ports: IngestEnrollmentPorts, attempt: Attempt): Promise<Outcome> {
  const key = enrollmentOfWork(attempt.item);
  const stored = await ports.enrollments.find(key);
  if (stored === undefined) return withoutEnrollment(ports, attempt.item);
  try {
    if (!isIngestEnded(stored.enrollment)) await ingest(ports, attempt, stored);
  } catch (error) {
    // A stop ended it meanwhile: that is no failure, and the fields that were taken since are let go, by whoever took them.
    const { enrollment } = (await ports.enrollments.find(key)) ?? {};
    if (enrollment === undefined || !isIngestEnded(enrollment)) throw error;
  }
  return afterEnd(ports, key);
}

/** The submission is still being written, or it died. The longer nothing came of it, the longer until the next look. */
async function withoutEnrollment({ inputs, clock }: IngestEnrollmentPorts, item: WorkItem): Promise<Outcome> {
  const now = clock.now().getTime();
  const end = item.createdAt + ORPHAN_AFTER_MS;
  if (now < end) {
    return { kind: 'wait', until: Math.min(now + Math.max(LOST_MESSAGE_MS, now - item.createdAt), end) };
  }
  await inputs.remove(enrollmentOfWork(item));
  return done;
}

/** A stop may come while fields are being taken: they are let go. Else what was ingested is monitored from now on. */
async function afterEnd(ports: IngestEnrollmentPorts, key: EnrollmentKey): Promise<Outcome> {
  const stored = await ports.enrollments.find(key);
  if (stored?.enrollment.stoppedAt !== undefined) await ports.fields.release(key);
  else if (stored?.enrollment.status === 'completed') {
    await ports.beginMonitoring(stored.enrollment);
  }
  return done;
}

async function ingest(ports: IngestEnrollmentPorts, attempt: Attempt, first: StoredEnrollment): Promise<void> {
  const { enrollments, fields, clock, log } = ports;
  const key = enrollmentOfWork(attempt.item);
  let stored = first;
  let written = await fields.listFields(key);
  const progress = async (): Promise<void> => {
    stored = unchanged(await enrollments.replace(stored, inProgress(stored.enrollment, tallyOf(written))));
  };
  await progress();
  const inspected = written.length < stored.enrollment.totalFields ? await ports.inspectFields(key) : [];
  for (const batch of batchesOf(inspected, written)) {
    // The look at the features takes long, and what was lost meanwhile must not be written for.
    await attempt.hold();
    written = await ingestBatch(ports, stored.enrollment, batch);
    await progress();
  }
  const now = clock.now().getTime();
  const end = ingested(stored.enrollment, tallyOf(written), now);
  unchanged(await enrollments.replace(stored, end));
  const { status, processedFields, failedFields } = end;
  log('Enrollment:Ingested', { ...key, status, processedFields, failedFields });
}

/** A stop, or an attempt that was taken for dead: the next attempt sees which. */
function unchanged<T>(written: T | undefined | false): T {
  if (written === undefined || written === false) throw new Error('The enrollment was changed during its ingest.');
  return written;
}

/**
 * Ends an enrollment that could not be ingested in any attempt. Its fields are let go; the reason goes to the log, for
 * it speaks of our parts and not of the submission.
 */
async function giveUp(ports: IngestEnrollmentPorts, { item }: Attempt, reason: string): Promise<Outcome> {
  const { enrollments, fields, clock, log } = ports;
  const key = enrollmentOfWork(item);
  const stored = await enrollments.find(key);
  if (stored === undefined) return withoutEnrollment(ports, item);
  if (isIngestEnded(stored.enrollment)) return afterEnd(ports, key);
  await fields.release(key);
  const error = ingestFailed('Every attempt failed; submit it again, and tell us the enrollment_id if it fails again.');
  const end = givenUp(stored.enrollment, error, clock.now().getTime());
  unchanged(await enrollments.replace(stored, end));
  log('Enrollment:GivenUp', { ...key, reason });
  return done;
}
