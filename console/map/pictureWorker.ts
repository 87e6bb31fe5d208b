// Reads, unpacks and draws pictures beside the page, whose frames wait for none of it.
import { RasterError, type RasterErrorKind } from '../../shared/raster/tiff/rasterError.js';
import { readLayer, type LayerPixels } from '../cog/readLayer.js';
import { differenceOf } from './difference.js';
import type { FetchPicture } from './mapScene.js';
import { partsFor, type DrawnLayer, type WantedPicture } from './picture.js';
import { paintLayer } from './ramps.js';
import { warp } from './warp.js';

/** Where a file is: its address, or the file itself. */
export type PictureSource = string | ArrayBuffer;

/** What the page asks: to read a picture and draw it, to draw one anew from its values, or to give a question up. */
export type PictureQuestion =
  | { readonly id: number; readonly wanted: WantedPicture; readonly sources: readonly PictureSource[] }
  | { readonly id: number; readonly wanted: WantedPicture; readonly layer: LayerPixels }
  | { readonly givenUp: number };

/** What it is answered; the layer where it was read. `isForbidden`: the address is good no more, another one may be. */
export type PictureAnswer =
  | { readonly id: number; readonly drawn: DrawnLayer; readonly layer?: LayerPixels }
  | { readonly id: number; readonly kind: RasterErrorKind; readonly text: string; readonly isForbidden: boolean };

const FORBIDDEN = 403;
const running = new Map<number, AbortController>();

interface Reader {
  readonly fetchPicture: FetchPicture;
  readonly isForbidden: () => boolean;
}

/** Every byte of a file comes from the one address that the page has signed, or from the page. */
function readerOf(source: PictureSource): Reader {
  if (typeof source !== 'string') {
    return { fetchPicture: () => Promise.resolve(new Response(source)), isForbidden: () => false };
  }
  let last = 0;
  return {
    fetchPicture: async (_path, range, signal) => {
      const response = await fetch(source, {
        headers: { range },
        signal,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      });
      last = response.status;
      return response;
    },
    isForbidden: () => last === FORBIDDEN,
  };
}

async function draw({ name, pixelSizeM, range }: WantedPicture, layer: LayerPixels): Promise<DrawnLayer> {
  const parts = partsFor(layer.grid, pixelSizeM);
  const { width, height, box, colours } = warp(layer.grid, paintLayer(name, layer, range), parts);
  const image = await createImageBitmap(new ImageData(new Uint8ClampedArray(colours.buffer), width, height));
  return { image, box, parts, range };
}

/** Answers of a frame are told together: each message takes the page away from what it does. */
const TOGETHER_MS = 16;
let untold: PictureAnswer[] = [];
let handedOver: Transferable[] = [];

/** Hands over without a copy. */
function tell(answer: PictureAnswer, ...transfer: readonly Transferable[]): void {
  if (untold.length === 0) setTimeout(tellAll, TOGETHER_MS);
  untold.push(answer);
  handedOver.push(...transfer);
}

function tellAll(): void {
  postMessage(untold, { transfer: handedOver });
  [untold, handedOver] = [[], []];
}

/** A difference is read from two files at full size: overviews of two days are means of other pixels. */
async function layerOf(
  { path, pixelSizeM }: WantedPicture,
  readers: readonly Reader[],
  signal: AbortSignal,
): Promise<LayerPixels> {
  const [first, second] = readers;
  if (first === undefined) throw new RasterError('corrupt', `${path}: it has no address`);
  if (second === undefined) return readLayer(path, first.fetchPicture, pixelSizeM, signal);
  const read = ({ fetchPicture }: Reader): Promise<LayerPixels> => readLayer(path, fetchPicture, 0, signal);
  const [later, earlier] = await Promise.all([read(first), read(second)]);
  return differenceOf(later, earlier);
}

async function read(id: number, wanted: WantedPicture, readers: readonly Reader[], signal: AbortSignal): Promise<void> {
  const layer = await layerOf(wanted, readers, signal);
  const drawn = await draw(wanted, layer);
  tell({ id, drawn, layer }, drawn.image, layer.pixels.data.buffer as ArrayBuffer);
}

async function drawAgain(id: number, wanted: WantedPicture, layer: LayerPixels): Promise<void> {
  const drawn = await draw(wanted, layer);
  tell({ id, drawn }, drawn.image);
}

async function answer(question: Exclude<PictureQuestion, { readonly givenUp: number }>): Promise<void> {
  const { id, wanted } = question;
  const control = new AbortController();
  const readers = 'sources' in question ? question.sources.map(readerOf) : [];
  running.set(id, control);
  try {
    if ('layer' in question) await drawAgain(id, wanted, question.layer);
    else await read(id, wanted, readers, control.signal);
  } catch (error) {
    if (control.signal.aborted) return;
    const kind = error instanceof RasterError ? error.kind : 'corrupt';
    const isForbidden = readers.some((reader) => reader.isForbidden());
    tell({ id, kind, text: error instanceof Error ? error.message : String(error), isForbidden });
  } finally {
    running.delete(id);
  }
}

addEventListener('message', ({ data }: MessageEvent<PictureQuestion>) => {
  if ('givenUp' in data) running.get(data.givenUp)?.abort();
  else void answer(data);
});
