import { dayOfScene, type Scene } from '../item/scene.js';
import type { SceneReader } from '../pixels/pixelPorts.js';
import { countSet } from '../../geo/grid/polygonMask.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { resample } from '../../raster/read/resample.js';
import { readCut, type CutImage } from './cutImage.js';
import { pixelsOfRegion, type RegionPixels, type SceneRegion } from './sceneRegion.js';

/** A scene that shows something of a region. */
export interface SeenScene {
  readonly scene: Scene;
  /** Its classification around the region; undefined when the file is broken or refused. */
  readonly classes: CutImage | undefined;
  /** Why the host doesn't give the classification, or has none. */
  readonly refusal?: RasterError;
}

/**
 * The scenes of one pass of a satellite that show a region: each shows pixels that those before it don't, and once all
 * pixels are shown no further scene is read.
 *
 * A scene whose classification is broken or refused shows no pixel, and is listed all the same: the job then says that it
 * is lost.
 *
 * @param scenes of the pass, the best first
 * @throws RasterError when the files are away
 */
export async function scenesOfPass(
  scenes: readonly Scene[],
  {
    region,
    reader,
    signal,
  }: { readonly region: SceneRegion; readonly reader: SceneReader; readonly signal: AbortSignal },
): Promise<readonly SeenScene[]> {
  const missing = pixelsOfRegion(region);
  const seen: SeenScene[] = [];
  for (const scene of scenes) {
    if (countSet(missing.mask) === 0) break;
    const classes = await readCut(reader, { scene, file: 'scl', box: region.box }, signal).catch(refusalOf);
    if (classes instanceof RasterError) seen.push(lost(scene, classes));
    else if (classes !== undefined && fill(missing, classes)) seen.push({ scene, classes });
  }
  return seen;
}

/** @throws what is no refusal */
function refusalOf(error: unknown): RasterError {
  if (error instanceof RasterError && error.kind === 'refused') return error;
  throw error;
}

const lost = (scene: Scene, error: RasterError): SeenScene => ({
  scene,
  classes: undefined,
  ...(error.kind === 'refused' ? { refusal: error } : {}),
});

/** Takes what a classification shows from the missing pixels. @returns whether there was any */
function fill({ grid, mask }: RegionPixels, { pixels, grid: from }: CutImage): boolean {
  const { data } = resample(pixels, { from, to: grid, nodata: 0, by: 'nearest' });
  const before = countSet(mask);
  for (let index = 0; index < mask.length; index += 1) if (data[index] !== 0) mask[index] = 0;
  return countSet(mask) < before;
}

/** The platforms of Sentinel-2. */
const SENTINEL = /^sentinel-2[a-d]$/;
/** When the datatake began. */
const START = /^GS2[A-D]_(\d{8}T\d{6})_/;

/**
 * Names the pass of a satellite by which jobs join scenes: satellite and start of the datatake; the day where the catalogue
 * doesn't name the satellite.
 *
 * @param pass to which the scene belongs, the best scene first
 * @see Sentinel-2 Products Specification, naming convention: MMM_MSIXXX_YYYYMMDDTHHMMSS_…
 */
export function passOf(scene: Scene, pass: readonly Scene[]): string {
  const { platform } = scene;
  const starts = pass.map(({ datatake }) => START.exec(datatake)?.[1]);
  const start = starts.find((known) => known !== undefined) ?? pass[0]?.takenAt.slice(0, 19).replaceAll(/[-:]/g, '');
  return SENTINEL.test(platform) && start !== undefined ? `${platform} ${start}` : dayOfScene(scene);
}
