import { Random } from '../scenes/random.js';
import { confidenceOf } from '../../shared/boundary/predict/confidence.js';
import type { Judge } from '../../shared/boundary/predict/confidence.js';
import { fittedLine } from './leastSquares.js';
import { calibrationOf, meanOf } from './statistics.js';

/** What the service would say at one point of a scene that nothing was fitted to, and what is true there. */
export interface HeldOutPoint {
  readonly dates: number;
  readonly hasNir: boolean;
  /** Of the field that holds the point; 0 where there is none. */
  readonly areaHa: number;
  /** Of the chosen candidate. */
  readonly score: number;
  readonly judge: Judge;
  /** The network's, at the point. */
  readonly fieldProbability: number;
  /** Of the polygon with the field. */
  readonly iou: number;
}

/** The points of one synthetic scene. */
export interface HeldOutScene {
  readonly seed: number;
  readonly roughness: number;
  readonly points: readonly HeldOutPoint[];
}

const isInField = ({ areaHa }: HeldOutPoint): boolean => areaHa > 0;
const fieldsOf = (scenes: readonly HeldOutScene[]): HeldOutPoint[] =>
  scenes.flatMap(({ points }) => points.filter(isInField));

/** What the overlap follows from, besides a constant: a name and the value at a point. */
const causes: readonly (readonly [name: string, (point: HeldOutPoint) => number])[] = [
  ['slope over the score', ({ score }) => score],
  ['two dates', ({ dates }) => (dates === 2 ? 1 : 0)],
  ['three dates', ({ dates }) => (dates > 2 ? 1 : 0)],
  ['near infrared', ({ hasNir }) => (hasNir ? 1 : 0)],
];

function gainsIn(scenes: readonly HeldOutScene[]): number[] {
  const points = fieldsOf(scenes);
  const rows = points.map((point) => [1, ...causes.map(([, valueAt]) => valueAt(point))]);
  return fittedLine(
    rows,
    points.map(({ iou }) => iou),
  ).slice(1);
}

/** What a value would be with other scenes: that of scenes drawn from these, as many, with repetition. */
const resamplings = 400;

/** What slope and gains the overlap follows the score with, each with what 95 % of the resampled scenes give. */
export function gainsOf(scenes: readonly HeldOutScene[]): {
  readonly name: string;
  readonly value: number;
  readonly range: readonly [low: number, high: number];
}[] {
  const random = new Random(1);
  const drawn = Array.from({ length: resamplings }, () =>
    gainsIn(scenes.flatMap(() => scenes[Math.floor(random.next() * scenes.length)] ?? [])),
  );
  return gainsIn(scenes).map((value, k) => {
    const sorted = drawn.map((gains) => gains[k] ?? 0).sort((a, b) => a - b);
    const at = (fraction: number): number => sorted[Math.floor(fraction * sorted.length)] ?? 0;
    return { name: causes[k]?.[0] ?? '', value, range: [at(0.025), at(0.975)] };
  });
}

/** One line for each fifth of the confidence, as it ships: what was promised and what came true. */
export function fifthsOf(scenes: readonly HeldOutScene[]): string[] {
  return calibrationOf(
    fieldsOf(scenes).map((point) => ({ iou: point.iou, confidence: confidenceOf(point.score, point) })),
  );
}

/** Below which confidence, and below which field probability, no field is claimed. */
export interface RefusalLimits {
  readonly confidence: number;
  readonly fieldProbability: number;
}

/** Shares of the points that limits refuse, 0–1, and the mean overlap that is lost with those in fields. */
export function refusalOf(
  scenes: readonly HeldOutScene[],
  limits: RefusalLimits,
): { readonly outside: number; readonly inFields: number; readonly lostIou: number } {
  const isRefused = ({ score, judge, dates, fieldProbability }: HeldOutPoint): boolean =>
    confidenceOf(score, { dates, judge, fieldProbability: undefined }) < limits.confidence ||
    fieldProbability < limits.fieldProbability;
  const shareOf = (points: readonly HeldOutPoint[]): number =>
    meanOf(points.map((point) => (isRefused(point) ? 1 : 0)));
  const inFields = fieldsOf(scenes);
  const outside = scenes.flatMap(({ points }) => points.filter((point) => !isInField(point)));
  const lost = inFields.filter(isRefused).map(({ iou }) => iou);
  return { outside: shareOf(outside), inFields: shareOf(inFields), lostIou: meanOf(lost) };
}
