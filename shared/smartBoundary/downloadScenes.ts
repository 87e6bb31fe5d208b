import { DataManagerError } from '../dataManager/dataManager.js';
import type { SceneImage } from '../dataManager/scenes.js';
import { limiter } from '../raster/limiter.js';
import type { IngestRound } from './ingestStep.js';
import { chosenScenes, type ChosenScene, type PassedScene } from './sceneChoice.js';
import { sceneQuery } from './ingestStep.js';
import type { SceneFiles } from './sceneStack.js';

/** A search region of 512 pixels in 32-bit numbers has 1 MB; a file of more than this holds something else. */
const MOST_FILE_BYTES = 16 * 1024 * 1024;
/** All files of a job together. */
const MOST_BYTES = 192 * 1024 * 1024;
const CONCURRENT = 4;

/** The scenes of a round with the bytes of their files, and those that are passed over. */
export interface DownloadedScenes {
  readonly scenes: readonly SceneFiles[];
  readonly passed: readonly PassedScene[];
}

/**
 * Lists the ingested scenes and downloads the least clouded ones.
 *
 * @param mostPasses passes of the satellites that are looked at
 */
export async function downloadScenes(round: IngestRound, mostPasses: number): Promise<DownloadedScenes> {
  const listed = await round.dataManager.listScenes(sceneQuery(round), round.signal);
  const { chosen, passed } = chosenScenes(listed, mostPasses);
  const downloading = limiter(CONCURRENT);
  const budget = { left: MOST_BYTES };
  const results = await Promise.all(chosen.map((scene) => downloading(() => downloadScene(round, scene, budget))));
  return {
    scenes: results.flatMap((result) => ('reason' in result ? [] : [result])),
    passed: [...passed, ...results.flatMap((result) => ('reason' in result ? [result] : []))],
  };
}

/** A file that isn't there or isn't taken costs its scene; anything else goes wrong for the whole attempt. */
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
    return { sceneIds: [id], date, kind: 'lost', reason: 'a file of it cannot be downloaded' };
  }
  return { id, date, ...(itemId === undefined ? {} : { itemId }), images };
}

/** No repetition brings these: the file is unknown, refused or too large (a whole answer that was not taken). */
function isLost(error: unknown): boolean {
  if (!(error instanceof DataManagerError)) return false;
  return (
    error.kind === 'not_found' || error.kind === 'bad_request' || (error.kind === 'unavailable' && error.status === 200)
  );
}
