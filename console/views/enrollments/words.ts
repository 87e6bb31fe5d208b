import { fieldFaults } from '../../../shared/errors/catalogue.js';
import type { BackfillProgress } from '../../../shared/imagery/discovery/backfillSchemas.js';
import { dayText } from '../../parts/dateText.js';
import { LAYERS } from '../fields/selection.js';

const REMEDIES: ReadonlyMap<string, string> = new Map(
  Object.values(fieldFaults).map(({ code, remedy }) => [code, remedy]),
);

/** What to do about a field's fault, as the service's own table of errors says it. */
export const remedyOf = (code: string): string => REMEDIES.get(code) ?? 'Tell us the code.';

/** Layers by their names, as the card of layers has them. */
export const layerNames = (layers: readonly string[]): string =>
  layers.map((layer) => LAYERS.find((each) => each.layer === layer)?.name ?? layer).join(', ');

const daysText = (days: number): string => `${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'}`;

/** How far the backfill of an enrollment is. */
export function backfillText({ status, from, to, days, days_left: left }: BackfillProgress): string {
  if (status === 'waiting') return `The days from ${dayText(from)} on are still to be looked through for pictures.`;
  if (status === 'completed') return `All ${daysText(days)} up to ${dayText(to)} were looked through for pictures.`;
  return `${(days - left).toLocaleString('en-US')} of ${daysText(days)} looked through`;
}
