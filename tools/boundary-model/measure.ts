import { confidenceFloor } from '../../shared/boundary/predict/confidence.js';
import { predictBoundary } from '../../shared/boundary/predict/predictBoundary.js';
import type {
  BoundaryPrediction,
  BoundaryRefusal,
  PredictionOptions,
} from '../../shared/boundary/predict/predictBoundary.js';
import type { BoundaryModel } from '../../shared/boundary/predict/boundaryModel.js';
import { outlineAround } from '../../shared/boundary/predict/fieldOutline.js';
import { proposals } from '../../shared/boundary/predict/proposals.js';
import type { Polygon, Position } from '../../shared/geo/shapes/geoJson.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import { windowOf } from './labelledArea.js';
import type { LabelledArea, LabelledField } from './labelledArea.js';
import { distanceOutside, ringIou } from './ringOverlap.js';

/** What came of one seed. */
export interface SeedResult {
  readonly field: string;
  /** Which of the field's seeds, from 0. */
  readonly seed: number;
  readonly areaHa: number;
  /** Of the polygon with the label, in UTM; the answer is taken whatever its confidence. */
  readonly iou: number;
  /** Of the best of all readings in the answer: what a person who chooses among them gets. */
  readonly bestIou: number;
  /** Of the best of all candidates, listed in the answer or not: what a perfect choice would get; where it was asked. */
  readonly bestCandidateIou?: number;
  readonly confidence: number;
  /** No usable date or no candidate at all. */
  readonly isEmpty: boolean;
  /** The service would say that there is no field: empty, or too little confidence. */
  readonly refused: boolean;
}

/** Sides of the window in pixels: the first try, and the second when the answer touches its edge. */
const windowSides = [256, 512];

/** The service's way: a window round the point, a larger one when the answer touches the edge. */
export function predictInArea(
  area: LabelledArea,
  point: Position,
  model: BoundaryModel,
  options: PredictionOptions,
): BoundaryPrediction | BoundaryRefusal {
  return answerIn(area, point, model, options).answer;
}

function answerIn(
  area: LabelledArea,
  point: Position,
  model: BoundaryModel,
  options: PredictionOptions,
): { readonly answer: BoundaryPrediction | BoundaryRefusal; readonly side: number } {
  const [first = 256, second = 512] = windowSides;
  const predictedIn = (side: number) => ({
    answer: predictBoundary({ ...windowOf(area, point, side), point }, model, options),
    side,
  });
  const near = predictedIn(first);
  return near.answer.touchesWindow ? predictedIn(second) : near;
}

/** How to measure. */
export interface MeasureOptions extends PredictionOptions {
  /** Draws every candidate, so that what was lost can be told apart: no candidate, the choice, the outline. */
  readonly withCandidates?: boolean;
  /** Measures the seeds of this part alone. */
  readonly part?: Part;
}

/** One of several parts of the seeds, which take turns: of 2, part 0 has the first, the third and so on. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

/** Predicts at every seed of every scored field, or of a part of them. */
export function measureSeeds(
  area: LabelledArea,
  model: BoundaryModel,
  { part = { index: 0, of: 1 }, ...options }: MeasureOptions,
): SeedResult[] {
  return area.fields
    .filter(({ isScored }) => isScored)
    .flatMap((field) => field.seeds.map((point, seed) => ({ field, point, seed })))
    .filter((_, k) => k % part.of === part.index)
    .map((asked) => measureSeed(area, asked, model, options));
}

function measureSeed(
  area: LabelledArea,
  { field, point, seed }: { readonly field: LabelledField; readonly point: Position; readonly seed: number },
  model: BoundaryModel,
  { withCandidates = false, ...options }: MeasureOptions,
): SeedResult {
  const projection = projectionOf(area.grid.epsg);
  const iouOf = ({ coordinates: [ring = []] }: Polygon): number =>
    ringIou(
      ring.map((position) => projection.toMap(position)),
      field.outline,
    );
  const { answer, side } = answerIn(area, point, model, { ...options, refuseBelow: 0 });
  const readings = answer.outcome === 'field' ? [answer, ...answer.alternatives] : [];
  const ious = readings.map(({ polygon }) => iouOf(polygon));
  const isEmpty = answer.outcome === 'refused';
  const result = {
    field: field.id,
    seed,
    areaHa: field.areaHa,
    iou: ious[0] ?? 0,
    bestIou: Math.max(0, ...ious),
    confidence: answer.confidence,
    isEmpty,
    refused: isEmpty || answer.confidence < confidenceFloor,
  };
  if (!withCandidates) return result;
  const input = { ...windowOf(area, point, side), point };
  const found = proposals(input, model, options);
  const outlines = found.ranked.flatMap((candidate) => outlineAround(candidate.found, point) ?? []);
  return { ...result, bestCandidateIou: Math.max(0, ...outlines.map(({ polygon }) => iouOf(polygon))) };
}

/** A label's distance and the area's rim that a point outside all fields must keep. */
const leastDistanceM = 20;
const rimM = 400;

/**
 * Points at least 20 m outside every label and 400 m inside the area, on a regular grid; only meaningful where every
 * field has a label.
 */
export function pointsOutsideFields({ grid, fields }: LabelledArea, stepM: number): Position[] {
  const projection = projectionOf(grid.epsg);
  const [east, south] = [grid.originX + grid.width * grid.pixelWidth, grid.originY - grid.height * grid.pixelHeight];
  const points: Position[] = [];
  for (let y = south + rimM; y <= grid.originY - rimM; y += stepM) {
    for (let x = grid.originX + rimM; x <= east - rimM; x += stepM) {
      const isOutside = fields.every(({ outline }) => distanceOutside(outline, [x, y]) >= leastDistanceM);
      if (isOutside) points.push(projection.toPosition([x, y]));
    }
  }
  return points;
}
