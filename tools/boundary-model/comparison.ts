import { Random } from '../scenes/random.js';
import type { SeedResult } from './measure.js';
import { lowestFifthOf, meanOf, medianOf, ofSize, refusedAsZero, shown, sizeClassesHa } from './statistics.js';

/** A result and the area that its field lies in; a family of synthetic scenes is an area too. */
export type PlacedResult = Pick<SeedResult, 'field' | 'seed' | 'areaHa' | 'iou' | 'bestCandidateIou' | 'refused'> & {
  readonly area: string;
};

/** One seed, answered by two models or in two ways. */
export interface Pair {
  readonly area: string;
  readonly field: string;
  readonly ours: number;
  readonly theirs: number;
}

/** How much more ours have than theirs, and what 95 % of the resampled differences lie in. */
export interface Difference {
  readonly value: number;
  readonly range: readonly [low: number, high: number];
}

const statistics = [
  ['mean', meanOf],
  ['median', medianOf],
  ['lowest fifth', lowestFifthOf],
] as const;

/** What is drawn as a whole, for its seeds fail together. */
export const byField = ({ area, field }: Pair): string => `${area} ${field}`;
export const byArea = ({ area }: Pair): string => area;

/** Of fewer areas nothing can be said about others. */
const leastAreas = 5;

const resamplings = 2000;

/**
 * Differences of mean, median and mean of the lowest fifth, with a paired bootstrap: fields (or areas) are drawn with
 * repetition, as many as there are, each with all its seeds on both sides. The same pairs give the same ranges.
 */
export function differencesOf(pairs: readonly Pair[], drawnAs: (pair: Pair) => string = byField): Difference[] {
  const groups = groupsOf(pairs, drawnAs);
  const random = new Random(1);
  const drawn = Array.from({ length: resamplings }, () =>
    differencesIn(groups.flatMap(() => groups[Math.floor(random.next() * groups.length)] ?? [])),
  );
  return differencesIn(pairs).map((value, k) => {
    const sorted = drawn.map((differences) => differences[k] ?? 0).sort((a, b) => a - b);
    const outside = Math.floor(0.025 * resamplings);
    return { value, range: [sorted[outside] ?? 0, sorted[resamplings - 1 - outside] ?? 0] };
  });
}

function differencesIn(pairs: readonly Pair[]): number[] {
  const [ours, theirs] = [pairs.map((pair) => pair.ours), pairs.map((pair) => pair.theirs)];
  return statistics.map(([, statisticOf]) => statisticOf(ours) - statisticOf(theirs));
}

function groupsOf<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[][] {
  const groups = new Map<string, Value[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups.values()];
}

/** The seeds that both sides have, by what counts at each; a seed without a value on either side is left out. */
export function pairsOf<Result extends PlacedResult>(
  ours: readonly Result[],
  theirs: readonly Result[],
  valueOf: (result: Result) => number | undefined = ({ iou }) => iou,
): Pair[] {
  const keyOf = ({ area, field, seed }: Result): string => JSON.stringify([area, field, seed]);
  const known = new Map(theirs.map((result) => [keyOf(result), valueOf(result)]));
  return ours.flatMap((result) => {
    const [mine, other] = [valueOf(result), known.get(keyOf(result))];
    return mine === undefined || other === undefined
      ? []
      : [{ area: result.area, field: result.field, ours: mine, theirs: other }];
  });
}

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value < 0 ? '−' : ''}${shown(Math.abs(value))}`;
const shareOf = (pairs: readonly Pair[], holds: (pair: Pair) => boolean): string =>
  `${(100 * meanOf(pairs.map((pair) => (holds(pair) ? 1 : 0)))).toFixed(0)} %`;

function lineOf(title: string, pairs: readonly Pair[], drawnAs?: (pair: Pair) => string): string[] {
  if (pairs.length === 0) return [];
  const differences = differencesOf(pairs, drawnAs).map(
    ({ value, range }, k) => `${statistics[k]?.[0]} ${signed(value)} [${range.map(signed).join(', ')}]`,
  );
  return [`${title.padEnd(16)}${differences.join('  ')}`];
}

/**
 * How ours differ from theirs at the seeds that both have: both counts, the best candidate where it was measured at each,
 * size classes, and from five areas on what other areas would say.
 */
export function comparisonOf<Result extends PlacedResult>(
  ours: readonly Result[],
  theirs: readonly Result[],
): string[] {
  const delivered = pairsOf(ours, theirs);
  const asZero = pairsOf(refusedAsZero(ours), refusedAsZero(theirs));
  const best = pairsOf(ours, theirs, ({ bestCandidateIou }) => bestCandidateIou);
  const better = shareOf(delivered, (pair) => pair.ours > pair.theirs);
  const worse = shareOf(delivered, (pair) => pair.ours < pair.theirs);
  const areas = new Set(delivered.map(({ area }) => area)).size;
  return [
    `${delivered.length} seeds of ${groupsOf(delivered, byField).length} fields, better at ${better}, worse at ${worse}`,
    ...lineOf('as delivered', delivered),
    ...lineOf('refused as 0', asZero),
    ...(best.length < delivered.length ? [] : lineOf('best candidate', best)),
    ...sizeClassesHa.flatMap((size) => lineOf(`${size[0]}–${size[1]} ha`, pairsOf(ofSize(ours, size), theirs))),
    ...(areas < leastAreas ? [] : lineOf('by area', delivered, byArea)),
    ...(areas < leastAreas ? [] : lineOf('by area, as 0', asZero, byArea)),
  ];
}
