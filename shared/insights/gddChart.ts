import type { GddRecord } from '../gdd/gddRecord.js';
import { cropNames } from './gddChartWords.js';
import { axes } from './gddChartAxes.js';
import { bars } from './gddChartBars.js';
import { curve } from './gddChartCurve.js';
import { legend } from './gddChartLegend.js';
import { colours, patterns, size } from './gddChartLook.js';
import { layoutOf } from './gddChartLayout.js';
import { stageMarks } from './gddChartStages.js';
import { element, escaped, text } from './gddChartSvg.js';
import { headline, subline } from './gddChartWords.js';

/**
 * A picture of a GDD insight, 800 × 450 SVG: the accumulated curve over the band of the reference years, the days
 * below it by what they rest on, growth stages marked. It needs no script, no font and nothing from elsewhere.
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
    element('desc', { id: 'description' }, escaped(`${cropNames[record.crop] ?? record.crop}. ${subline(record)}`)),
    patterns,
    element('rect', { width: size.width, height: size.height, fill: '#ffffff' }),
    text(headline(record), { x: 16, y: 24, 'font-size': 16, 'font-weight': 'bold' }),
    text(subline(record), { x: 16, y: 44, 'font-size': 12, fill: colours.ink }),
    axes(layout),
    bars(layout),
    curve(layout),
    stageMarks(layout),
    legend(layout),
  );
}
