import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { picturePath, type ListedField } from '../api/fields.js';
import type { LayerName } from '../../shared/imagery/layers/layers.js';
import type { DayOnMap, FieldDay, FieldMap, PictureFault, Readout } from '../map/mapScene.js';
import { Fault } from '../parts/fault.js';
import { MapPane } from '../parts/mapPane.js';
import { placeText } from '../parts/placeText.js';
import { hrefOf, place } from '../router.js';
import { CompareDivider } from './fields/compareDivider.js';
import { dayStateOf, neighbourDates, type KnownDays } from './fields/dayState.js';
import { Dock } from './fields/dock.js';
import { FieldList } from './fields/fieldList.js';
import { days as daysSignal, fields as fieldsSignal, folder, listError, storageError } from './fields/fieldsStore.js';
import { LayerCard } from './fields/layerCard.js';
import { look, selectionOf, valueText, type Selection } from './fields/selection.js';
import { useDays, useFields } from './fields/useFields.js';

/** What layer card and buttons cover of the map, CSS pixels: fields are brought into view beside them. */
const COVERED = { wide: [0, 346, 0, 0], narrow: [104, 48, 0, 0] } as const;
const WIDE = '(width > 760px)';

/** One layer of one day for the map, as far as it is known. */
function dayOnMap(
  fields: readonly ListedField[],
  days: ReadonlyMap<string, KnownDays>,
  { date, layer, folderName }: { readonly date: string; readonly layer: LayerName; readonly folderName: string },
): DayOnMap {
  const onMap = fields.map((field): [string, FieldDay] => {
    const { state, day } = dayStateOf(field, days.get(field.field_id), date);
    const hasLayer = state === 'picture' && (day === undefined || day.layers.includes(layer));
    const pictures = hasLayer ? { [layer]: picturePath(folderName, field.field_id, date, layer) } : {};
    return [field.field_id, { state: state === 'picture' && !hasLayer ? 'none' : state, pictures }];
  });
  return { layer, fields: new Map(onMap) };
}

/** The fields: list, map, layers, and their days. */
export function Fields(): JSX.Element {
  const fields = fieldsSignal.value;
  const selection = selectionOf(place.value, fields ?? [], daysSignal.value);
  useFields(() => selectionOf(place.value, fieldsSignal.value ?? [], daysSignal.value).field?.field_id);
  if (fields === undefined) return <Loading />;
  if (fields.length === 0) return <NoFields />;
  return <FieldsOnMap fields={fields} selection={selection} />;
}

function Loading(): JSX.Element {
  const error = listError.value;
  return (
    <section class="fields" aria-busy="true">
      <h1 class="hidden">Fields</h1>
      <aside class="field-list" aria-label="Fields">
        {error === undefined ? (
          <ul class="field-rows field-rows-grey" aria-hidden="true">
            {Array.from({ length: 8 }, (_, row) => (
              <li key={row} />
            ))}
          </ul>
        ) : (
          <Fault title="The fields could not be listed" error={error} />
        )}
      </aside>
      <div class="fields-map" />
    </section>
  );
}

const NoFields = (): JSX.Element => (
  <section class="page no-fields">
    <svg viewBox="0 0 120 80" width="180" height="120" aria-hidden="true" focusable="false">
      <path d="M14 54 34 18 78 12 106 34 92 66 40 72Z" />
      <path d="M34 18 60 44 92 66M60 44 106 34" />
    </svg>
    <h1>No fields yet</h1>
    <p class="quiet">Add the boundaries of your fields; their first pictures come within minutes.</p>
    <div class="row">
      <a class="button first" href={hrefOf('add')}>
        Add fields
      </a>
      <a class="button" href={hrefOf('boundary')}>
        Find a boundary
      </a>
    </div>
  </section>
);

/** The closed card of layers on a phone, with the room above it, CSS pixels. */
const CARD_HEIGHT = 106;

interface FieldsOnMapProps {
  readonly fields: readonly ListedField[];
  readonly selection: Selection;
}

function FieldsOnMap({ fields, selection: { field, date, layer } }: FieldsOnMapProps): JSX.Element {
  // The same object while it says the same: list and dock are drawn again for another one only.
  const selection = useMemo(() => ({ field, date, layer }), [field, date, layer]);
  const [map, setMap] = useState<FieldMap>();
  const readout = useSignal<Readout | undefined>(undefined);
  const [opacityPercent, setOpacity] = useState(100);
  const [compared, setCompared] = useState<string>();
  const [dividerPercent, setDivider] = useState(50);
  const [isDrawn, setDrawn] = useState(false);
  const [unreadable, setUnreadable] = useState<{ readonly fieldId: string; readonly fault: PictureFault }>();
  const days = daysSignal.value;
  const folderName = folder.value;
  const id = field?.field_id;
  const known = id === undefined ? undefined : days.get(id);
  useDays(id, isDrawn);

  useEffect(() => {
    map?.setPadding(matchMedia(WIDE).matches ? COVERED.wide : COVERED.narrow);
  }, [map]);
  useEffect(() => {
    map?.setFields(fields.map(({ field_id: each, geometry }) => ({ id: each, geometry })));
  }, [map, fields]);
  useEffect(() => {
    // On a phone the card of layers stands above the whole width of the map.
    if (matchMedia('(width <= 760px)').matches) map?.setPadding([CARD_HEIGHT, 0, 0, 0]);
  }, [map]);
  useEffect(() => {
    map?.select(id);
  }, [map, id]);
  useEffect(() => {
    map?.setOpacity(opacityPercent / 100);
  }, [map, opacityPercent]);
  useEffect(() => {
    map?.setDivider(dividerPercent / 100);
  }, [map, dividerPercent, compared]);
  useEffect(() => {
    setUnreadable(undefined);
  }, [date, layer]);
  useEffect(() => {
    const again = (): void => {
      setUnreadable(undefined);
      map?.readAgain();
    };
    addEventListener('online', again);
    return () => {
      removeEventListener('online', again);
    };
  }, [map]);
  const onMap = useCallback(
    (each: string | undefined) =>
      folderName === undefined || each === undefined
        ? undefined
        : dayOnMap(fields, days, { date: each, layer, folderName }),
    [fields, days, layer, folderName],
  );
  const shown = useMemo(() => onMap(date), [onMap, date]);
  const left = useMemo(() => onMap(compared), [onMap, compared]);
  const walked = useRef(date);
  useEffect(() => {
    if (map === undefined || shown === undefined) return;
    const next = neighbourDates(known?.days ?? [], date, walked.current);
    walked.current = date;
    const ahead = (): readonly DayOnMap[] => next.flatMap((each) => onMap(each) ?? []);
    void map.show(shown, left, ahead).then(() => {
      setDrawn(true);
    });
  }, [map, shown, left]);
  const hasFailed = storageError.value !== undefined;
  useEffect(() => {
    if (hasFailed) setDrawn(true);
  }, [hasFailed]);

  const state = useMemo(() => (field === undefined ? undefined : dayStateOf(field, known, date)), [field, known, date]);
  const choose = useCallback(
    (next: string) => {
      look({ field, date: next, layer });
    },
    [field, layer],
  );
  const pictureDates = (known?.days ?? []).filter(({ outcome }) => outcome === 'done').map((day) => day.date);
  return (
    <section class="fields">
      <h1 class="hidden">Fields</h1>
      <FieldList fields={fields} selection={selection} />
      <div class="fields-map">
        <MapPane
          label="Map of the fields"
          onMap={setMap}
          events={{
            onHover: (told) => {
              readout.value = told;
            },
            onClick: (_place, clicked) => {
              const hit = fields.find(({ field_id: each }) => each === clicked);
              if (hit !== undefined) look({ field: hit, date, layer });
            },
            onUnreadable: (fieldId, fault) => {
              setUnreadable({ fieldId, fault });
            },
          }}
        >
          {compared === undefined ? null : (
            <CompareDivider left={compared} right={date} percent={dividerPercent} onPercent={setDivider} />
          )}
          <LayerCard
            layer={layer}
            opacityPercent={opacityPercent}
            compared={compared}
            pictureDates={pictureDates.filter((each) => each !== date)}
            onLayer={(next) => {
              look({ field, date, layer: next });
            }}
            onOpacity={setOpacity}
            onCompare={setCompared}
          />
          <ReadoutLine readout={readout} layer={layer} />
          <Trouble unreadable={unreadable} />
        </MapPane>
      </div>
      {field === undefined || state === undefined ? null : (
        <Dock field={field} selection={selection} known={known} state={state} compared={compared} onDate={choose} />
      )}
    </section>
  );
}

interface ReadoutLineProps {
  /** A signal: the pointer draws this line again, and nothing else. */
  readonly readout: ReadonlySignal<Readout | undefined>;
  readonly layer: LayerName;
}

function ReadoutLine({ readout, layer }: ReadoutLineProps): JSX.Element | null {
  const told = readout.value;
  if (told === undefined) return null;
  return (
    <p class="map-readout fields-readout figure">
      {told.fieldId === undefined ? null : (
        <>
          <b>{told.fieldId}</b>
          <strong>{told.isReading === true ? 'reading …' : valueText(layer, told.value)}</strong>
        </>
      )}
      <span>{placeText(told.place)}</span>
    </p>
  );
}

const UNREADABLE: Readonly<Record<PictureFault, string>> = {
  broken: 'This picture can’t be read: its file is damaged.',
  refused: 'The storage refused this picture, or has it no more.',
  away: 'The picture storage can’t be reached from this browser: it may be private, or away.',
};

const unreadableText = (fault: PictureFault): string =>
  fault === 'away' && !navigator.onLine
    ? 'This computer is offline: the picture comes once it is back.'
    : UNREADABLE[fault];

/** What stands in the way of pictures; the list and the days stay. */
function Trouble({
  unreadable,
}: {
  readonly unreadable: { readonly fieldId: string; readonly fault: PictureFault } | undefined;
}): JSX.Element | null {
  if (storageError.value !== undefined) {
    return (
      <div class="map-trouble">
        <Fault error={storageError.value} />
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
  return (
    <p class="map-trouble fault" role="alert">
      <b>{unreadable.fieldId}</b> {unreadableText(unreadable.fault)}
    </p>
  );
}
