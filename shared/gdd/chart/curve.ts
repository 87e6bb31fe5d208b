import type { DaySource } from '../days/season.js';
import type { Layout } from './layout.js';
import { barFrame, colours, curveFrame, rim } from './look.js';
import { dayInWords } from './scale.js';
import { type Attributes, element, pathOf, type PointXY, textElement } from '../../jobs/insight/svg.js';

/** The normal band, the range, the accumulated curve, the day of the calculation and the range of the total. */
export const curve = (layout: Layout): string =>
  element(
    'g',
    { fill: 'none' },
    ...normalBand(layout),
    ...rangeBand(layout),
    ...season(layout),
    ...asOfLine(layout),
    ...totalRange(layout),
  );

/** Running sums are drawn at the evening of their day; the season begins at 0. */
const pointsOf = ({ x, sums }: Layout, values: readonly number[]): PointXY[] => [
  { x: x(0), y: sums.y(0) },
  ...values.map((value, index) => ({ x: x(index + 1), y: sums.y(value) })),
];

function normalBand(layout: Layout): string[] {
  const { normal } = layout.record;
  if (normal === undefined) return [];
  const { mean, p10, p90 } = normal.cumulative;
  const outline = [...pointsOf(layout, p90), ...pointsOf(layout, p10).toReversed()];
  return [
    element('path', { d: `${pathOf(outline)}Z`, fill: colours.band }),
    element('path', { d: pathOf(pointsOf(layout, mean)), stroke: colours.normalLine, 'stroke-width': 1.2 }),
  ];
}

/** The running sum of eight of ten seasons, from the first day on that is not certain. */
function rangeBand(layout: Layout): string[] {
  const { from, cumulative } = layout.record.range;
  const first = from === undefined ? undefined : layout.indexOf(from);
  if (first === undefined || cumulative === undefined) return [];
  const { x, sums } = layout;
  const line = (values: readonly number[]): PointXY[] =>
    values.map((value, index) => ({ x: x(first + index + 1), y: sums.y(value) }));
  const start = { x: x(first), y: sums.y(layout.record.daily[first - 1]?.cumulative ?? 0) };
  const outline = [start, ...line(cumulative.p90), ...line(cumulative.p10).toReversed()];
  return [element('path', { d: `${pathOf(outline)}Z`, fill: colours.range, 'fill-opacity': 0.55 })];
}

const solid: Attributes = { stroke: colours.ink, 'stroke-width': 2.5 };

/** Strokes of the curve by the source of its days: whole, dashed, dotted. */
const strokes: Readonly<Record<DaySource, Attributes>> = {
  OBSERVED: solid,
  INTERPOLATED: solid,
  PROVISIONAL: solid,
  FORECAST: { stroke: colours.forecast, 'stroke-width': 2.5, 'stroke-dasharray': '6 3' },
  NORMAL: { ...solid, 'stroke-dasharray': '1 5', 'stroke-linecap': 'round' },
};

/** The curve in pieces of one stroke each; a piece begins at the end of the one before. */
function season(layout: Layout): string[] {
  const points = pointsOf(
    layout,
    layout.record.daily.map(({ cumulative }) => cumulative),
  );
  const pieces: { look: Attributes; points: PointXY[] }[] = [];
  for (const [index, { source }] of layout.record.daily.entries()) {
    const [from, to] = [points[index], points[index + 1]];
    if (from === undefined || to === undefined) continue;
    const look = strokes[source];
    const open = pieces.at(-1);
    if (open?.look === look) open.points.push(to);
    else pieces.push({ look, points: [from, to] });
  }
  return pieces.map((piece) => element('path', { d: pathOf(piece.points), ...piece.look }));
}

function asOfLine({ record, x, indexOf }: Layout): string[] {
  const index = indexOf(record.asOfDate);
  if (index === undefined || index === 0) return [];
  const at = x(index);
  const isLate = at > curveFrame.right - 90;
  return [
    element('path', {
      d: `M${at.toFixed(2)} ${curveFrame.top}V${barFrame.bottom}`,
      stroke: colours.faint,
      'stroke-dasharray': '3 3',
    }),
    textElement(`as of ${dayInWords(record.asOfDate)}`, {
      x: isLate ? at - 4 : at + 4,
      y: curveFrame.bottom - 6,
      'text-anchor': isLate ? 'end' : undefined,
      fill: colours.ink,
      ...rim,
    }),
  ];
}

/** A bracket at the end of the curve: the total of eight of ten seasons. */
function totalRange({ record, x, sums }: Layout): string[] {
  const { range, daily } = record;
  if (range.p10 === range.p90) return [];
  const at = x(daily.length);
  const [low, high] = [sums.y(range.p10).toFixed(2), sums.y(range.p90).toFixed(2)];
  return [
    element('path', {
      d: `M${at - 5} ${high}h10M${at} ${high}V${low}M${at - 5} ${low}h10`,
      stroke: colours.ink,
      'stroke-width': 1.5,
    }),
  ];
}
