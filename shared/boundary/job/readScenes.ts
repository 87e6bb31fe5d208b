import { limiter } from '../../kit/limiter.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { dayOfScene, SCENE_FILES } from '../../scenes/item/scene.js';
import type { RegionScene, Scenes } from '../../scenes/library/sceneLibrary.js';
import { sceneRegionOf, type SceneRegion } from '../../scenes/library/sceneRegion.js';
import { mayPass, sceneFailure } from './boundaryFailures.js';
import { chosenScenes, passedScene, type PassedScene } from '../stack/chosenScenes.js';
import type { ReadScene } from '../stack/sceneStack.js';
import type { RegionSearch } from './searchField.js';

/** Scenes that are read at the same time. */
const CONCURRENT = 4;

/** The scenes of a region with what they show of it, and those that are not used. */
export interface ReadScenes {
  readonly scenes: readonly ReadScene[];
  readonly passed: readonly PassedScene[];
}

/**
 * Reads the least clouded scenes of a region.
 *
 * @param mostPasses passes of the satellites that are read
 * @throws JobFailure while the catalogue or the host of the files is away
 */
export async function readScenes(scenes: Scenes, search: RegionSearch, mostPasses: number): Promise<ReadScenes> {
  const { parameters, signal } = search;
  const region = sceneRegionOf(search.region.box);
  const days = { from: parameters.imageStartDate, to: parameters.imageEndDate };
  try {
    const listed = await scenes.scenesOf(region, days, signal);
    const { chosen, passed } = chosenScenes(listed, mostPasses);
    const reading = limiter(CONCURRENT);
    const read = await Promise.all(chosen.map((scene) => reading(() => readScene(scenes, scene, region, signal))));
    return {
      scenes: read.filter((scene) => 'cuts' in scene),
      passed: [...passed, ...read.filter((scene) => 'reason' in scene)],
    };
  } catch (error) {
    signal.throwIfAborted();
    throw sceneFailure(error);
  }
}

/** A file that is broken or refused costs its scene; every other error fails the attempt. */
async function readScene(
  scenes: Scenes,
  { scene, pass }: RegionScene,
  region: SceneRegion,
  signal: AbortSignal,
): Promise<ReadScene | PassedScene> {
  const named = { id: scene.id, date: dayOfScene(scene) };
  try {
    return { ...named, pass, cuts: await scenes.cutsOf(scene, SCENE_FILES, region, signal) };
  } catch (error) {
    if (!(error instanceof RasterError) || mayPass(error)) throw error;
    return passedScene(named, 'lost', 'a file of it cannot be read');
  }
}
