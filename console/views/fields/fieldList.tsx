import type { JSX, RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ListedField } from '../../api/fields.js';
import { memo } from '../../charts/memo.js';
import { folded } from '../../parts/folded.js';
import { Icon } from '../../parts/icons.js';
import { hrefOf } from '../../router.js';
import { save, tableOf } from '../../parts/download.js';
import { dayStateOf } from './dayState.js';
import { Rows, type Row } from './fieldRows.js';
import { days as daysSignal } from './fieldsStore.js';
import { ListOrderBar, useListOrder } from './listOrder.js';
import { FilterChoices } from './filterChoices.js';
import type { FieldsFilter } from './fieldsFilter.js';
import { showOnly, type Selection } from './selection.js';

const FILTERS = [
  { name: 'All', state: undefined },
  { name: 'Picture', state: 'picture' },
  { name: 'Cloud', state: 'cloud' },
  { name: 'Failed', state: 'failed' },
] as const;

type DayFilter = (typeof FILTERS)[number]['state'];

const isFailed = ({ field, state }: Row): boolean => state.state === 'failed' || field.errors !== null;
const isShown = (row: Row, filter: DayFilter): boolean =>
  filter === undefined || (filter === 'failed' ? isFailed(row) : row.state.state === filter);

/** What is shown of the fields, and of how many. */
export interface ShownFields {
  readonly all: readonly ListedField[];
  /** Those of the filter. */
  readonly fields: readonly ListedField[];
  readonly filter: FieldsFilter;
}

interface FieldListProps extends ShownFields {
  readonly selection: Selection;
  /** Told of a field that was picked here, not on the map. */
  readonly onPicked: (field: ListedField) => void;
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
export const FieldList = memo(({ all, fields, filter, selection, onPicked }: FieldListProps): JSX.Element => {
  const [wanted, setWanted] = useState('');
  const [onDay, setOnDay] = useState<DayFilter>(undefined);
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
  const order = useListOrder(fields, selection);
  const shown = order.ordered(found.filter((row) => isShown(row, onDay)));
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
        <FilterChoices
          all={all}
          filter={filter}
          onFilter={(next) => {
            showOnly(next, selection, all);
          }}
        />
        <div class="filters" role="group" aria-label="Show fields by their picture of the day">
          {FILTERS.map(({ name, state }) => (
            <button
              key={name}
              type="button"
              class={onDay === state ? 'on' : ''}
              aria-pressed={onDay === state}
              onClick={() => {
                setOnDay(state);
              }}
            >
              {name} <span class="figure">{found.filter((row) => isShown(row, state)).length}</span>
            </button>
          ))}
        </div>
        <ListOrderBar order={order} />
      </div>
      <Rows
        rows={shown}
        selection={selection}
        total={all.length}
        figureText={order.figureText}
        figureName={order.figureName}
        onChosen={(field) => {
          sheet.close();
          onPicked(field);
        }}
      />
      <div class="field-list-end">
        <a class="button first" href={hrefOf('add')}>
          <Icon name="plus" /> Add fields
        </a>
        <button
          type="button"
          title="The fields that are shown, as CSV"
          onClick={() => {
            save('fields.csv', tableOf(order.csvOf(shown)));
          }}
        >
          <Icon name="download" /> Export
        </button>
      </div>
    </aside>
  );
});
