import { existsSync, readFileSync } from 'node:fs';
import { loadBoundaryModel, modelFileNames } from '../../shared/boundary/boundaryModel.js';
import type { BoundaryModel } from '../../shared/boundary/boundaryModel.js';
import { networkOf } from '../../shared/boundary/network.js';
import type { Network, NetworkShape } from '../../shared/boundary/network.js';
import type { SubPixelShape } from '../../shared/boundary/subPixel.js';

/** The network that train.py trains. */
export const networkShape: NetworkShape = { inputs: 4, widths: [12, 24, 36, 48], outputs: 2 };

/** The heads that train_heads.py trains. */
export const maskShape: NetworkShape = { inputs: 7, widths: [16, 24, 32, 48, 64], outputs: 1 };
export const subPixelShape: SubPixelShape = { inputs: 16, trunk: 32, shuffled: [16, 8], outputs: 3 };

/** Reads the weights that export.py wrote. */
export function readNetworkFrom(file: string): Network {
  const bytes = readFileSync(file);
  const numbers = Float32Array.from({ length: bytes.length / 4 }, (_, k) => bytes.readFloatLE(4 * k));
  return networkOf(networkShape, numbers);
}

/** Reads the model of a folder, such as shared/assets. */
export function readModelFrom(folder: string): BoundaryModel {
  const optional = (name: string): Buffer | undefined =>
    existsSync(`${folder}/${name}`) ? readFileSync(`${folder}/${name}`) : undefined;
  return loadBoundaryModel({
    manifest: readFileSync(`${folder}/${modelFileNames.manifest}`, 'utf8'),
    network: readFileSync(`${folder}/${modelFileNames.network}`),
    ranker: readFileSync(`${folder}/${modelFileNames.ranker}`),
    subPixel: optional(modelFileNames.subPixel),
    mask: optional(modelFileNames.mask),
  });
}
