import { usualPace } from '../../kit/retryDelay.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Attempt } from '../../work/item/attempt.js';
import { failureOf, type RetryPolicies } from '../../work/item/retry.js';
import { LOST_MESSAGE_MS, type WorkItem, type WorkKey } from '../../work/item/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../../work/item/workKind.js';
import {
  givenUp,
  inProgress,
  ingested,
  isIngestEnded,
  type Enrollment,
  type EnrollmentKey,
} from '../record/enrollment.js';
import type { EnrollmentStore, StoredEnrollment } from '../record/enrollmentStore.js';
import type { EnrollmentInputStore } from '../record/enrollmentInputStore.js';
import { enrollmentOfWork, workOfEnrollment } from '../record/enrollmentWork.js';
import type { TellOfEnrollment } from './enrollmentNotices.js';
import { batchesOf, ingestBatch, tallyOf, type IngestFieldsPorts } from './ingestFields.js';
import { ingestFailed, type InspectedField } from '../upload/uploadTasks.js';

/** What the ingest of enrollments needs. */
export interface IngestEnrollmentPorts extends IngestFieldsPorts {
  readonly enrollments: EnrollmentStore;
  readonly inputs: Pick<EnrollmentInputStore, 'putGeometry' | 'findGeometry' | 'remove'>;
  /** Reads the submitted features of an enrollment and checks the geometry of each. */
  readonly inspectFields: (key: EnrollmentKey) => Promise<readonly InspectedField[]>;
  /** Schedules the monitoring of the enrollment for its first day. Repeating it is harmless. */
  readonly beginMonitoring: (enrollment: Enrollment) => Promise<void>;
  readonly tellOfEnrollment: TellOfEnrollment;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
/** A submission takes minutes: inputs without an enrollment after this time never get one. */
const ORPHAN_AFTER_MS = 24 * HOUR_MS;
/** Most attempts of one ingest. */
export const MAX_INGEST_ATTEMPTS = 5;

const retry: RetryPolicies = {
  fault: { ...usualPace, maximumAttempts: MAX_INGEST_ATTEMPTS },
  outage: { ...usualPace, maximumElapsedMs: 24 * HOUR_MS },
  refusal: { ...usualPace, maximumAttempts: MAX_INGEST_ATTEMPTS },
};

/** The kind of the work of an ingest. */
export const INGEST = 'ingest';

/** The work that ingests an enrollment. */
export const ingestWork = (key: EnrollmentKey): WorkKey => workOfEnrollment(INGEST, key);

/**
 * The ingest of enrollments: checks each field, claims its id, stores and counts the field. The work is written before the
 * enrollment: inputs of a submission that died are removed when they have no enrollment after a day.
 *
 * @param leaseMs length of the lease: after a crash the next attempt waits at most this long
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
    // Ended by a stop meanwhile: no failure. `afterEnd` releases the fields that this attempt has claimed since.
    const { enrollment } = (await ports.enrollments.find(key)) ?? {};
    if (enrollment === undefined || !isIngestEnded(enrollment)) throw error;
  }
  return afterEnd(ports, key);
}

/** The submission is still being written, or it died. The older it is, the longer until the next attempt. */
async function withoutEnrollment({ inputs, clock }: IngestEnrollmentPorts, item: WorkItem): Promise<Outcome> {
  const now = clock.now().getTime();
  const end = item.createdAt + ORPHAN_AFTER_MS;
  if (now < end) {
    return { kind: 'wait', until: Math.min(now + Math.max(LOST_MESSAGE_MS, now - item.createdAt), end) };
  }
  await inputs.remove(enrollmentOfWork(item));
  return done;
}

/** Releases the fields when a stop came during the ingest; otherwise begins the monitoring. */
async function afterEnd(ports: IngestEnrollmentPorts, key: EnrollmentKey): Promise<Outcome> {
  const stored = await ports.enrollments.find(key);
  if (stored?.enrollment.stoppedAt !== undefined) await ports.fields.release(key);
  else if (stored?.enrollment.status === 'completed') await ports.beginMonitoring(stored.enrollment);
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
    // The check of the features takes long: an attempt that has lost its lease meanwhile must not write.
    await attempt.hold();
    written = await ingestBatch(ports, stored.enrollment, batch);
    await progress();
  }
  const now = clock.now().getTime();
  const end = ingested(stored.enrollment, tallyOf(written), now);
  unchanged(await ports.tellOfEnrollment(key, () => enrollments.replace(stored, end)));
  const { status, processedFields, failedFields } = end;
  log('Enrollment:Ingested', { ...key, status, processedFields, failedFields });
}

/** @throws Error when a stop or another attempt has changed the enrollment; the next attempt continues from there */
function unchanged(written: StoredEnrollment | undefined): StoredEnrollment {
  if (written === undefined) throw new Error('The enrollment was changed during its ingest.');
  return written;
}

/**
 * Ends an enrollment whose attempts all failed and releases its fields. The reason goes to the log only, since it
 * is not about the submission.
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
  unchanged(await ports.tellOfEnrollment(key, () => enrollments.replace(stored, end)));
  log('Enrollment:GivenUp', { ...key, reason });
  return done;
}
