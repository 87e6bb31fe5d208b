/** How far the outline may be trusted: low < 0.55 ≤ medium < 0.75 ≤ high. */
export type ConfidenceClass = 'low' | 'medium' | 'high';

/** Below this confidence no field is claimed (docs/boundary-model.md, "Confidence and refusal"). */
export const confidenceFloor = 0.45;

const classes: readonly (readonly [ConfidenceClass, number])[] = [
  ['high', 0.75],
  ['medium', 0.55],
  ['low', 0],
];

/**
 * Trees that were fitted to synthetic fields promise too little where they promise little, and too much where much:
 * on real fields their scores are drawn towards the usual overlap (tools/boundary-model/MODEL.md, "Confidence").
 */
const usualOverlap = 0.72;
const trustInScores = 0.75;

/** The trees don't know how many dates there were; at the same score several dates overlap better by this. */
const gainOfSeveralDates = 0.05;

/** Where the network is less sure than this that the point lies in a field, it seldom does, and the outline seldom fits. */
const leastFieldProbability = 0.95;
const mostWithoutField = 0.4;

/** What was looked at. */
export interface Sight {
  readonly dates: number;
  /** The network's, at the point; undefined where it was not asked. */
  readonly fieldProbability: number | undefined;
}

/**
 * Estimated IoU of an outline with the true field, 0–1.
 *
 * @param score of the ranker; undefined when there was no candidate
 */
export function confidenceOf(score: number | undefined, { dates, fieldProbability = 1 }: Sight): number {
  if (score === undefined) return 0;
  const drawn = usualOverlap + trustInScores * (score - usualOverlap) + (dates > 1 ? gainOfSeveralDates : 0);
  const most = fieldProbability < leastFieldProbability ? mostWithoutField : 1;
  return Math.min(most, Math.max(0, drawn));
}

/** The class of a confidence. */
export function confidenceClassOf(confidence: number): ConfidenceClass {
  return classes.find(([, from]) => confidence >= from)?.[0] ?? 'low';
}
