import type { RankerShape } from '../../shared/boundary/candidates/ranker.js';

/** One tree as the fitting script writes it: node k is a leaf where feature[k] is -1. */
export interface FittedTree {
  readonly feature: readonly number[];
  readonly threshold: readonly number[];
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly value: readonly number[];
}

/** What the fitting script writes. */
export interface FittedRanker {
  readonly features: readonly string[];
  readonly models: readonly { readonly baseline: number; readonly trees: readonly FittedTree[] }[];
}

/** The file that the service reads and what its manifest says of it. */
export function packedRanker({ features, models }: FittedRanker): {
  readonly shape: RankerShape;
  readonly bytes: Uint8Array;
} {
  const trees = models.flatMap((model) => model.trees);
  const nodes = trees.reduce((sum, tree) => sum + tree.feature.length, 0);
  const shape = {
    features,
    baselines: models.map(({ baseline }) => baseline),
    treesPerModel: models[0]?.trees.length ?? 0,
    nodes,
  };
  if (models.some((model) => model.trees.length !== shape.treesPerModel)) {
    throw new RangeError('Every model needs the same number of trees.');
  }
  let root = 0;
  const roots = trees.map((tree) => {
    const own = root;
    root += tree.feature.length;
    return own;
  });
  const column = trees.flatMap((tree) => tree.feature);
  const threshold = trees.flatMap((tree) => tree.threshold);
  const value = trees.flatMap((tree) => tree.value);
  const bytes = Buffer.concat([
    bytesOf(
      column.map((feature, k) => (feature < 0 ? value[k] : threshold[k]) ?? 0),
      8,
      'writeDoubleLE',
    ),
    bytesOf(roots, 4, 'writeInt32LE'),
    bytesOf(
      trees.flatMap((tree) => tree.left),
      2,
      'writeInt16LE',
    ),
    bytesOf(
      trees.flatMap((tree) => tree.right),
      2,
      'writeInt16LE',
    ),
    bytesOf(column, 1, 'writeInt8'),
  ]);
  return { shape, bytes };
}

type Writer = 'writeDoubleLE' | 'writeInt32LE' | 'writeInt16LE' | 'writeInt8';

function bytesOf(values: readonly number[], size: number, write: Writer): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  values.forEach((value, k) => bytes[write](value, k * size));
  return bytes;
}
