import type { HandedField } from '../handOver.js';
import { readFeatures, type ReadFile } from './readFeatures.js';
import type { WorkerAnswer, WorkerQuestion } from './geoJsonWorker.js';

/** The service takes files up to this size: a larger one isn't even read. */
export const MOST_BYTES = 50 * 1024 * 1024;

/** A submission's fields, from a file or from another view. */
export interface ChosenFile {
  readonly name: string;
  readonly read: ReadFile;
  /** The bytes to send when only some features are wanted. @param kept indices of features; all of them: the file as it is */
  readonly bytesOf: (kept: readonly number[]) => Promise<Blob>;
  /** Ends what stands behind it. */
  readonly close: () => void;
}

const workerAddress = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="geojson-worker"]')?.content ?? '';

/** A worker that is asked one thing at a time. */
function startWorker(): {
  readonly ask: (question: WorkerQuestion) => Promise<WorkerAnswer>;
  readonly end: () => void;
} {
  const worker = new Worker(workerAddress(), { type: 'module' });
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
          resolve(data);
        };
        worker.onerror = () => {
          reject(
            new Error(
              'The file could not be read: this browser ran out of memory, or the page is an old one. Reload it.',
            ),
          );
        };
        worker.postMessage(question);
      }),
    end: () => {
      worker.terminate();
    },
  };
}

/** Reads a file that was chosen or dropped. @throws Error that says what is wrong with it */
export async function chooseFile(file: File): Promise<ChosenFile> {
  if (file.size > MOST_BYTES) {
    const megabytes = (file.size / 1024 / 1024).toFixed(0);
    throw new Error(`The file has ${megabytes} MB; at most 50 MB are allowed. Split it, or simplify its boundaries.`);
  }
  const worker = startWorker();
  const answer = await worker.ask({ file });
  const read = 'read' in answer ? answer.read : { fault: 'The file could not be read.' };
  return {
    name: file.name,
    read,
    bytesOf: async (kept) => {
      if (read.fault !== undefined || kept.length === read.count) return file;
      const picked = await worker.ask({ kept });
      return 'picked' in picked ? picked.picked : file;
    },
    close: worker.end,
  };
}

/** A field of another view as if it had come in a file. */
export function handedFile({ fieldId, geometry }: HandedField): ChosenFile {
  const collection = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { field_id: fieldId }, geometry }],
  };
  const bytes = new Blob([JSON.stringify(collection)], { type: 'application/geo+json' });
  return {
    name: fieldId,
    read: readFeatures(collection),
    bytesOf: () => Promise.resolve(bytes),
    close: () => undefined,
  };
}
