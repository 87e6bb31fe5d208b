// Compares models that share their networks, and so everything up to the candidates, seed by seed:
//
//   node infra/build/run.mjs tools/boundary-model/compareModels.ts --out folder [--part 0/2] [--areas folder | --families 20] model …
//
// On labelled areas with one date, or on scenes of the families that no training has seen. For each model a file with a line a
// seed, of the form that evaluate.ts writes and compares (--against).
import { appendFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BoundaryModel } from '../../shared/boundary/boundaryModel.js';
import { touchesEdge } from '../../shared/boundary/candidateMask.js';
import { chooseDates } from '../../shared/boundary/chooseDates.js';
import { confidenceFloor, confidenceOf } from '../../shared/boundary/confidence.js';
import { fieldProbabilityAt } from '../../shared/boundary/edgeEvidence.js';
import { normalised } from '../../shared/boundary/normalise.js';
import { outlineAround } from '../../shared/boundary/outline.js';
import { rankedCandidates, segmentedWindow } from '../../shared/boundary/rankedCandidates.js';
import type { AskedPoint, RankedCandidate, SegmentedWindow } from '../../shared/boundary/rankedCandidates.js';
import type { Position } from '../../shared/geo/geoJson.js';
import { toMapPoint, toPixel } from '../../shared/raster/grid.js';
import { projectionOf } from '../../shared/raster/utm.js';
import type { MapPoint } from '../../shared/raster/utm.js';
import { readArea, windowOf } from './labelledArea.js';
import type { LabelledArea } from './labelledArea.js';
import { readModelFrom } from './modelAssets.js';
import { ringIou } from './ringOverlap.js';
import { heldOutFamilies } from './sceneFamilies.js';
import { segmentedScene } from './segmentedScene.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string' },
    part: { type: 'string', default: '0/1' },
    areas: { type: 'string' },
    families: { type: 'string' },
    outside: { type: 'boolean', default: false },
  },
});
const { out } = values;
if (out === undefined || positionals.length === 0) throw new Error('Give --out and at least one folder of a model.');
mkdirSync(out, { recursive: true });
const [part = 0, parts = 1] = values.part.split('/').map(Number);
const models = positionals.map((folder) => ({ name: basename(folder), model: readModelFrom(folder) }));

/** What a line says of the seed itself. */
interface Seed {
  readonly area: string;
  readonly field: string;
  readonly seed: number;
  readonly areaHa: number;
}

/** A window round a seed; the larger one is made only when an answer touches the edge of the first. */
type WindowOfSide = (side: number) => { readonly window: SegmentedWindow; readonly asked: AskedPoint } | undefined;

function answerOf(model: BoundaryModel, windowOfSide: WindowOfSide) {
  for (const side of [256, 512]) {
    const seen = windowOfSide(side);
    if (seen === undefined) return undefined;
    const ranked = rankedCandidates(seen.window, seen.asked, model);
    const [best] = ranked;
    if (best === undefined) return undefined;
    if (side === 512 || !touchesEdge(best.mask, seen.window.grid)) return { ...seen, ranked, best };
  }
  return undefined;
}

const ringOf = (candidate: RankedCandidate, { point }: AskedPoint, epsg: number): MapPoint[] => {
  const [ring = []] = outlineAround(candidate.found, point)?.polygon.coordinates ?? [];
  return ring.map((position) => projectionOf(epsg).toMap(position));
};

function write(seed: Seed, outline: readonly MapPoint[] | undefined, windowOfSide: WindowOfSide): void {
  for (const { name, model } of models) {
    const answer = answerOf(model, windowOfSide);
    const line = { ...seed, dates: 1, iou: 0, bestIou: 0, confidence: 0, isEmpty: true, refused: true, source: '' };
    if (answer !== undefined) {
      const { window, asked, best } = answer;
      const fieldProbability = fieldProbabilityAt(window.evidence, asked.pixel);
      const ring = ringOf(best, asked, window.grid.epsg);
      line.iou = outline === undefined || ring.length === 0 ? 0 : ringIou(ring, outline);
      line.bestIou = line.iou;
      line.confidence = confidenceOf(best.score, { dates: 1, fieldProbability });
      line.isEmpty = ring.length === 0;
      line.refused = line.isEmpty || line.confidence < confidenceFloor;
      line.source = best.source;
      const more = { score: best.score, fieldProbability, features: [...best.features] };
      appendFileSync(`${out}/${name}.${part}.jsonl`, `${JSON.stringify({ ...line, ...more })}\n`);
    } else appendFileSync(`${out}/${name}.${part}.jsonl`, `${JSON.stringify(line)}\n`);
  }
}

/** Every side's window is made once, whatever the number of models. */
function remembered(make: WindowOfSide): WindowOfSide {
  const known = new Map<number, ReturnType<WindowOfSide>>();
  return (side) => {
    if (!known.has(side)) known.set(side, make(side));
    return known.get(side);
  };
}

function windowIn(area: LabelledArea, point: Position): WindowOfSide {
  return remembered((side) => {
    const { grid, scenes } = windowOf(area, point, side);
    const [column, row] = toPixel(grid, projectionOf(grid.epsg).toMap(point));
    const pixel = { row: Math.floor(row), column: Math.floor(column) };
    const { chosen } = chooseDates(scenes, grid, pixel);
    const [{ model }] = models as [(typeof models)[number]];
    if (chosen.length === 0) return undefined;
    const window = segmentedWindow({ grid, dates: chosen.map(normalised) }, model, {});
    return { window, asked: { point, pixel } };
  });
}

async function compareOnAreas(folder: string): Promise<void> {
  let number = 0;
  for (const name of readdirSync(folder).filter((entry) => existsSync(join(folder, entry, 'labels.geojson')))) {
    const area = await readArea(join(folder, name), name);
    const oneDate = { ...area, scenes: area.scenes.slice(0, 1) };
    for (const { id, areaHa, outline, seeds } of area.fields.filter(({ isScored }) => isScored)) {
      seeds.forEach((point, seed) => {
        number += 1;
        if (number % parts === part) write({ area: name, field: id, seed, areaHa }, outline, windowIn(oneDate, point));
      });
    }
  }
}

const firstFamilyScene = 9_000_000;
const sight = { palettes: 0.5, roughness: 1, points: { inFields: 8, outsideShare: 0.5 }, views: 2, dates: 1 };

function compareOnFamilies(count: number): void {
  for (let k = part; k < count; k += parts) {
    Object.entries(heldOutFamilies).forEach(([area, family], index) => {
      const seed = firstFamilyScene + 1000 * index + k;
      const [{ model }] = models as [(typeof models)[number]];
      const scene = segmentedScene(seed, { ...sight, networks: model.networks, family });
      const projection = projectionOf(scene.grid.epsg);
      scene.points.forEach(({ pixel, outline, areaHa }, number) => {
        const point = projection.toPosition(toMapPoint(scene.grid, [pixel.column + 0.5, pixel.row + 0.5]));
        const asked = { point, pixel };
        // A larger window than the scene there is not.
        const line = { area, field: `${seed}-${number}`, seed: 0, areaHa };
        write(line, outline, () => ({ window: scene, asked }));
      });
    });
  }
}

if (values.areas !== undefined) await compareOnAreas(values.areas);
if (values.families !== undefined) compareOnFamilies(Number(values.families));
