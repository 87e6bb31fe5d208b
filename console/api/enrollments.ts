import type { EnrollmentRecord } from '../../shared/enrollments/enrollmentSchemas.js';
import type { BackfillProgress } from '../../shared/imagery/discovery/backfillSchemas.js';
import { callJson } from './client.js';

/** Whether the newest enrollment is still taking its fields in. */
export async function areFieldsArriving(signal: AbortSignal): Promise<boolean> {
  const path = '/v1/enrollments?limit=1';
  const { items } = await callJson<{ readonly items: readonly EnrollmentRecord[] }>({ path, as: 'key', signal });
  return items.some(({ status }) => status === 'received' || status === 'in_progress');
}

/** How many days of an enrollment have been looked through for pictures. */
export const readBackfill = (enrollmentId: string, signal?: AbortSignal): Promise<BackfillProgress> =>
  callJson<BackfillProgress>({
    path: `/v1/enrollments/${encodeURIComponent(enrollmentId)}/backfill`,
    as: 'key',
    signal,
  });
