import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ListedField } from '../../api/fields.js';
import { areaNumber, areaUnit } from '../../parts/units.js';
import { percentText, stateText } from './dayState.js';
import { days as daysSignal } from './fieldsStore.js';
import type { Row } from './fieldRows.js';
import { figureOf, listCsv, listFigures, sortedBy, type SortKey } from './listFigures.js';
import { curveOf, type Selection } from './selection.js';

/** The order of the list, and a filter by the figure it is sorted by. */
export interface ListOrder {
  readonly key: SortKey;
  readonly isFalling: boolean;
  readonly least: string;
  readonly most: string;
  readonly set: (change: Partial<Pick<ListOrder, 'key' | 'isFalling' | 'least' | 'most'>>) => void;
  /** The rows that pass the filter, in their order. */
  readonly ordered: (rows: readonly Row[]) => readonly Row[];
  readonly figureText: (row: Row) => string;
  readonly figureName: string;
  readonly csvOf: (rows: readonly Row[]) => string;
}

const KEYS: readonly { readonly key: SortKey; readonly name: string }[] = [
  { key: 'name', name: 'Name' },
  { key: 'value', name: 'Newest value' },
  { key: 'change', name: 'Change since the picture before' },
  { key: 'deviation', name: 'Difference to the farm’s median' },
  { key: 'clear', name: 'Clear share' },
  { key: 'area', name: 'Area' },
];

/** A limit that was typed; undefined for none. */
function limitOf(text: string): number | undefined {
  const value = Number(text.replace(',', '.'));
  return text.trim() === '' || Number.isNaN(value) ? undefined : value;
}

const signed = (value: number, text: string): string => (value < 0 ? `−${text}` : `+${text}`);

/** Sorts and filters the list by figures of the chosen day. */
export function useListOrder(fields: readonly ListedField[], { layer, date }: Selection): ListOrder {
  const [order, setOrder] = useState({ key: 'name' as SortKey, isFalling: false, least: '', most: '' });
  const days = daysSignal.value;
  const curve = curveOf(layer);
  const figures = useMemo(() => listFigures(fields, days, { curve, date }), [fields, days, curve, date]);
  const { key, isFalling, least, most } = order;
  const shownKey = key === 'name' ? 'value' : key;
  /** In the unit that is shown. */
  const valueOf = (row: Row): number | undefined => {
    const value = figureOf(figures.get(row.field.field_id), shownKey);
    return value === undefined || shownKey !== 'area' ? value : Number(areaNumber(value, 4));
  };
  const isWithin = (row: Row): boolean => {
    const [low, high] = [limitOf(least), limitOf(most)];
    if (key === 'name' || (low === undefined && high === undefined)) return true;
    const value = valueOf(row);
    return value !== undefined && value >= (low ?? -Infinity) && value <= (high ?? Infinity);
  };
  const textOf = (value: number): string => {
    if (shownKey === 'area') return value.toFixed(1);
    if (shownKey === 'clear') return percentText(value);
    const text = curve.text(Math.abs(value));
    return shownKey === 'value' ? curve.text(value) : signed(value, text);
  };
  return {
    ...order,
    set: (change) => {
      setOrder((last) => ({ ...last, ...change }));
    },
    ordered: (rows) =>
      sortedBy(rows.filter(isWithin), { key, isFalling, figuresOf: ({ field }) => figures.get(field.field_id) }),
    figureText: (row) => {
      if (key === 'name' && row.state.state !== 'picture') return '–';
      const value = valueOf(row);
      return value === undefined ? '–' : textOf(value);
    },
    figureName: key === 'name' ? `mean ${curve.name}` : (KEYS.find((each) => each.key === key)?.name ?? ''),
    csvOf: (rows) =>
      listCsv(
        rows.map(({ field, state }) => ({
          fieldId: field.field_id,
          group: field.group,
          state: stateText(state),
          figures: figures.get(field.field_id),
        })),
        curve.name,
      ),
  };
}

/** What the list is sorted by, and which figures it shows. */
export function ListOrderBar({ order }: { readonly order: ListOrder }): JSX.Element {
  const { key, isFalling, set } = order;
  return (
    <div class="list-order">
      <div class="list-order-by">
        <label>
          <span class="hidden">Sort by</span>
          <select
            value={key}
            onChange={({ currentTarget }) => {
              const next = currentTarget.value as SortKey;
              set({ key: next, isFalling: next !== 'name', least: '', most: '' });
            }}
          >
            {KEYS.map((each) => (
              <option key={each.key} value={each.key}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="plain"
          aria-label={isFalling ? 'Largest first' : 'Smallest first'}
          title={isFalling ? 'Largest first' : 'Smallest first'}
          onClick={() => {
            set({ isFalling: !isFalling });
          }}
        >
          {isFalling ? '↓' : '↑'}
        </button>
      </div>
      {key === 'name' ? null : (
        <div class="list-order-limits" role="group" aria-label={`Only ${key === 'area' ? areaUnit() : 'values'}`}>
          {(['least', 'most'] as const).map((end) => (
            <input
              key={end}
              type="text"
              inputMode="decimal"
              aria-label={end === 'least' ? 'From' : 'Up to'}
              placeholder={end === 'least' ? 'from' : 'up to'}
              value={order[end]}
              onInput={({ currentTarget }) => {
                set({ [end]: currentTarget.value });
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
}
