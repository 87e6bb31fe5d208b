import type { MultiPolygon } from '../geo/geoJson.js';
import type { Grid, PixelWindow } from '../raster/grid.js';
import { limiter } from '../raster/limiter.js';
import { mosaic } from '../raster/mosaic.js';
import type { Pixels } from '../raster/pixels.js';
import { countSet, projectParts } from '../raster/polygonMask.js';
import { RasterError } from '../raster/rasterError.js';
import { drawnOn, fieldWindowIn, maskIn, placementIn, type FieldWindow } from './fieldWindow.js';
import type { SceneReader } from './imageryPorts.js';
import { classesAt10m, clearPixels, visibilityOf, type Classification, type Visibility } from './layersVisibility.js';
import { gridOfFile, type Scene, type SceneFile } from './scene.js';

/** A field to be looked at in one overpass. */
export interface FieldOrder {
  readonly geometry: MultiPolygon;
  /** The tiles of the overpass that show it, best first. */
  readonly scenes: readonly Scene[];
}

/** A field as one overpass shows it. */
export interface FieldView {
  /** Scenes whose pixels are used; the first one's grid is the view's. */
  readonly scenes: readonly [Scene, ...Scene[]];
  readonly window: FieldWindow;
  /** 1 inside the field, on the 10 m grid. */
  readonly mask: Uint8Array;
  /** Pixels inside the field. */
  readonly fieldPixels: number;
  /** 1 where the ground is seen. */
  readonly clear: Uint8Array;
  readonly visibility: Visibility;
}

/** Windows of one file to be read. */
export interface FileRequest {
  readonly scene: Scene;
  readonly file: SceneFile;
  readonly window: PixelWindow;
}

/** Files read at the same time: the four bands of a scene. */
const CONCURRENT_FILES = 4;

/**
 * Reads windows of many files, all windows of one file together.
 *
 * @returns one per request, in order; a fault for pixels that are broken for good
 */
export async function readFiles(
  reader: SceneReader,
  requests: readonly FileRequest[],
  signal: AbortSignal,
): Promise<readonly (Pixels | RasterError)[]> {
  const byFile = new Map<string, number[]>();
  requests.forEach(({ scene, file }, index) => {
    const url = scene.files[file];
    byFile.set(url, [...(byFile.get(url) ?? []), index]);
  });
  const answers: (Pixels | RasterError)[] = [];
  const reading = limiter(CONCURRENT_FILES);
  const readOne = async (indexes: readonly number[]): Promise<void> => {
    const wanted = indexes.flatMap((index) => requests[index] ?? []);
    const [first] = wanted;
    if (first === undefined) return;
    const windows = wanted.map(({ window }) => window);
    const read = await reader.read(first.scene, first.file, { windows, signal });
    indexes.forEach((index, position) => {
      answers[index] = read[position] ?? new RasterError('corrupt', `${first.scene.id}: pixels are missing`);
    });
  };
  await Promise.all([...byFile.values()].map((indexes) => reading(() => readOne(indexes))));
  return answers;
}

/** A field placed on the grid of a tile, before anything is read. */
interface Placed {
  readonly scenes: readonly [Scene, ...Scene[]];
  readonly window: FieldWindow;
  readonly mask: Uint8Array;
}

function placed({ geometry, scenes }: FieldOrder, main: Scene): Placed {
  const parts = projectParts(geometry, main.grid.epsg);
  const window = fieldWindowIn(main.grid, parts);
  const others = scenes.filter((scene) => scene !== main);
  return { scenes: [main, ...others], window, mask: maskIn(window, parts) };
}

const requestOf = (scene: Scene, file: SceneFile, target: Grid): FileRequest => ({
  scene,
  file,
  window: placementIn(gridOfFile(scene, file), target).window,
});

const classificationOf = ({ data, width, height }: Pixels): Classification => ({
  classes: data instanceof Uint8Array ? data : Uint8Array.from(data),
  width,
  height,
});

/** Whether some pixel of the field has no data. */
function isIncomplete(mask: Uint8Array, scl: Classification): boolean {
  const classes = classesAt10m(scl);
  return mask.some((isInside, index) => isInside === 1 && classes[index] === 0);
}

function viewOf({ scenes, window, mask }: Placed, scl: Pixels): FieldView {
  const classification = classificationOf(scl);
  const clear = clearPixels(classification);
  const visibility = visibilityOf(classification, mask, clear);
  return { scenes, window, mask, fieldPixels: countSet(mask), clear, visibility };
}

/** What of the classification is read in one round: the first scene of each order that was not tried yet. */
async function firstReadable(
  reader: SceneReader,
  orders: readonly FieldOrder[],
  signal: AbortSignal,
): Promise<readonly (readonly [Placed, Pixels] | RasterError)[]> {
  const found: (readonly [Placed, Pixels] | RasterError)[] = orders.map(
    () => new RasterError('corrupt', 'no scene shows the field'),
  );
  let open = orders.map((_, index) => index);
  for (let round = 0; open.length > 0; round += 1) {
    const tries = open.flatMap((index) => {
      const [order, main] = [orders[index], orders[index]?.scenes[round]];
      return order === undefined || main === undefined ? [] : [{ index, place: placed(order, main), main }];
    });
    const requests = tries.map(({ place, main }) => requestOf(main, 'scl', place.window.sclGrid));
    const read = await readFiles(reader, requests, signal);
    open = tries.flatMap(({ index, place }, position) => {
      const answer = read[position];
      if (answer === undefined) return [];
      found[index] = answer instanceof RasterError ? answer : [place, answer];
      return answer instanceof RasterError ? [index] : [];
    });
  }
  return found;
}

/** Fills what the main scene has no data for from the other tiles of its overpass. */
async function completed(
  reader: SceneReader,
  [place, scl]: readonly [Placed, Pixels],
  signal: AbortSignal,
): Promise<FieldView> {
  const [main, ...others] = place.scenes;
  const alone: Placed = { ...place, scenes: [main] };
  if (others.length === 0 || !isIncomplete(place.mask, classificationOf(scl))) return viewOf(alone, scl);
  const target = place.window.sclGrid;
  const read = await readFiles(
    reader,
    others.map((scene) => requestOf(scene, 'scl', target)),
    signal,
  );
  const used: Scene[] = [];
  const pictures = [scl];
  others.forEach((scene, index) => {
    const pixels = read[index];
    if (pixels === undefined || pixels instanceof RasterError) return;
    pictures.push(drawnOn(pixels, { file: gridOfFile(scene, 'scl'), target, by: 'nearest' }));
    used.push(scene);
  });
  return viewOf({ ...place, scenes: [main, ...used] }, mosaic(pictures, 0));
}

/**
 * Looks at fields in their overpasses: the classification alone, all windows of a file together. A field that its best
 * tile does not show whole is completed from the other tiles of the same overpass.
 *
 * @returns one per order; a fault when no scene of it can be read
 */
export async function lookAt(
  reader: SceneReader,
  orders: readonly FieldOrder[],
  signal: AbortSignal,
): Promise<readonly (FieldView | RasterError)[]> {
  const first = await firstReadable(reader, orders, signal);
  const completing = limiter(CONCURRENT_FILES);
  const complete = async (found: (typeof first)[number]): Promise<FieldView | RasterError> =>
    found instanceof RasterError ? found : await completing(() => completed(reader, found, signal));
  return await Promise.all(first.map(complete));
}
