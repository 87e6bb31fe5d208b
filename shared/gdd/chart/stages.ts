import type { GddStageRecord } from '../form/gddRecord.js';
import type { Layout } from './layout.js';
import { colours, curveFrame, rim } from './look.js';
import { type Attributes, element, textElement } from '../../jobs/insight/svg.js';

const rowHeight = 13;
const mostRows = 4;
const pixelsPerCharacter = 6;

/** A stage is reached, expected from a forecast or normals, or expected only if the crop survives a killing frost. */
export type StageLook = 'reached' | 'expected' | 'ifSurvived';

/** Dots of the stages. */
export const dotLooks: Readonly<Record<StageLook, Attributes>> = {
  reached: { fill: colours.ink, stroke: colours.ink, 'stroke-width': 1.5 },
  expected: { fill: '#ffffff', stroke: colours.ink, 'stroke-width': 1.5 },
  ifSurvived: { fill: '#ffffff', stroke: colours.killing, 'stroke-width': 1.5, 'stroke-dasharray': '2 1.5' },
};

/** A stage whose day lies in the season, ready to be drawn. */
interface Mark {
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly look: StageLook;
  readonly from: number;
  readonly to: number;
  /** Row of its name, counted from the top; undefined without room for a name. */
  readonly row: number | undefined;
  readonly nameX: number;
}

/** A dot on the curve for each growth stage, hollow while the stage is only expected, with its name above. */
export function stageMarks(layout: Layout): string {
  const marks = marksOf(layout);
  return element(
    'g',
    {},
    ...marks.flatMap(leader),
    ...marks.flatMap(({ y, from, to }) => (to > from ? [horizontal(y, from, to)] : [])),
    ...marks.map(dot),
    ...marks.flatMap(name),
  );
}

/** The day of a stage's dot: that on which it is reached, or would be without a killing frost. */
export const shownDate = ({ date, dateIfSurvived }: GddStageRecord): string | null => date ?? dateIfSurvived ?? null;

/** Look of a stage's dot. */
export function stageLookOf({ date, basis }: GddStageRecord): StageLook {
  if (date === null) return 'ifSurvived';
  return basis === 'NORMAL' || basis === 'FORECAST' ? 'expected' : 'reached';
}

/** A short code is followed by the name, because most readers do not know it. */
const labelOf = (code: string, name: string): string => (code.length <= 3 ? `${code} ${name}` : code);

function marksOf(layout: Layout): Mark[] {
  const { record, x, sums, indexOf } = layout;
  const edge = (day: string | null, otherwise: number): number => {
    const index = day === null ? undefined : indexOf(day);
    return index === undefined ? otherwise : x(index + 0.5);
  };
  const ends: number[] = [];
  return record.stages.flatMap((each): Mark[] => {
    const { code, name: stage, date, earliest, latest } = each;
    const index = indexOf(shownDate(each) ?? '');
    if (index === undefined) return [];
    const at = x(index + 0.5);
    const isRange = date !== null && (earliest !== null || latest !== null);
    return [
      {
        label: labelOf(code, stage),
        x: at,
        y: sums.y(sumAtNoon(layout, index)),
        look: stageLookOf(each),
        from: isRange ? edge(earliest, at) : at,
        to: isRange ? edge(latest, curveFrame.right) : at,
        ...place(labelOf(code, stage), at, ends),
      },
    ];
  });
}

/** Running sum in the middle of a day. */
function sumAtNoon({ record }: Layout, index: number): number {
  const { cumulative = 0, gdd = 0 } = record.daily[index] ?? {};
  return cumulative - gdd / 2;
}

/** The first row with room for a name. @param ends right ends of the names in each row so far */
function place(label: string, at: number, ends: number[]): Pick<Mark, 'row' | 'nameX'> {
  const half = (label.length * pixelsPerCharacter) / 2;
  const nameX = Math.min(Math.max(at, curveFrame.left + half), curveFrame.right - half);
  for (let row = 0; row < mostRows; row += 1) {
    if ((ends[row] ?? 0) + 4 > nameX - half) continue;
    ends[row] = nameX + half;
    return { row, nameX };
  }
  return { row: undefined, nameX };
}

const nameYOf = (row: number): number => curveFrame.top + 10 + row * rowHeight;

/** Days in which eight of ten seasons reach the stage, as a line with caps; without a cap at the end of the season. */
function horizontal(y: number, from: number, to: number): string {
  const ends = to >= curveFrame.right ? [from] : [from, to];
  const caps = ends.map((end) => `M${end.toFixed(2)} ${(y - 3).toFixed(2)}v6`).join('');
  const d = `M${from.toFixed(2)} ${y.toFixed(2)}H${to.toFixed(2)}${caps}`;
  return element('path', { d, stroke: colours.ink, 'stroke-width': 1.2, fill: 'none' });
}

const nameInk = (look: StageLook): string => (look === 'ifSurvived' ? colours.killing : colours.ink);

/** A line from the name down to the dot, where there is a gap between them. */
function leader({ x, y, row }: Mark): string[] {
  const from = nameYOf(row ?? 0) + 4;
  if (row === undefined || from >= y - 4) return [];
  const d = `M${x.toFixed(2)} ${from}V${(y - 4).toFixed(2)}`;
  return [element('path', { d, stroke: colours.faint, 'stroke-width': 0.8 })];
}

const dot = ({ x, y, look }: Mark): string => element('circle', { cx: x, cy: y, r: 3.5, ...dotLooks[look] });

const name = ({ label, nameX, row, look }: Mark): string[] =>
  row === undefined
    ? []
    : [textElement(label, { x: nameX, y: nameYOf(row), 'text-anchor': 'middle', fill: nameInk(look), ...rim })];
