import type { BoundaryMethod } from '../../shared/boundary/predict/edgeEvidence.js';
import { comparisonOf } from './comparison.js';
import type { SeedResult } from './measure.js';
import type { MeasuredSeed, Sight } from './measuredSeeds.js';
import {
  bothCountsOf,
  bothCountsTitle,
  calibrationOf,
  lossesOf,
  meanOf,
  ofSize,
  refusedAsZero,
  sizeClassesHa,
  summaryOf,
} from './statistics.js';

const titleOf = (place: string, { dates, method, clouds }: Sight): string =>
  `${place}, ${dates} date(s), ${method}${clouds === undefined ? '' : `, clouds over ${100 * clouds} % of each date`}`;

/** Results seen the same way in the same area, set by set, in the order of the first of each. */
export const setsOf = (results: readonly MeasuredSeed[]): MeasuredSeed[][] =>
  groupedBy(results, (sight) => titleOf(sight.area, sight));

function groupedBy(results: readonly MeasuredSeed[], nameOf: (sight: Sight) => string): MeasuredSeed[][] {
  const names = [...new Set(results.map(nameOf))];
  return names.map((name) => results.filter((result) => nameOf(result) === name));
}

/** The table of one set: both counts, size classes, confidence, refusals. */
export function tableOf(results: readonly MeasuredSeed[]): string[] {
  const [first] = results;
  if (first === undefined) return [];
  const refused = results.filter((result) => result.refused);
  const share = (100 * refused.length) / results.length;
  return [
    titleOf(first.area, first),
    `  all          ${summaryOf(results)}  ${lossesOf(results)}`,
    `  refused as 0 ${summaryOf(refusedAsZero(results))}`,
    ...sizeClassesHa.flatMap((size) => {
      const part = ofSize(results, size);
      if (part.length === 0) return [];
      return [`  ${`${size[0]}–${size[1]} ha`.padEnd(13)}${summaryOf(part)}  ${lossesOf(part)}`];
    }),
    `  best reading ${summaryOf(results.map((result) => ({ ...result, iou: result.bestIou })))}`,
    ...calibrationOf(results).map((line) => `  ${line}`),
    `  refused ${share.toFixed(1)} % of the seeds; mean IoU of those ${meanOf(refused.map(({ iou }) => iou)).toFixed(2)}`,
  ];
}

/** A line for each seed. */
export function seedLinesOf(results: readonly SeedResult[]): string[] {
  return results.map(
    ({ field, areaHa, iou, confidence }) =>
      `  field ${field.padEnd(6)} ${areaHa.toFixed(2).padStart(7)} ha  IoU ${iou.toFixed(3)}  confidence ${confidence.toFixed(3)}`,
  );
}

/** What clouds cost the seeds that some date still shows: the same seeds with and without them. */
export function costOf(clear: readonly SeedResult[], clouded: readonly SeedResult[]): string[] {
  const inSight = (_: SeedResult, k: number): boolean => clouded[k]?.isEmpty === false;
  return [`  in sight     ${summaryOf(clouded.filter(inSight))}`, `  … unclouded  ${summaryOf(clear.filter(inSight))}`];
}

const everywhere = 'all areas';

/** Both counts by area and over all areas, a table for each way to see them. */
export function areaTablesOf(results: readonly MeasuredSeed[]): string[] {
  return groupedBy(results, (sight) => titleOf('', sight)).flatMap((seen) => {
    const places = placesOf(seen);
    return [
      ...seen.slice(0, 1).map((sight) => `${titleOf('areas', sight).padEnd(32)}${bothCountsTitle}`),
      ...places.map(({ place, set }) => `  ${place.padEnd(30)}${bothCountsOf(set)}`),
    ];
  });
}

interface Place {
  readonly place: string;
  readonly sight: Sight;
  readonly set: readonly MeasuredSeed[];
}

/** Area by area, and all of them where there are several. */
function placesOf(seen: readonly MeasuredSeed[]): Place[] {
  const areas = groupedBy(seen, ({ area }) => area).flatMap((set) =>
    set.slice(0, 1).map((sight) => ({ place: sight.area, sight, set })),
  );
  const pooled = seen.slice(0, 1).map((sight) => ({ place: everywhere, sight, set: seen }));
  return areas.length > 1 ? [...areas, ...pooled] : areas;
}

/** The other side of a comparison. */
export interface OtherSide {
  readonly name: string;
  readonly results: readonly MeasuredSeed[];
  /** What theirs were measured with, where not with the same as ours. */
  readonly method: BoundaryMethod | undefined;
}

/** What ours have over theirs, by area and over all areas, for each way to see them. */
export function differenceTablesOf(ours: readonly MeasuredSeed[], theirs: OtherSide): string[] {
  return placesOfEach(ours).flatMap(({ place, sight, set }) => {
    const wanted = titleOf('', { ...sight, method: theirs.method ?? sight.method });
    const others = theirs.results.filter((result) => titleOf('', result) === wanted);
    const [count = '', ...lines] = comparisonOf(set, others);
    const against = [theirs.name, theirs.method].filter((word) => word !== undefined).join(', ');
    return [`${titleOf(place, sight)}, against ${against}: ${count}`, ...lines.map((line) => `  ${line}`)];
  });
}

const placesOfEach = (results: readonly MeasuredSeed[]): Place[] =>
  groupedBy(results, (sight) => titleOf('', sight)).flatMap(placesOf);
