import type { Polygon } from '../geo/geoJson.js';
import type { BoundaryInput } from './boundaryInput.js';
import type { BoundaryModel } from './boundaryModel.js';
import { maskIou, sharedPixels, touchesEdge } from './candidateMask.js';
import type { CandidateMask } from './candidateMask.js';
import type { DateUse } from './clearPixels.js';
import { confidenceClassOf, confidenceFloor, confidenceOf } from './confidence.js';
import type { ConfidenceClass, Sight } from './confidence.js';
import type { BoundaryMethod, ProposalOptions } from './edgeEvidence.js';
import { farmlandFraction } from './landCover.js';
import { outlineOf } from './outline.js';
import type { Outline } from './outline.js';
import { proposals } from './proposals.js';
import type { Proposals } from './proposals.js';
import type { RankedCandidate } from './rankedCandidates.js';

/** How a reading lies to the prediction: within it, round it (a neighbour joined, or the whole of a part), or neither. */
export type BoundaryReading = 'part' | 'larger' | 'other';

/** Another reading of the same place, less likely than the prediction. */
export interface BoundaryAlternative {
  readonly polygon: Polygon;
  readonly areaHectares: number;
  readonly confidence: number;
  readonly reading: BoundaryReading;
}

/** The field at the point. */
export interface BoundaryPrediction extends Outline {
  readonly outcome: 'field';
  /** Estimated IoU of the polygon with the true field, 0–1. */
  readonly confidence: number;
  readonly confidenceClass: ConfidenceClass;
  /** The field may go on beyond the window: ask again with a larger one. */
  readonly touchesWindow: boolean;
  /** At most four, the likelier first; each differs by an IoU below 0.7 from all before it. */
  readonly alternatives: readonly BoundaryAlternative[];
  /** Few dates and a doubtful outline: with further clear dates the answer is likely to be better. */
  readonly moreDatesMayHelp: boolean;
  readonly dates: readonly DateUse[];
  readonly method: BoundaryMethod;
  readonly modelVersion: string;
}

/** No field: why, and what was looked at. */
export interface BoundaryRefusal {
  readonly outcome: 'refused';
  /** no-clear-date: nothing could be seen; not-farmland: water or the like; no-field: nothing looks like a field. */
  readonly reason: 'no-clear-date' | 'not-farmland' | 'no-field';
  /** Of the best candidate; 0 when there was none. */
  readonly confidence: number;
  /** The best candidate reaches the window's edge: a larger window may show a field. */
  readonly touchesWindow: boolean;
  readonly dates: readonly DateUse[];
  readonly method: BoundaryMethod;
  readonly modelVersion: string;
}

export interface PredictionOptions extends ProposalOptions {
  /** Below this confidence the answer is that there is no field; default `confidenceFloor`. */
  readonly refuseBelow?: number;
}

const leastFarmlandFraction = 0.5;
const mostAlternatives = 4;
const alternativesDifferBelow = 0.7;
/** Of a mask's pixels, to lie within another. */
const withinFraction = 0.9;
/** So many dates tell what dates can tell within a fortnight. */
const enoughDates = 3;

/**
 * The field that holds the point, from scenes of one window. Same input, same answer; touches nothing outside.
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
  const answer = { touchesWindow, dates: found.uses, method: found.method, modelVersion: model.version };
  const reason = refusalOf(found, options.refuseBelow ?? confidenceFloor);
  const outline = best && outlineAt(best, input);
  if (reason !== undefined || outline === undefined) {
    return { outcome: 'refused', reason: reason ?? 'no-field', confidence, ...answer };
  }
  return {
    outcome: 'field',
    ...outline,
    confidence,
    confidenceClass: confidenceClassOf(confidence),
    alternatives: alternativesOf(found, input),
    moreDatesMayHelp: found.scenes.length < enoughDates && confidenceClassOf(confidence) !== 'high',
    ...answer,
  };
}

function refusalOf(found: Proposals, floor: number): BoundaryRefusal['reason'] | undefined {
  const [best] = found.ranked;
  if (found.scenes.length === 0) return 'no-clear-date';
  if (best !== undefined && farmlandFraction(best.mask, found) < leastFarmlandFraction) return 'not-farmland';
  return confidenceOf(best?.score, sightOf(found)) < floor ? 'no-field' : undefined;
}

const sightOf = ({ scenes, fieldProbability }: Proposals): Sight => ({ dates: scenes.length, fieldProbability });

function alternativesOf(found: Proposals, input: BoundaryInput): BoundaryAlternative[] {
  const { ranked } = found;
  const [best] = ranked;
  if (best === undefined) return [];
  const listed = [best];
  const alternatives: BoundaryAlternative[] = [];
  for (const candidate of ranked) {
    if (alternatives.length === mostAlternatives) break;
    if (listed.some(({ mask }) => maskIou(mask, candidate.mask) >= alternativesDifferBelow)) continue;
    const outline = outlineAt(candidate, input);
    if (outline === undefined) continue;
    listed.push(candidate);
    const { polygon, areaHectares } = outline;
    const confidence = confidenceOf(candidate.score, sightOf(found));
    alternatives.push({ polygon, areaHectares, confidence, reading: readingOf(candidate.mask, best.mask) });
  }
  return alternatives;
}

/** Drawn where the candidate was found: a close-up knows the line better. */
export function outlineAt({ found }: RankedCandidate, { point }: Pick<BoundaryInput, 'point'>): Outline | undefined {
  return outlineOf(found.mask, { ...found, point });
}

function readingOf(mask: CandidateMask, best: CandidateMask): BoundaryReading {
  const shared = sharedPixels(mask, best);
  if (shared >= withinFraction * mask.size) return 'part';
  return shared >= withinFraction * best.size ? 'larger' : 'other';
}
