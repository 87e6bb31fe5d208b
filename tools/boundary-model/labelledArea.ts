import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundaryBands } from '../../shared/boundary/boundaryInput.js';
import type { BandPixels, BoundaryScene } from '../../shared/boundary/boundaryInput.js';
import type { Position } from '../../shared/geo/geoJson.js';
import { openFileSource } from '../../shared/raster/fileSource.js';
import type { Grid } from '../../shared/raster/grid.js';
import { openRaster } from '../../shared/raster/rasterReader.js';
import { projectionOf } from '../../shared/raster/utm.js';
import type { MapPoint } from '../../shared/raster/utm.js';
import { readWindows } from '../../shared/raster/windowReader.js';

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

/** The scenes in a window of the area's grid, cut at the area's edge. */
export function windowOf(
  { grid, scenes }: LabelledArea,
  point: Position,
  sidePixels: number,
): { readonly grid: Grid; readonly scenes: readonly BoundaryScene[] } {
  const [x, y] = projectionOf(grid.epsg).toMap(point);
  const half = sidePixels / 2;
  const from = (centre: number): number => Math.max(0, Math.floor(centre) - half);
  const to = (centre: number, most: number): number => Math.min(most, Math.floor(centre) + half);
  const [centreX, centreY] = [(x - grid.originX) / grid.pixelWidth, (grid.originY - y) / grid.pixelHeight];
  const [left, top] = [from(centreX), from(centreY)];
  const [width, height] = [to(centreX, grid.width) - left, to(centreY, grid.height) - top];
  const cut = <Pixels extends BandPixels | Uint8Array>(pixels: Pixels): Pixels => {
    const out = pixels.slice(0, width * height) as Pixels;
    for (let row = 0; row < height; row += 1) {
      const start = (top + row) * grid.width + left;
      out.set(pixels.subarray(start, start + width), row * width);
    }
    return out;
  };
  return {
    grid: {
      ...grid,
      originX: grid.originX + left * grid.pixelWidth,
      originY: grid.originY - top * grid.pixelHeight,
      width,
      height,
    },
    scenes: scenes.map((scene) => ({
      ...scene,
      bands: Object.fromEntries(Object.entries(scene.bands).map(([band, pixels]) => [band, cut(pixels)])),
      ...(scene.scl === undefined ? {} : { scl: cut(scene.scl) }),
    })),
  };
}
