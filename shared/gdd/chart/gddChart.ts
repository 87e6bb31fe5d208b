import type { GddRecord } from '../gddRecord.js';
import { cropNames } from './words.js';
import { axes } from './axes.js';
import { bars } from './bars.js';
import { curve } from './curve.js';
import { frostMarks } from './frostMarks.js';
import { legend } from './legend.js';
import { colours, patterns, size } from './look.js';
import { layoutOf } from './layoutOf.js';
import { stageMarks } from './stages.js';
import { element, escaped, textElement } from '../../insights/svg.js';
import { headline, placeLine, subline } from './words.js';

/**
 * A picture of a GDD insight, 800 × 500 SVG: the accumulated curve over the band of the reference years, the days
 * below it by what they rest on, growth stages and frost marked. It needs no script, no font and nothing from elsewhere.
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
