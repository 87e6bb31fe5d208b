import type { IngestJob } from './ingestJobs.js';
import type { LibraryScene, SceneLibrary } from './sceneLibrary.js';

/** The scenes that an ingest has found, oldest first. */
export async function foundScenes(
  { request, region, oddity }: IngestJob,
  library: SceneLibrary,
): Promise<readonly LibraryScene[]> {
  if (oddity === 'noScenes') return [];
  const [from, to] = [request.startDateTime.slice(0, 10), request.endDateTime.slice(0, 10)];
  const scenes = await library.list({ region, from, to });
  return oddity === 'overcast' ? scenes.map((scene) => ({ ...scene, cloudCoverPercent: 100 })) : scenes;
}
