import { toPixel, type Grid } from '../../geo/grid/grid.js';
import { projectionOf } from '../../geo/grid/utm.js';
import { boundaryBands, type BoundaryInput, type BoundaryScene } from '../window/boundaryInput.js';
import type { BoundaryModel } from './boundaryModel.js';
import { chooseDates, type ClearScene, type DateUse, type Pixel } from '../window/chooseDates.js';
import { fieldProbabilityAt, type BoundaryMethod, type ProposalOptions } from './edgeEvidence.js';
import { normalised } from '../window/normalise.js';
import { rankedCandidates, segmentedWindow, type RankedCandidate } from './rankedCandidates.js';

/** The dates and candidates of one window. */
export interface Proposals {
  readonly pixel: Pixel;
  readonly uses: readonly DateUse[];
  readonly scenes: readonly ClearScene[];
  /** Best first; empty without a usable date. */
  readonly ranked: readonly RankedCandidate[];
  /** Probability that the point lies in a field, 0–1; undefined without the network. */
  readonly fieldProbability?: number | undefined;
  readonly method: BoundaryMethod;
}

/** The pixel that holds the point; it may lie beyond the grid. */
function pixelOf(grid: Grid, point: BoundaryInput['point']): Pixel {
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
  const window = segmentedWindow({ grid, dates: chosen.map(normalised) }, model, options);
  const ranked = rankedCandidates(window, { point, pixel }, model);
  const fieldProbability = fieldProbabilityAt(window.evidence, pixel);
  return { pixel, uses, scenes: chosen, ranked, fieldProbability, method: window.evidence.method };
}

/** The scenes with the bands that all of them have, so that their channels can be stacked. */
function withSharedBands(scenes: readonly BoundaryScene[]): BoundaryScene[] {
  const shared = boundaryBands.filter((band) => scenes.every(({ bands }) => bands[band] !== undefined));
  return scenes.map((scene) => ({
    ...scene,
    bands: Object.fromEntries(shared.map((band) => [band, scene.bands[band]])),
  }));
}
