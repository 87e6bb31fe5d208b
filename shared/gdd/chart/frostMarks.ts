import type { FrostSeverity } from '../stages/frost.js';
import type { GddRecord } from '../form/gddRecord.js';
import type { Layout } from './layout.js';
import { barFrame, colours } from './look.js';
import { type Attributes, element } from '../../jobs/insight/svg.js';

/** Marks by severity, drawn around their middle; their shapes differ, for prints in grey. */
export const frostLooks: Readonly<Record<FrostSeverity, Attributes>> = {
  NEAR: { d: 'M-4 -3.5H4L0 4Z', fill: '#ffffff', stroke: colours.frost, 'stroke-width': 1.2 },
  DAMAGE: { d: 'M-4 -3.5H4L0 4Z', fill: colours.frost, stroke: colours.frost, 'stroke-width': 1.2 },
  KILLING: { d: 'M0 -5L4.5 0L0 5L-4.5 0Z', fill: colours.killing, stroke: colours.killing, 'stroke-width': 1.2 },
};

const markY = barFrame.top + 9;
const order: readonly FrostSeverity[] = ['NEAR', 'DAMAGE', 'KILLING'];

/** Cold nights above the bars of their days, the worst on top, and the usual days of the first and last freeze. */
export function frostMarks(layout: Layout): string {
  const { record, x, indexOf } = layout;
  const worstLast = record.frost.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
  const marks = worstLast.map(({ date, severity }) => {
    const at = x((indexOf(date) ?? 0) + 0.5).toFixed(2);
    return element('path', { transform: `translate(${at} ${markY})`, ...frostLooks[severity] });
  });
  return element('g', {}, ...freezeSpans(layout), ...marks);
}

/** Days of the season, by index, in which it freezes first or last in eight of ten years. */
interface FreezeSpan {
  readonly from: number;
  readonly to: number;
  /** Undefined outside of the season. */
  readonly median: number | undefined;
}

/** Whether the picture has marks of frost or freezes. */
export const showsFrost = (record: GddRecord): boolean => record.frost.length > 0 || freezeSpansOf(record).length > 0;

/** The first and the last freeze as far as they lie in the season; none where most winters have no freeze. */
export function freezeSpansOf({ daily, normal }: GddRecord): FreezeSpan[] {
  const indexOn = (monthDay: string | null): number =>
    monthDay === null ? -1 : daily.findIndex(({ date }) => date.slice(5) === monthDay);
  const freezes = normal === undefined ? [] : [normal.firstFreeze, normal.lastFreeze];
  return freezes.flatMap((freeze) => {
    if (freeze === undefined || freeze.median === null) return [];
    const span = withinSeason(indexOn(freeze.earliest), indexOn(freeze.latest), daily.length - 1);
    const median = indexOn(freeze.median);
    return span === undefined ? [] : [{ ...span, median: median < 0 ? undefined : median }];
  });
}

/** From the earliest to the latest day of a span, −1 where they lie outside of the season. */
function withinSeason(earliest: number, latest: number, last: number): Pick<FreezeSpan, 'from' | 'to'> | undefined {
  if (earliest < 0 && latest < 0) return undefined;
  if (earliest < 0) return { from: 0, to: latest };
  return { from: earliest, to: latest < earliest ? last : latest };
}

function freezeSpans({ record, x }: Layout): string[] {
  return freezeSpansOf(record).map(({ from, to, median }) => {
    const tick = median === undefined ? '' : `M${x(median + 0.5).toFixed(2)} ${markY - 5}v10`;
    const d = `M${x(from).toFixed(2)} ${markY}H${x(to + 1).toFixed(2)}${tick}`;
    return element('path', { d, stroke: colours.frost, 'stroke-width': 2, 'stroke-opacity': 0.8, fill: 'none' });
  });
}
