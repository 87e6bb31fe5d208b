import { signal } from '@preact/signals';
import { forgetAtSignOut } from '../../session/forgetting.js';

/** What the dock draws: the days of the field, several fields, or the field in each of its years. */
export type ChartKind = 'days' | 'fields' | 'years';

/** Fields that are drawn beside the one that is looked at, at most. */
export const MOST_BESIDE = 6;

export const chartKind = signal<ChartKind>('days');
/** Ids of the fields beside, in the order in which they were added. */
export const besideFields = signal<readonly string[]>([]);

export function addBeside(id: string): void {
  if (!besideFields.value.includes(id)) besideFields.value = [...besideFields.value, id].slice(0, MOST_BESIDE);
}

export function removeBeside(id: string): void {
  besideFields.value = besideFields.value.filter((each) => each !== id);
}

/** Forgets what another customer has chosen. */
function forgetChart(): void {
  chartKind.value = 'days';
  besideFields.value = [];
}
forgetAtSignOut(forgetChart);
