// Writes what fit_ranker.py learns from: candidates of synthetic scenes with their features and true IoU.
//
//   node infra/build/run.mjs tools/boundary-model/rankerTable.ts --out folder --count 480 [--model shared/assets]
//
// table.bin holds float64 rows: the features in their order, IoU, hectares of the field (0: no field), seed point's number.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { hashOf, Random } from '../../infra/local/scenes/random.js';
import { candidateFeatures, featureNames } from '../../shared/boundary/candidateFeatures.js';
import { candidatesAt, segmented } from '../../shared/boundary/candidates.js';
import type { Segmentation } from '../../shared/boundary/candidates.js';
import { clearPixels } from '../../shared/boundary/clearPixels.js';
import { edgeEvidence } from '../../shared/boundary/proposals.js';
import type { EdgeEvidence } from '../../shared/boundary/proposals.js';
import { readModelFrom } from './modelAssets.js';
import { pointsOf } from './rankerPoints.js';
import type { TruePoint } from './rankerPoints.js';
import { iouWithTruth } from './trueCoverage.js';
import { trainingEpsg, trainingScene } from './trainingSample.js';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    model: { type: 'string', default: 'shared/assets' },
    count: { type: 'string', default: '480' },
    first: { type: 'string', default: '900000' },
    method: { type: 'string', default: 'network' },
    palettes: { type: 'string', default: '0.5' },
    roughness: { type: 'string', default: '1.8' },
  },
});
const { out } = values;
if (out === undefined) throw new Error('Give --out, the folder to write to.');

const SIDE = 256;
const THREE_DATES_SHARE = 0.4;
const NO_NIR_SHARE = 0.45;
const CLOUDED_SHARE = 0.15;
const model = readModelFrom(values.model);

interface TableScene {
  readonly segmentation: Segmentation;
  readonly evidence: EdgeEvidence;
  readonly points: readonly TruePoint[];
}

/** One scene, segmented as the service would do it: 1 or 3 dates, with or without near infrared, some with clouds. */
function tableScene(seed: number): TableScene {
  const random = new Random(hashOf(seed, 7002));
  const cloudFraction = random.isTrue(CLOUDED_SHARE) ? 0.3 : 0;
  const dateCount = random.isTrue(THREE_DATES_SHARE) ? 3 : 1;
  const options = {
    side: SIDE,
    dates: dateCount,
    cloudFraction,
    paletteShare: Number(values.palettes),
    roughness: Number(values.roughness),
  };
  const { renderer, window, dates } = trainingScene(seed, options);
  const hasNir = !random.isTrue(NO_NIR_SHARE);
  const grid = { epsg: trainingEpsg, pixelWidth: 10, pixelHeight: 10, ...window };
  const scenes = dates.map(({ date, scene: { bands, scl } }) => {
    const { B08, ...visible } = bands;
    const scene = { date, sceneIds: [date], bands: hasNir ? { ...visible, B08 } : visible, scl };
    return { scene, clear: clearPixels(scene, grid), clearFraction: 1 };
  });
  const views = random.isTrue(0.5) ? 2 : 1;
  const evidence = edgeEvidence(scenes, model, {
    method: values.method === 'gradient' ? 'gradient' : 'network',
    views,
  });
  const isClear = ({ pixel }: TruePoint): boolean =>
    scenes.every(({ clear }) => clear.data[pixel.row * SIDE + pixel.column] === 1);
  const points = pointsOf(renderer.coverOf(window), window, random).filter(isClear);
  return { segmentation: segmented(evidence.channels, evidence.edges), evidence, points };
}

/** A row for every candidate at a point. */
function pointRows({ segmentation, evidence }: TableScene, point: TruePoint, number: number): number[][] {
  const candidates = candidatesAt(segmentation, point.pixel);
  const features = candidateFeatures(candidates, { ...evidence, point: point.pixel });
  return candidates.map(({ mask }, k) => [
    ...(features[k] ?? []),
    point.coverage === undefined ? 0 : iouWithTruth(mask, point.coverage, SIDE),
    point.areaHa,
    number,
  ]);
}

mkdirSync(out, { recursive: true });
const file = openSync(`${out}/table.bin`, 'w');
const [first, count] = [Number(values.first), Number(values.count)];
let [points, rows] = [0, 0];
for (let seed = first; seed < first + count; seed += 1) {
  const scene = tableScene(seed);
  const found = scene.points.flatMap((point, k) => pointRows(scene, point, points + k));
  for (const row of found) writeSync(file, new Uint8Array(Float64Array.from(row).buffer));
  points += scene.points.length;
  rows += found.length;
  writeFileSync(
    `${out}/table.json`,
    JSON.stringify({ features: featureNames, scenes: seed - first + 1, points, rows }),
  );
}
closeSync(file);
process.stdout.write(`${points} points, ${rows} candidates\n`);
