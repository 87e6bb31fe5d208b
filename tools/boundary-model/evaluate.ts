// Measures the model on labelled areas: npm run boundary:evaluate -- <folder> [--area name] [--seeds] …
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { confidenceFloor } from '../../shared/boundary/confidence.js';
import type { BoundaryModel } from '../../shared/boundary/boundaryModel.js';
import type { BoundaryMethod } from '../../shared/boundary/edgeEvidence.js';
import { withClouds } from './cloudMasks.js';
import { readArea } from './labelledArea.js';
import type { LabelledArea } from './labelledArea.js';
import { measureSeeds, pointsOutsideFields, predictInArea } from './measure.js';
import type { SeedResult } from './measure.js';
import { readModelFrom } from './modelAssets.js';
import { calibrationOf, lossesOf, meanOf, ofSize, sizeClassesHa, summaryOf } from './statistics.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: 'string', multiple: true },
    dates: { type: 'string', multiple: true, default: ['1', '3'] },
    method: { type: 'string', multiple: true, default: ['network', 'gradient'] },
    model: { type: 'string', default: 'shared/assets' },
    clouds: { type: 'string' },
    views: { type: 'string' },
    seeds: { type: 'boolean', default: false },
    losses: { type: 'boolean', default: false },
    outside: { type: 'string', multiple: true, default: [] },
  },
});

const options = {
  ...(values.views === undefined ? {} : { views: Number(values.views) }),
  withCandidates: values.losses,
};

const print = (line: string): void => {
  process.stdout.write(`${line.trimEnd()}\n`);
};

function report(title: string, results: readonly SeedResult[]): void {
  print(`${title}\n  all          ${summaryOf(results)}  ${lossesOf(results)}`);
  for (const size of sizeClassesHa) {
    const part = ofSize(results, size);
    if (part.length > 0) print(`  ${`${size[0]}–${size[1]} ha`.padEnd(13)}${summaryOf(part)}  ${lossesOf(part)}`);
  }
  print(`  best reading ${summaryOf(results.map((result) => ({ ...result, iou: result.bestIou })))}`);
  for (const line of calibrationOf(results)) print(`  ${line}`);
  const refused = results.filter(({ confidence, isEmpty }) => isEmpty || confidence < confidenceFloor);
  const share = (100 * refused.length) / results.length;
  print(
    `  refused ${share.toFixed(1)} % of the seeds; mean IoU of those ${meanOf(refused.map(({ iou }) => iou)).toFixed(2)}`,
  );
}

function printSeeds(results: readonly SeedResult[]): void {
  for (const { field, areaHa, iou, confidence } of results) {
    print(
      `  field ${field.padEnd(6)} ${areaHa.toFixed(2).padStart(7)} ha  IoU ${iou.toFixed(3)}  confidence ${confidence.toFixed(3)}`,
    );
  }
}

/** Of the grid of points outside fields; closer ones tell the same again. */
const outsideStepM = 30;

function reportOutside(area: LabelledArea, model: BoundaryModel): void {
  const points = pointsOutsideFields(area, outsideStepM);
  const answers = points.map((point) => predictInArea(area, point, model, {}));
  const refused = answers.filter(({ outcome }) => outcome === 'refused').length;
  print(
    `${area.name}: ${points.length} points outside any field, ${((100 * refused) / points.length).toFixed(0)} % refused`,
  );
}

/** What clouds cost the seeds that some date still shows: the same seeds with and without them. */
function reportCost(clear: readonly SeedResult[], clouded: readonly SeedResult[]): void {
  const inSight = (_: SeedResult, k: number): boolean => clouded[k]?.isEmpty === false;
  print(`  in sight     ${summaryOf(clouded.filter(inSight))}`);
  print(`  … unclouded  ${summaryOf(clear.filter(inSight))}`);
}

function evaluateArea(area: LabelledArea, model: BoundaryModel): void {
  const clouds = values.clouds === undefined ? undefined : Number(values.clouds);
  for (const dates of values.dates.map(Number).filter((count) => count <= area.scenes.length)) {
    const scenes = area.scenes.slice(0, dates);
    for (const method of values.method as BoundaryMethod[]) {
      const title = `${area.name}, ${dates} date(s), ${method}`;
      const results = measureSeeds({ ...area, scenes }, model, { method, ...options });
      if (values.seeds) printSeeds(results);
      report(title, results);
      if (clouds === undefined) continue;
      const hidden = withClouds(area.grid, scenes, clouds);
      const clouded = measureSeeds({ ...area, scenes: hidden }, model, { method, ...options });
      report(`${title}, clouds over ${100 * clouds} % of each date`, clouded);
      reportCost(results, clouded);
    }
  }
}

const [folder] = positionals;
if (folder === undefined || !existsSync(folder)) {
  throw new Error('Give the folder of the areas, such as ../shared/data/boundary.');
}
const model = readModelFrom(values.model);
print(`model ${model.version}`);
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'labels.geojson')));
for (const name of names.filter((known) => values.area?.includes(known) ?? true)) {
  const area = await readArea(join(folder, name), name);
  evaluateArea(area, model);
  if (values.outside.includes(name)) reportOutside({ ...area, scenes: area.scenes.slice(0, 1) }, model);
}
