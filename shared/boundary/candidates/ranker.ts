/** The manifest's description of the ranker's file. */
export interface RankerShape {
  /** Columns of the feature table it was fitted to. */
  readonly features: readonly string[];
  /** Constant part of each model. */
  readonly baselines: readonly number[];
  /** Trees of each model; the models follow one another in the file. */
  readonly treesPerModel: number;
  /** Nodes of all trees together. */
  readonly nodes: number;
}

/** Boosted regression trees that estimate the IoU of a candidate with the true field; the mean of several models. */
export interface Ranker {
  readonly baselines: readonly number[];
  /** First node of each tree. */
  readonly roots: Int32Array;
  /** Threshold of a split, value of a leaf. */
  readonly numbers: Float64Array;
  /** Column of a split, -1 of a leaf. */
  readonly columns: Int8Array;
  /** Next node if the feature is at most the threshold, and if it is larger, counted from the tree's root. */
  readonly left: Int16Array;
  readonly right: Int16Array;
}

/** Bytes of a ranker's file: number, left, right and column of every node, and the root of every tree. */
export function rankerBytes({ baselines, treesPerModel, nodes }: RankerShape): number {
  return nodes * 13 + 4 * baselines.length * treesPerModel;
}

/**
 * Reads a ranker's file: little endian, one array after the other: float64 numbers, int32 roots, int16 left, int16
 * right, int8 columns.
 *
 * @param names the features that this code computes for the ranker
 * @throws TypeError when it was fitted to other features than this code computes, RangeError when its size is wrong
 */
export function rankerOf(shape: RankerShape, bytes: Uint8Array, names: readonly string[]): Ranker {
  if (shape.features.join() !== names.join()) {
    throw new TypeError(`The ranker wants the features ${shape.features.join()}; these are ${names.join()}.`);
  }
  if (bytes.length !== rankerBytes(shape)) {
    throw new RangeError(`The ranker's file has ${bytes.length} bytes, not ${rankerBytes(shape)}.`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { nodes, baselines } = shape;
  const trees = baselines.length * shape.treesPerModel;
  const afterRoots = 8 * nodes + 4 * trees;
  return {
    baselines,
    numbers: Float64Array.from({ length: nodes }, (_, k) => view.getFloat64(8 * k, true)),
    roots: Int32Array.from({ length: trees }, (_, k) => view.getInt32(8 * nodes + 4 * k, true)),
    left: Int16Array.from({ length: nodes }, (_, k) => view.getInt16(afterRoots + 2 * k, true)),
    right: Int16Array.from({ length: nodes }, (_, k) => view.getInt16(afterRoots + 2 * nodes + 2 * k, true)),
    columns: Int8Array.from({ length: nodes }, (_, k) => view.getInt8(afterRoots + 4 * nodes + k)),
  };
}

/** Estimated IoU of one candidate; about 0–1, not clipped. */
export function scoreOf(ranker: Ranker, features: Float64Array): number {
  let sum = 0;
  for (const baseline of ranker.baselines) sum += baseline;
  for (const root of ranker.roots) sum += leafValue(ranker, root, features);
  return sum / ranker.baselines.length;
}

function leafValue({ numbers, columns, left, right }: Ranker, root: number, features: Float64Array): number {
  let node = root;
  for (;;) {
    const column = columns[node] ?? -1;
    const number = numbers[node] ?? 0;
    if (column < 0) return number;
    node = root + (((features[column] ?? 0) <= number ? left[node] : right[node]) ?? 0);
  }
}
