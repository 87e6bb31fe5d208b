// Reads GeoJSON beside the page, which stays quick however large or odd a file is.
import { readFeatures, withFeatures, type ReadFile } from './readFeatures.js';

/** What the page asks: to read a file, or for the same collection with these features alone. */
export type WorkerQuestion = { readonly file: Blob } | { readonly kept: readonly number[] };
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
  return { picked: new Blob([withFeatures(parsed, question.kept)], { type: 'application/geo+json' }) };
}

addEventListener('message', ({ data }: MessageEvent<WorkerQuestion>) => {
  void answer(data).then((told) => {
    postMessage(told);
  });
});
