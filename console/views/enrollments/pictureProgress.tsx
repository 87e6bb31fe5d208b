import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { EnrollmentRecord } from '../../../shared/enrollments/record/enrollmentSchemas.js';
import { serviceToday } from '../../api/clock.js';
import { keepLooking } from '../../api/pause.js';
import { fields, isSearching, loadFields } from '../fields/fieldsStore.js';
import { backfills } from './backfills.js';
import { pictureCount } from './pictureCount.js';
import { isOpen, progressText } from './words.js';

/** Seconds between looks for first pictures. */
const LOOK_SECONDS = 5;

/** Keeps the list of fields up to date while first pictures are to come, and after each step of an enrollment. */
export function usePictureProgress(items: readonly EnrollmentRecord[]): void {
  const hasMore = fields.value === undefined || isSearching.value;
  const states = items.map(({ enrollment_id: id, status }) => `${id} ${status}`).join(' ');
  useEffect(() => {
    const ended = new AbortController();
    const look = (): Promise<unknown> => loadFields(ended.signal);
    void look();
    if (hasMore) void keepLooking(LOOK_SECONDS, look, ended.signal);
    return () => {
      ended.abort();
    };
  }, [hasMore, states]);
}

/** How far an enrollment is, in one sentence, with a bar while something is counted down. */
export function EnrollmentProgress({ item }: { readonly item: EnrollmentRecord }): JSX.Element {
  const { enrollment_id: id, total_fields: total, processed_fields: done, failed_fields: failed } = item;
  const backfill = backfills.value.get(id);
  const isRunning = backfill?.status === 'running';
  return (
    <div class="progress-line">
      {isOpen(item) ? (
        <progress value={done + failed} max={Math.max(1, total)} aria-label="Fields taken in" />
      ) : isRunning ? (
        <progress value={backfill.days - backfill.days_left} max={backfill.days} aria-label="Days looked through" />
      ) : null}
      <p aria-live={isOpen(item) || isRunning ? 'polite' : 'off'}>
        {progressText(item, pictureCount(fields.value ?? [], id), backfill, serviceToday())}
      </p>
    </div>
  );
}
