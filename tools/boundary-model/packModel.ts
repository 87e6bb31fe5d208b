// Packs folded weights and a fitted ranker into the files that the service ships.
//
//   node infra/build/run.mjs tools/boundary-model/packModel.ts --version 2.0.0 --ranker ranker.json --out folder a.bin [b.bin]
//
// --ranker may also name a folder with a packed model, whose ranker is taken over; --mask and --sub-pixel add heads.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { modelFileNames } from '../../shared/boundary/boundaryModel.js';
import type { ModelManifest } from '../../shared/boundary/boundaryModel.js';
import { parameterCount } from '../../shared/boundary/network.js';
import type { RankerShape } from '../../shared/boundary/ranker.js';
import { maskShape, networkShape, readModelFrom, subPixelShape } from './modelAssets.js';
import { packedRanker } from './rankerFile.js';
import type { FittedRanker } from './rankerFile.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'string' },
    ranker: { type: 'string' },
    mask: { type: 'string' },
    'sub-pixel': { type: 'string' },
    out: { type: 'string' },
  },
});
const { version, ranker: rankerFile, out } = values;
if (version === undefined || rankerFile === undefined || out === undefined || positionals.length === 0) {
  throw new Error('Give --version, --ranker, --out and at least one file of weights.');
}

function rankerOfModel(folder: string): { readonly shape: RankerShape; readonly bytes: Uint8Array } {
  const { ranker } = JSON.parse(readFileSync(`${folder}/${modelFileNames.manifest}`, 'utf8')) as ModelManifest;
  const { features, baselines, treesPerModel, nodes } = ranker;
  return {
    shape: { features, baselines, treesPerModel, nodes },
    bytes: readFileSync(`${folder}/${modelFileNames.ranker}`),
  };
}

/** Copies a head's numbers into the model. @returns their SHA-256 */
function copied(file: string, name: string): string {
  const bytes = readFileSync(file);
  writeFileSync(`${out}/${name}`, bytes);
  return sha256(bytes);
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const network = Buffer.concat(positionals.map((file) => readFileSync(file)));
const ranker = rankerFile.endsWith('.json')
  ? packedRanker(JSON.parse(readFileSync(rankerFile, 'utf8')) as FittedRanker)
  : rankerOfModel(rankerFile);
const count = network.length / 4 / parameterCount(networkShape);
mkdirSync(out, { recursive: true });
const manifest: ModelManifest = {
  version,
  network: { ...networkShape, count, sha256: sha256(network) },
  ranker: { ...ranker.shape, sha256: sha256(ranker.bytes) },
  ...(values.mask !== undefined && { mask: { ...maskShape, sha256: copied(values.mask, modelFileNames.mask) } }),
  ...(values['sub-pixel'] !== undefined && {
    subPixel: { ...subPixelShape, sha256: copied(values['sub-pixel'], modelFileNames.subPixel) },
  }),
};
writeFileSync(`${out}/${modelFileNames.network}`, network);
writeFileSync(`${out}/${modelFileNames.ranker}`, ranker.bytes);
writeFileSync(`${out}/${modelFileNames.manifest}`, `${JSON.stringify(manifest, null, 2)}\n`);
const model = readModelFrom(out);
process.stdout.write(
  `${out}: version ${model.version}, ${model.networks.length} network(s), ${network.length} bytes\n`,
);
