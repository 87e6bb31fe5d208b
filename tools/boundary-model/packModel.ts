// Packs folded weights and a fitted ranker into the files that the service ships.
//
//   node infra/build/run.mjs tools/boundary-model/packModel.ts --version 2.0.0 --ranker ranker.json --small-ranker small.json --mask mask.bin --out folder a.bin [b.bin]
//
// --ranker and --small-ranker may also name the folder of a model, whose ranker is taken over.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { modelFileNames } from '../../shared/boundary/predict/boundaryModel.js';
import type { ModelManifest } from '../../shared/boundary/predict/boundaryModel.js';
import { parameterCount } from '../../shared/boundary/network/network.js';
import { maskShape, networkShape, readModelFrom } from './modelAssets.js';
import { packedRanker } from './rankerFile.js';
import type { FittedRanker } from './rankerFile.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'string' },
    ranker: { type: 'string' },
    'small-ranker': { type: 'string' },
    mask: { type: 'string' },
    out: { type: 'string' },
  },
});
const { version, ranker: rankerFrom, 'small-ranker': smallRankerFrom, mask: maskFile, out } = values;
if (!version || !rankerFrom || !smallRankerFrom || !maskFile || !out || positionals.length === 0) {
  throw new Error('Give --version, --ranker, --small-ranker, --mask, --out and at least one file of weights.');
}

/** A fitted ranker, or that of a model's folder. */
function packedFrom(source: string, name: 'ranker' | 'smallRanker') {
  if (source.endsWith('.json')) return packedRanker(JSON.parse(readFileSync(source, 'utf8')) as FittedRanker);
  const manifest = JSON.parse(readFileSync(`${source}/${modelFileNames.manifest}`, 'utf8')) as ModelManifest;
  const { features, baselines, treesPerModel, nodes } = manifest[name];
  return {
    shape: { features, baselines, treesPerModel, nodes },
    bytes: readFileSync(`${source}/${modelFileNames[name]}`),
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const network = Buffer.concat(positionals.map((file) => readFileSync(file)));
const mask = readFileSync(maskFile);
const ranker = packedFrom(rankerFrom, 'ranker');
const smallRanker = packedFrom(smallRankerFrom, 'smallRanker');
const count = network.length / 4 / parameterCount(networkShape);
const manifest: ModelManifest = {
  version,
  network: { ...networkShape, count, sha256: sha256(network) },
  mask: { ...maskShape, sha256: sha256(mask) },
  ranker: { ...ranker.shape, sha256: sha256(ranker.bytes) },
  smallRanker: { ...smallRanker.shape, sha256: sha256(smallRanker.bytes) },
};
mkdirSync(out, { recursive: true });
writeFileSync(`${out}/${modelFileNames.network}`, network);
writeFileSync(`${out}/${modelFileNames.mask}`, mask);
writeFileSync(`${out}/${modelFileNames.ranker}`, ranker.bytes);
writeFileSync(`${out}/${modelFileNames.smallRanker}`, smallRanker.bytes);
writeFileSync(`${out}/${modelFileNames.manifest}`, `${JSON.stringify(manifest, null, 2)}\n`);
const model = readModelFrom(out);
process.stdout.write(
  `${out}: version ${model.version}, ${model.networks.length} network(s), ${network.length} bytes\n`,
);
