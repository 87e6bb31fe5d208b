import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { keepLooking } from '../../api/pause.js';
import { fields, isSearching, loadFields } from '../fields/fieldsStore.js';
import { pictureCount } from './pictureCount.js';

/** Seconds between looks for first pictures. */
const LOOK_SECONDS = 5;

/** Keeps the list of fields up to date while first pictures are to come. */
export function usePictureProgress(): void {
  const hasMore = fields.value === undefined || isSearching.value;
  useEffect(() => {
    const ended = new AbortController();
    const look = (): Promise<unknown> => loadFields(ended.signal);
    void look();
    if (hasMore) void keepLooking(LOOK_SECONDS, look, ended.signal);
    return () => {
      ended.abort();
    };
  }, [hasMore]);
}

/** The search for the first pictures of an enrollment; ingested fields alone show nothing yet. */
export function PictureProgress({ enrollmentId }: { readonly enrollmentId: string }): JSX.Element | null {
  const { total, lookedAt, withPicture } = pictureCount(fields.value ?? [], enrollmentId);
  if (total === 0) return null;
  const isDone = lookedAt === total;
  return (
    <div class="progress-line">
      <progress value={lookedAt} max={total} aria-label="Fields whose scenes were searched" />
      <span class="figure" aria-live={isDone ? 'off' : 'polite'}>
        {withPicture} of {total} with a picture
        {isDone ? '' : `, searching for ${total - lookedAt}`}
      </span>
    </div>
  );
}
