/** Classes of confidence: low < 0.55 ≤ medium < 0.75 ≤ high. */
export type ConfidenceClass = 'low' | 'medium' | 'high';

/** Below this confidence no field is claimed (docs/boundary-model.md, "Confidence and refusal"). */
export const confidenceFloor = 0.45;

/** Whose score it is: that of the ranker of all fields, or of the one of small fields. */
export type Judge = 'usual' | 'small';

/**
 * The rankers were fitted to synthetic fields, and on real ones overlaps spread less than scores: a score is drawn towards
 * the usual overlap by what its ranker can't be trusted (tools/boundary-model/MODEL.md, "Confidence").
 */
const usualOverlap = 0.72;
const trustInScores: Readonly<Record<Judge, number>> = { usual: 0.75, small: 0.5 };

/** The ranker does not see the number of dates; with several the overlap is better by this at the same score. */
const gainOfSeveralDates = 0.05;

/** Below this probability of a field at the point, or this score, there seldom is one, and the confidence is limited. */
const leastFieldProbability = 0.95;
const leastScore: Readonly<Record<Judge, number>> = { usual: 0, small: 0.44 };
const mostWithoutField = 0.4;

/** What the confidence depends on besides the score. */
export interface Sight {
  readonly dates: number;
  readonly judge: Judge;
  /** The network's probability of a field at the point, 0–1; undefined without the network. */
  readonly fieldProbability: number | undefined;
}

/**
 * Estimated IoU of an outline with the true field, 0–1.
 *
 * @param score of a ranker; undefined when there was no candidate
 */
export function confidenceOf(score: number | undefined, { dates, judge, fieldProbability = 1 }: Sight): number {
  if (score === undefined) return 0;
  const drawn = usualOverlap + trustInScores[judge] * (score - usualOverlap) + (dates > 1 ? gainOfSeveralDates : 0);
  const isDoubtful = fieldProbability < leastFieldProbability || score < leastScore[judge];
  const most = isDoubtful ? mostWithoutField : 1;
  return Math.min(most, Math.max(0, drawn));
}

/** The class of a confidence. */
export function confidenceClassOf(confidence: number): ConfidenceClass {
  if (confidence >= 0.75) return 'high';
  return confidence >= 0.55 ? 'medium' : 'low';
}
