import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EnrollmentRecord } from '../../../shared/enrollments/record/enrollmentSchemas.js';
import type { BackfillProgress } from '../../../shared/imagery/discovery/backfillSchemas.js';
import { readBackfill } from '../../api/enrollments.js';
import { keepLooking } from '../../api/pause.js';
import { forgetAtSignOut } from '../../session/forgetting.js';

/** Seconds between two looks, and enrollments that are looked at each time. */
const LOOK_SECONDS = 5;
const MOST_LOOKS = 5;

/** How far backfills are, by enrollment; one that has ended is not asked for again. */
export const backfills = signal<ReadonlyMap<string, BackfillProgress>>(new Map());

/** Forgets them, for another customer. */
function forgetBackfills(): void {
  backfills.value = new Map();
}
forgetAtSignOut(forgetBackfills);

/** The newest enrollments whose backfill is not known to have ended. */
export function unfinished(
  items: readonly EnrollmentRecord[],
  known: ReadonlyMap<string, BackfillProgress>,
): readonly string[] {
  return items
    .filter(({ status, processed_fields: done }) => status === 'completed' && done > 0)
    .map(({ enrollment_id: id }) => id)
    .filter((id) => known.get(id)?.status !== 'completed')
    .slice(0, MOST_LOOKS);
}

async function look(items: readonly EnrollmentRecord[], signal: AbortSignal): Promise<void> {
  for (const id of unfinished(items, backfills.value)) {
    const progress = await readBackfill(id, signal).catch(() => undefined); // The next look may see it.
    if (signal.aborted) return;
    if (progress !== undefined) backfills.value = new Map(backfills.value).set(id, progress);
  }
}

/** Looks how far the backfills of these enrollments are, until all have ended. */
export function useBackfills(items: readonly EnrollmentRecord[]): void {
  const ids = items.map(({ enrollment_id: id, status }) => `${id} ${status}`).join(' ');
  useEffect(() => {
    const ended = new AbortController();
    const lookOnce = async (): Promise<void> => {
      if (!document.hidden) await look(items, ended.signal);
      if (unfinished(items, backfills.value).length === 0) ended.abort();
    };
    void lookOnce().then(() => keepLooking(LOOK_SECONDS, lookOnce, ended.signal));
    return () => {
      ended.abort();
    };
  }, [ids]);
}
