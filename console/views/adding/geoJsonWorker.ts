// Reads files of fields beside the page, which stays quick however large or odd a file is.
import { FileFault } from './files/fileFault.js';
import { parsedFile, type ParsedFile } from './files/parsedFile.js';
import type { HandedField } from '../handOver.js';
import { joinedFields, readFeatures, withFeatures } from './readFeatures.js';
import type { FieldsBy, PickedFeatures, ReadFile } from './readFeatures.js';

/**
 * What the page asks: to read a file, to name or group its fields by other properties, to take in others, or for some of its
 * features.
 */
export type WorkerQuestion =
  | { readonly file: File }
  | { readonly by: FieldsBy }
  | { readonly joined: readonly HandedField[]; readonly by: FieldsBy }
  | { readonly picked: PickedFeatures };
/** What it is answered. `isUnloaded`: the part that reads such a file did not come, and never will in this worker. */
export type WorkerAnswer = { readonly read: ReadFile } | { readonly picked: Blob } | { readonly isUnloaded: true };

let parsed: ParsedFile | undefined;

function readParsed(by?: FieldsBy): ReadFile {
  const read = readFeatures(parsed?.value, by);
  return parsed?.isConverted !== true ? read : { ...read, isAsNamed: false, note: parsed.note };
}

/** As each browser words a module that it could not load. */
const isUnloaded = (error: unknown): boolean => error instanceof TypeError && /import|module/i.test(error.message);

async function read(file: File): Promise<WorkerAnswer> {
  try {
    parsed = await parsedFile(file);
  } catch (error) {
    if (isUnloaded(error)) return { isUnloaded: true };
    const isKnown = error instanceof FileFault;
    return { read: { fault: isKnown ? error.message : 'This file can’t be read here. Save it as GeoJSON.' } };
  }
  return { read: readParsed() };
}

async function answer(question: WorkerQuestion): Promise<WorkerAnswer> {
  if ('file' in question) return read(question.file);
  if ('joined' in question) {
    const value = joinedFields(parsed?.value, question.joined, question.by.groupBy);
    parsed = { note: parsed?.note, value, isConverted: true };
  }
  if ('by' in question) return { read: readParsed(question.by) };
  return { picked: new Blob([withFeatures(parsed?.value, question.picked)], { type: 'application/geo+json' }) };
}

addEventListener('message', ({ data }: MessageEvent<WorkerQuestion>) => {
  void answer(data).then((told) => {
    postMessage(told);
  });
});
