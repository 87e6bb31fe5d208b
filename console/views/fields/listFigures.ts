import { csvText } from '../../../shared/kit/csvText.js';
import type { IndexDay, LayerStatistics, ListedField } from '../../api/fields.js';
import type { Curve } from '../../charts/curve.js';
import type { KnownDays } from './dayState.js';

/** What a list of fields can be sorted by. */
export type SortKey = 'name' | 'value' | 'change' | 'deviation' | 'clear' | 'area';

/** The figures of a field on a day. Undefined where there is no picture to take them from. */
export interface ListFigures {
  /** Day of the newest picture up to the chosen day. */
  readonly date: string | undefined;
  /** Its mean. */
  readonly value: number | undefined;
  /** What the mean has more than that of the picture before. */
  readonly change: number | undefined;
  /** What the mean has more than the median of the farm's fields. */
  readonly deviation: number | undefined;
  readonly clearPercent: number | undefined;
  readonly areaHa: number;
}

interface ShownDay {
  readonly day: IndexDay;
  readonly figures: LayerStatistics;
}

/** The newest picture up to a day, and the one before. */
function picturesUpTo(known: KnownDays | undefined, curve: Curve, date: string): readonly ShownDay[] {
  const days = known?.days ?? [];
  const shown: ShownDay[] = [];
  for (let at = days.length - 1; at >= 0 && shown.length < 2; at -= 1) {
    const day = days[at];
    const figures = day !== undefined && day.date <= date ? curve.of(day) : undefined;
    if (day !== undefined && figures !== undefined) shown.push({ day, figures });
  }
  return shown;
}

/** The middle of values; of two middles, what lies between both. Undefined without any. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

const minus = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one - other;

/** Figures of all fields on a day, by field id. */
export function listFigures(
  fields: readonly ListedField[],
  days: ReadonlyMap<string, KnownDays>,
  { curve, date }: { readonly curve: Curve; readonly date: string },
): ReadonlyMap<string, ListFigures> {
  const rows = fields.map((field) => {
    const [newest, before] = picturesUpTo(days.get(field.field_id), curve, date);
    return { field, newest, before };
  });
  const median = medianOf(rows.flatMap(({ newest }) => newest?.figures.mean ?? []));
  return new Map(
    rows.map(({ field, newest, before }) => [
      field.field_id,
      {
        date: newest?.day.date,
        value: newest?.figures.mean,
        change: minus(newest?.figures.mean, before?.figures.mean),
        deviation: minus(newest?.figures.mean, median),
        clearPercent: newest?.day.clear_percent ?? undefined,
        areaHa: field.area_ha,
      },
    ]),
  );
}

/** The figure of a field that a list is sorted by. */
export function figureOf(figures: ListFigures | undefined, key: Exclude<SortKey, 'name'>): number | undefined {
  if (figures === undefined) return undefined;
  return key === 'clear' ? figures.clearPercent : key === 'area' ? figures.areaHa : figures[key];
}

/**
 * Fields in the order of a figure, those without one last; by name they stay as they are.
 *
 * @param isFalling the largest first
 */
export function sortedBy<T>(
  rows: readonly T[],
  {
    key,
    isFalling,
    figuresOf,
  }: { readonly key: SortKey; readonly isFalling: boolean; readonly figuresOf: (row: T) => ListFigures | undefined },
): readonly T[] {
  if (key === 'name') return isFalling ? rows.toReversed() : rows;
  const value = (row: T): number | undefined => figureOf(figuresOf(row), key);
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return isFalling ? b - a : a - b;
  });
}

const rounded = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : Number(value.toFixed(4));

/** A list as it is shown, for a spreadsheet. @param curveName what the values are of */
export function listCsv(
  rows: readonly {
    readonly fieldId: string;
    readonly group: string | null;
    readonly state: string;
    readonly figures: ListFigures | undefined;
  }[],
  curveName: string,
): string {
  const name = curveName.toLowerCase();
  const head = [
    'field',
    'group',
    'area_ha',
    'state',
    'picture',
    `${name}_mean`,
    `${name}_change`,
    `${name}_to_farm_median`,
    'clear_percent',
  ];
  const lines = rows.map(({ fieldId, group, state, figures }) => [
    fieldId,
    group ?? undefined,
    rounded(figures?.areaHa),
    state,
    figures?.date,
    rounded(figures?.value),
    rounded(figures?.change),
    rounded(figures?.deviation),
    rounded(figures?.clearPercent),
  ]);
  return csvText([head, ...lines], { isForPeople: true });
}
