import { readFile } from 'node:fs/promises';
import { loadBoundaryModel, modelFileNames, type BoundaryModel } from '../boundary/boundaryModel.js';

/** Reads the model from the folder of its three files. */
export async function readBoundaryModel(folder: URL): Promise<BoundaryModel> {
  const [manifest, network, ranker] = await Promise.all([
    readFile(new URL(modelFileNames.manifest, folder), 'utf8'),
    readFile(new URL(modelFileNames.network, folder)),
    readFile(new URL(modelFileNames.ranker, folder)),
  ]);
  return loadBoundaryModel({ manifest, network, ranker });
}
