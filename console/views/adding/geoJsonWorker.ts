// Reads GeoJSON beside the page, which stays quick however large or odd a file is.
import { readFeatures, withFeatures, type PickedFeatures, type ReadFile } from './readFeatures.js';

/** What the page asks: to read a file, to name its fields by another property, or for some of its features. */
export type WorkerQuestion =
  { readonly file: Blob } | { readonly nameBy: string } | { readonly picked: PickedFeatures };
/** What it is answered. */
export type WorkerAnswer = { readonly read: ReadFile } | { readonly picked: Blob };

let parsed: unknown;

async function read(file: Blob): Promise<ReadFile> {
  try {
    parsed = JSON.parse(await file.text());
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message;
    return { fault: `This file is not JSON: ${why.slice(0, 200)}` };
  }
  return readFeatures(parsed);
}

async function answer(question: WorkerQuestion): Promise<WorkerAnswer> {
  if ('file' in question) return { read: await read(question.file) };
  if ('nameBy' in question) return { read: readFeatures(parsed, question.nameBy) };
  return { picked: new Blob([withFeatures(parsed, question.picked)], { type: 'application/geo+json' }) };
}

addEventListener('message', ({ data }: MessageEvent<WorkerQuestion>) => {
  void answer(data).then((told) => {
    postMessage(told);
  });
});
