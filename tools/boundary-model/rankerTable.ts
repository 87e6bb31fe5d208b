// Writes what fit_ranker.py learns from: candidates of synthetic scenes with their features and true IoU.
//
//   node infra/build/run.mjs tools/boundary-model/rankerTable.ts --network network.bin --out folder --first 1000000 --count 50
//
// table.bin holds float64 rows: the features in their order, IoU, hectares of the field (0: no field), the point's number.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { candidateFeatures, featureNames } from '../../shared/boundary/candidateFeatures.js';
import { candidatesAt } from '../../shared/boundary/candidates.js';
import { readNetworkFrom } from './modelAssets.js';
import type { TruePoint } from './rankerPoints.js';
import { segmentedScene } from './segmentedScene.js';
import type { SegmentedScene } from './segmentedScene.js';
import { iouWithTruth } from './trueCoverage.js';

const { values } = parseArgs({
  options: {
    network: { type: 'string' },
    out: { type: 'string' },
    first: { type: 'string' },
    count: { type: 'string' },
    points: { type: 'string', default: '24' },
    palettes: { type: 'string', default: '0.5' },
    roughness: { type: 'string', default: '1.8' },
  },
});
const { network, out, first, count } = values;
if (network === undefined || out === undefined || first === undefined || count === undefined) {
  throw new Error('Give --network, --out, --first and --count.');
}

/** fit_ranker.py tells the scene from a point's number by this; no scene has as many points. */
const pointsPerScene = 100;
const sight = {
  networks: [readNetworkFrom(network)],
  palettes: Number(values.palettes),
  roughness: Number(values.roughness),
  points: { inFields: Number(values.points), outsideShare: 0.12 },
};

/** A row for every candidate at a point. */
function pointRows({ segmentation, evidence, grid }: SegmentedScene, point: TruePoint, number: number): number[][] {
  const candidates = candidatesAt(segmentation, point.pixel);
  const features = candidateFeatures(candidates, { ...evidence, point: point.pixel });
  return candidates.map(({ mask }, k) => [
    ...(features[k] ?? []),
    point.coverage === undefined ? 0 : iouWithTruth(mask, point.coverage, grid.width),
    point.areaHa,
    number,
  ]);
}

mkdirSync(out, { recursive: true });
const file = openSync(`${out}/table.bin`, 'w');
let [points, rows] = [0, 0];
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const scene = segmentedScene(seed, sight);
  const found = scene.points.flatMap((point, k) => pointRows(scene, point, seed * pointsPerScene + k));
  for (const row of found) writeSync(file, new Uint8Array(Float64Array.from(row).buffer));
  points += scene.points.length;
  rows += found.length;
}
closeSync(file);
writeFileSync(`${out}/table.json`, JSON.stringify({ features: featureNames, points, rows }));
process.stdout.write(`${points} points, ${rows} candidates\n`);
