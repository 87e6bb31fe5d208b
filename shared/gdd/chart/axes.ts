import type { Layout } from './layout.js';
import { barFrame, colours, curveFrame } from './look.js';
import { dayTicks, type Frame, type ValueScale } from './scale.js';
import { element, textElement } from '../../jobs/insight/svg.js';
import { forecastInWords, sumUnitOf } from './words.js';

/** Shades of the days to come, grid lines, axes with their labels and units. */
export function axes(layout: Layout): string {
  const unit = sumUnitOf(layout.record);
  return element(
    'g',
    {},
    ...ground(layout, 'FORECAST', {
      fill: colours.forecastGround,
      word: forecastInWords(layout.record),
      ink: colours.forecast,
    }),
    ...ground(layout, 'NORMAL', { fill: colours.normalGround, word: 'normals', ink: colours.ink }),
    ...valueAxis(layout.sums, curveFrame, `accumulated, ${unit}`),
    ...valueAxis(layout.days, barFrame, `daily, ${unit}`),
    ...timeAxis(layout),
  );
}

/** Between the two frames. */
const groundWordY = (curveFrame.bottom + barFrame.top) / 2 + 4;

type GroundLook = Readonly<Record<'fill' | 'word' | 'ink', string>>;

/** A shade behind the days of a source, with a word where there is room for one. */
function ground({ record, x }: Layout, source: string, { fill, word, ink }: GroundLook): string[] {
  const isPart = ({ date, source: each }: (typeof record.daily)[number]): boolean =>
    each === source && date >= record.asOfDate;
  const first = record.daily.findIndex(isPart);
  if (first === -1) return [];
  const last = record.daily.findLastIndex(isPart);
  const [from, to] = [x(first), x(last + 1)];
  const rectangle = (frame: Frame): string =>
    element('rect', { x: from, y: frame.top, width: to - from, height: frame.bottom - frame.top, fill });
  const isWide = to - from > word.length * 5.5;
  return [
    rectangle(curveFrame),
    rectangle(barFrame),
    ...(isWide ? [textElement(word, { x: (from + to) / 2, y: groundWordY, 'text-anchor': 'middle', fill: ink })] : []),
  ];
}

function valueAxis(scale: ValueScale, frame: Frame, label: string): string[] {
  const middle = (frame.top + frame.bottom) / 2;
  return [
    ...scale.ticks.flatMap((tick) => [
      element('path', { d: `M${frame.left} ${scale.y(tick).toFixed(2)}H${frame.right}`, stroke: colours.grid }),
      textElement(String(tick), { x: frame.left - 6, y: scale.y(tick) + 4, 'text-anchor': 'end' }),
    ]),
    element('path', {
      d: `M${frame.left} ${frame.top}V${frame.bottom}H${frame.right}`,
      fill: 'none',
      stroke: colours.ink,
    }),
    textElement(label, { transform: `translate(20 ${middle}) rotate(-90)`, 'text-anchor': 'middle' }),
  ];
}

function timeAxis({ record, x, indexOf }: Layout): string[] {
  return dayTicks(record.gddStartDate, record.daily.length).flatMap(({ day, label }, index, all) => {
    const at = x(indexOf(day) ?? 0);
    const next = all[index + 1];
    const end = next === undefined ? barFrame.right : x(indexOf(next.day) ?? 0);
    const hasRoom = end - at > label.length * 5.5;
    return [
      element('path', { d: `M${at.toFixed(2)} ${barFrame.bottom}v5`, stroke: colours.ink }),
      ...(hasRoom ? [textElement(label, { x: at + 3, y: barFrame.bottom + 14 })] : []),
    ];
  });
}
