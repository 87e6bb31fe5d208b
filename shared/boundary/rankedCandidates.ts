import type { Position } from '../geo/geoJson.js';
import type { Grid } from '../raster/grid.js';
import { askedField } from './askedField.js';
import type { BoundaryModel } from './boundaryModel.js';
import { askedFeatures, candidateFeatures } from './candidateFeatures.js';
import { cleaned, isSameMask, maskOfWindow, touchesEdge, type CandidateMask } from './candidateMask.js';
import { candidatesAt, segmented, type Candidate, type Segmentation } from './candidates.js';
import type { Pixel } from './chooseDates.js';
import { closeUpFineness, closeUpOf, inWindow, partAround, type CloseUp } from './closeUp.js';
import { confidenceFloor, confidenceOf } from './confidence.js';
import { edgeEvidence, edgeMap, fieldProbabilityAt, type EdgeEvidence, type ProposalOptions } from './edgeEvidence.js';
import type { FinePlace } from './fineContours.js';
import type { Plane } from './gaussian.js';
import { meanGradient } from './gradient.js';
import { stackedChannels, type NormalisedDate } from './normalise.js';
import type { FoundMask } from './outline.js';
import { scoreOf, type Ranker } from './ranker.js';
import { fineEvidence, subPixelFineness, type FineEvidence, type SubPixelHead } from './subPixel.js';

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
  /** Regions of the window, the mask network's answer, or regions of a close-up. */
  readonly source: 'window' | 'asked' | 'close-up';
  readonly found: FoundMask;
  readonly features: Float64Array;
  /** Estimated IoU with the true field. */
  readonly score: number;
}

/** The asked point, in the window and on the map. */
export interface AskedPoint {
  readonly point: Position;
  readonly pixel: Pixel;
}

/**
 * All candidates for the field at the point, best first; where the best is small, those of a close-up as well.
 *
 * There is no close-up where the window's best candidate has too little confidence: a close-up would find fields in yards
 * and hedges.
 */
export function rankedCandidates(window: SegmentedWindow, asked: AskedPoint, model: BoundaryModel): RankedCandidate[] {
  const { pixel } = asked;
  const { seen } = window.evidence;
  const field = model.mask && askedField(model.mask, seen, pixel);
  const evidence = model.subPixel && fineEvidenceRound(window, pixel, model.subPixel);
  const place = { pixel, fineness: 1, field, fine: evidence && { evidence, top: 0, left: 0, fineness: 1 } };
  const own = rankedIn(window, place, model.ranker);
  const ranked = [...own, ...maskCandidate(window, place, own, model.ranker)].sort(byScore);
  if (!isWorthACloseUp(ranked[0], window, pixel)) return ranked;
  return [...ranked, ...closerCandidates(window, asked, { field, evidence }, model)].sort(byScore);
}

/** Side of what the sub-pixel head looks at, in pixels: room for the outline of a field of the close-up's size and above. */
const finePartSide = 96;
const mostFineDates = 3;

function fineEvidenceRound(
  { grid, evidence }: SegmentedWindow,
  pixel: Pixel,
  head: SubPixelHead,
): FineEvidence | undefined {
  if (evidence.seen.length === 0) return undefined;
  const [column, width] = partAround(pixel.column, grid.width, finePartSide);
  const [row, height] = partAround(pixel.row, grid.height, finePartSide);
  return fineEvidence(head, evidence.seen.slice(-mostFineDates), { column, row, width, height });
}

/** From half on, a pixel lies in the asked field. */
const insideFrom = 0.5;

/** The mask network's own answer as a candidate, where it is a field of usual size that holds the point. */
function maskCandidate(
  window: SegmentedWindow,
  place: Place,
  peers: readonly RankedCandidate[],
  ranker: Ranker,
): RankedCandidate[] {
  const { grid } = window;
  const { pixel, field } = place;
  if (field === undefined || (field.data[pixel.row * grid.width + pixel.column] ?? 0) < insideFrom) return [];
  const data = Uint8Array.from(field.data, (value) => (value >= insideFrom ? 1 : 0));
  const mask = cleaned(maskOfWindow({ ...field, data }), pixel, grid);
  const isKnown = peers.some((peer) => isSameMask(peer.mask, mask));
  if (mask.size < fewestMaskPixels || isKnown) return [];
  return scored([{ mask, persistence: 1 }], window, place, { ranker, peers, source: 'asked' });
}

const fewestMaskPixels = 20;

function closerCandidates(
  window: SegmentedWindow,
  { point }: AskedPoint,
  { field, evidence }: { readonly field: Plane | undefined; readonly evidence: FineEvidence | undefined },
  model: BoundaryModel,
): RankedCandidate[] {
  const closeUp = closeUpOf(window, point);
  const close =
    evidence === undefined
      ? segmentedWindow(closeUp, model, { views: closeUpViews })
      : segmentedCloseUp(closeUp, evidence);
  const fine = evidence && { evidence, top: closeUp.top, left: closeUp.left, fineness: closeUpFineness };
  const place = { pixel: closeUp.pixel, fineness: closeUpFineness, field, fine };
  return (
    rankedIn(close, place, model.ranker, (mask) => inWindow(mask, closeUp, window.grid))
      // A candidate at the close-up's edge goes on beyond that edge.
      .filter(({ found: { mask } }) => mask.size >= fewestFinePixels && !touchesEdge(mask, closeUp.grid))
  );
}

/** A close-up whose lines are the sub-pixel head's, cut into regions. */
function segmentedCloseUp(closeUp: CloseUp, { part, edge }: FineEvidence): SegmentedWindow {
  const { grid, dates, top, left } = closeUp;
  const [width, height] = [grid.width, grid.height];
  const step = subPixelFineness / closeUpFineness;
  const row = (top - part.row) * closeUpFineness;
  const column = (left - part.column) * closeUpFineness;
  const strongest = (k: number): number => {
    const from = ((row + Math.floor(k / width)) * edge.width + column + (k % width)) * step;
    return Math.max(...[0, 1, edge.width, edge.width + 1].map((at) => edge.data[from + at] ?? 0));
  };
  const probability = { width, height, data: Float32Array.from({ length: width * height }, (_, k) => strongest(k)) };
  const channels = stackedChannels(dates);
  const edges = edgeMap(meanGradient(dates, { width, height }), probability);
  const hasNir = dates.every((date) => date.hasNir);
  const evidence = { seen: [], channels, edges, probability, hasNir, method: 'network' as const };
  return { grid, dates, evidence, segmentation: segmented(channels, edges) };
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

/** Where candidates are sought, and what is known of that place. */
interface Place {
  readonly pixel: Pixel;
  readonly fineness: number;
  /** Probability to lie in the asked field, in the window. */
  readonly field: Plane | undefined;
  readonly fine: FinePlace | undefined;
}

function rankedIn(window: SegmentedWindow, place: Place, ranker: Ranker, toWindow?: ToWindow): RankedCandidate[] {
  const candidates = candidatesAt(window.segmentation, place.pixel);
  const source = toWindow === undefined ? 'window' : 'close-up';
  return scored(candidates, window, place, { ranker, peers: candidates, source, toWindow }).sort(byScore);
}

/** A mask of a close-up in pixels of the window. */
type ToWindow = (mask: CandidateMask) => CandidateMask;

interface Scoring {
  readonly ranker: Ranker;
  /** Whom a candidate's agreement is measured with. */
  readonly peers: readonly Candidate[];
  readonly source: RankedCandidate['source'];
  readonly toWindow?: ToWindow | undefined;
}

function scored(
  candidates: readonly Candidate[],
  { grid, evidence }: SegmentedWindow,
  { pixel, fineness, field, fine }: Place,
  { ranker, peers, source, toWindow = (mask) => mask }: Scoring,
): RankedCandidate[] {
  const features = candidateFeatures(candidates, { ...evidence, point: pixel, fineness }, peers);
  return candidates.map((candidate, k) => {
    const mask = toWindow(candidate.mask);
    const own = Float64Array.from([...(features[k] ?? []), ...askedFeatures(mask, field)]);
    const found = { mask: candidate.mask, grid, pixel, probability: evidence.probability, fine };
    return { ...candidate, source, mask, found, features: own, score: scoreOf(ranker, own) };
  });
}

const byScore = (a: RankedCandidate, b: RankedCandidate): number => b.score - a.score;
