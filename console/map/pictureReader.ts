import { RasterError } from '../../shared/raster/tiff/rasterError.js';
import { keepFiles } from '../parts/loadChunk.js';
import { filesOf, isLayerGood, type Picture, type WantedPicture } from './picture.js';
import type { PictureAnswer, PictureQuestion, PictureSource } from './pictureWorker.js';

/** Reads pictures beside the page. */
export interface PictureReader {
  /**
   * @param held what there is of it already: a coarser one, or one whose image is
   * @throws RasterError, or the signal's reason
   */
  readonly read: (wanted: WantedPicture, held: Picture | undefined, signal: AbortSignal) => Promise<Picture>;
  readonly end: () => void;
}

type Told = (answer: PictureAnswer) => void;
/** A question without its number. */
type Asked = { readonly wanted: WantedPicture } & (
  { readonly sources: readonly PictureSource[] } | { readonly layer: Picture['layer'] }
);

const workerAddress = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="picture-worker"]')?.content ?? '';

/**
 * Where a file is read from.
 *
 * @param refused an address that storage takes no more: another signature is asked for, once
 */
export type SourceOf = (path: string, refused?: string) => Promise<PictureSource>;

/** A worker that starts with the first picture: views without pictures need none. */
export function pictureReader(sourceOf: SourceOf): PictureReader {
  const waiting = new Map<number, Told>();
  let worker: Worker | undefined;
  let isBroken = false;
  let last = 0;

  function start(): Worker {
    const started = new Worker(workerAddress(), { type: 'module' });
    started.onmessage = ({ data }: MessageEvent<readonly PictureAnswer[]>) => {
      for (const answer of data) {
        waiting.get(answer.id)?.(answer);
        waiting.delete(answer.id);
      }
    };
    // Where its files did not come, or what it does has broken it, the next question goes to another one.
    started.onerror = () => {
      started.terminate();
      worker = undefined;
      isBroken = true;
      const text = 'the part of the page that reads pictures could not be loaded';
      for (const [id, told] of waiting) told({ id, kind: 'unavailable', text, isForbidden: false });
      waiting.clear();
    };
    return started;
  }

  async function ask(question: Asked, signal: AbortSignal): Promise<PictureAnswer> {
    if (isBroken) await keepFiles('pictureWorker');
    isBroken = false;
    signal.throwIfAborted();
    worker ??= start();
    const asked = worker;
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      signal.addEventListener('abort', () => {
        if (waiting.delete(id)) asked.postMessage({ givenUp: id } satisfies PictureQuestion);
        reject(signal.reason as Error);
      });
      asked.postMessage({ id, ...question } satisfies PictureQuestion);
    });
  }

  async function fetched(wanted: WantedPicture, signal: AbortSignal): Promise<PictureAnswer> {
    const files = filesOf(wanted.path);
    const sources = await Promise.all(files.map((file) => sourceOf(file)));
    const answer = await ask({ wanted, sources }, signal);
    if ('drawn' in answer || !answer.isForbidden) return answer;
    const refused = sources.map((source) => (typeof source === 'string' ? source : undefined));
    const renewed = await Promise.all(files.map((file, at) => sourceOf(file, refused[at])));
    return ask({ wanted, sources: renewed }, signal);
  }

  return {
    read: async (wanted, held, signal) => {
      const isThere = held !== undefined && isLayerGood(held.layer, wanted);
      const answer = isThere ? await ask({ wanted, layer: held.layer }, signal) : await fetched(wanted, signal);
      if (!('drawn' in answer)) throw new RasterError(answer.kind, answer.text);
      const layer = answer.layer ?? held?.layer;
      if (layer === undefined) throw new RasterError('corrupt', `${wanted.path}: it has no pixels`);
      return { ...answer.drawn, layer };
    },
    end: () => {
      worker?.terminate();
      waiting.clear();
    },
  };
}
