import type { DaySource } from '../season.js';
import type { Layout } from './layout.js';
import { colours, curveFrame, rim } from './look.js';
import { dayInWords } from './scale.js';
import type { PointXY } from '../../insights/svg.js';
import { element, pathOf, text } from '../../insights/svg.js';

/** The normal band, the accumulated curve, the day of the calculation and the range of the total. */
export const curve = (layout: Layout): string =>
  element('g', { fill: 'none' }, ...normalBand(layout), ...season(layout), ...asOfLine(layout), ...totalRange(layout));

/** Running sums stand at the evening of their day; every season begins with nothing. */
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

/** How the curve is drawn, by what its days rest on: whole, dashed, dotted. */
const strokes: Readonly<Record<DaySource, string>> = {
  OBSERVED: 'solid',
  INTERPOLATED: 'solid',
  PROVISIONAL: 'solid',
  FORECAST: 'dashed',
  NORMAL: 'dotted',
};

const looks: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  solid: { stroke: colours.ink, 'stroke-width': 2.5 },
  dashed: { stroke: colours.forecast, 'stroke-width': 2.5, 'stroke-dasharray': '6 3' },
  dotted: { stroke: colours.ink, 'stroke-width': 2.5, 'stroke-dasharray': '1 5', 'stroke-linecap': 'round' },
};

/** The curve in pieces of one look each; a piece begins where the one before ends. */
function season(layout: Layout): string[] {
  const points = pointsOf(
    layout,
    layout.record.daily.map(({ cumulative }) => cumulative),
  );
  const pieces: { look: string; points: PointXY[] }[] = [];
  for (const [index, { source }] of layout.record.daily.entries()) {
    const [from, to] = [points[index], points[index + 1]];
    if (from === undefined || to === undefined) continue;
    const look = strokes[source];
    const open = pieces.at(-1);
    if (open?.look === look) open.points.push(to);
    else pieces.push({ look, points: [from, to] });
  }
  return pieces.map((piece) => element('path', { d: pathOf(piece.points), ...looks[piece.look] }));
}

function asOfLine({ record, x, indexOf }: Layout): string[] {
  const index = indexOf(record.asOfDate);
  if (index === undefined || index === 0) return [];
  const at = x(index);
  const isLate = at > curveFrame.right - 90;
  return [
    element('path', { d: `M${at.toFixed(2)} ${curveFrame.top}V386`, stroke: colours.faint, 'stroke-dasharray': '3 3' }),
    text(`as of ${dayInWords(record.asOfDate)}`, {
      x: isLate ? at - 4 : at + 4,
      y: curveFrame.bottom - 6,
      'text-anchor': isLate ? 'end' : undefined,
      fill: colours.ink,
      ...rim,
    }),
  ];
}

/** A bracket at the end of the curve: where the total ends up in eight of ten reference years. */
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
