import { existsSync, readFileSync } from 'node:fs';
import { describe } from '@jest/globals';

/** Genuine answers of others lie beside the repository where somebody has them; none of them may lie in it. */
const FOLDER = new URL('../../../shared/data/recorded/', import.meta.url);

/** What the index of a folder of genuine answers says of one of them. */
export interface Recorded {
  readonly file: string;
  readonly kind?: string;
  readonly source?: string;
  readonly reader?: string;
  readonly args?: readonly string[];
}

const text = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8');

/** The genuine answers of one folder, none where there are none. */
export function recordedIn(folder: string): readonly Recorded[] {
  if (!existsSync(new URL(`${folder}/INDEX.json`, FOLDER))) return [];
  const all = JSON.parse(text(`${folder}/INDEX.json`)) as Recorded[];
  return all.filter(({ file }) => existsSync(new URL(`${folder}/${file}`, FOLDER)));
}

export const recordedAnswer = (folder: string, file: string): unknown => JSON.parse(text(`${folder}/${file}`));

/** Tests over genuine answers, skipped by name where there are none. */
export function describeGenuine(what: string, answers: readonly Recorded[], tests: () => void): void {
  if (answers.length > 0) describe(`contract: genuine ${what}`, tests);
  else describe.skip(`contract: genuine ${what} (skipped: ../shared/data/recorded is not here)`, tests);
}
