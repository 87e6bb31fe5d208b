import { boundaryBands, type BandPixels, type BoundaryBand, type BoundaryScene } from '../window/boundaryInput.js';
import type { SceneImage } from '../../jobs/dataManager/scenes.js';
import { windowGrid, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import { cutOut } from '../../raster/tiff/pixels.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { passKey, passedScene, type PassedScene } from './chosenScenes.js';
import { imageOnGrid } from './sceneRaster.js';

/** A scene as downloaded: the bytes of its files. */
export interface SceneFiles {
  readonly id: string;
  readonly date: string;
  readonly itemId?: string;
  readonly images: Readonly<Partial<Record<SceneImage, Uint8Array>>>;
}

/** The scenes on one grid, one entry per pass of a satellite, and the scenes that are not used. */
export interface SceneStack {
  readonly scenes: readonly BoundaryScene[];
  readonly passed: readonly PassedScene[];
}

type Bands = Partial<Record<BoundaryBand, BandPixels>>;

/** Draws every scene on the grid; scenes of one pass become one. A scene with a file that can't be read is not used. */
export async function sceneStack(grid: Grid, files: readonly SceneFiles[]): Promise<SceneStack> {
  const byPass = new Map<string, BoundaryScene>();
  const passed: PassedScene[] = [];
  for (const scene of files) {
    const drawn = await drawnScene(grid, scene);
    if ('reason' in drawn) passed.push(drawn);
    else byPass.set(passKey(scene), joined(byPass.get(passKey(scene)), drawn));
  }
  return { scenes: [...byPass.values()], passed };
}

async function drawnScene(grid: Grid, scene: SceneFiles): Promise<BoundaryScene | PassedScene> {
  const { id, date } = scene;
  try {
    const { SCL: scl, ...bands } = await imagesOnGrid(grid, scene);
    if (Object.keys(bands).length === 0) {
      return passedScene(scene, 'elsewhere', 'it does not reach the search region');
    }
    if (scl === undefined) return { date, sceneIds: [id], bands };
    for (const pixels of Object.values(bands)) dropUnclassified(pixels, scl);
    return { date, sceneIds: [id], bands, scl: Uint8Array.from(scl) };
  } catch (error) {
    if (!(error instanceof RasterError) && !(error instanceof RangeError)) throw error;
    return passedScene(scene, 'lost', `a file of it cannot be read (${error.message})`);
  }
}

/** The images that reach the grid. */
async function imagesOnGrid(
  grid: Grid,
  { images }: SceneFiles,
): Promise<Partial<Record<BoundaryBand | 'SCL', BandPixels>>> {
  const drawn: Partial<Record<BoundaryBand | 'SCL', BandPixels>> = {};
  for (const name of [...boundaryBands, 'SCL'] as const) {
    const bytes = images[name];
    const pixels = bytes && (await imageOnGrid(grid, { name, bytes }));
    if (pixels !== undefined) drawn[name] = pixels;
  }
  return drawn;
}

/** Beyond its datastrip a scene may hold any number: what its own classes don't know is no data, another scene has it. */
function dropUnclassified(pixels: BandPixels, scl: ArrayLike<number>): void {
  for (let k = 0; k < pixels.length; k += 1) if (scl[k] === 0) pixels[k] = 0;
}

/** Joins two scenes of one pass: the second fills the pixels in which the first has no data. */
function joined(first: BoundaryScene | undefined, second: BoundaryScene): BoundaryScene {
  if (first === undefined) return second;
  const shared = boundaryBands.filter((band) => first.bands[band] !== undefined && second.bands[band] !== undefined);
  const none = new Uint16Array();
  const bands: Bands = Object.fromEntries(
    shared.map((band) => [band, filled(first.bands[band] ?? none, second.bands[band] ?? none)]),
  );
  const scl = first.scl && second.scl && filled(first.scl, second.scl);
  return {
    date: first.date,
    sceneIds: [...first.sceneIds, ...second.sceneIds],
    bands,
    ...(scl === undefined ? {} : { scl }),
  };
}

function filled<T extends BandPixels | Uint8Array>(first: T, second: ArrayLike<number>): T {
  const pixels = first.slice() as T;
  for (let k = 0; k < pixels.length; k += 1) if (pixels[k] === 0) pixels[k] = second[k] ?? 0;
  return pixels;
}

/**
 * The smallest window with all data of all scenes. A prediction needs it: missing pixels count as clouds there, the edge
 * of the window as an edge.
 *
 * @returns undefined when there is no data at all
 */
export function coveredWindow({ width, height }: Grid, scenes: readonly BoundaryScene[]): PixelWindow | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (const pixels of scenes.flatMap(({ bands }) => Object.values(bands))) {
    for (let k = 0; k < pixels.length; k += 1) {
      if (!((pixels[k] ?? 0) > 0)) continue;
      const row = Math.floor(k / width);
      const column = k - row * width;
      left = Math.min(left, column);
      right = Math.max(right, column);
      top = Math.min(top, row);
      bottom = Math.max(bottom, row);
    }
  }
  return right < left ? undefined : { column: left, row: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Grid and scenes cut to a window of the grid. */
export function cutTo(
  grid: Grid,
  scenes: readonly BoundaryScene[],
  window: PixelWindow,
): { readonly grid: Grid; readonly scenes: readonly BoundaryScene[] } {
  if (window.width === grid.width && window.height === grid.height) return { grid, scenes };
  const cut = <T extends BandPixels | Uint8Array>(pixels: T): T => cutOut(pixels, grid.width, window);
  return {
    grid: windowGrid(grid, window),
    scenes: scenes.map((scene) => ({
      ...scene,
      bands: Object.fromEntries(Object.entries(scene.bands).map(([band, pixels]) => [band, cut(pixels)])),
      ...(scene.scl === undefined ? {} : { scl: cut(scene.scl) }),
    })),
  };
}
