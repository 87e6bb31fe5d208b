import type { Polygon } from '../../geo/shapes/geoJson.js';
import { continuousBox, ringOfBox, type GeoBox } from '../place/footprint.js';
import { nameOfTile, tilesOfField, withNeighbours } from '../place/tiles.js';
import { windowAround, withMargin, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import { centreMask, projectParts } from '../../geo/grid/polygonMask.js';
import { projectedBox, utmGridOf } from '../../geo/grid/projectedBox.js';

/** Where scenes are wanted: a box. */
export interface SceneRegion {
  readonly box: GeoBox;
  /** The 10 m grid that covers the box, in the UTM zone of its middle. */
  readonly grid: Grid;
}

/** The search region of a job has 512 pixels a side; seen from another zone it is turned and so a little larger. */
const MOST_SIDE_PIXELS = 1024;
/** The region of a box in degrees. @throws RangeError for too large a one */
export function sceneRegionOf(box: GeoBox): SceneRegion {
  const grid = utmGridOf(continuousBox(box));
  if (Math.max(grid.width, grid.height) <= MOST_SIDE_PIXELS) return { box, grid };
  throw new RangeError(`Scenes can be had of boxes of up to ${MOST_SIDE_PIXELS} pixels of 10 m a side.`);
}

/** The tiles in which a region lies, and all that overlap one of them. */
export const tilesOfRegion = ({ grid }: SceneRegion): readonly string[] =>
  withNeighbours(tilesOfField(grid).map(nameOfTile));

/** The pixels of a raster that show a box, and `margin` more on each side; undefined when there are none. */
export function windowOfBox(raster: Grid, box: GeoBox, margin = 0): PixelWindow | undefined {
  const projected = projectedBox(continuousBox(box), raster.epsg);
  const { column, row, width, height } = withMargin(windowAround(raster, projected), margin);
  const [left, top] = [Math.max(0, column), Math.max(0, row)];
  const [right, bottom] = [Math.min(raster.width, column + width), Math.min(raster.height, row + height)];
  return right > left && bottom > top
    ? { column: left, row: top, width: right - left, height: bottom - top }
    : undefined;
}

/** Pixels of 20 m that lie in a region. */
export interface RegionPixels {
  readonly grid: Grid;
  /** [row][column], 1 inside, 0 outside. */
  readonly mask: Uint8Array;
}

/** The pixels of a region, as large as those of the classification. */
export function pixelsOfRegion({ box, grid }: SceneRegion): RegionPixels {
  const coarse = { ...grid, pixelWidth: 20, pixelHeight: 20, width: grid.width / 2, height: grid.height / 2 };
  const outline: Polygon = { type: 'Polygon', coordinates: [ringOfBox(continuousBox(box))] };
  return { grid: coarse, mask: centreMask(projectParts(outline, grid.epsg), coarse) };
}
