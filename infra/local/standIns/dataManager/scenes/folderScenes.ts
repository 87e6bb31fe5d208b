import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SceneImage } from '../../../../../shared/jobs/dataManager/scenes.js';
import { openFileSource } from '../../../../../shared/raster/read/fileSource.js';
import {
  type Grid,
  type MapBox,
  type PixelWindow,
  windowAround,
  windowGrid,
} from '../../../../../shared/geo/grid/grid.js';
import { projectedBox } from '../../../../../shared/geo/grid/projectedBox.js';
import { openRaster, type Raster } from '../../../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../../../shared/raster/read/windowReader.js';
import { isDay } from '../../../../../shared/kit/validation/calendar.js';
import { shiftedInto } from './dateShift.js';
import { type LibraryScene, sceneImages, type SceneLibrary, type SceneRaster } from './sceneLibrary.js';

/** What the SCL of a cloud is. */
const CLOUD_CLASSES = new Set([8, 9, 10]);

/**
 * Real scenes from `<folder>/<YYYY-MM-DD>/{B02,B03,B04,B08,SCL}.tif` (GeoTIFF in UTM or degrees, reflectance × 10000,
 * nodata 0; B08 and SCL may be missing). A region is cut at the edge of the files; days outside the asked period are
 * shown on days inside it.
 */
export function folderScenes(folder: string): SceneLibrary {
  const dates = readdirSync(folder).filter(isDay).sort();
  if (dates.length === 0) throw new Error(`${folder} has no folder named YYYY-MM-DD.`);
  const read = (date: string, image: SceneImage, region: MapBox): Promise<SceneRaster | undefined> =>
    cutFrom(join(folder, date, `${image}.tif`), region);
  return {
    list: async ({ region, from, to }) => {
      const covering: string[] = [];
      for (const date of dates) if (await overlaps(folder, date, region)) covering.push(date);
      return Promise.all(
        shiftedInto(covering, from, to).map(async ({ original, shown }): Promise<LibraryScene> => {
          const scl = await read(original, 'SCL', region);
          return {
            key: original,
            date: shown,
            itemId: `SCENES_DIR_${original}`,
            cloudCoverPercent: scl === undefined ? 0 : cloudPercent(scl),
            images: sceneImages.filter((image) => existsSync(join(folder, original, `${image}.tif`))),
          };
        }),
      );
    },
    read,
  };
}

async function overlaps(folder: string, date: string, region: MapBox): Promise<boolean> {
  const file = sceneImages.map((image) => join(folder, date, `${image}.tif`)).find((path) => existsSync(path));
  return file !== undefined && withRaster(file, (raster) => windowIn(gridOf(raster), region) !== undefined);
}

async function cutFrom(file: string, region: MapBox): Promise<SceneRaster | undefined> {
  if (!existsSync(file)) return undefined;
  return withRaster(file, async (raster) => {
    const grid = gridOf(raster);
    const window = windowIn(grid, region);
    if (window === undefined) return undefined;
    const [pixels] = await readWindows(raster, [window]);
    return pixels && { grid: windowGrid(grid, window), pixels, origin: 'SCENES_DIR' };
  });
}

async function withRaster<T>(file: string, use: (raster: Raster) => T | Promise<T>): Promise<T> {
  const source = await openFileSource(file);
  try {
    return await use(await openRaster(source));
  } finally {
    await source.close();
  }
}

function gridOf({ grid, source }: Raster): Grid {
  if (grid === undefined) throw new Error(`${source.name} does not say where it lies.`);
  return grid;
}

/** The region's pixels, cut at the file's edge; undefined when they don't meet. */
function windowIn(grid: Grid, region: MapBox): PixelWindow | undefined {
  const { column, row, width, height } = windowAround(grid, projectedBox(region, grid.epsg));
  const [left, top] = [Math.max(0, column), Math.max(0, row)];
  const [right, bottom] = [Math.min(grid.width, column + width), Math.min(grid.height, row + height)];
  if (right <= left || bottom <= top) return undefined;
  return { column: left, row: top, width: right - left, height: bottom - top };
}

function cloudPercent({ pixels: { data } }: SceneRaster): number {
  let clouded = 0;
  for (const value of data) if (CLOUD_CLASSES.has(value)) clouded += 1;
  return Math.round((1000 * clouded) / data.length) / 10;
}
