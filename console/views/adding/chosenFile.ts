import { keepFiles } from '../../parts/loadChunk.js';
import type { HandedField } from '../handOver.js';
import { joinedFields, readFeatures, withFeatures } from './readFeatures.js';
import type { FieldsBy, PickedFeatures, ReadFile } from './readFeatures.js';
import type { WorkerAnswer, WorkerQuestion } from './geoJsonWorker.js';

/** The service takes files up to this size: a larger one isn't even read. */
export const MOST_BYTES = 50 * 1024 * 1024;

type Picked = Omit<PickedFeatures, keyof FieldsBy>;

/** A submission's fields, from a file or from another view. */
export interface ChosenFile {
  readonly name: string;
  readonly read: ReadFile;
  /** The bytes to send; the file as it is where all of it is wanted under the names and in the groups that it has. */
  readonly bytesOf: (picked: Picked) => Promise<Blob>;
  /** The same fields, named or grouped by other properties. */
  readonly readBy: (by: FieldsBy) => Promise<ChosenFile>;
  /** The same fields, and behind them others of the page. */
  readonly joinedBy: (fields: readonly HandedField[]) => Promise<ChosenFile>;
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
          reject(new Error('The file could not be read: this browser may have run out of memory.'));
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
  const first = startWorker();
  try {
    return fileOf({ file, worker: first, read: await readWith(first, { file }) });
  } catch {
    // A part of the page may not have come. What a worker could not load it never will: another one finds all of it.
    first.end();
    await keepFiles('geoJsonWorker');
    const worker = startWorker();
    try {
      return fileOf({ file, worker, read: await readWith(worker, { file }) });
    } catch (error) {
      worker.end();
      throw error;
    }
  }
}

type FileWorker = ReturnType<typeof startWorker>;

async function readWith(worker: FileWorker, question: WorkerQuestion): Promise<ReadFile> {
  const answer = await worker.ask(question);
  if ('read' in answer) return answer.read;
  throw new Error('The file could not be read: a part of the page did not come. Choose the file again.');
}

/** Whether the file may be sent as it is. */
const isAsItIs = (read: ReadFile, { kept, typed }: Picked): boolean =>
  read.fault !== undefined || read.count === 0 || (kept.length === read.count && typed.size === 0 && read.isAsNamed);

function fileOf({
  file,
  worker,
  read,
}: {
  readonly file: File;
  readonly worker: FileWorker;
  readonly read: ReadFile;
}): ChosenFile {
  return {
    name: file.name,
    read,
    bytesOf: async (picked) => {
      if (read.fault !== undefined || isAsItIs(read, picked)) return file;
      const { nameBy, groupBy } = read;
      const answer = await worker.ask({ picked: { ...picked, nameBy, groupBy } });
      return 'picked' in answer ? answer.picked : file;
    },
    readBy: async (by) => fileOf({ file, worker, read: await readWith(worker, { by }) }),
    joinedBy: async (joined) => {
      if (read.fault !== undefined) throw new Error(read.fault);
      const { nameBy, groupBy } = read;
      return fileOf({ file, worker, read: await readWith(worker, { joined, by: { nameBy, groupBy } }) });
    },
    close: worker.end,
  };
}

/** Fields of the page as if they had come in a file. @param fields at least one */
export function pageFile(fields: readonly HandedField[]): ChosenFile {
  const collection = joinedFields({ type: 'FeatureCollection', features: [] }, fields);
  const read = readFeatures(collection);
  const { nameBy, groupBy } = read;
  const file: ChosenFile = {
    name: fields.length === 1 ? (fields[0]?.fieldId ?? '') : `${fields.length} fields`,
    read: { ...read, properties: [] },
    bytesOf: (picked) => {
      const text = withFeatures(collection, { ...picked, nameBy, groupBy });
      return Promise.resolve(new Blob([text], { type: 'application/geo+json' }));
    },
    readBy: () => Promise.resolve(file),
    joinedBy: (others) => Promise.resolve(pageFile([...fields, ...others])),
    close: () => undefined,
  };
  return file;
}
