import { renderScene } from '../../../tools/scenes/renderScene.js';
import { boundaryBands, type BoundaryBand } from '../../../shared/boundary/window/boundaryInput.js';
import { fileOfBand } from '../../../shared/boundary/stack/sceneStack.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import { nameOfTile, tilesOfField } from '../../../shared/scenes/place/tiles.js';
import type { Grid } from '../../../shared/geo/grid/grid.js';
import { projectionOf } from '../../../shared/geo/grid/utm.js';
import { drawnOnce } from '../../support/drawnScenes.js';
import { writeScene } from '../../support/sceneFiles.js';

type SceneImage = BoundaryBand | 'SCL';

/** One scene of a tile. */
interface TileScene {
  /** UTC day. */
  readonly date: string;
  /** The raster of the tile. */
  readonly grid: Grid;
  /** Whether the pixels in the files carry the offset of −1000, which a job takes out. */
  readonly hasOffset?: boolean;
  /** Values of a pixel of 10 m: reflectance × 10000, or the class. */
  readonly valueOf: (image: SceneImage, pixel: number) => number;
}

/** Writes a scene as an item of a catalogue with its files. */
export async function writeTile(folder: string, { date, grid, hasOffset = false, valueOf }: TileScene): Promise<void> {
  const tile = nameOfTile(tilesOfField(grid)[0]);
  await writeScene(folder, {
    id: `S2B_${tile}_${date.replaceAll('-', '')}_0_L2A`,
    date,
    grid,
    valueAt: (file, column, row) => {
      const image = boundaryBands.find((candidate) => fileOfBand[candidate] === file) ?? 'SCL';
      const value = valueOf(image, row * grid.width + column);
      return hasOffset && file !== 'scl' && value > 0 ? value + 1000 : value;
    },
    properties: {
      'grid:code': `MGRS-${tile}`,
      's2:datatake_id': `GS2B_${date.replaceAll('-', '')}T165849_043001_N05.11`,
      'earthsearch:boa_offset_applied': !hasOffset,
    },
  });
}

/** Pixels of a tile on each side of a point. */
export interface Reach {
  readonly west?: number;
  readonly east?: number;
}

/** The larger search region has 256 pixels on each side of its point; seen from another zone it is turned a little. */
const WHOLE = 300;

/** A tile that reaches so far around a point, in a UTM zone of choice. */
export function tileAround(point: Position, epsg: number, { west = WHOLE, east = WHOLE }: Reach = {}): Grid {
  const [x, y] = projectionOf(epsg).toMap(point);
  const [originX, originY] = [Math.round(x / 20) * 20 - west * 10, Math.round(y / 20) * 20 + WHOLE * 10];
  return { epsg, originX, originY, pixelWidth: 10, pixelHeight: 10, width: west + east, height: 2 * WHOLE };
}

/** A number that looks like chance, the same in each run. */
function chance(seed: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  const again = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((again ^ (again >>> 15)) >>> 0) / 2 ** 32;
}

/** Ground that is told apart pixel by pixel, under clouds in patches of 200 m: for what does not look at fields. */
export const speckled =
  ({ width }: Grid, date: string): TileScene['valueOf'] =>
  (image, pixel) => {
    const day = Number(date.slice(-2));
    const patch = Math.floor(pixel / width / 20) * 1_009 + Math.floor((pixel % width) / 20);
    if (image === 'SCL') return chance(patch * 31 + day) < 0.1 ? 9 : 4;
    const lowest = { B02: 200, B03: 400, B04: 300, B08: 2_500 }[image];
    return lowest + Math.floor(800 * chance(pixel * 4 + day * 7 + lowest));
  };

/** Farmland as the local environment draws it. */
export function farmland(grid: Grid, date: string): TileScene['valueOf'] {
  const order = { grid, date, cloudFraction: 0 };
  const { bands, scl } = drawnOnce(order, () => renderScene({ ...grid, date }, { cloudFraction: 0 }));
  return (image, pixel) => (image === 'SCL' ? scl[pixel] : bands[image][pixel]) ?? 0;
}
