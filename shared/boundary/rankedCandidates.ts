import type { Position } from '../geo/geoJson.js';
import type { Grid } from '../raster/grid.js';
import type { BoundaryModel } from './boundaryModel.js';
import { candidateFeatures } from './candidateFeatures.js';
import { touchesEdge } from './candidateMask.js';
import type { CandidateMask } from './candidateMask.js';
import { candidatesAt, segmented } from './candidates.js';
import type { Candidate, Segmentation } from './candidates.js';
import type { Pixel } from './clearPixels.js';
import { closeUpFineness, closeUpOf, inWindow } from './closeUp.js';
import { confidenceFloor, confidenceOf } from './confidence.js';
import { edgeEvidence, fieldProbabilityAt } from './edgeEvidence.js';
import type { EdgeEvidence, ProposalOptions } from './edgeEvidence.js';
import type { Plane } from './gaussian.js';
import type { NormalisedDate } from './normalise.js';
import { scoreOf } from './ranker.js';
import type { Ranker } from './ranker.js';

/** A best candidate below this many pixels, 1.5 ha, is worth a close-up; of larger fields it shows more parts than wholes. */
const closeUpBelowPixels = 150;
/** Of a close-up: 0.1 ha. */
const fewestFinePixels = 40;

/** A second one would take a tenth of a second a date, for nothing that can be told from noise. */
const closeUpViews = 1;

/** A window as candidates are sought in it. */
export interface SegmentedWindow {
  readonly grid: Grid;
  readonly dates: readonly NormalisedDate[];
  readonly evidence: EdgeEvidence;
  readonly segmentation: Segmentation;
}

/** A candidate's mask as it was found, in the window or in a close-up of it: what its outline is drawn from. */
export interface FoundMask {
  readonly mask: CandidateMask;
  readonly grid: Grid;
  readonly pixel: Pixel;
  /** Of a boundary, 0–1; undefined where the network was not asked. */
  readonly probability: Plane | undefined;
}

/** A candidate, its mask in pixels of the window, with the ranker's opinion of it. */
export interface RankedCandidate extends Candidate {
  readonly found: FoundMask;
  readonly features: Float64Array;
  /** Estimated IoU with the true field. */
  readonly score: number;
}

/**
 * All candidates for the field at the point, best first; where the best is small, those of a close-up as well.
 *
 * A close-up finds fields in yards and hedges, too: where the window's best has too little confidence, nothing is sought
 * closer.
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
    // What reaches the close-up's edge goes on beyond it.
    .filter(({ mask }) => mask.size >= fewestFinePixels && !touchesEdge(mask, closeUp.grid))
    .map((candidate) => ({ ...candidate, mask: inWindow(candidate.mask, closeUp, window.grid) }));
  return [...ranked, ...closer].sort(byScore);
}

function isWorthACloseUp(
  best: RankedCandidate | undefined,
  { grid, dates, evidence }: SegmentedWindow,
  pixel: Pixel,
): boolean {
  // Without the network there are no sharper lines to be seen, and beyond the window's edge there is nothing.
  if (evidence.method !== 'network' || best === undefined || touchesEdge(best.mask, grid)) return false;
  if (best.mask.size >= closeUpBelowPixels) return false;
  const fieldProbability = fieldProbabilityAt(evidence, pixel);
  return confidenceOf(best.score, { dates: dates.length, fieldProbability }) >= confidenceFloor;
}

/** Looks at some dates and cuts what is seen into regions. */
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
