import type { BackfillProgress } from '../../shared/imagery/discovery/backfillSchemas.js';
import { callJson } from './client.js';

/** How many days of an enrollment have been looked through for pictures. */
export const readBackfill = (enrollmentId: string, signal?: AbortSignal): Promise<BackfillProgress> =>
  callJson<BackfillProgress>({
    path: `/v1/enrollments/${encodeURIComponent(enrollmentId)}/backfill`,
    as: 'key',
    signal,
  });
