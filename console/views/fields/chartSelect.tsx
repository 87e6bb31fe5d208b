import type { JSX } from 'preact';
import { chartKind, type ChartKind } from './chartChoice.js';

const KINDS: readonly { readonly kind: ChartKind; readonly name: string }[] = [
  { kind: 'days', name: 'Days' },
  { kind: 'fields', name: 'Fields' },
  { kind: 'years', name: 'Years' },
];

/** What the dock draws. Earlier years are offered where there are any. */
export const ChartSelect = ({ hasYears }: { readonly hasYears: boolean }): JSX.Element => (
  <select
    class="chart-select"
    aria-label="Chart"
    title="The days of the field, several fields, or the field in each of its years"
    value={chartKind.value}
    onChange={({ currentTarget }) => {
      chartKind.value = KINDS.find(({ kind }) => kind === currentTarget.value)?.kind ?? 'days';
    }}
  >
    {KINDS.map(({ kind, name }) => (
      <option key={kind} value={kind} disabled={kind === 'years' && !hasYears}>
        {name}
      </option>
    ))}
  </select>
);
