import type { SeedResult } from './measure.js';

/** Size classes of the tables, hectares. */
export const sizeClassesHa: readonly (readonly [from: number, to: number])[] = [
  [0, 1],
  [1, 5],
  [5, 20],
  [20, Infinity],
];

/** The value below which half of the values lie. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The mean of the lowest fifth of the values. */
export function lowestFifthOf(values: readonly number[]): number {
  return meanOf([...values].sort((a, b) => a - b).slice(0, Math.ceil(values.length / 5)));
}

/** Results as callers get them: where the service refuses, nobody gets the polygon. */
export function refusedAsZero<Result extends Pick<SeedResult, 'iou' | 'refused'>>(
  results: readonly Result[],
): Result[] {
  return results.map((result) => (result.refused ? { ...result, iou: 0 } : result));
}

/** `.745`, with as many digits as the tables have. */
export const shown = (value: number): string => value.toFixed(3).replace(/^0/, '');
const shareAbove = (values: readonly number[], limit: number): string =>
  shown(meanOf(values.map((value) => (value > limit ? 1 : 0))));

/** `n, mean, median, share above .5, .7, .8` of the results' IoU. */
export function summaryOf(results: readonly SeedResult[]): string {
  const iou = results.map((result) => result.iou);
  const shares = [0.5, 0.7, 0.8].map((limit) => shareAbove(iou, limit)).join(' ');
  return `n ${String(iou.length).padStart(4)}  mean ${shown(meanOf(iou))}  median ${shown(medianOf(iou))}  >.5/.7/.8 ${shares}`;
}

/** Mean, median and share above .7 of both counts, and what share is refused: one row of the table of areas. */
export function bothCountsOf(results: readonly SeedResult[]): string {
  const counted = [results, refusedAsZero(results)].map((count) => {
    const iou = count.map((result) => result.iou);
    return `${shown(meanOf(iou))}  ${shown(medianOf(iou))}  ${shareAbove(iou, 0.7)}`;
  });
  const refused = meanOf(results.map((result) => (result.refused ? 1 : 0)));
  return [String(results.length).padStart(5), shown(refused), ...counted].join('    ');
}

/** The titles of the columns of `bothCountsOf`. */
export const bothCountsTitle = ['seeds', 'refused', 'as delivered: mean, median, > .7', 'refused as 0: the same'].join(
  '  ',
);

/** Results whose field lies in a size class. */
export function ofSize<Result extends Pick<SeedResult, 'areaHa'>>(
  results: readonly Result[],
  [from, to]: readonly [number, number],
): Result[] {
  return results.filter(({ areaHa }) => areaHa >= from && areaHa < to);
}

/** One line for each fifth of the confidence: what was promised and what came true. */
export function calibrationOf(results: readonly Pick<SeedResult, 'iou' | 'confidence'>[]): string[] {
  const sorted = [...results].sort((a, b) => a.confidence - b.confidence);
  return Array.from({ length: 5 }, (_, k) => {
    const fifth = sorted.slice(Math.round((k * sorted.length) / 5), Math.round(((k + 1) * sorted.length) / 5));
    const [promised, true_] = [meanOf(fifth.map(({ confidence }) => confidence)), meanOf(fifth.map(({ iou }) => iou))];
    return `promised ${shown(promised)} came ${shown(true_)} (${shown(true_ - promised)})`;
  });
}

/** A field is in reach when some candidate overlaps it by this much. */
const goodCandidateIou = 0.7;

/**
 * The mean of what the overlap lacks of 1, in three parts: fields that no candidate fits, a better candidate that was
 * not chosen, and what even the best candidate's outline lacks; empty where candidates weren't measured.
 */
export function lossesOf(results: readonly SeedResult[]): string {
  const pairs = results.flatMap(({ iou, bestCandidateIou: best }) => (best === undefined ? [] : [{ iou, best }]));
  if (pairs.length === 0) return '';
  const lost = (part: (pair: { iou: number; best: number }) => number): string => shown(meanOf(pairs.map(part)));
  return [
    `lost ${lost(({ iou }) => 1 - iou)}`,
    `no candidate ${lost(({ best }) => (best < goodCandidateIou ? 1 - best : 0))}`,
    `choice ${lost(({ iou, best }) => best - iou)}`,
    `outline ${lost(({ best }) => (best < goodCandidateIou ? 0 : 1 - best))}`,
  ].join('  ');
}
