import type { BoundaryInput } from '../window/boundaryInput.js';
import type { BoundaryModel } from './boundaryModel.js';
import { maskIou, sharedPixels, touchesEdge, type CandidateMask } from '../candidates/candidateMask.js';
import type { DateUse } from '../window/chooseDates.js';
import { confidenceClassOf, confidenceFloor, confidenceOf, type ConfidenceClass, type Sight } from './confidence.js';
import type { BoundaryMethod, ProposalOptions } from './edgeEvidence.js';
import { farmlandFraction } from './landCover.js';
import { outlineAround, type PredictedOutline } from './fieldOutline.js';
import { proposals, type Proposals } from './proposals.js';

/** How an alternative lies to the prediction: within it, round it (a neighbour joined, or the whole of a part), or neither. */
export type BoundaryReading = 'part' | 'larger' | 'other';

/** Another reading of the same place, less likely than the prediction. */
export interface BoundaryAlternative extends Pick<PredictedOutline, 'polygon' | 'areaHectares'> {
  readonly confidence: number;
  readonly reading: BoundaryReading;
}

/** What every answer says. */
interface Answer {
  /** Estimated IoU of the best candidate with the true field, 0–1; 0 without a candidate. */
  readonly confidence: number;
  /** The best candidate reaches the window's edge: a larger window may give another answer. */
  readonly touchesWindow: boolean;
  readonly dates: readonly DateUse[];
  readonly method: BoundaryMethod;
  readonly modelVersion: string;
}

/** The field at the point. */
export interface BoundaryPrediction extends PredictedOutline, Answer {
  readonly outcome: 'field';
  readonly confidenceClass: ConfidenceClass;
  /** At most four, the likelier first; each differs by an IoU below 0.7 from all before it. */
  readonly alternatives: readonly BoundaryAlternative[];
  /** Few dates and a doubtful outline: with further clear dates the answer is likely to be better. */
  readonly moreDatesMayHelp: boolean;
}

/** No field was found, and why. */
export interface BoundaryRefusal extends Answer {
  readonly outcome: 'refused';
  /** no-clear-date: no date shows the point; not-farmland: water or the like; no-field: nothing looks like a field. */
  readonly reason: 'no-clear-date' | 'not-farmland' | 'no-field';
}

/** Options of a prediction. */
export interface PredictionOptions extends ProposalOptions {
  /** Below this confidence the answer is that there is no field; default `confidenceFloor`. */
  readonly refuseBelow?: number;
}

const leastFarmlandFraction = 0.5;
const mostAlternatives = 4;
const alternativesDifferBelow = 0.7;
/** Share of a mask's pixels in another mask from which the first counts as lying within the other. */
const withinFraction = 0.9;
/** With so many dates further ones seldom improve the answer. */
const enoughDates = 3;

/**
 * The field that holds the point, from scenes of one window. The same input gives the same answer.
 *
 * @throws RangeError when the point does not lie in the window
 */
export function predictBoundary(
  input: BoundaryInput,
  model: BoundaryModel,
  options: PredictionOptions = {},
): BoundaryPrediction | BoundaryRefusal {
  const found = proposals(input, model, options);
  const [best] = found.ranked;
  const confidence = confidenceOf(best?.score, sightOf(found));
  const touchesWindow = best !== undefined && touchesEdge(best.mask, input.grid);
  const answer = { confidence, touchesWindow, dates: found.uses, method: found.method, modelVersion: model.version };
  const reason = refusalOf(found, confidence < (options.refuseBelow ?? confidenceFloor));
  const outline = best && outlineAround(best.found, input.point);
  if (reason !== undefined || outline === undefined) {
    return { outcome: 'refused', reason: reason ?? 'no-field', ...answer };
  }
  const confidenceClass = confidenceClassOf(confidence);
  return {
    outcome: 'field',
    ...outline,
    confidenceClass,
    alternatives: alternativesOf(found, input),
    moreDatesMayHelp: found.scenes.length < enoughDates && confidenceClass !== 'high',
    ...answer,
  };
}

function refusalOf(found: Proposals, isDoubtful: boolean): BoundaryRefusal['reason'] | undefined {
  const [best] = found.ranked;
  if (found.scenes.length === 0) return 'no-clear-date';
  if (best !== undefined && farmlandFraction(best.mask, found) < leastFarmlandFraction) return 'not-farmland';
  return isDoubtful ? 'no-field' : undefined;
}

const sightOf = ({ scenes, ranked: [best], fieldProbability }: Proposals): Sight => ({
  dates: scenes.length,
  judge: best?.judge ?? 'usual',
  fieldProbability,
});

function alternativesOf(found: Proposals, input: BoundaryInput): BoundaryAlternative[] {
  const { ranked } = found;
  const [best] = ranked;
  if (best === undefined) return [];
  const listed = [best];
  const alternatives: BoundaryAlternative[] = [];
  for (const candidate of ranked) {
    if (alternatives.length === mostAlternatives) break;
    if (listed.some(({ mask }) => maskIou(mask, candidate.mask) >= alternativesDifferBelow)) continue;
    const outline = outlineAround(candidate.found, input.point);
    if (outline === undefined) continue;
    listed.push(candidate);
    const { polygon, areaHectares } = outline;
    const confidence = confidenceOf(candidate.score, sightOf(found));
    alternatives.push({ polygon, areaHectares, confidence, reading: readingOf(candidate.mask, best.mask) });
  }
  return alternatives;
}

function readingOf(mask: CandidateMask, best: CandidateMask): BoundaryReading {
  const shared = sharedPixels(mask, best);
  if (shared >= withinFraction * mask.size) return 'part';
  return shared >= withinFraction * best.size ? 'larger' : 'other';
}
