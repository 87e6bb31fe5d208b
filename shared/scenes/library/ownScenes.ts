import { DataManagerError, type DataManager } from '../../jobs/dataManager/dataManager.js';
import type { MultiPolygon, Point, Polygon } from '../../geo/shapes/geoJson.js';
import { fileOfPath } from './sceneFile.js';
import { sceneFault } from './sceneFaults.js';
import type { SceneLibrary } from './sceneLibrary.js';
import { sceneRegionOf } from './sceneRegion.js';

/** The part of a data manager that gives scenes. */
export type OwnScenes = Pick<DataManager, 'startSceneIngest' | 'getSceneIngest' | 'listScenes' | 'readSceneFile'>;

/** Where a field of the tenant lies. @throws DataManagerError `not_found` */
export type FieldAreaOf = (
  partyId: string,
  fieldId: string,
  signal?: AbortSignal,
) => Promise<Polygon | MultiPolygon | Point>;

const neverAborted = (): AbortSignal => new AbortController().signal;

/** Gives an error of the catalogue or of a file to jobs as one of a data manager. */
async function asDataManager<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw sceneFault(error);
  }
}

/**
 * The scenes of one tenant's own data manager: nothing is copied before it is read, so every ingest has succeeded as soon
 * as it is asked for.
 */
export function ownScenes(fieldAreaOf: FieldAreaOf, library: Pick<SceneLibrary, 'list' | 'read'>): OwnScenes {
  return {
    startSceneIngest: (jobId) => Promise.resolve({ id: jobId, status: 'succeeded' }),
    getSceneIngest: (jobId) => Promise.resolve({ id: jobId, status: 'succeeded' }),
    listScenes: async ({ partyId, fieldId, from, to }, signal = neverAborted()) => {
      const region = sceneRegionOf(await fieldAreaOf(partyId, fieldId, signal));
      return asDataManager(signal, () => library.list(region, { from, to }, signal));
    },
    readSceneFile: async (filePath, maxBytes, signal = neverAborted()) => {
      const file = fileOfPath(filePath);
      const bytes = file && (await asDataManager(signal, () => library.read(file, signal)));
      if (bytes === undefined) throw new DataManagerError('not_found', 'There is no such file of a scene.');
      if (bytes.length <= maxBytes) return bytes;
      // As after a whole answer: the job goes on without the scene.
      throw new DataManagerError('unavailable', `The file has more than ${maxBytes} bytes.`, { status: 200 });
    },
  };
}
