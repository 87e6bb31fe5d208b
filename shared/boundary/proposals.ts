import { toPixel } from '../raster/grid.js';
import type { Grid } from '../raster/grid.js';
import { projectionOf } from '../raster/utm.js';
import { boundaryBands } from './boundaryInput.js';
import type { BoundaryInput, BoundaryScene } from './boundaryInput.js';
import type { BoundaryModel } from './boundaryModel.js';
import { opinionOf } from './opinion.js';
import { candidateFeatures } from './candidateFeatures.js';
import { candidatesAt, segmented } from './candidates.js';
import type { Candidate } from './candidates.js';
import { chooseDates } from './clearPixels.js';
import type { ClearScene, DateUse, Pixel } from './clearPixels.js';
import { edgeMap, meanProbability } from './edgeMap.js';
import type { Plane } from './gaussian.js';
import { meanGradient } from './gradient.js';
import { normalised, stackedChannels } from './normalise.js';
import type { NormalisedDate } from './normalise.js';
import { scoreOf } from './ranker.js';

const mostDatesSeenTwice = 4;

/** A candidate with the ranker's opinion of it. */
export interface RankedCandidate extends Candidate {
  readonly features: Float64Array;
  /** Estimated IoU with the true field. */
  readonly score: number;
}

/** Everything found in one window. */
export interface Proposals {
  readonly pixel: Pixel;
  readonly uses: readonly DateUse[];
  readonly scenes: readonly ClearScene[];
  /** Best first; empty without a usable date. */
  readonly ranked: readonly RankedCandidate[];
  /** Of a boundary, 0–1; undefined where the network was not asked. */
  readonly probability?: Plane | undefined;
  /** That the point lies in a field, 0–1; undefined where the network was not asked. */
  readonly fieldProbability?: number | undefined;
  readonly method: BoundaryMethod;
}

/** Where the edges come from: the network, or the gradient alone. */
export type BoundaryMethod = 'network' | 'gradient';

/** What a prediction may be told. */
export interface ProposalOptions {
  /** `gradient` leaves the network out; it is left out anyway where a visible band is missing. */
  readonly method?: BoundaryMethod;
  /** Mirrored views that the network's answer is averaged over, 1–4; by default as many as the dates leave time for. */
  readonly views?: number;
}

/** The channels and edges that the segmentation works on. */
export interface EdgeEvidence {
  readonly channels: readonly Plane[];
  readonly edges: Plane;
  /** Of a boundary, 0–1; undefined where the network was not asked. */
  readonly probability?: Plane;
  /** Of a field, 0–1; undefined where the network was not asked. */
  readonly inside?: Plane;
  readonly hasNir: boolean;
  readonly method: BoundaryMethod;
}

/** The pixel that holds the point; it may lie beyond the grid. */
export function pixelOf(grid: Grid, point: BoundaryInput['point']): Pixel {
  const [column, row] = toPixel(grid, projectionOf(grid.epsg).toMap(point));
  return { row: Math.floor(row), column: Math.floor(column) };
}

/**
 * All candidates for the field at the point, ranked.
 *
 * @throws RangeError when the point does not lie on the grid
 */
export function proposals(input: BoundaryInput, model: BoundaryModel, options: ProposalOptions = {}): Proposals {
  const { grid, point } = input;
  const pixel = pixelOf(grid, point);
  if (pixel.row < 0 || pixel.column < 0 || pixel.row >= grid.height || pixel.column >= grid.width) {
    throw new RangeError(`The point ${point.join(', ')} does not lie in the window.`);
  }
  const { chosen, uses } = chooseDates(withSharedBands(input.scenes), grid, pixel);
  if (chosen.length === 0) return { pixel, uses, scenes: chosen, ranked: [], method: options.method ?? 'network' };
  const evidence = edgeEvidence(chosen, model, options);
  const candidates = candidatesAt(segmented(evidence.channels, evidence.edges), pixel);
  const features = candidateFeatures(candidates, { ...evidence, point: pixel });
  const ranked = candidates
    .map((candidate, k) => {
      const own = features[k] ?? new Float64Array(0);
      return { ...candidate, features: own, score: scoreOf(model.ranker, own) };
    })
    .sort((a, b) => b.score - a.score);
  const { probability, inside, method } = evidence;
  const fieldProbability = inside?.data[pixel.row * grid.width + pixel.column];
  return { pixel, uses, scenes: chosen, ranked, probability, fieldProbability, method };
}

/** Channels and edge map of the chosen dates. */
export function edgeEvidence(
  scenes: readonly ClearScene[],
  { networks }: Pick<BoundaryModel, 'networks'>,
  { method = 'network', views = viewsFor(scenes.length) }: ProposalOptions,
): EdgeEvidence {
  const dates = scenes.map(normalised);
  const [first] = scenes;
  if (first === undefined) throw new RangeError('No date to look at.');
  const gradient = meanGradient(dates, first.clear);
  const channels = stackedChannels(dates);
  const hasNir = dates.every((date) => date.hasNir);
  const inputs = method === 'network' ? networkInputs(dates) : undefined;
  if (inputs === undefined) return { channels, edges: gradient, hasNir, method: 'gradient' };
  const opinions = inputs.map((planes) => opinionOf(networks, planes, views));
  const probability = meanProbability(
    dates,
    opinions.map(({ boundary }) => boundary),
  );
  const inside = meanProbability(
    dates,
    opinions.map(({ field }) => field),
  );
  return { channels, edges: edgeMap(gradient, probability), probability, inside, hasNir, method: 'network' };
}

/** Two views of every date, while they fit into three seconds; many dates average errors out by themselves. */
function viewsFor(dates: number): number {
  return dates > mostDatesSeenTwice ? 1 : 2;
}

function networkInputs(dates: readonly NormalisedDate[]): (readonly Plane[])[] | undefined {
  const inputs = dates.flatMap(({ networkInput }) => (networkInput === undefined ? [] : [networkInput]));
  return inputs.length === dates.length ? inputs : undefined;
}

/** The scenes with the bands that all of them have, so that their channels can be stacked. */
function withSharedBands(scenes: readonly BoundaryScene[]): BoundaryScene[] {
  const shared = boundaryBands.filter((band) => scenes.every(({ bands }) => bands[band] !== undefined));
  return scenes.map((scene) => ({
    ...scene,
    bands: Object.fromEntries(shared.map((band) => [band, scene.bands[band]])),
  }));
}
