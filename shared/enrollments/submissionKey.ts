import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EnrollmentKey } from './enrollment.js';

/** By what the repetition of a submission is known: the key that its caller gave it, and what it held. */
export interface SubmissionKey {
  readonly customer: string;
  /** Hash of the `Idempotency-Key`: what callers write into it is not kept. */
  readonly keyHash: string;
  readonly contentDigest: string;
}

/** A submission that was accepted under a key. */
export interface KeptSubmission extends SubmissionKey, EnrollmentKey {
  /** Milliseconds since 1970 UTC; from then on the key is free again. */
  readonly expiresAt: number;
}

/** A day: longer than anybody repeats a request on its own. */
const KEPT_MS = 24 * 3_600_000;
/** Bytes hashed in one go: other requests must have their turn. */
const PIECE_BYTES = 1024 * 1024;

export async function submissionKey(
  customer: string,
  idempotencyKey: string,
  { request, geojson }: { readonly request: Uint8Array; readonly geojson: Uint8Array },
): Promise<SubmissionKey> {
  const content = createHash('sha256');
  for (const part of [request, geojson]) {
    // With its length, so that no byte can move from one part to the other unseen.
    content.update(`${part.byteLength} `);
    for (let start = 0; start < part.byteLength; start += PIECE_BYTES) {
      content.update(part.subarray(start, start + PIECE_BYTES));
      await nextTurn();
    }
  }
  const keyHash = createHash('sha256').update(idempotencyKey).digest('hex');
  return { customer, keyHash, contentDigest: content.digest('hex') };
}

export const keptSubmission = (key: SubmissionKey, enrollmentId: string, now: number): KeptSubmission => ({
  ...key,
  enrollmentId,
  expiresAt: now + KEPT_MS,
});

export const isExpired = ({ expiresAt }: KeptSubmission, now: number): boolean => expiresAt <= now;
