import type { DaySource } from '../season.js';
import type { Layout } from './layout.js';
import { barLooks, colours, narrowBar } from './look.js';
import { isExpected } from './stages.js';
import { element, text } from '../../insights/svg.js';

const top = 418;
const lineHeight = 18;
const pixelsPerCharacter = 6;
const symbolWidth = 22;

interface Entry {
  readonly label: string;
  /** Markup of a symbol in a box of 16 × 10 pixels at the origin. */
  readonly symbol: string;
}

/** What bars, band and dots mean: only what this picture shows. */
export function legend(layout: Layout): string {
  return element('g', {}, ...row(dayEntries(layout), top), ...row(curveEntries(layout), top + lineHeight));
}

function row(entries: readonly Entry[], y: number): string[] {
  let x = 66;
  return entries.map(({ label, symbol }) => {
    const at = x;
    x += symbolWidth + label.length * pixelsPerCharacter + 14;
    return element(
      'g',
      { transform: `translate(${at.toFixed(1)} ${y - 9})` },
      symbol,
      text(label, { x: symbolWidth, y: 9 }),
    );
  });
}

function dayEntries({ record, x }: Layout): Entry[] {
  const present = new Set(record.daily.map(({ source }) => source));
  const isNarrow = x(1) - x(0) < narrowBar;
  return Object.entries(barLooks)
    .filter(([source]) => present.has(source as DaySource))
    .map(([, { label, fill, stroke, narrow }]) => ({
      label: `${label} day`,
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
  ...stageEntry(layout, 'growth stage reached', ({ basis }) => !isExpected(basis)),
  ...stageEntry(layout, 'expected (line: 8 of 10 years)', ({ basis }) => isExpected(basis)),
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
  const d = 'M4 0h8M8 0v10M4 10h8';
  const symbol = element('path', { d, stroke: colours.ink, 'stroke-width': 1.5, fill: 'none' });
  return [{ label: 'range of the total', symbol }];
}

type Stage = Layout['record']['stages'][number];

function stageEntry({ record }: Layout, label: string, isMeant: (stage: Stage) => boolean): Entry[] {
  const shown = record.stages.find((stage) => stage.date !== null && isMeant(stage));
  if (shown === undefined) return [];
  const fill = isExpected(shown.basis) ? '#ffffff' : colours.ink;
  return [
    { label, symbol: element('circle', { cx: 12, cy: 5, r: 3.5, fill, stroke: colours.ink, 'stroke-width': 1.5 }) },
  ];
}
