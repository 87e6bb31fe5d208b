import { createHash } from 'node:crypto';
import { askedFeatureNames, featureNames } from '../candidates/candidateFeatures.js';
import { networkOf, parameterCount, type Network, type NetworkShape } from '../network/network.js';
import { rankerOf, type Ranker, type RankerShape } from '../candidates/ranker.js';

/** The manifest of a model, which describes its binary files. */
export interface ModelManifest {
  /** Version that every prediction names, such as `2.0.0`. */
  readonly version: string;
  readonly network: NetworkShape & {
    /** Networks in the file, one behind the other; their boundary probabilities are averaged. */
    readonly count: number;
    readonly sha256: string;
  };
  readonly mask: NetworkShape & { readonly sha256: string };
  readonly ranker: RankerShape & { readonly sha256: string };
  readonly smallRanker: RankerShape & { readonly sha256: string };
}

/** A model ready to use. */
export interface BoundaryModel {
  readonly version: string;
  readonly networks: readonly Network[];
  /** The network that is told the asked point (`askedField`). */
  readonly mask: Network;
  readonly ranker: Ranker;
  /** Of small fields, which knows the mask network's answer. */
  readonly smallRanker: Ranker;
}

/** The files of a model as they lie on disk. */
export interface ModelFiles {
  /** boundary-model.json */
  readonly manifest: string;
  /** boundary-network.bin: float32, little endian. */
  readonly network: Uint8Array;
  /** boundary-mask.bin: float32, little endian. */
  readonly mask: Uint8Array;
  /** boundary-ranker.bin */
  readonly ranker: Uint8Array;
  /** boundary-small-ranker.bin */
  readonly smallRanker: Uint8Array;
}

/** Names of the files: in shared/boundary/assets, and beside the bundled code in production. */
export const modelFileNames = {
  manifest: 'boundary-model.json',
  network: 'boundary-network.bin',
  mask: 'boundary-mask.bin',
  ranker: 'boundary-ranker.bin',
  smallRanker: 'boundary-small-ranker.bin',
} as const satisfies Record<keyof ModelFiles, string>;

/**
 * Reads a model.
 *
 * @throws RangeError when a file is not the one that the manifest describes; TypeError for a ranker of other features
 */
export function loadBoundaryModel({ manifest, network, mask, ranker, smallRanker }: ModelFiles): BoundaryModel {
  const description = JSON.parse(manifest) as ModelManifest;
  verifyHash(modelFileNames.network, network, description.network.sha256);
  verifyHash(modelFileNames.mask, mask, description.mask.sha256);
  verifyHash(modelFileNames.ranker, ranker, description.ranker.sha256);
  verifyHash(modelFileNames.smallRanker, smallRanker, description.smallRanker.sha256);
  const numbers = littleEndianFloats(network);
  const size = parameterCount(description.network);
  return {
    version: description.version,
    networks: Array.from({ length: description.network.count }, (_, k) =>
      networkOf(description.network, numbers.subarray(k * size, (k + 1) * size)),
    ),
    mask: networkOf(description.mask, littleEndianFloats(mask)),
    ranker: rankerOf(description.ranker, ranker, featureNames),
    smallRanker: rankerOf(description.smallRanker, smallRanker, askedFeatureNames),
  };
}

function verifyHash(name: string, bytes: Uint8Array, expected: string): void {
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== expected) throw new RangeError(`${name} has the SHA-256 ${found}; the manifest wants ${expected}.`);
}

function littleEndianFloats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, k) => view.getFloat32(4 * k, true));
}
