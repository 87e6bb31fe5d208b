import type { JSX } from 'preact';
import { backfills } from './backfills.js';
import { backfillText } from './words.js';

/** How many days were looked through: pictures of older days may still be on their way when every field has one. */
export function BackfillLine({ enrollmentId }: { readonly enrollmentId: string }): JSX.Element | null {
  const progress = backfills.value.get(enrollmentId);
  if (progress === undefined) return null;
  if (progress.status !== 'running') return <p class="quiet">{backfillText(progress)}</p>;
  return (
    <div class="progress-line">
      <progress value={progress.days - progress.days_left} max={progress.days} aria-label="Days looked through" />
      <span class="figure" aria-live="polite">
        {backfillText(progress)}
      </span>
    </div>
  );
}
