import { readFileSync } from 'node:fs';
import { loadBoundaryModel, modelFileNames } from '../../shared/boundary/boundaryModel.js';
import type { BoundaryModel } from '../../shared/boundary/boundaryModel.js';

/** Reads the model of a folder, such as shared/assets. */
export function readModelFrom(folder: string): BoundaryModel {
  return loadBoundaryModel({
    manifest: readFileSync(`${folder}/${modelFileNames.manifest}`, 'utf8'),
    network: readFileSync(`${folder}/${modelFileNames.network}`),
    ranker: readFileSync(`${folder}/${modelFileNames.ranker}`),
  });
}
