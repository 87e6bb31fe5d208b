import type { Position } from '../geo/geoJson.js';
import type { Grid } from '../raster/grid.js';
import type { BoundaryModel } from './boundaryModel.js';
import { candidateFeatures } from './candidateFeatures.js';
import { touchesEdge } from './candidateMask.js';
import { candidatesAt, segmented, type Candidate, type Segmentation } from './candidates.js';
import type { Pixel } from './chooseDates.js';
import { closeUpFineness, closeUpOf, inWindow } from './closeUp.js';
import { confidenceFloor, confidenceOf } from './confidence.js';
import { edgeEvidence, fieldProbabilityAt, type EdgeEvidence, type ProposalOptions } from './edgeEvidence.js';
import type { NormalisedDate } from './normalise.js';
import type { FoundMask } from './outline.js';
import { scoreOf, type Ranker } from './ranker.js';

/** A best candidate below 1.5 ha has a close-up; of larger fields a close-up shows parts rather than the whole. */
const closeUpBelowPixels = 150;
/** Smallest candidate of a close-up: 0.1 ha. */
const fewestFinePixels = 40;

/** A second view would take a tenth of a second a date and gains nothing that can be measured. */
const closeUpViews = 1;

/** A window, or a close-up of one, with the edges and regions found in it. */
export interface SegmentedWindow {
  readonly grid: Grid;
  readonly dates: readonly NormalisedDate[];
  readonly evidence: EdgeEvidence;
  readonly segmentation: Segmentation;
}

/** A candidate, its mask in pixels of the window, with its features and score. */
export interface RankedCandidate extends Candidate {
  readonly found: FoundMask;
  readonly features: Float64Array;
  /** Estimated IoU with the true field. */
  readonly score: number;
}

/**
 * All candidates for the field at the point, best first; where the best is small, those of a close-up as well.
 *
 * There is no close-up where the window's best candidate has too little confidence: a close-up would find fields in yards
 * and hedges.
 */
export function rankedCandidates(
  window: SegmentedWindow,
  { point, pixel }: { readonly point: Position; readonly pixel: Pixel },
  model: BoundaryModel,
): RankedCandidate[] {
  const ranked = rankedIn(window, { pixel, fineness: 1 }, model.ranker);
  if (!isWorthACloseUp(ranked[0], window, pixel)) return ranked;
  const closeUp = closeUpOf(window, point);
  const fine = segmentedWindow(closeUp, model, { views: closeUpViews });
  const closer = rankedIn(fine, { pixel: closeUp.pixel, fineness: closeUpFineness }, model.ranker)
    // A candidate at the close-up's edge goes on beyond that edge.
    .filter(({ mask }) => mask.size >= fewestFinePixels && !touchesEdge(mask, closeUp.grid))
    .map((candidate) => ({ ...candidate, mask: inWindow(candidate.mask, closeUp, window.grid) }));
  return [...ranked, ...closer].sort(byScore);
}

function isWorthACloseUp(
  best: RankedCandidate | undefined,
  { grid, dates, evidence }: SegmentedWindow,
  pixel: Pixel,
): boolean {
  // Without the network a close-up has no sharper lines, and it cannot show what lies beyond the window.
  if (evidence.method !== 'network' || best === undefined || touchesEdge(best.mask, grid)) return false;
  if (best.mask.size >= closeUpBelowPixels) return false;
  const fieldProbability = fieldProbabilityAt(evidence, pixel);
  return confidenceOf(best.score, { dates: dates.length, fieldProbability }) >= confidenceFloor;
}

/** Finds the edges of some dates and cuts the window into regions. */
export function segmentedWindow(
  { grid, dates }: Pick<SegmentedWindow, 'grid' | 'dates'>,
  model: Pick<BoundaryModel, 'networks'>,
  options: ProposalOptions,
): SegmentedWindow {
  const evidence = edgeEvidence(dates, model, options);
  return { grid, dates, evidence, segmentation: segmented(evidence.channels, evidence.edges) };
}

function rankedIn(
  { grid, evidence, segmentation }: SegmentedWindow,
  { pixel, fineness }: { readonly pixel: Pixel; readonly fineness: number },
  ranker: Ranker,
): RankedCandidate[] {
  const candidates = candidatesAt(segmentation, pixel);
  const features = candidateFeatures(candidates, { ...evidence, point: pixel, fineness });
  return candidates
    .map((candidate, k) => {
      const own = features[k] ?? new Float64Array(0);
      const found = { mask: candidate.mask, grid, pixel, probability: evidence.probability };
      return { ...candidate, found, features: own, score: scoreOf(ranker, own) };
    })
    .sort(byScore);
}

const byScore = (a: RankedCandidate, b: RankedCandidate): number => b.score - a.score;
