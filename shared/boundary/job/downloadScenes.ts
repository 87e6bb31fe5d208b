import { DataManagerError } from '../../jobs/dataManager/dataManager.js';
import type { SceneImage } from '../../jobs/dataManager/scenes.js';
import { limiter } from '../../kit/limiter.js';
import { sceneQuery, type IngestRound } from './ingestStep.js';
import { chosenScenes, passedScene, type ChosenScene, type PassedScene } from '../stack/chosenScenes.js';
import type { SceneFiles } from '../stack/sceneStack.js';

/** Largest file: a search region of 512 × 512 pixels of 32 bits has 1 MB. */
const MOST_FILE_BYTES = 16 * 1024 * 1024;
/** Largest sum of all files of a job. */
const MOST_BYTES = 192 * 1024 * 1024;
const CONCURRENT = 4;

/** The scenes of a round with the bytes of their files, and those that are not used. */
export interface DownloadedScenes {
  readonly scenes: readonly SceneFiles[];
  readonly passed: readonly PassedScene[];
}

/**
 * Lists the ingested scenes and downloads the least clouded ones.
 *
 * @param mostPasses passes of the satellites that are downloaded
 */
export async function downloadScenes(round: IngestRound, mostPasses: number): Promise<DownloadedScenes> {
  const listed = await round.dataManager.listScenes(sceneQuery(round), round.signal);
  const { chosen, passed } = chosenScenes(listed, mostPasses);
  const downloading = limiter(CONCURRENT);
  const budget = { left: MOST_BYTES };
  const results = await Promise.all(chosen.map((scene) => downloading(() => downloadScene(round, scene, budget))));
  return {
    scenes: results.filter((result) => 'images' in result),
    passed: [...passed, ...results.filter((result) => 'reason' in result)],
  };
}

/** A missing or refused file costs its scene; every other error fails the attempt. */
async function downloadScene(
  { dataManager, signal }: IngestRound,
  { scene, files }: ChosenScene,
  budget: { left: number },
): Promise<SceneFiles | PassedScene> {
  const { id, date, itemId } = scene;
  const images: Partial<Record<SceneImage, Uint8Array>> = {};
  try {
    for (const [image, { filePath }] of Object.entries(files) as [SceneImage, { readonly filePath: string }][]) {
      const bytes = await dataManager.readSceneFile(filePath, Math.min(MOST_FILE_BYTES, budget.left), signal);
      budget.left -= bytes.length;
      images[image] = bytes;
    }
  } catch (error) {
    if (!isLost(error)) throw error;
    return passedScene(scene, 'lost', 'a file of it cannot be downloaded');
  }
  return { id, date, ...(itemId === undefined ? {} : { itemId }), images };
}

/** Whether a further try is useless: the file is unknown, refused or too large (a complete answer of status 200). */
function isLost(error: unknown): boolean {
  if (!(error instanceof DataManagerError)) return false;
  return (
    error.kind === 'not_found' || error.kind === 'bad_request' || (error.kind === 'unavailable' && error.status === 200)
  );
}
