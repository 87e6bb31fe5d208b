import { boundaryBands, type BandPixels, type BoundaryBand, type BoundaryScene } from '../window/boundaryInput.js';
import type { SceneFile } from '../../scenes/item/scene.js';
import type { SceneCuts } from '../../scenes/library/sceneLibrary.js';
import { windowGrid, type Grid, type PixelWindow } from '../../geo/grid/grid.js';
import { cutOut } from '../../raster/tiff/pixels.js';
import { passedScene, type PassedScene } from './chosenScenes.js';
import { cutOnGrid } from './cutOnGrid.js';

/** The files of a scene that are bands of a prediction. */
export const fileOfBand = {
  B02: 'blue',
  B03: 'green',
  B04: 'red',
  B08: 'nir',
} as const satisfies Readonly<Record<BoundaryBand, SceneFile>>;

/** A scene as it was read: what its files show around the region. */
export interface ReadScene {
  readonly id: string;
  readonly date: string;
  /** Names the pass of the satellite. */
  readonly pass: string;
  readonly cuts: SceneCuts;
}

/** The scenes on one grid, one entry per pass of a satellite, and the scenes that are not used. */
export interface SceneStack {
  readonly scenes: readonly BoundaryScene[];
  readonly passed: readonly PassedScene[];
}

type Bands = Partial<Record<BoundaryBand, BandPixels>>;

/** Draws every scene on the grid; scenes of one pass become one. */
export function sceneStack(grid: Grid, read: readonly ReadScene[]): SceneStack {
  const byPass = new Map<string, BoundaryScene>();
  const passed: PassedScene[] = [];
  for (const scene of read) {
    const drawn = drawnScene(grid, scene);
    if (drawn === undefined) passed.push(passedScene(scene, 'elsewhere', 'it does not reach the search region'));
    else byPass.set(scene.pass, joined(byPass.get(scene.pass), drawn));
  }
  return { scenes: [...byPass.values()], passed };
}

/** A scene on the grid; undefined when it doesn't reach the grid. */
function drawnScene(grid: Grid, { id, date, cuts }: ReadScene): BoundaryScene | undefined {
  const bands: Bands = {};
  for (const band of boundaryBands) {
    const cut = cuts[fileOfBand[band]];
    const pixels = cut && cutOnGrid(grid, fileOfBand[band], cut);
    if (pixels !== undefined) bands[band] = pixels;
  }
  if (Object.keys(bands).length === 0) return undefined;
  const scl = cuts.scl && cutOnGrid(grid, 'scl', cuts.scl);
  if (scl === undefined) return { date, sceneIds: [id], bands };
  for (const pixels of Object.values(bands)) dropUnclassified(pixels, scl);
  return { date, sceneIds: [id], bands, scl: Uint8Array.from(scl) };
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
