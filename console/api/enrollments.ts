import type { EnrollmentRecord } from '../../shared/enrollments/record/enrollmentSchemas.js';
import type { BackfillProgress } from '../../shared/imagery/discovery/backfillSchemas.js';
import { callJson } from './client.js';

interface EnrollmentPage {
  readonly items: readonly EnrollmentRecord[];
  readonly cursor: string | null;
}

/** A page of the enrollments, newest first. @param cursor of the page before; null for the first */
export function readEnrollments(limit: number, cursor: string | null, signal: AbortSignal): Promise<EnrollmentPage> {
  const query = new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) });
  return callJson<EnrollmentPage>({ path: `/v1/enrollments?${query.toString()}`, as: 'key', signal });
}

/** Whether the newest enrollment is still taking its fields in. */
export async function areFieldsArriving(signal: AbortSignal): Promise<boolean> {
  const { items } = await readEnrollments(1, null, signal);
  return items.some(({ status }) => status === 'received' || status === 'in_progress');
}

/** How many days of an enrollment have been looked through for pictures. */
export const readBackfill = (enrollmentId: string, signal?: AbortSignal): Promise<BackfillProgress> =>
  callJson<BackfillProgress>({
    path: `/v1/enrollments/${encodeURIComponent(enrollmentId)}/backfill`,
    as: 'key',
    signal,
  });
