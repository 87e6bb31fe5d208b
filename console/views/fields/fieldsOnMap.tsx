import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { onBackOnline } from '../../api/connection.js';
import type { ListedField } from '../../api/fields.js';
import type { DayOnMap, FieldMap, MapPosition, Readout, ValueRange } from '../../map/mapScene.js';
import { MapPane } from '../../parts/mapPane.js';
import { place } from '../../router.js';
import { CompareDivider } from './compareDivider.js';
import { dayOnMap, differenceOnMap } from './dayOnMap.js';
import { dayStateOf, neighbourDates } from './dayState.js';
import { Dock } from './dock.js';
import { FieldList, type ShownFields } from './fieldList.js';
import { positionOf, positionPart, type Compared } from './fieldsAddress.js';
import { days as daysSignal, folder, retryStorage, storageError } from './fieldsStore.js';
import { LayerCard } from './layerCard.js';
import { MapTrouble, notThereText, type Unreadable } from './mapTrouble.js';
import { ReadoutLine } from './readoutLine.js';
import { savePicture } from './savePicture.js';
import { look, notePosition, type Selection } from './selection.js';
import { useDays } from './useFields.js';
import { useDrawing } from './useDrawing.js';
import { useRetry } from './useRetry.js';
import { useSpread, useStretch } from './useSpread.js';

/** What layer card and buttons cover of the map, CSS pixels: fields are brought into view beside them. */
const COVERED = { wide: [0, 346, 0, 0], narrow: [106, 0, 0, 0], low: [60, 56, 0, 0] } as const;
const WIDE = '(width > 980px) and (height > 600px)';
const LOW = '(height <= 600px) and (width > 600px)';

interface FieldsOnMapProps extends ShownFields {
  readonly selection: Selection;
}

/** Keeps the map where the address says, and the address where the map is. */
function usePosition(map: FieldMap | undefined, selection: Selection): (position: MapPosition | undefined) => void {
  const named = positionOf(place.value.parts.slice(1));
  const text = named === undefined ? '' : positionPart(named);
  const noted = useRef('');
  const newest = useRef(selection);
  newest.current = selection;
  useEffect(() => {
    if (map === undefined || named === undefined || noted.current === text) return;
    noted.current = text;
    map.setPosition(named);
  }, [map, text]);
  return useCallback((position) => {
    noted.current = position === undefined ? '' : positionPart(position);
    notePosition(newest.current, position);
  }, []);
}

/** The other day; the same object while it says the same. Only NDVI has a difference, and a day has none to itself. */
function useCompared({ date, layer, compared }: Selection): Compared | undefined {
  const [other, how] = [compared?.date, compared?.how];
  return useMemo(
    () =>
      other === undefined || how === undefined || other === date
        ? undefined
        : { date: other, how: layer === 'ndvi' ? how : 'swipe' },
    [other, how, date, layer],
  );
}

/** What the map is asked to show: the chosen day, the one beside it, and what may be next. */
function useShownDays(
  { fields, selection: { date, layer, compared } }: Pick<FieldsOnMapProps, 'fields' | 'selection'>,
  range: ValueRange | undefined,
): {
  readonly shown: DayOnMap | undefined;
  readonly left: DayOnMap | undefined;
  readonly ahead: (date: string) => DayOnMap | undefined;
} {
  const days = daysSignal.value;
  const folderName = folder.value;
  const onMap = useCallback(
    (each: string | undefined) =>
      folderName === undefined || each === undefined
        ? undefined
        : dayOnMap(fields, days, { date: each, layer, folderName, range }),
    [fields, days, layer, folderName, range],
  );
  const other = compared?.date;
  const how = compared?.how;
  const both = useMemo(() => {
    const [first, second] = [onMap(date), onMap(other)];
    return other !== undefined && other > date ? { earlier: first, later: second } : { earlier: second, later: first };
  }, [onMap, date, other]);
  const difference = useMemo(() => {
    const { earlier, later } = both;
    return how !== 'difference' || earlier === undefined || later === undefined
      ? undefined
      : differenceOnMap(later, earlier);
  }, [both, how]);
  if (difference !== undefined) return { shown: difference, left: undefined, ahead: onMap };
  return { shown: both.later, left: both.earlier, ahead: onMap };
}

/** The same object while it says the same: list and dock are drawn again for another one only. */
function useSame(given: Selection): Selection {
  const { field, date, layer, missing, unknown = [] } = given;
  const compared = useCompared(given);
  return useMemo(
    () => ({ field, date, layer, compared, missing, unknown }),
    [field, date, layer, compared, missing, unknown.join('/')],
  );
}

interface MapState extends Pick<ShownFields, 'fields' | 'filter'> {
  readonly id: string | undefined;
  readonly opacityPercent: number;
  readonly dividerPercent: number;
  readonly compared: Compared | undefined;
}

/** Tells the map what stands beside it, and what is chosen. */
function useMapState(map: FieldMap | undefined, state: MapState): void {
  const { fields, filter, id, opacityPercent, dividerPercent, compared } = state;
  const fitted = useRef(filter);
  useEffect(() => {
    const form = matchMedia(LOW).matches ? 'low' : matchMedia(WIDE).matches ? 'wide' : 'narrow';
    map?.setPadding(COVERED[form]);
  }, [map]);
  useEffect(() => {
    map?.setFields(fields.map(({ field_id: each, geometry }) => ({ id: each, geometry })));
  }, [map, fields]);
  useEffect(() => {
    if (fitted.current !== filter) map?.fit();
    fitted.current = filter;
  }, [map, filter]);
  useEffect(() => {
    map?.select(id);
  }, [map, id]);
  useEffect(() => {
    map?.setOpacity(opacityPercent / 100);
  }, [map, opacityPercent]);
  useEffect(() => {
    map?.setDivider(dividerPercent / 100);
  }, [map, dividerPercent, compared]);
}

interface Trouble {
  /** The picture that can't be shown, if any. */
  readonly unreadable: Unreadable | undefined;
  readonly setUnreadable: (unreadable: Unreadable) => void;
  /** Asks storage once more. */
  readonly again: () => void;
}

/** What storage refuses, or does not answer, is tried again: by itself, by a button, and when the network comes back. */
function useTrouble(
  map: FieldMap | undefined,
  of: { readonly id: string | undefined } & Pick<Selection, 'date' | 'layer'>,
): Trouble {
  const { id, date, layer } = of;
  const [unreadable, setUnreadable] = useState<Unreadable>();
  useEffect(() => {
    setUnreadable(undefined);
  }, [date, layer]);
  const again = useCallback(() => {
    setUnreadable(undefined);
    void retryStorage(id).then(() => {
      map?.readAgain();
    });
  }, [map, id]);
  const isUnread = unreadable?.fault === 'away' || unreadable?.fault === 'refused';
  useRetry(storageError.value !== undefined || isUnread, again);
  useEffect(() => onBackOnline(again), [again]);
  return { unreadable, setUnreadable, again };
}

/** List, map, layers and days of fields that are there. */
export function FieldsOnMap(props: FieldsOnMapProps): JSX.Element {
  const { all, fields, filter } = props;
  const selection = useSame(props.selection);
  const { field, date, layer, compared } = selection;
  const [map, setMap] = useState<FieldMap>();
  const readout = useSignal<Readout | undefined>(undefined);
  const [opacityPercent, setOpacity] = useState(100);
  const [dividerPercent, setDivider] = useState(50);
  const [isFirstDrawn, setFirstDrawn] = useState(false);
  const [isStretched, setStretched] = useState(false);
  const id = field?.field_id;
  const known = id === undefined ? undefined : daysSignal.value.get(id);
  const range = useStretch(isStretched, selection, known);
  const { shown, left, ahead } = useShownDays({ fields, selection }, range);
  const spread = useSpread(map, { fieldId: id, shown });
  const noteMap = usePosition(map, selection);
  useDays(id, isFirstDrawn);

  useMapState(map, { fields, filter, id, opacityPercent, dividerPercent, compared });
  const { unreadable, setUnreadable, again } = useTrouble(map, { id, date, layer });
  const walked = useRef(date);
  const { isDrawn, noteWaiting } = useDrawing(
    map,
    { shown, left },
    {
      nextDays: () => {
        const next = neighbourDates(known?.days ?? [], date, walked.current);
        walked.current = date;
        return () => next.flatMap((each) => ahead(each) ?? []);
      },
      onDrawn: () => {
        setFirstDrawn(true);
        spread.look();
      },
    },
  );
  useEffect(() => {
    if (isFirstDrawn) map?.showBase();
  }, [map, isFirstDrawn]);
  const hasFailed = storageError.value !== undefined;
  useEffect(() => {
    if (hasFailed) setFirstDrawn(true);
  }, [hasFailed]);

  const state = useMemo(() => (field === undefined ? undefined : dayStateOf(field, known, date)), [field, known, date]);
  const choose = useCallback(
    (next: string) => {
      look({ field, date: next, layer, compared });
    },
    [field, layer, compared],
  );
  const reveal = useCallback((picked: ListedField) => map?.reveal(picked.field_id), [map]);
  const mapLayer = shown?.layer ?? layer;
  // Of what the map shows: a difference has its own, whether colours are stretched or not.
  const shownRange = shown?.range;
  const picture = useCallback(
    () => (map === undefined ? Promise.resolve() : savePicture(map, { selection, layer: mapLayer, range: shownRange })),
    [map, selection, mapLayer, shownRange],
  );
  const pictureDates = (known?.days ?? []).filter(({ outcome }) => outcome === 'done').map((day) => day.date);
  return (
    <section class="fields">
      <h1 class="hidden">Fields</h1>
      <FieldList all={all} fields={fields} filter={filter} selection={selection} onPicked={reveal} />
      <div class="fields-map">
        <MapPane
          label="Map of the fields"
          onMap={setMap}
          isBaseLater
          onZoomToField={id === undefined ? undefined : () => map?.fit([id])}
          events={{
            onHover: (told) => {
              readout.value = told;
            },
            onClick: (_place, clicked) => {
              const hit = fields.find(({ field_id: each }) => each === clicked);
              if (hit !== undefined) look({ ...selection, field: hit });
            },
            onMoved: noteMap,
            onReading: (waiting) => {
              noteWaiting(waiting);
              spread.look();
            },
            onUnreadable: (fieldId, fault) => {
              setUnreadable({ fieldId, fault });
            },
          }}
        >
          {compared?.how !== 'swipe' ? null : (
            <CompareDivider one={compared.date} other={date} percent={dividerPercent} onPercent={setDivider} />
          )}
          <LayerCard
            selection={selection}
            mapLayer={mapLayer}
            opacityPercent={opacityPercent}
            pictureDates={pictureDates.filter((each) => each !== date)}
            spread={spread.value}
            range={shownRange}
            isStretched={isStretched}
            onStretch={setStretched}
            onOpacity={setOpacity}
          />
          <ReadoutLine readout={readout} layer={mapLayer} />
          <MapTrouble unreadable={unreadable} again={again} notThere={notThereText(selection, known, fields)} />
        </MapPane>
      </div>
      {field === undefined || state === undefined ? null : (
        <Dock
          field={field}
          selection={selection}
          known={known}
          state={state}
          onDate={choose}
          picture={picture}
          isDrawn={isDrawn}
        />
      )}
    </section>
  );
}
