import { predictBoundary } from '../../shared/boundary/predictBoundary.js';
import type { BoundaryPrediction, BoundaryRefusal, PredictionOptions } from '../../shared/boundary/predictBoundary.js';
import type { BoundaryModel } from '../../shared/boundary/boundaryModel.js';
import type { Position } from '../../shared/geo/geoJson.js';
import { projectionOf } from '../../shared/raster/utm.js';
import { windowOf } from './labelledArea.js';
import type { LabelledArea } from './labelledArea.js';
import { distanceOutside, ringIou } from './ringOverlap.js';

/** What came of one seed. */
export interface SeedResult {
  readonly field: string;
  readonly areaHa: number;
  /** Of the polygon with the label, in UTM; the answer is taken whatever its confidence. */
  readonly iou: number;
  /** Of the best of all readings in the answer: what a person who chooses among them gets. */
  readonly bestIou: number;
  readonly confidence: number;
  /** No usable date or no candidate at all. */
  readonly isEmpty: boolean;
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
  const [first = 256, second = 512] = windowSides;
  const near = predictBoundary({ ...windowOf(area, point, first), point }, model, options);
  return near.touchesWindow ? predictBoundary({ ...windowOf(area, point, second), point }, model, options) : near;
}

/** Predicts at every seed of every scored field. */
export function measureSeeds(area: LabelledArea, model: BoundaryModel, options: PredictionOptions): SeedResult[] {
  const projection = projectionOf(area.grid.epsg);
  return area.fields
    .filter(({ isScored }) => isScored)
    .flatMap(({ id, outline, areaHa, seeds }) =>
      seeds.map((seed) => {
        const answer = predictInArea(area, seed, model, { ...options, refuseBelow: 0 });
        const readings = answer.outcome === 'field' ? [answer, ...answer.alternatives] : [];
        const ious = readings.map(({ polygon }) => {
          const ring = polygon.coordinates[0] ?? [];
          return ringIou(
            ring.map((position) => projection.toMap(position)),
            outline,
          );
        });
        return {
          field: id,
          areaHa,
          iou: ious[0] ?? 0,
          bestIou: Math.max(0, ...ious),
          confidence: answer.confidence,
          isEmpty: answer.outcome === 'refused',
        };
      }),
    );
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
