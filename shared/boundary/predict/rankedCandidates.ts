import type { Position } from '../../geo/shapes/geoJson.js';
import type { Grid } from '../../geo/grid/grid.js';
import { askedField, askedMask } from './askedField.js';
import type { BoundaryModel } from './boundaryModel.js';
import { askedFeatures, candidateFeatures } from '../candidates/candidateFeatures.js';
import { isSameMask, touchesEdge } from '../candidates/candidateMask.js';
import { candidatesAt, segmented, type Candidate, type Segmentation } from '../candidates/candidates.js';
import type { Pixel } from '../window/chooseDates.js';
import { closeUpFineness, closeUpOf, inWindow } from './closeUp.js';
import { confidenceFloor, confidenceOf, type Judge } from './confidence.js';
import { edgeEvidence, fieldProbabilityAt, type EdgeEvidence, type ProposalOptions } from './edgeEvidence.js';
import type { NormalisedDate } from '../window/normalise.js';
import type { FoundMask } from './fieldOutline.js';
import { scoreOf, type Ranker } from '../candidates/ranker.js';

/** A best candidate below 1.5 ha has a close-up; of larger fields a close-up shows parts rather than the whole. */
const closeUpBelowPixels = 150;
/** Smallest candidate of a close-up: 0.1 ha. */
const fewestFinePixels = 40;

/**
 * A best candidate below 3 ha is asked of the mask network as well: of larger fields this network shows parts
 * (tools/boundary-model/MODEL.md, "Three experiments").
 */
const askedBelowPixels = 300;

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
  /** Regions of the window, the mask network's answer, or regions of a close-up. */
  readonly source: 'window' | 'asked' | 'close-up';
  readonly found: FoundMask;
  readonly features: Float64Array;
  /** Estimated IoU with the true field. */
  readonly score: number;
  /** Whose score it is: of one point's candidates all have the same. */
  readonly judge: Judge;
}

/** The asked point, in the window and on the map. */
export interface AskedPoint {
  readonly point: Position;
  readonly pixel: Pixel;
}

/**
 * All candidates for the field at the point, best first; where the best is small, all are judged again by what the mask
 * network says of the point, and that network's answer is one of them.
 */
export function rankedCandidates(window: SegmentedWindow, asked: AskedPoint, model: BoundaryModel): RankedCandidate[] {
  const candidates = regionCandidates(window, asked, model);
  const [best] = candidates;
  const isSmall = best !== undefined && best.mask.size < askedBelowPixels;
  return isSmall ? judgedAsSmall(candidates, window, asked, model) : candidates;
}

/**
 * The candidates that are regions, best first; where the best is small, those of a close-up as well.
 *
 * There is no close-up where the window's best candidate has too little confidence: a close-up would find fields in yards
 * and hedges.
 */
export function regionCandidates(window: SegmentedWindow, asked: AskedPoint, model: BoundaryModel): RankedCandidate[] {
  const { pixel } = asked;
  const own = ranked(candidatesAt(window.segmentation, pixel), { ...window, pixel, source: 'window' }, model.ranker);
  if (!isWorthACloseUp(own[0], window, pixel)) return own;
  return [...own, ...closerCandidates(window, asked, model)].sort(byScore);
}

function closerCandidates(window: SegmentedWindow, { point }: AskedPoint, model: BoundaryModel): RankedCandidate[] {
  const closeUp = closeUpOf(window, point);
  const fine = segmentedWindow(closeUp, model, { views: closeUpViews });
  const place = { ...fine, pixel: closeUp.pixel, source: 'close-up', fineness: closeUpFineness } as const;
  return (
    ranked(candidatesAt(fine.segmentation, closeUp.pixel), place, model.ranker)
      // A candidate at the close-up's edge goes on beyond that edge.
      .filter(({ mask }) => mask.size >= fewestFinePixels && !touchesEdge(mask, closeUp.grid))
      .map((candidate) => ({ ...candidate, mask: inWindow(candidate.mask, closeUp, window.grid) }))
  );
}

/** The candidates and the mask network's answer, judged by the ranker of small fields; unchanged without that network. */
export function judgedAsSmall(
  candidates: readonly RankedCandidate[],
  window: SegmentedWindow,
  { pixel }: AskedPoint,
  { mask: network, ranker, smallRanker }: BoundaryModel,
): RankedCandidate[] {
  const field = askedField(network, window.evidence.seen, pixel);
  if (field === undefined) return [...candidates];
  const mask = askedMask(field, pixel);
  const peers = candidates.filter(({ source }) => source === 'window');
  const isNew = mask !== undefined && !peers.some((peer) => isSameMask(peer.mask, mask));
  const place = { ...window, pixel, source: 'asked', peers } as const;
  const answer = isNew ? ranked([{ mask, persistence: 1 }], place, ranker) : [];
  return [...candidates, ...answer]
    .map((candidate) => {
      const features = Float64Array.from([...candidate.features, ...askedFeatures(candidate.mask, field)]);
      return { ...candidate, features, score: scoreOf(smallRanker, features), judge: 'small' as const };
    })
    .sort(byScore);
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
  return confidenceOf(best.score, { dates: dates.length, judge: best.judge, fieldProbability }) >= confidenceFloor;
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

/** Where candidates were found. */
interface Place extends Pick<SegmentedWindow, 'grid' | 'evidence'> {
  readonly pixel: Pixel;
  readonly source: RankedCandidate['source'];
  /** Whom a candidate's agreement is measured with: by default the other candidates. */
  readonly peers?: readonly Candidate[];
  /** Pixels along 10 m: 1, or more in a close-up. */
  readonly fineness?: number;
}

function ranked(
  candidates: readonly Candidate[],
  { grid, evidence, pixel, source, peers, fineness = 1 }: Place,
  ranker: Ranker,
): RankedCandidate[] {
  const features = candidateFeatures(candidates, { ...evidence, point: pixel, fineness }, peers);
  return candidates
    .map((candidate, k) => {
      const own = features[k] ?? new Float64Array(0);
      const found = { mask: candidate.mask, grid, pixel, probability: evidence.probability };
      return { ...candidate, source, found, features: own, score: scoreOf(ranker, own), judge: 'usual' as const };
    })
    .sort(byScore);
}

const byScore = (a: RankedCandidate, b: RankedCandidate): number => b.score - a.score;
