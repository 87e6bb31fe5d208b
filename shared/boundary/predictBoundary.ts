import type { Polygon } from '../geo/geoJson.js';
import type { BoundaryInput } from './boundaryInput.js';
import type { BoundaryModel } from './boundaryModel.js';
import { maskIou, sharedPixels, touchesEdge } from './candidateMask.js';
import type { CandidateMask } from './candidateMask.js';
import type { DateUse } from './clearPixels.js';
import { farmlandFraction } from './landCover.js';
import { outlineOf } from './outline.js';
import type { Outline } from './outline.js';
import { proposals } from './proposals.js';
import type { BoundaryMethod, ProposalOptions, Proposals, RankedCandidate } from './proposals.js';

/** How far the outline may be trusted: low < 0.55 ≤ medium < 0.75 ≤ high. */
export type ConfidenceClass = 'low' | 'medium' | 'high';

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

/** Below this confidence no field is claimed (docs/boundary-model.md, "Refusal"). */
export const confidenceFloor = 0.45;
const classes: readonly (readonly [ConfidenceClass, number])[] = [
  ['high', 0.75],
  ['medium', 0.55],
  ['low', 0],
];
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
  const confidence = confidenceOf(best);
  const touchesWindow = best !== undefined && touchesEdge(best.mask, input.grid);
  const answer = { touchesWindow, dates: found.uses, method: found.method, modelVersion: model.version };
  const reason = refusalOf(found, options.refuseBelow ?? confidenceFloor);
  const outline = best && outlineOf(best.mask, { ...input, ...found });
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
  return confidenceOf(best) < floor ? 'no-field' : undefined;
}

/**
 * Trees that were fitted to synthetic fields promise too little where they promise little, and too much where much:
 * on real fields their scores are drawn towards the usual overlap (tools/boundary-model/MODEL.md, "Confidence").
 */
const usualOverlap = 0.72;
const trustInScores = 0.75;

function confidenceOf(candidate: RankedCandidate | undefined): number {
  if (candidate === undefined) return 0;
  return Math.min(1, Math.max(0, usualOverlap + trustInScores * (candidate.score - usualOverlap)));
}

/** The class of a confidence. */
export function confidenceClassOf(confidence: number): ConfidenceClass {
  return classes.find(([, from]) => confidence >= from)?.[0] ?? 'low';
}

function alternativesOf(found: Proposals, input: BoundaryInput): BoundaryAlternative[] {
  const { ranked } = found;
  const [best] = ranked;
  if (best === undefined) return [];
  const listed = [best];
  const alternatives: BoundaryAlternative[] = [];
  for (const candidate of ranked) {
    if (alternatives.length === mostAlternatives) break;
    if (listed.some(({ mask }) => maskIou(mask, candidate.mask) >= alternativesDifferBelow)) continue;
    const outline = outlineOf(candidate.mask, { ...input, ...found });
    if (outline === undefined) continue;
    listed.push(candidate);
    const { polygon, areaHectares } = outline;
    const reading = readingOf(candidate.mask, best.mask);
    alternatives.push({ polygon, areaHectares, confidence: confidenceOf(candidate), reading });
  }
  return alternatives;
}

function readingOf(mask: CandidateMask, best: CandidateMask): BoundaryReading {
  const shared = sharedPixels(mask, best);
  if (shared >= withinFraction * mask.size) return 'part';
  return shared >= withinFraction * best.size ? 'larger' : 'other';
}
