import type { FrostSeverity } from '../stages/frost.js';
import type { GddStageRecord } from '../form/gddRecord.js';
import type { Layout } from './layout.js';
import { frostLooks, freezeSpansOf } from './frostMarks.js';
import { barLooks, colours, narrowBar, size } from './look.js';
import { dotLooks, type StageLook, stageLookOf, shownDate } from './stages.js';
import { element, textElement } from '../../jobs/insight/svg.js';
import { forecastInWords } from './words.js';

const left = 66;
const top = 446;
const lineHeight = 17;
const pixelsPerCharacter = 5.6;
const symbolWidth = 21;
const gap = 16;

interface Entry {
  readonly label: string;
  /** Markup of a symbol in a box of 16 × 10 pixels at the origin. */
  readonly symbol: string;
}

/** Explains every mark of this picture, in as many lines as needed. */
export function legend(layout: Layout): string {
  let [x, y] = [left, top];
  const entries = [...dayEntries(layout), ...curveEntries(layout), ...frostEntries(layout)];
  return element(
    'g',
    {},
    ...entries.map(({ label, symbol }) => {
      const width = symbolWidth + label.length * pixelsPerCharacter;
      if (x > left && x + width > size.width - 12) [x, y] = [left, y + lineHeight];
      const transform = `translate(${x.toFixed(1)} ${y - 9})`;
      x += width + gap;
      return element('g', { transform }, symbol, textElement(label, { x: symbolWidth, y: 9 }));
    }),
  );
}

function dayEntries({ record, x }: Layout): Entry[] {
  const present = new Set<string>(record.daily.map(({ source }) => source));
  const isNarrow = x(1) - x(0) < narrowBar;
  return Object.entries(barLooks)
    .filter(([source]) => present.has(source))
    .map(([source, { label, fill, stroke, narrow }]) => ({
      label: source === 'FORECAST' ? forecastInWords(record).replace('forecast', 'forecast day') : `${label} day`,
      symbol: element('rect', {
        width: 16,
        height: 10,
        fill: isNarrow ? narrow : fill,
        stroke: isNarrow ? undefined : stroke,
        'stroke-width': 0.8,
      }),
    }));
}

const curveEntries = (layout: Layout): Entry[] => [
  ...normalEntry(layout),
  ...rangeEntry(layout),
  ...stageEntry(layout, 'reached', 'stage reached'),
  ...stageEntry(layout, 'expected', 'stage expected'),
  ...intervalEntry(layout),
  ...stageEntry(layout, 'ifSurvived', 'stage if the crop survived the frost'),
];

function normalEntry({ record: { normal } }: Layout): Entry[] {
  if (normal === undefined) return [];
  const symbol =
    element('rect', { width: 16, height: 10, fill: colours.band }) +
    element('path', { d: 'M0 5h16', stroke: colours.normalLine, 'stroke-width': 1.2 });
  return [{ label: `${normal.years[0]}–${normal.years[1]}: mean, 8 of 10 years`, symbol }];
}

function rangeEntry({ record: { range } }: Layout): Entry[] {
  if (range.p10 === range.p90) return [];
  const symbol =
    element('rect', { width: 12, height: 10, fill: colours.range, 'fill-opacity': 0.55 }) +
    element('path', { d: 'M10 0h6M13 0v10M10 10h6', stroke: colours.ink, 'stroke-width': 1.5, fill: 'none' });
  return [{ label: 'range with forecast error, 8 of 10 seasons', symbol }];
}

function stageEntry({ record, indexOf }: Layout, look: StageLook, label: string): Entry[] {
  const isShown = record.stages.some(
    (stage) => stageLookOf(stage) === look && indexOf(shownDate(stage) ?? '') !== undefined,
  );
  if (!isShown) return [];
  return [{ label, symbol: element('circle', { cx: 12, cy: 5, r: 3.5, ...dotLooks[look] }) }];
}

function intervalEntry({ record }: Layout): Entry[] {
  const hasInterval = ({ date, earliest, latest }: GddStageRecord): boolean => date !== null && earliest !== latest;
  if (!record.stages.some(hasInterval)) return [];
  const symbol = element('path', { d: 'M0 5h16M0 2v6M16 2v6', stroke: colours.ink, 'stroke-width': 1.2, fill: 'none' });
  return [{ label: 'its day in 8 of 10 seasons', symbol }];
}

const frostWords: Readonly<Record<FrostSeverity, string>> = {
  NEAR: 'night within 1 °C of frost damage',
  DAMAGE: 'frost that damages',
  KILLING: 'frost that kills',
};

function frostEntries(layout: Layout): Entry[] {
  const present = new Set(layout.record.frost.map(({ severity }) => severity));
  const marks = (Object.keys(frostWords) as FrostSeverity[]).filter((severity) => present.has(severity));
  const symbol = element('path', { d: 'M0 5h16M8 0v10', stroke: colours.frost, 'stroke-width': 2, fill: 'none' });
  return [
    ...marks.map((severity) => ({
      label: frostWords[severity],
      symbol: element('path', { transform: 'translate(10 5)', ...frostLooks[severity] }),
    })),
    ...(freezeSpansOf(layout.record).length === 0
      ? []
      : [{ label: 'first, last freeze (0 °C), 8 of 10 years', symbol }]),
  ];
}
