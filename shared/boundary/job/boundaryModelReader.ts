import { readFile } from 'node:fs/promises';
import { loadBoundaryModel, modelFileNames, type BoundaryModel } from '../predict/boundaryModel.js';

/** Reads the model from the folder of its files. */
export async function readBoundaryModel(folder: URL): Promise<BoundaryModel> {
  const [manifest, network, mask, ranker, smallRanker] = await Promise.all([
    readFile(new URL(modelFileNames.manifest, folder), 'utf8'),
    readFile(new URL(modelFileNames.network, folder)),
    readFile(new URL(modelFileNames.mask, folder)),
    readFile(new URL(modelFileNames.ranker, folder)),
    readFile(new URL(modelFileNames.smallRanker, folder)),
  ]);
  return loadBoundaryModel({ manifest, network, mask, ranker, smallRanker });
}
