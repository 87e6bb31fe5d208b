// Tells how far a model's confidence may be trusted, on synthetic scenes that nothing was fitted to:
//
//   node infra/build/run.mjs tools/boundary-model/calibrate.ts --out held-out.jsonl [--model folder] [--first 8500000] [--count 60]
//
// A line for every scene goes to the file; what is there already is not done again. Then the slope of the overlap over the
// score and the gains of dates, the fifths of the confidence as it ships, and what limits of a refusal would refuse.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BoundaryModel } from '../../shared/boundary/predict/boundaryModel.js';
import { outlineAround } from '../../shared/boundary/predict/fieldOutline.js';
import { rankedCandidates } from '../../shared/boundary/predict/rankedCandidates.js';
import { toMapPoint } from '../../shared/geo/grid/grid.js';
import { projectionOf } from '../../shared/geo/grid/utm.js';
import { fifthsOf, gainsOf, refusalOf } from './calibration.js';
import type { HeldOutPoint, HeldOutScene } from './calibration.js';
import { readModelFrom } from './modelAssets.js';
import type { TruePoint } from './rankerPoints.js';
import { ringIou } from './ringOverlap.js';
import { segmentedScene } from './segmentedScene.js';
import type { SegmentedScene } from './segmentedScene.js';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    model: { type: 'string', default: 'shared/boundary/assets' },
    first: { type: 'string', default: '8500000' },
    count: { type: 'string', default: '60' },
  },
});
const { out } = values;
if (out === undefined) throw new Error('Give --out, the file for the points.');

/** Even scenes and uneven ones take turns, as in training of the network and of the ranker. */
const roughnesses = [1, 1.8] as const;
const sight = { palettes: 0.5, points: { inFields: 10, outsideShare: 1 }, views: 2 };

function heldOutScene(model: BoundaryModel, seed: number): HeldOutScene {
  const roughness = roughnesses[seed % roughnesses.length] ?? 1;
  const scene = segmentedScene(seed, { ...sight, networks: model.networks, roughness });
  return { seed, roughness, points: scene.points.flatMap((point) => heldOutPoint(model, scene, point) ?? []) };
}

/** What the service would say at a point; undefined where there is no candidate. */
function heldOutPoint(
  model: BoundaryModel,
  scene: SegmentedScene,
  { pixel, areaHa, outline }: TruePoint,
): HeldOutPoint | undefined {
  const { grid, dates, evidence } = scene;
  const projection = projectionOf(grid.epsg);
  const point = projection.toPosition(toMapPoint(grid, [pixel.column + 0.5, pixel.row + 0.5]));
  const [best] = rankedCandidates(scene, { point, pixel }, model);
  if (best === undefined) return undefined;
  const drawn = outline && outlineAround(best.found, point);
  const [ring = []] = drawn?.polygon.coordinates ?? [];
  return {
    dates: dates.length,
    hasNir: evidence.hasNir,
    areaHa,
    score: best.score,
    judge: best.judge,
    fieldProbability: evidence.inside?.data[pixel.row * grid.width + pixel.column] ?? 1,
    iou:
      outline === undefined
        ? 0
        : ringIou(
            ring.map((position) => projection.toMap(position)),
            outline,
          ),
  };
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const shown = (value: number): string => value.toFixed(3);

function report(scenes: readonly HeldOutScene[]): void {
  for (const { name, value, range } of gainsOf(scenes)) {
    print(`${name.padEnd(22)}${shown(value)} [${range.map(shown).join(', ')}]`);
  }
  for (const line of fifthsOf(scenes)) print(line);
  for (const confidence of [0.42, 0.45, 0.48]) {
    for (const fieldProbability of [0, 0.9, 0.95, 0.97]) {
      const { outside, inFields, lostIou } = refusalOf(scenes, { confidence, fieldProbability });
      print(
        `confidence below ${confidence}, field below ${fieldProbability}: refused outside ${shown(outside)}, in fields ${shown(inFields)} (mean IoU ${shown(lostIou)})`,
      );
    }
  }
}

const model = readModelFrom(values.model);
const lines = existsSync(out) ? readFileSync(out, 'utf8').split('\n').filter(Boolean) : [];
const known = new Map(lines.map((line) => JSON.parse(line) as HeldOutScene).map((scene) => [scene.seed, scene]));
for (let seed = Number(values.first); seed < Number(values.first) + Number(values.count); seed += 1) {
  if (known.has(seed)) continue;
  const scene = heldOutScene(model, seed);
  known.set(seed, scene);
  appendFileSync(out, `${JSON.stringify(scene)}\n`);
}
print(`model ${model.version}, ${known.size} scenes`);
report([...known.values()]);
