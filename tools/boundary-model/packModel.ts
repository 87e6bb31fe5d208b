// Packs folded weights and a fitted ranker into the files that the service ships.
//
//   node infra/build/run.mjs tools/boundary-model/packModel.ts --version 2.0.0 [--ranker ranker.json] --out shared/assets a.bin [b.bin]
//
// Without --ranker the one that ships goes with the network, for the candidates that a new ranker is fitted to.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { modelFileNames } from '../../shared/boundary/boundaryModel.js';
import type { ModelManifest } from '../../shared/boundary/boundaryModel.js';
import { parameterCount } from '../../shared/boundary/network.js';
import type { NetworkShape } from '../../shared/boundary/network.js';
import type { RankerShape } from '../../shared/boundary/ranker.js';
import { readModelFrom } from './modelAssets.js';
import { packedRanker } from './rankerFile.js';
import type { FittedRanker } from './rankerFile.js';

const shape: NetworkShape = { inputs: 4, widths: [12, 24, 36, 48], outputs: 2 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'string' },
    ranker: { type: 'string' },
    out: { type: 'string', default: 'shared/assets' },
  },
});
const { version, ranker: rankerFile, out } = values;
if (version === undefined || positionals.length === 0) {
  throw new Error('Give --version and at least one file of weights.');
}

interface PackedRanker {
  readonly shape: RankerShape;
  readonly bytes: Uint8Array;
}

function rankerThatShips(): PackedRanker {
  const { ranker } = JSON.parse(readFileSync(`shared/assets/${modelFileNames.manifest}`, 'utf8')) as ModelManifest;
  return { shape: ranker, bytes: readFileSync(`shared/assets/${modelFileNames.ranker}`) };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const network = Buffer.concat(positionals.map((file) => readFileSync(file)));
const ranker: PackedRanker =
  rankerFile === undefined
    ? rankerThatShips()
    : packedRanker(JSON.parse(readFileSync(rankerFile, 'utf8')) as FittedRanker);
const manifest: ModelManifest = {
  version,
  network: { ...shape, count: network.length / 4 / parameterCount(shape), sha256: sha256(network) },
  ranker: { ...ranker.shape, sha256: sha256(ranker.bytes) },
};
mkdirSync(out, { recursive: true });
writeFileSync(`${out}/${modelFileNames.network}`, network);
writeFileSync(`${out}/${modelFileNames.ranker}`, ranker.bytes);
writeFileSync(`${out}/${modelFileNames.manifest}`, `${JSON.stringify(manifest, null, 2)}\n`);
const model = readModelFrom(out);
process.stdout.write(
  `${out}: version ${model.version}, ${model.networks.length} network(s), ${network.length} bytes\n`,
);
