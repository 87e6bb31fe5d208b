import type { JSX } from 'preact';
import type { ListedField } from '../../api/fields.js';
import type { PictureFault } from '../../map/mapScene.js';
import { dayText } from '../../parts/dateText.js';
import { Fault } from '../../parts/fault.js';
import { OldPageError } from '../../parts/loadChunk.js';
import { NotThere } from '../../parts/notThere.js';
import { Retry } from '../../parts/retry.js';
import { Unloaded } from '../../parts/unloaded.js';
import type { KnownDays } from './dayState.js';
import { listError, storageError } from './fieldsStore.js';
import type { Selection } from './selection.js';

/** A picture that could not be read. */
export interface Unreadable {
  readonly fieldId: string;
  readonly fault: PictureFault;
}

const UNREADABLE: Readonly<Record<Exclude<PictureFault, 'old-page'>, string>> = {
  broken: 'This picture can’t be read: its file is damaged.',
  refused: 'The storage refused this picture, or no longer has it.',
  away: 'The picture storage can’t be reached from this browser: it may be private, or away.',
};

const unreadableText = (fault: keyof typeof UNREADABLE): string =>
  fault === 'away' && !navigator.onLine
    ? 'This computer is offline: the picture comes once it is back.'
    : UNREADABLE[fault];

/** What the address names and is not there, in words; undefined where it is, or while nobody knows. */
export function notThereText(
  { field, missing, unknown = [], compared }: Selection,
  known: KnownDays | undefined,
  shown: readonly ListedField[],
): string | undefined {
  if (missing !== undefined) {
    return `You have no field “${missing}”, or none any more: it may belong to another customer, or be monitored no longer. Choose one from the list.`;
  }
  if (shown.length === 0) {
    return 'No field is of the group and the enrollment that are chosen, or none is monitored any more. Choose others above the list.';
  }
  if (unknown.length > 0) {
    return `“${unknown.join('/')}” in the address is no day, no layer and no place of the map: it is left out.`;
  }
  if (field === undefined || known === undefined || compared === undefined) return undefined;
  return known.ofDate.get(compared.date)?.outcome === 'done'
    ? undefined
    : `There is no picture of ${dayText(compared.date)} to compare with.`;
}

/** What stands in the way of pictures, and a button to try again; the list and the days stay. */
export function MapTrouble({
  unreadable,
  again,
  notThere,
}: {
  readonly unreadable: Unreadable | undefined;
  readonly again: () => void;
  readonly notThere: string | undefined;
}): JSX.Element | null {
  if (notThere !== undefined) {
    return (
      <div class="map-trouble">
        <NotThere>{notThere}</NotThere>
      </div>
    );
  }
  if (storageError.value !== undefined) {
    return (
      <div class="map-trouble">
        <Retry title="No pictures" error={storageError.value} again={again} />
      </div>
    );
  }
  if (listError.value !== undefined) {
    return (
      <div class="map-trouble">
        <Fault title="The list is not up to date" error={listError.value} />
      </div>
    );
  }
  if (unreadable === undefined) return null;
  const { fieldId, fault } = unreadable;
  if (fault === 'old-page') {
    return (
      <div class="map-trouble">
        <Unloaded error={new OldPageError()} />
      </div>
    );
  }
  return (
    <div class="map-trouble fault" role="alert">
      <p>
        <b>{fieldId}</b> {unreadableText(fault)}
      </p>
      {fault === 'broken' ? null : (
        <div class="row">
          <button type="button" class="small" onClick={again}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}
