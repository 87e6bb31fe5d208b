import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoundaryModel } from '../../shared/boundary/predict/boundaryModel.js';
import type { BoundaryMethod } from '../../shared/boundary/predict/edgeEvidence.js';
import { withClouds } from './cloudMasks.js';
import { familyAreas } from './familyAreas.js';
import { readArea } from './labelledArea.js';
import type { LabelledArea } from './labelledArea.js';
import { measureSeeds } from './measure.js';
import type { Part, SeedResult } from './measure.js';
import { readModelFrom } from './modelAssets.js';

/** How seeds were seen. */
export interface Sight {
  readonly area: string;
  readonly dates: number;
  readonly method: BoundaryMethod;
  /** The part of each date that clouds hide, 0–1. */
  readonly clouds?: number;
}

/** A line of a file of results: all that the tables are made of. */
export type MeasuredSeed = Sight & SeedResult;

/** What to measure: plain data, so that a thread can be told. */
export interface Measurement extends Sight {
  /** Of the areas; a number of synthetic scenes where the area is a family. */
  readonly source: string | number;
  /** Its folder. */
  readonly model: string;
  readonly views?: number;
  readonly withCandidates: boolean;
}

const areas = new Map<string, Promise<readonly LabelledArea[]>>();
const models = new Map<string, BoundaryModel>();

/** The area of a folder, or a family's scenes, each an area of its own; made once. */
export function areasOf(source: Measurement['source'], name: string): Promise<readonly LabelledArea[]> {
  const known = areas.get(name);
  if (known !== undefined) return known;
  const made =
    typeof source === 'number'
      ? Promise.resolve(familyAreas(name, source))
      : readArea(join(source, name), name).then((area) => [area]);
  areas.set(name, made);
  return made;
}

/** The model of a folder, read once. */
export function modelOf(folder: string): BoundaryModel {
  const model = models.get(folder) ?? readModelFrom(folder);
  models.set(folder, model);
  return model;
}

/** Predicts at the seeds of one area or family, or at a part of them. */
export async function measuredSeeds(
  { source, model, views, withCandidates, ...sight }: Measurement,
  part?: Part,
): Promise<MeasuredSeed[]> {
  const options = {
    method: sight.method,
    withCandidates,
    ...(views === undefined ? {} : { views }),
    ...(part === undefined ? {} : { part }),
  };
  return (await areasOf(source, sight.area)).flatMap((area) => {
    const clear = area.scenes.slice(0, sight.dates);
    const scenes = sight.clouds === undefined ? clear : withClouds(area.grid, clear, sight.clouds);
    return measureSeeds({ ...area, scenes }, modelOf(model), options).map((result) => ({ ...sight, ...result }));
  });
}

/** Adds a line for each result. */
export function appendResults(file: string, results: readonly MeasuredSeed[]): void {
  appendFileSync(file, results.map((result) => `${JSON.stringify(result)}\n`).join(''));
}

/** Reads what `appendResults` wrote; of lines of the same seed, seen the same way, the last counts. */
export function readResults(file: string): MeasuredSeed[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const results = lines.map((line) => JSON.parse(line) as MeasuredSeed);
  const keyOf = ({ area, dates, method, clouds, field, seed }: MeasuredSeed): string =>
    JSON.stringify([area, dates, method, clouds, field, seed]);
  return [...new Map(results.map((result) => [keyOf(result), result])).values()];
}
