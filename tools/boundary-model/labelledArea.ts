import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundaryBands } from '../../shared/boundary/window/boundaryInput.js';
import type { BandPixels, BoundaryScene } from '../../shared/boundary/window/boundaryInput.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { openFileSource } from '../../shared/raster/read/fileSource.js';
import { toPixel, windowGrid } from '../../shared/geo/grid/grid.js';
import type { Grid, PixelWindow } from '../../shared/geo/grid/grid.js';
import { openRaster } from '../../shared/raster/read/rasterReader.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import type { MapPoint } from '../../shared/geo/grid/utm.js';
import { readWindows } from '../../shared/raster/read/windowReader.js';

/** One field whose outline is known. */
export interface LabelledField {
  readonly id: string;
  /** Open ring in UTM metres. */
  readonly outline: readonly MapPoint[];
  readonly areaHa: number;
  /** Points in the field that a prediction starts from. */
  readonly seeds: readonly Position[];
  /** False: left out of scores, but it is a field. */
  readonly isScored: boolean;
}

/** Scenes and labels of one area: `<area>/<date>/B*.tif` and `<area>/labels.geojson`. */
export interface LabelledArea {
  readonly name: string;
  readonly grid: Grid;
  /** Oldest first; each on the whole grid. */
  readonly scenes: readonly BoundaryScene[];
  readonly fields: readonly LabelledField[];
}

/** Reads an area. @throws RasterError when a file can't be read, RangeError when its dates lie on different grids */
export async function readArea(folder: string, name: string): Promise<LabelledArea> {
  const dates = readdirSync(folder).filter((entry) => /^\d{4}-\d{2}-\d{2}$/.test(entry));
  const read = await Promise.all(dates.sort().map((date) => readDate(join(folder, date), date)));
  const grid = read[0]?.grid;
  if (grid === undefined) throw new RangeError(`${folder} has no dates.`);
  if (read.some((date) => JSON.stringify(date.grid) !== JSON.stringify(grid))) {
    throw new RangeError(`The dates of ${folder} lie on different grids.`);
  }
  return {
    name,
    grid,
    scenes: read.map(({ scene }) => scene),
    fields: readLabels(join(folder, 'labels.geojson'), grid.epsg),
  };
}

async function readDate(folder: string, date: string): Promise<{ readonly grid: Grid; readonly scene: BoundaryScene }> {
  const present = boundaryBands.filter((band) => existsSync(join(folder, `${band}.tif`)));
  const rasters = await Promise.all(present.map((band) => readWhole(join(folder, `${band}.tif`))));
  const [first] = rasters;
  if (first === undefined) throw new RangeError(`${folder} has no bands.`);
  const bands = Object.fromEntries(present.map((band, k) => [band, rasters[k]?.pixels]));
  return { grid: first.grid, scene: { date, sceneIds: [date], bands } };
}

async function readWhole(path: string): Promise<{ readonly grid: Grid; readonly pixels: BandPixels }> {
  const source = await openFileSource(path);
  try {
    const raster = await openRaster(source);
    if (raster.grid === undefined) throw new RangeError(`${path} says nothing of where it lies.`);
    const { width, height } = raster.grid;
    const [pixels] = await readWindows(raster, [{ column: 0, row: 0, width, height }]);
    return { grid: raster.grid, pixels: Uint16Array.from(pixels?.data ?? []) };
  } finally {
    await source.close();
  }
}

interface LabelFeature {
  readonly properties: {
    readonly id: number;
    readonly seed: Position;
    readonly seed2?: Position;
    readonly scored: boolean;
    readonly area_ha: number;
  };
  readonly geometry: { readonly coordinates: readonly (readonly Position[])[] };
}

function readLabels(path: string, epsg: number): LabelledField[] {
  const projection = projectionOf(epsg);
  const { features } = JSON.parse(readFileSync(path, 'utf8')) as { readonly features: readonly LabelFeature[] };
  return features.map(({ properties, geometry }) => ({
    id: String(properties.id),
    outline: (geometry.coordinates[0] ?? []).slice(1).map((position) => projection.toMap(position)),
    areaHa: properties.area_ha,
    seeds: properties.seed2 === undefined ? [properties.seed] : [properties.seed, properties.seed2],
    isScored: properties.scored,
  }));
}

/** The scenes in a window of the area's grid round a point, cut at the area's edge. */
export function windowOf(
  { grid, scenes }: LabelledArea,
  point: Position,
  sidePixels: number,
): { readonly grid: Grid; readonly scenes: readonly BoundaryScene[] } {
  const [column, row] = toPixel(grid, projectionOf(grid.epsg).toMap(point));
  const from = (centre: number): number => Math.max(0, Math.floor(centre) - sidePixels / 2);
  const length = (centre: number, most: number): number =>
    Math.min(most, Math.floor(centre) + sidePixels / 2) - from(centre);
  const window = {
    column: from(column),
    row: from(row),
    width: length(column, grid.width),
    height: length(row, grid.height),
  };
  return {
    grid: windowGrid(grid, window),
    scenes: scenes.map((scene) => ({
      ...scene,
      bands: Object.fromEntries(
        Object.entries(scene.bands).map(([band, pixels]) => [band, cutOut(pixels, grid, window)]),
      ),
      ...(scene.scl === undefined ? {} : { scl: cutOut(scene.scl, grid, window) }),
    })),
  };
}

function cutOut<Values extends BandPixels | Uint8Array>(
  values: Values,
  grid: Grid,
  { column, row, width, height }: PixelWindow,
): Values {
  const out = values.slice(0, width * height) as Values;
  for (let y = 0; y < height; y += 1) {
    const start = (row + y) * grid.width + column;
    out.set(values.subarray(start, start + width), y * width);
  }
  return out;
}
