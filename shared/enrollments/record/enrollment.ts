import type { LayerName } from '../../scenes/layers/layers.js';

/** Statuses of an enrollment; the last two are ends. */
export const enrollmentStatuses = ['received', 'in_progress', 'completed', 'failed'] as const;
export type EnrollmentStatus = (typeof enrollmentStatuses)[number];

/** The only imagery source so far. */
export const imageSources = ['sentinel-2-l2a'] as const;

/** The monitoring that a customer has requested. */
export interface EnrollmentRequest {
  readonly imageSource: (typeof imageSources)[number];
  /** First day, UTC. */
  readonly startDate: string;
  /** Last day, inclusive. */
  readonly endDate: string;
  readonly description?: string;
  /** At least one, none twice. */
  readonly layers: readonly LayerName[];
}

/** Why one field failed, in a code and in words for the customer. */
export interface FieldFault {
  readonly code: string;
  readonly message: string;
}

/** Why one field failed; `fieldId` is null when the whole enrollment failed. */
export interface EnrollmentError extends FieldFault {
  readonly fieldId: string | null;
}

/** Identifies an enrollment. */
export interface EnrollmentKey {
  readonly customer: string;
  readonly enrollmentId: string;
}

/** One enrollment. `completed` says that the ingest has ended: fields are checked and their monitoring is scheduled. */
export interface Enrollment extends EnrollmentKey {
  readonly status: EnrollmentStatus;
  readonly request: EnrollmentRequest;
  readonly totalFields: number;
  /** Fields ingested and scheduled so far. */
  readonly processedFields: number;
  readonly failedFields: number;
  readonly errors: readonly EnrollmentError[];
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly completedAt?: number;
  /** When an operator stopped the monitoring. */
  readonly stoppedAt?: number;
}

type ReceivedMember = 'customer' | 'enrollmentId' | 'request' | 'totalFields' | 'createdAt';

/** The enrollment as it is, or was, when it was received. */
export function received(enrollment: Pick<Enrollment, ReceivedMember>): Enrollment {
  const { customer, enrollmentId, request, totalFields, createdAt } = enrollment;
  const none = { processedFields: 0, failedFields: 0, errors: [] };
  return { customer, enrollmentId, status: 'received', request, totalFields, ...none, createdAt };
}

/** Most errors of one enrollment: more would not fit into a table row. */
export const MAX_ERRORS = 500;

/** Days after the last day of a period in which its late and reprocessed scenes appear. */
export const LATE_SCENE_DAYS = 10;

/** Whether the ingest has ended. */
export const isIngestEnded = ({ status }: Enrollment): boolean => status === 'completed' || status === 'failed';

/** Result of the fields so far, counted from their rows. */
export interface FieldTally {
  readonly processed: number;
  /** Errors of the failed fields, in the order of the submitted features. */
  readonly errors: readonly EnrollmentError[];
}

/** The enrollment while its fields are being ingested. */
export function inProgress(enrollment: Enrollment, tally: FieldTally): Enrollment {
  return { ...enrollment, ...countsOf(tally), status: 'in_progress' };
}

/** The enrollment with every field ingested or failed: `failed` when no field could be ingested. */
export function ingested(enrollment: Enrollment, tally: FieldTally, now: number): Enrollment {
  const completedAt = Math.max(now, enrollment.createdAt);
  return { ...enrollment, ...countsOf(tally), status: tally.processed > 0 ? 'completed' : 'failed', completedAt };
}

/** The enrollment failed as a whole, for a reason that is not in its fields. */
export function givenUp(enrollment: Enrollment, error: FieldFault, now: number): Enrollment {
  const completedAt = Math.max(now, enrollment.createdAt);
  return { ...enrollment, status: 'failed', errors: [...enrollment.errors, { fieldId: null, ...error }], completedAt };
}

function countsOf({ processed, errors }: FieldTally): Pick<Enrollment, 'processedFields' | 'failedFields' | 'errors'> {
  return { processedFields: processed, failedFields: errors.length, errors: shownErrors(errors) };
}

function shownErrors(errors: readonly EnrollmentError[]): readonly EnrollmentError[] {
  if (errors.length <= MAX_ERRORS) return errors;
  const more = errors.length - MAX_ERRORS + 1;
  const rest = { fieldId: null, code: 'more_errors', message: `${more} further fields failed.` };
  return [...errors.slice(0, MAX_ERRORS - 1), rest];
}
