// Writes what fit_ranker.py learns from: candidates of synthetic scenes with their features and true IoU.
//
//   node infra/build/run.mjs tools/boundary-model/rankerTable.ts --model folder --out folder --first 1000000 --count 50
//
// The model's networks find the candidates, its ranker tells where a close-up is worth it; points in
// large fields are asked of the mask network like those in small ones. table.bin holds float64 rows:
// the features in their order, IoU, hectares of the field (0: no field), the point's number, the source's number.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { askedFeatureNames } from '../../shared/boundary/candidates/candidateFeatures.js';
import { judgedAsSmall, regionCandidates } from '../../shared/boundary/predict/rankedCandidates.js';
import { toMapPoint } from '../../shared/geo/grid/grid.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import { readModelFrom } from './modelAssets.js';
import type { TruePoint } from './rankerPoints.js';
import { disturbedFamily } from './sceneFamilies.js';
import { segmentedScene } from './segmentedScene.js';
import type { SegmentedScene } from './segmentedScene.js';
import { iouWithTruth } from './trueCoverage.js';

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    out: { type: 'string' },
    first: { type: 'string' },
    count: { type: 'string' },
    points: { type: 'string', default: '24' },
    palettes: { type: 'string', default: '0.5' },
    roughness: { type: 'string', default: '1.8' },
    disturbed: { type: 'boolean', default: false },
  },
});
const { out, first, count } = values;
if (values.model === undefined || out === undefined || first === undefined || count === undefined) {
  throw new Error('Give --model, --out, --first and --count.');
}

/** fit_ranker.py tells the scene from a point's number by this; no scene has as many points. */
const pointsPerScene = 100;
const sources = ['window', 'asked', 'close-up'] as const;
const model = readModelFrom(values.model);
const sight = {
  networks: model.networks,
  palettes: Number(values.palettes),
  roughness: Number(values.roughness),
  points: { inFields: Number(values.points), outsideShare: 0.12 },
  ...(values.disturbed && { family: disturbedFamily }),
};

/** A row for every candidate at a point. */
function pointRows(scene: SegmentedScene, { pixel, coverage, areaHa }: TruePoint, number: number): number[][] {
  const { grid } = scene;
  const point = projectionOf(grid.epsg).toPosition(toMapPoint(grid, [pixel.column + 0.5, pixel.row + 0.5]));
  const asked = { point, pixel };
  return judgedAsSmall(regionCandidates(scene, asked, model), scene, asked, model).map(({ mask, features, source }) => [
    ...features,
    coverage === undefined ? 0 : iouWithTruth(mask, coverage, grid.width),
    areaHa,
    number,
    sources.indexOf(source),
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
writeFileSync(`${out}/table.json`, JSON.stringify({ features: askedFeatureNames, points, rows }));
process.stdout.write(`${points} points, ${rows} candidates\n`);
