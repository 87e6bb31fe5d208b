import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Polygon } from '../../../shared/geo/shapes/geoJson.js';
import { putField, readFarmField, removeLand, type FarmFieldRecord } from '../../api/farm.js';
import { dayText } from '../../parts/dateText.js';
import type { LandField } from '../../parts/farmLand.js';
import { Fault } from '../../parts/fault.js';
import { noteFieldName, type FieldIds } from '../../parts/fieldNames.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { Retry } from '../../parts/retry.js';
import { useLoaded } from '../../parts/useLoaded.js';
import { farmHref, go, hrefOf } from '../../router.js';
import { EdgeTools } from '../boundary/edgeTools.js';
import { handedOver } from '../handOver.js';
import { ChangeLand } from './changeLand.js';
import { polygonOf, type OutlineEdit } from './editOutline.js';

/** What people who may write can change of a field. */
export interface FieldChange {
  readonly edit: OutlineEdit;
  readonly onChanged: () => void;
  readonly onGone: () => void;
}

interface FieldCardProps {
  readonly field: LandField;
  readonly farmName: string | undefined;
  readonly shown: PickedLand;
  readonly change: FieldChange | undefined;
}

/** What is known of the chosen field, and where one goes with it. */
export function FieldCard({ field, farmName, shown: { partyId }, change }: FieldCardProps): JSX.Element {
  const { id, name, farmId } = field;
  const { value, error, again } = useLoaded(JSON.stringify([partyId, id]), (signal) =>
    readFarmField(partyId, id, signal),
  );
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It may have been chosen on the map.
    card.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const picked = { partyId, farmId: farmId ?? '', fieldId: id };
  const geometry = value?.geometry;
  return (
    <div class="land-card" ref={card}>
      {error === undefined ? null : <Retry title="The field could not be read" error={error} again={again} />}
      <p class="quiet">{value === undefined ? '' : historyText(value)}</p>
      <div class="row">
        <a class="button" href={farmHref('degree-days', picked)}>
          Degree-days
        </a>
        <a class="button" href={farmHref('boundary', picked)}>
          Boundary
        </a>
        {geometry === undefined || geometry.type === 'Point' ? null : (
          <button
            type="button"
            onClick={() => {
              handedOver.value = { fieldId: name, group: farmName, geometry };
              go(hrefOf('add'));
            }}
          >
            Enrol
          </button>
        )}
      </div>
      {change === undefined ? null : (
        <>
          <EditOutline ids={{ partyId, fieldId: id }} outline={polygonOf(geometry)} change={change} onSaved={again} />
          <ChangeLand
            what="field"
            name={name}
            below="its seasons"
            onRename={async (wanted) => {
              await putField(partyId, id, { name: wanted });
              noteFieldName({ partyId, fieldId: id }, wanted);
              change.onChanged();
            }}
            onDelete={async () => {
              await removeLand('fields', { partyId, fieldId: id });
              change.onGone();
            }}
          />
        </>
      )}
    </div>
  );
}

interface EditOutlineProps {
  readonly ids: FieldIds;
  /** Undefined while it is not known, and where there is not one polygon. */
  readonly outline: Polygon | undefined;
  readonly change: FieldChange;
  readonly onSaved: () => void;
}

/** The outline is dragged on the map, or its corners are removed here; nothing changes before it is saved. */
function EditOutline({ ids: { partyId, fieldId }, outline, change, onSaved }: EditOutlineProps): JSX.Element | null {
  const { edit, onChanged } = change;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  if (outline === undefined) return null;
  const save = async (): Promise<void> => {
    if (edit.outline === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      await putField(partyId, fieldId, { geometry: edit.outline });
      edit.end();
      onSaved();
      onChanged();
    } catch (fault) {
      setError(fault);
    }
    setBusy(false);
  };
  if (edit.fieldId !== fieldId) {
    return (
      <div class="row">
        <button
          type="button"
          class="small"
          onClick={() => {
            edit.begin(fieldId, outline);
          }}
        >
          Edit the outline
        </button>
      </div>
    );
  }
  return (
    <>
      <EdgeTools {...edit.tools} />
      <div class="row">
        <button type="button" class="small first" disabled={isBusy} onClick={() => void save()}>
          Save the outline
        </button>
        <button type="button" class="small" disabled={isBusy} onClick={edit.end}>
          Leave it as it was
        </button>
      </div>
      {error === undefined ? null : <Fault title="Not saved" error={error} />}
    </>
  );
}

/** Where it comes from and since when it is as it is. */
const historyText = ({ source, modifiedDateTime }: FarmFieldRecord): string =>
  `${source === undefined ? '' : `${source} · `}changed on ${dayText(modifiedDateTime.slice(0, 10))}`;
