import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EnrollmentKey } from './enrollment.js';

/** The two parts of a submission as they were uploaded. */
export interface Submission {
  readonly request: Uint8Array;
  readonly geojson: Uint8Array;
}

/** What identifies a repeated submission: the key that the caller chose, and the content. */
export interface SubmissionKey {
  readonly customer: string;
  /** SHA-256 of the `Idempotency-Key`, whose text is not stored. */
  readonly keyHash: string;
  readonly contentDigest: string;
}

/** A submission that was accepted under a key. */
export interface KeptSubmission extends SubmissionKey, EnrollmentKey {
  /** Milliseconds since 1970 UTC; from then on the key is free again. */
  readonly expiresAt: number;
}

/** A day: longer than clients retry a request by themselves. */
const KEPT_MS = 24 * 3_600_000;
/** Bytes hashed at a time; between two pieces other requests are served. */
const PIECE_BYTES = 1024 * 1024;

/** The key of a submission that came with an `Idempotency-Key`. */
export async function submissionKey(
  customer: string,
  idempotencyKey: string,
  { request, geojson }: Submission,
): Promise<SubmissionKey> {
  const content = createHash('sha256');
  for (const part of [request, geojson]) {
    // With its length, so that a byte moved from one part to the other changes the digest.
    content.update(`${part.byteLength} `);
    for (let start = 0; start < part.byteLength; start += PIECE_BYTES) {
      content.update(part.subarray(start, start + PIECE_BYTES));
      await nextTurn();
    }
  }
  const keyHash = createHash('sha256').update(idempotencyKey).digest('hex');
  return { customer, keyHash, contentDigest: content.digest('hex') };
}

/** The submission as it is stored under its key. */
export const keptSubmission = (key: SubmissionKey, enrollmentId: string, now: number): KeptSubmission => ({
  ...key,
  enrollmentId,
  expiresAt: now + KEPT_MS,
});

/** Whether the key is free again. */
export const isExpired = ({ expiresAt }: KeptSubmission, now: number): boolean => expiresAt <= now;
