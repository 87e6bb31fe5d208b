import type { GddRecord } from '../form/gddRecord.js';
import { cropNames, headline, placeLine, subline } from './words.js';
import { axes } from './axes.js';
import { bars } from './bars.js';
import { curve } from './curve.js';
import { frostMarks, showsFrost } from './frostMarks.js';
import type { Layout } from './layout.js';
import { legend } from './legend.js';
import { barFrame, colours, curveFrame, patterns, size } from './look.js';
import { valueScale } from './scale.js';
import { shownDate, stageMarks } from './stages.js';
import { element, escaped, textElement } from '../../jobs/insight/svg.js';

/**
 * A picture of a GDD insight, 800 × 500 SVG: the accumulated curve over the band of the reference years, below it the days
 * by their source, with marks for growth stages and frost. It has no script, no font and no reference to another file.
 */
export function gddChart(record: GddRecord): string {
  const layout = layoutOf(record);
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: size.width,
      height: size.height,
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: 'img',
      'aria-labelledby': 'title description',
      'font-family': 'Helvetica, Arial, sans-serif',
      'font-size': 11,
      fill: colours.ink,
    },
    element('title', { id: 'title' }, escaped(headline(record))),
    element(
      'desc',
      { id: 'description' },
      escaped(`${cropNames[record.crop] ?? record.crop}. ${subline(record)}. ${placeLine(record)}`),
    ),
    patterns,
    element('rect', { width: size.width, height: size.height, fill: '#ffffff' }),
    textElement(headline(record), { x: 16, y: 24, 'font-size': 16, 'font-weight': 'bold' }),
    textElement(subline(record), { x: 16, y: 44, 'font-size': 12 }),
    textElement(placeLine(record), { x: 16, y: 62, fill: colours.faint }),
    axes(layout),
    bars(layout),
    curve(layout),
    frostMarks(layout),
    stageMarks(layout),
    legend(layout),
  );
}

/** Scales for the values of a record, with room for the names of stages and the marks of frost. */
export function layoutOf(record: GddRecord): Layout {
  const { daily, normal, range, total } = record;
  const width = (curveFrame.right - curveFrame.left) / daily.length;
  const indexes = new Map(daily.map(({ date }, index) => [date, index]));
  const highestSum = Math.max(total, range.p90, ...(normal?.cumulative.p90.slice(-1) ?? []));
  const highestDay = daily.reduce((highest, { gdd }) => Math.max(highest, gdd), 0);
  const hasStages = record.stages.some((stage) => shownDate(stage) !== null);
  return {
    record,
    x: (index) => curveFrame.left + index * width,
    indexOf: (day) => indexes.get(day),
    sums: valueScale(highestSum, curveFrame, { headroom: hasStages ? 0.22 : 0.06, ticks: 6 }),
    days: valueScale(highestDay, barFrame, { headroom: showsFrost(record) ? 0.26 : 0.05, ticks: 3 }),
  };
}
