// Measures the model on labelled areas: npm run boundary:evaluate -- <folder> [--area name] [--seeds] …
// or on the families of synthetic scenes that no training has seen: … --families 20 (scenes of each)
//
// Results can be kept and compared, by field and with intervals:
//
//   … <folder> --write results.jsonl                 a line for each seed, added to the file
//   … --read results.jsonl                           the tables of such a file instead of a measurement
//   … --against <model folder or results.jsonl>      what this model, or the file that is read, has over another
//   … --against-method gradient, --against-views 1   the other side seen in another way; of the same model unless one is named
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import type { BoundaryMethod } from '../../shared/boundary/predict/edgeEvidence.js';
import { areaTablesOf, costOf, differenceTablesOf, seedLinesOf, setsOf, tableOf } from './evaluationTables.js';
import { pointsOutsideFields, predictInArea } from './measure.js';
import { appendResults, areasOf, modelOf, readResults } from './measuredSeeds.js';
import type { MeasuredSeed, Measurement, Sight } from './measuredSeeds.js';
import { heldOutFamilies } from './sceneFamilies.js';
import { measurerOf, serveMeasurements } from './measuringThreads.js';
import type { Measurer } from './measuringThreads.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: 'string', multiple: true },
    dates: { type: 'string', multiple: true },
    method: { type: 'string', multiple: true },
    model: { type: 'string', default: 'shared/boundary/assets' },
    clouds: { type: 'string' },
    views: { type: 'string' },
    seeds: { type: 'boolean', default: false },
    losses: { type: 'boolean', default: false },
    outside: { type: 'string', multiple: true, default: [] },
    families: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    write: { type: 'string' },
    read: { type: 'string' },
    against: { type: 'string' },
    'against-method': { type: 'string' },
    'against-views': { type: 'string' },
  },
});
const { against = values.read ?? values.model, 'against-views': againstViews } = values;
const againstMethod = values['against-method'] as BoundaryMethod | undefined;
const isCompared = [values.against, againstMethod, againstViews].some((value) => value !== undefined);
const isAgainstFile = existsSync(against) && statSync(against).isFile();

const print = (lines: readonly string[]): void => {
  for (const line of lines) process.stdout.write(`${line.trimEnd()}\n`);
};

function printSet(results: readonly MeasuredSeed[], clear: readonly MeasuredSeed[]): void {
  if (values.seeds) print(seedLinesOf(results));
  print(tableOf(results));
  if (results[0]?.clouds !== undefined) print(costOf(clear, results));
}

/** Of the grid of points outside fields; closer ones tell the same again. */
const outsideStepM = 30;

async function printOutside(folder: string, name: string): Promise<void> {
  const [area] = await areasOf(folder, name);
  if (area === undefined) return;
  const seen = { ...area, scenes: area.scenes.slice(0, 1) };
  const points = pointsOutsideFields(area, outsideStepM);
  const answers = points.map((point) => predictInArea(seen, point, modelOf(values.model), {}));
  const refused = answers.filter(({ outcome }) => outcome === 'refused').length;
  const share = ((100 * refused) / points.length).toFixed(0);
  print([`${name}: ${points.length} points outside any field, ${share} % refused`]);
}

/** What to measure of one area, in the order of the tables. */
async function measurementsOf(source: Measurement['source'], area: string): Promise<Measurement[]> {
  const [{ scenes } = { scenes: [] }] = await areasOf(source, area);
  const shared = { source, area, model: values.model, withCandidates: values.losses };
  const views = values.views === undefined ? {} : { views: Number(values.views) };
  const skies = values.clouds === undefined ? [{}] : [{}, { clouds: Number(values.clouds) }];
  const counts = (values.dates ?? ['1', '3']).map(Number).filter((dates) => dates <= scenes.length);
  const methods = (values.method ?? ['network', 'gradient']) as BoundaryMethod[];
  return counts.flatMap((dates) =>
    methods.flatMap((method) => skies.map((sky) => ({ ...shared, ...views, dates, method, ...sky }))),
  );
}

const otherSideOf = (measurement: Measurement): Measurement => ({
  ...measurement,
  model: against,
  ...(againstMethod === undefined ? {} : { method: againstMethod }),
  ...(againstViews === undefined ? {} : { views: Number(againstViews) }),
});

/** Both sides of a comparison; theirs are empty where nothing is compared or theirs are read. */
interface Sides {
  readonly ours: MeasuredSeed[];
  readonly theirs: MeasuredSeed[];
}

function namesIn(source: Measurement['source']): string[] {
  if (typeof source === 'number') return Object.keys(heldOutFamilies);
  return readdirSync(source).filter((name) => existsSync(join(source, name, 'labels.geojson')));
}

/** Measures area after area; prints and keeps what comes. */
async function measureAll(source: Measurement['source'], { measure }: Measurer): Promise<Sides> {
  const sides: Sides = { ours: [], theirs: [] };
  for (const name of namesIn(source).filter((known) => values.area?.includes(known) ?? true)) {
    let before: readonly MeasuredSeed[] = [];
    for (const measurement of await measurementsOf(source, name)) {
      const results = await measure(measurement);
      printSet(results, before);
      before = results;
      sides.ours.push(...results);
      if (values.write !== undefined) appendResults(values.write, results);
      if (isCompared && !isAgainstFile) sides.theirs.push(...(await measure(otherSideOf(measurement))));
    }
    if (values.outside.includes(name) && typeof source === 'string') await printOutside(source, name);
  }
  return sides;
}

const isAsked = ({ area, dates, method }: Sight): boolean =>
  (values.area?.includes(area) ?? true) &&
  (values.dates?.includes(String(dates)) ?? true) &&
  (values.method?.includes(method) ?? true);

function readFile(file: string): Sides {
  const ours = readResults(file).filter(isAsked);
  let before: readonly MeasuredSeed[] = [];
  for (const set of setsOf(ours)) {
    printSet(set, before);
    before = set;
  }
  return { ours, theirs: [] };
}

function sourceOf(): Measurement['source'] {
  if (values.families !== undefined) return Number(values.families);
  const [folder] = positionals;
  if (folder !== undefined && existsSync(folder)) return folder;
  throw new Error(
    'Give the folder of the areas, such as ../shared/data/boundary, or --families and a number of scenes.',
  );
}

async function measureOrRead(): Promise<Sides> {
  if (values.read !== undefined) return readFile(values.read);
  const source = sourceOf();
  print([`model ${modelOf(values.model).version}`]);
  const measurer = measurerOf(Number(values.jobs), new URL(import.meta.url));
  try {
    return await measureAll(source, measurer);
  } finally {
    await measurer.end();
  }
}

async function evaluate(): Promise<void> {
  if (!existsSync(against)) throw new Error(`There is no model and no file of results at ${against}.`);
  if (isCompared && values.read !== undefined && !isAgainstFile) {
    throw new Error('What is read can be compared with another file of results: name one by --against.');
  }
  const { ours, theirs } = await measureOrRead();
  print(areaTablesOf(ours));
  if (!isCompared) return;
  const results = isAgainstFile ? readResults(against) : theirs;
  print(differenceTablesOf(ours, { name: against, method: againstMethod, results }));
}

if (isMainThread) await evaluate();
else serveMeasurements();
