import type { Polygon, Position } from '../../geo/shapes/geoJson.js';
import { isSimple, ringArea, ringHolds, ringLength, signedArea, type PlanePoint } from '../../geo/shapes/rings.js';
import { toMapPoint, type Grid } from '../../geo/grid/grid.js';
import { utmProjection, type MapPoint } from '../../geo/grid/utm.js';
import type { CandidateMask } from '../candidates/candidateMask.js';
import type { Pixel } from '../window/chooseDates.js';
import { fineContours } from './fineContours.js';
import type { Plane } from '../window/gaussian.js';
import { maskContours } from '../outline/maskContours.js';
import { simplifiedRing } from '../outline/simplify.js';

/** The outline of one field. */
export interface PredictedOutline {
  /** RFC 7946: WGS 84, one ring, closed, counter-clockwise, 7 decimals; valid, with the point inside. */
  readonly polygon: Polygon;
  readonly areaHectares: number;
  readonly perimeterMeters: number;
}

/** A mask and the window or close-up that it was found in: what its outline is drawn from. */
export interface FoundMask {
  readonly mask: CandidateMask;
  readonly grid: Grid;
  /** The pixel that holds the point. */
  readonly pixel: Pixel;
  /** Probability of a boundary in the window, 0–1; without it the outline follows the mask's pixels. */
  readonly probability?: Plane | undefined;
}

/** Largest distance of a dropped corner from the simplified line: the first that gives a valid outline is used. */
const tolerancesM = [5, 2.5, 1.25, 0.6, 0.3, 0.1, 0];
const degreesPerUnit = 1e-7;
const pixelSoftening = { sigma: 0.7, level: 0.5 };

/**
 * Draws the outline round a mask: where the probability of a boundary is highest beside the mask's rim, or along the
 * mask's pixels when no such line holds the point.
 *
 * @param point the point that the outline has to hold
 * @returns undefined when no valid ring holds the point
 */
export function outlineAround(
  { mask, grid, pixel, probability }: FoundMask,
  point: Position,
): PredictedOutline | undefined {
  const along = (contours: readonly (readonly PlanePoint[])[]): PredictedOutline | undefined =>
    outlineAlong(contours, grid, point);
  return (
    (probability && along(fineContours(mask, probability))) ??
    along(pixelContours(mask)) ??
    along(pixelContours(thickenedAtPoint(mask, pixel)))
  );
}

function pixelContours({ top, left, bitmap }: CandidateMask): PlanePoint[][] {
  return maskContours(bitmap, pixelSoftening).map((ring) => ring.map(([x, y]) => [left + x, top + y]));
}

/** The simplest valid ring of some contours (in pixels of the window) that holds the point. */
function outlineAlong(
  contours: readonly (readonly PlanePoint[])[],
  grid: Grid,
  point: Position,
): PredictedOutline | undefined {
  const onMap = contours.map((ring) => ring.map((corner) => clampedToMap(grid, corner)));
  for (const tolerance of tolerancesM) {
    for (const contour of onMap) {
      const outline = outlineFrom(simplifiedRing(contour, tolerance), grid, point);
      if (outline !== undefined) return outline;
    }
  }
  return undefined;
}

/** The mask with the 3×3 pixels round the point: a softened line can leave out a point at the mask's rim. */
function thickenedAtPoint({ top, left, bitmap, size }: CandidateMask, { row, column }: Pixel): CandidateMask {
  const data = bitmap.data.slice();
  for (let y = Math.max(0, row - top - 1); y <= Math.min(bitmap.height - 1, row - top + 1); y += 1) {
    for (let x = Math.max(0, column - left - 1); x <= Math.min(bitmap.width - 1, column - left + 1); x += 1) {
      data[y * bitmap.width + x] = 1;
    }
  }
  return { top, left, bitmap: { ...bitmap, data }, size };
}

function clampedToMap(grid: Grid, [column, row]: PlanePoint): MapPoint {
  const inside = (value: number, most: number): number => Math.min(most, Math.max(0, value));
  return toMapPoint(grid, [inside(column, grid.width), inside(row, grid.height)]);
}

function outlineFrom(ring: readonly MapPoint[], grid: Grid, point: Position): PredictedOutline | undefined {
  const projection = utmProjection(grid.epsg);
  const positions = withoutRepeats(
    ring.map((corner): Position => {
      const [longitude, latitude] = projection.toPosition(corner);
      return [rounded(longitude), rounded(latitude)];
    }),
  );
  if (!ringHolds(positions, point) || !isSimple(positions)) return undefined;
  const exterior = signedArea(positions) > 0 ? positions : positions.toReversed();
  const scale = projection.scaleAt(point);
  return {
    polygon: { type: 'Polygon', coordinates: [[...exterior, ...exterior.slice(0, 1)]] },
    areaHectares: ringArea(ring) / scale ** 2 / 10_000,
    perimeterMeters: ringLength(ring) / scale,
  };
}

function rounded(degrees: number): number {
  return Math.round(degrees / degreesPerUnit) / 1e7;
}

function withoutRepeats(positions: readonly Position[]): Position[] {
  return positions.filter((position, k) => {
    const [longitude, latitude] = positions.at(k - 1) ?? position;
    return positions.length === 1 || position[0] !== longitude || position[1] !== latitude;
  });
}
