import type { JSX, RefObject } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LayerName } from '../../../shared/imagery/layers/layers.js';
import type { ListedField } from '../../api/fields.js';
import { memo } from '../../charts/memo.js';
import { Spark, type SparkPoint } from '../../charts/spark.js';
import type { Curve } from '../../charts/timeline.js';
import { folded } from '../../parts/folded.js';
import { Icon } from '../../parts/icons.js';
import { hrefOf } from '../../router.js';
import { saveText } from '../../parts/download.js';
import { dayStateOf, stateText, type DayState, type KnownDays } from './dayState.js';
import { days as daysSignal } from './fieldsStore.js';
import { curveOf, look, type Selection } from './selection.js';

const FILTERS = [
  { name: 'All', state: undefined },
  { name: 'Picture', state: 'picture' },
  { name: 'Cloud', state: 'cloud' },
  { name: 'Failed', state: 'failed' },
] as const;

type Filter = (typeof FILTERS)[number]['state'];

interface Row {
  readonly field: ListedField;
  readonly state: DayState;
  readonly known: KnownDays | undefined;
}

const isFailed = ({ field, state }: Row): boolean => state.state === 'failed' || field.errors !== null;
const isShown = (row: Row, filter: Filter): boolean =>
  filter === undefined || (filter === 'failed' ? isFailed(row) : row.state.state === filter);

interface FieldListProps {
  readonly fields: readonly ListedField[];
  readonly selection: Selection;
}

interface Sheet {
  readonly element: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** On a phone the list is a row of cards, and a sheet with search and filters when somebody wants that. */
function useSheet(): Sheet {
  const element = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) element.current?.querySelector('input')?.focus();
    else if (wasOpen.current) element.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const [turn] = useState(() => ({
    open: () => {
      setOpen(true);
    },
    close: () => {
      setOpen(false);
    },
  }));
  return { element, isOpen, ...turn };
}

/** The fields: searched, filtered by what the chosen day has for them, each with its curve. */
export const FieldList = memo(({ fields, selection }: FieldListProps): JSX.Element => {
  const [wanted, setWanted] = useState('');
  const [filter, setFilter] = useState<Filter>(undefined);
  const sheet = useSheet();
  const known = daysSignal.value;
  const rows = useMemo(
    () =>
      fields.map((field): Row => {
        const days = known.get(field.field_id);
        return { field, known: days, state: dayStateOf(field, days, selection.date) };
      }),
    [fields, known, selection.date],
  );
  const asked = folded(wanted.trim());
  const found = asked === '' ? rows : rows.filter(({ field }) => folded(field.field_id).includes(asked));
  const shown = found.filter((row) => isShown(row, filter));
  return (
    <aside
      class={`field-list${sheet.isOpen ? ' field-list-open' : ''}`}
      aria-label="Fields"
      ref={sheet.element}
      onKeyDown={({ key }) => {
        if (key === 'Escape') sheet.close();
      }}
    >
      <button
        type="button"
        class="field-find"
        aria-expanded={sheet.isOpen}
        onClick={sheet.isOpen ? sheet.close : sheet.open}
      >
        <Icon name={sheet.isOpen ? 'cross' : 'search'} /> <span>{sheet.isOpen ? 'Close' : 'Find'}</span>
      </button>
      <div class="field-search">
        <label>
          <span class="hidden">Find a field</span>
          <Icon name="search" />
          <input
            type="search"
            placeholder={`Find in ${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`}
            value={wanted}
            onInput={({ currentTarget }) => {
              setWanted(currentTarget.value);
            }}
          />
        </label>
        <div class="filters" role="group" aria-label="Show fields by their picture of the day">
          {FILTERS.map(({ name, state }) => (
            <button
              key={name}
              type="button"
              class={filter === state ? 'on' : ''}
              aria-pressed={filter === state}
              onClick={() => {
                setFilter(state);
              }}
            >
              {name} <span class="figure">{found.filter((row) => isShown(row, state)).length}</span>
            </button>
          ))}
        </div>
      </div>
      <Rows rows={shown} selection={selection} total={fields.length} onChosen={sheet.close} />
      <div class="field-list-end">
        <a class="button first" href={hrefOf('add')}>
          <Icon name="plus" /> Add fields
        </a>
        <button
          type="button"
          onClick={() => {
            saveText('fields.geojson', 'application/geo+json', geoJsonOf(fields));
          }}
        >
          <Icon name="download" /> Export
        </button>
      </div>
    </aside>
  );
});

/** The fields for any map program. */
export const geoJsonOf = (fields: readonly ListedField[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: fields.map(({ field_id: id, geometry, area_ha: areaHa }) => ({
      type: 'Feature',
      properties: { field_id: id, area_ha: areaHa },
      geometry,
    })),
  });

interface RowsProps {
  readonly rows: readonly Row[];
  readonly selection: Selection;
  readonly total: number;
  readonly onChosen: () => void;
}

function Rows({ rows, selection, total, onChosen }: RowsProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const chosen = selection.field?.field_id;
  useEffect(() => {
    // On a phone rows lie beside each other and get wider as their days come: in the middle, none of it is cut.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chosen]);
  const newest = useRef(selection);
  newest.current = selection;
  const choose = useCallback((field: ListedField) => {
    look({ ...newest.current, field });
    onChosen();
  }, []);
  if (rows.length === 0) {
    return (
      <p class="field-none quiet">
        {total === 0 ? 'No fields yet.' : 'No field matches. Clear the search, or choose All.'}
      </p>
    );
  }
  return (
    <ul class="field-rows" ref={list}>
      {rows.map(({ field, state, known }) => (
        <FieldRow
          key={field.field_id}
          field={field}
          known={known}
          dot={field.errors === null ? state.state : 'failed'}
          text={field.errors === null ? stateText(state) : 'not monitored'}
          mean={meanOf(state, selection)}
          layer={selection.layer}
          isChosen={field.field_id === chosen}
          onChoose={choose}
        />
      ))}
    </ul>
  );
}

function meanOf({ day, state }: DayState, { layer }: Selection): string {
  const curve = curveOf(layer);
  const figures = day === undefined || state !== 'picture' ? undefined : curve.of(day);
  return figures === undefined ? '–' : curve.text(figures.mean);
}

interface FieldRowProps {
  readonly field: ListedField;
  readonly known: KnownDays | undefined;
  readonly dot: string;
  readonly text: string;
  readonly mean: string;
  readonly layer: LayerName;
  readonly isChosen: boolean;
  readonly onChoose: (field: ListedField) => void;
}

const FieldRow = memo(({ field, known, dot, text, mean, layer, isChosen, onChoose }: FieldRowProps): JSX.Element => {
  const { field_id: id, area_ha: areaHa } = field;
  return (
    <li>
      <button
        type="button"
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => {
          onChoose(field);
        }}
      >
        <span class={`dot dot-${dot}`} aria-hidden="true" />
        <span class="field-name">
          <b>{id}</b>
          <small>
            {areaHa.toFixed(areaHa < 1000 ? 1 : 0)} ha · {text}
          </small>
        </span>
        <Spark points={useSpark(known, layer)} />
        <span class="field-mean figure">
          <span class="hidden">mean {curveOf(layer).name} </span>
          {mean}
        </span>
      </button>
    </li>
  );
});

const pointsOf = (known: KnownDays | undefined, curve: Curve): readonly SparkPoint[] =>
  known?.days.flatMap((day) => {
    const figures = curve.of(day);
    return figures === undefined ? [] : [{ date: day.date, value: figures.mean / curve.top }];
  }) ?? [];

const useSpark = (known: KnownDays | undefined, layer: LayerName): readonly SparkPoint[] =>
  useMemo(() => pointsOf(known, curveOf(layer)), [known, layer]);
