import { RasterError } from '../../shared/raster/rasterError.js';
import type { LayerPixels } from '../cog/readLayer.js';
import type { PictureFault } from './mapScene.js';

/** A picture that the view needs. */
export interface WantedPicture {
  /** Names it for good. */
  readonly path: string;
  /** Metres on the ground; pixels needn't be finer. */
  readonly pixelSizeM: number;
}

function faultOfError(error: unknown): PictureFault {
  if (!(error instanceof RasterError)) return 'broken';
  if (error.kind === 'unavailable') return 'away';
  return error.kind === 'refused' ? 'refused' : 'broken';
}

/** The pictures that have been read, and those on their way. */
export interface PictureStore {
  find(path: string): LayerPixels | undefined;
  faultOf(path: string): PictureFault | undefined;
  /**
   * Replaces what is wanted: first come, first read. What is no longer wanted is given up.
   *
   * Settles when each is there or has failed, or when it is called again.
   */
  want(pictures: readonly WantedPicture[]): Promise<void>;
}

/** What a store is made with. */
export interface PictureStoreOptions {
  readonly read: (wanted: WantedPicture, signal: AbortSignal) => Promise<LayerPixels>;
  /** Told after each picture, with the number still on their way. */
  readonly onChange: (waiting: number) => void;
  readonly onFault: (path: string, fault: PictureFault) => void;
}

/** A browser opens this many connections to a host that speaks HTTP/1.1, as storage does. */
const READS_AT_ONCE = 6;
/** Pictures kept when they aren't wanted: the days before and after are often asked for again. */
const PICTURES_HELD = 300;

const isGoodFor = (pictures: LayerPixels | undefined, { pixelSizeM }: WantedPicture): boolean =>
  pictures !== undefined && (pictures.isFullSize || pictures.grid.pixelWidth <= pixelSizeM);

/** Reads pictures as they are wanted and keeps the last ones used. */
export function pictureStore({ read, onChange, onFault }: PictureStoreOptions): PictureStore {
  const held = new Map<string, LayerPixels>();
  const faults = new Map<string, PictureFault>();
  const running = new Map<string, AbortController>();
  let wanted = new Map<string, WantedPicture>();
  let settle = (): void => undefined;

  const missing = (): WantedPicture[] =>
    [...wanted.values()].filter((picture) => !isGoodFor(held.get(picture.path), picture) && !faults.has(picture.path));

  function hold(path: string, picture: LayerPixels): void {
    held.delete(path);
    held.set(path, picture);
    for (const oldest of held.keys()) {
      if (held.size <= PICTURES_HELD) break;
      if (!wanted.has(oldest)) held.delete(oldest);
    }
  }

  async function readOne(picture: WantedPicture): Promise<void> {
    const control = new AbortController();
    running.set(picture.path, control);
    try {
      const layer = await read(picture, control.signal);
      if (running.get(picture.path) === control) hold(picture.path, layer);
    } catch (error) {
      if (running.get(picture.path) !== control) return;
      const fault = faultOfError(error);
      faults.set(picture.path, fault);
      onFault(picture.path, fault);
    } finally {
      if (running.get(picture.path) === control) {
        running.delete(picture.path);
        next();
      }
    }
  }

  function next(): void {
    const waiting = missing();
    for (const picture of waiting) {
      if (running.size >= READS_AT_ONCE) break;
      if (!running.has(picture.path)) void readOne(picture);
    }
    onChange(waiting.length);
    if (waiting.length === 0) settle();
  }

  function giveUpUnwanted(): void {
    for (const [path, control] of running) {
      if (wanted.has(path)) continue;
      running.delete(path);
      control.abort(new DOMException('No longer shown', 'AbortError'));
    }
    for (const path of faults.keys()) if (!wanted.has(path)) faults.delete(path);
  }

  return {
    find: (path) => held.get(path),
    faultOf: (path) => faults.get(path),
    want: (pictures) => {
      settle();
      wanted = new Map(pictures.map((picture) => [picture.path, picture]));
      giveUpUnwanted();
      for (const path of wanted.keys()) {
        const picture = held.get(path);
        if (picture !== undefined) hold(path, picture);
      }
      return new Promise((resolve) => {
        settle = resolve;
        next();
      });
    },
  };
}
