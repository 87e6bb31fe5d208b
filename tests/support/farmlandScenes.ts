import { renderScene } from '../../tools/scenes/renderScene.js';
import { nameOfTile, tilesOfField } from '../../shared/scenes/place/tiles.js';
import type { Grid } from '../../shared/geo/grid/grid.js';
import { utmProjection } from '../../shared/geo/grid/utm.js';
import { utmEpsgAt } from '../../shared/geo/grid/utmZone.js';
import { drawnOnce } from './drawnScenes.js';
import { writeScene } from './sceneFiles.js';

/** Pixels of a side: the larger search region of a job, with ground around it. */
const SIDE = 576;

function gridAt({ longitude, latitude }: { readonly longitude: number; readonly latitude: number }): Grid {
  const epsg = utmEpsgAt([longitude, latitude]);
  const [x, y] = utmProjection(epsg).toMap([longitude, latitude]);
  const [centreX, centreY] = [Math.round(x / 20) * 20, Math.round(y / 20) * 20];
  const half = SIDE * 5;
  const corner = { originX: centreX - half, originY: centreY + half };
  return { epsg, ...corner, pixelWidth: 10, pixelHeight: 10, width: SIDE, height: SIDE };
}

/**
 * Writes a clear scene of the synthetic farmland around a point into a folder of the STAC stand-in.
 *
 * @param date under which it is shown; how it looks is drawn once for all runs
 */
export async function writeFarmlandScene(
  root: string,
  point: { readonly longitude: number; readonly latitude: number },
  { date, looksLike }: { readonly date: string; readonly looksLike: string },
): Promise<void> {
  const grid = gridAt(point);
  const order = { grid, date: looksLike, cloudFraction: 0 };
  const { bands, scl } = drawnOnce(order, () => renderScene({ ...grid, date: looksLike }, { cloudFraction: 0 }));
  const pixels = { red: bands.B04, green: bands.B03, blue: bands.B02, nir: bands.B08, scl };
  const tile = nameOfTile(tilesOfField(grid)[0]);
  await writeScene(root, {
    id: `S2B_${tile}_${date.replaceAll('-', '')}_0_L2A`,
    date,
    grid,
    valueAt: (file, column, row) => pixels[file][row * SIDE + column] ?? 0,
    properties: { 'grid:code': `MGRS-${tile}` },
  });
}
