import { readFileSync } from 'node:fs';
import { loadBoundaryModel, modelFileNames } from '../../shared/boundary/predict/boundaryModel.js';
import type { BoundaryModel } from '../../shared/boundary/predict/boundaryModel.js';
import { networkOf } from '../../shared/boundary/network/network.js';
import type { Network, NetworkShape } from '../../shared/boundary/network/network.js';

/** The network that train.py trains. */
export const networkShape: NetworkShape = { inputs: 4, widths: [12, 24, 36, 48], outputs: 2 };

/** The mask network that train_mask.py trains. */
export const maskShape: NetworkShape = { inputs: 7, widths: [16, 24, 32, 48, 64], outputs: 1 };

/** Reads the weights that export.py wrote. */
export function readNetworkFrom(file: string): Network {
  const bytes = readFileSync(file);
  const numbers = Float32Array.from({ length: bytes.length / 4 }, (_, k) => bytes.readFloatLE(4 * k));
  return networkOf(networkShape, numbers);
}

/** Reads the model of a folder, such as shared/boundary/assets. */
export function readModelFrom(folder: string): BoundaryModel {
  return loadBoundaryModel({
    manifest: readFileSync(`${folder}/${modelFileNames.manifest}`, 'utf8'),
    network: readFileSync(`${folder}/${modelFileNames.network}`),
    mask: readFileSync(`${folder}/${modelFileNames.mask}`),
    ranker: readFileSync(`${folder}/${modelFileNames.ranker}`),
    smallRanker: readFileSync(`${folder}/${modelFileNames.smallRanker}`),
  });
}
