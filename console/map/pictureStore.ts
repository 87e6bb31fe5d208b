import { RasterError } from '../../shared/raster/tiff/rasterError.js';
import { OldPageError } from '../parts/loadChunk.js';
import type { PictureFault } from './mapScene.js';
import { isGoodFor, type Picture, type WantedPicture } from './picture.js';
import { pictureMemory } from './pictureMemory.js';

function faultOfError(error: unknown): PictureFault {
  if (error instanceof OldPageError) return 'old-page';
  if (!(error instanceof RasterError)) return 'broken';
  if (error.kind === 'unavailable') return 'away';
  return error.kind === 'refused' ? 'refused' : 'broken';
}

/** The pictures that have been read, and those on their way. */
export interface PictureStore {
  find(path: string): Picture | undefined;
  faultOf(path: string): PictureFault | undefined;
  /**
   * Replaces what is wanted: first come, first read. What is no longer wanted is given up.
   *
   * Settles when each is there or has failed, or when it is called again.
   *
   * @param ahead what may be wanted next, asked for when all that is wanted is there
   */
  want(pictures: readonly WantedPicture[], ahead?: () => readonly WantedPicture[]): Promise<void>;
  /** Asks once more for what is wanted and could not be read. */
  readAgain(): void;
}

/** What a store is made with. */
export interface PictureStoreOptions {
  /** @param held what there is of it already */
  readonly read: (wanted: WantedPicture, held: Picture | undefined, signal: AbortSignal) => Promise<Picture>;
  /** Told when other pictures are wanted and after each of them, with the number still on their way. */
  readonly onChange: (waiting: number) => void;
  readonly onFault: (path: string, fault: PictureFault) => void;
  /** Memory for pictures that aren't wanted now: the days before and after are often asked for again. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 96 * 1024 * 1024;
/**
 * A browser opens six connections to a host that speaks HTTP/1.1, as storage does; two more reads have one at once where
 * an answer is on its way to the page.
 */
const READS_AT_ONCE = 8;
/** What may be wanted next leaves connections free for what is. */
const READS_AHEAD = 3;
/**
 * A read that is no longer wanted may go on for so long: breaking it costs the connection, and its day is a neighbour of
 * the one that is wanted.
 */
const GRACE_MS = 200;

interface Running {
  readonly control: AbortController;
  /** Set while it is no longer wanted. */
  grace: ReturnType<typeof setTimeout> | undefined;
}

class Reads implements PictureStore {
  readonly #options: PictureStoreOptions;
  readonly #memory;
  readonly #faults = new Map<string, PictureFault>();
  readonly #running = new Map<string, Running>();
  #wanted = new Map<string, WantedPicture>();
  /** Of the wanted ones, those that are neither there nor failed. */
  #missing = new Map<string, WantedPicture>();
  #askAhead: () => readonly WantedPicture[] = () => [];
  #ahead: WantedPicture[] = [];
  #settle = (): void => undefined;

  constructor(options: PictureStoreOptions) {
    this.#options = options;
    this.#memory = pictureMemory(options.mostBytes ?? MOST_BYTES);
  }

  find(path: string): Picture | undefined {
    return this.#memory.find(path);
  }

  faultOf(path: string): PictureFault | undefined {
    return this.#faults.get(path);
  }

  want(pictures: readonly WantedPicture[], ahead: () => readonly WantedPicture[] = () => []): Promise<void> {
    this.#settle();
    this.#wanted = new Map(pictures.map((picture) => [picture.path, picture]));
    this.#askAhead = ahead;
    this.#ahead = [];
    this.#giveUpUnwanted();
    for (const path of this.#wanted.keys()) this.#memory.touch(path);
    this.#findMissing();
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#goOn();
    });
  }

  readAgain(): void {
    if (this.#faults.size === 0) return;
    this.#faults.clear();
    this.#findMissing();
    this.#goOn();
  }

  #giveUpUnwanted(): void {
    for (const [path, own] of this.#running) {
      if (this.#wanted.has(path)) {
        clearTimeout(own.grace);
        own.grace = undefined;
      } else {
        own.grace ??= setTimeout(() => {
          this.#giveUp(path, own);
        }, GRACE_MS);
      }
    }
    for (const path of this.#faults.keys()) if (!this.#wanted.has(path)) this.#faults.delete(path);
  }

  #giveUp(path: string, own: Running): void {
    this.#running.delete(path);
    own.control.abort(new DOMException('No longer shown', 'AbortError'));
    this.#start();
  }

  #isMissing(picture: WantedPicture): boolean {
    const held = this.#memory.find(picture.path);
    return (held === undefined || !isGoodFor(held, picture)) && !this.#faults.has(picture.path);
  }

  #findMissing(): void {
    this.#missing = new Map([...this.#wanted].filter(([, picture]) => this.#isMissing(picture)));
  }

  #start(): void {
    for (const [path, picture] of this.#missing) {
      if (this.#running.size >= READS_AT_ONCE) return;
      if (!this.#running.has(path)) void this.#readOne(picture);
    }
  }

  #goOn(): void {
    this.#start();
    this.#options.onChange(this.#missing.size);
    if (this.#missing.size > 0) return;
    this.#settle();
    this.#ahead = [...this.#askAhead()];
    this.#askAhead = () => [];
    this.#goOnAhead();
  }

  /** Each is asked for once: what finds no room in the memory isn't read again and again. */
  #goOnAhead(): void {
    while (this.#running.size < READS_AHEAD) {
      const picture = this.#ahead.shift();
      if (picture === undefined) return;
      if (this.#isMissing(picture) && !this.#running.has(picture.path)) void this.#readOne(picture);
    }
  }

  async #readOne(picture: WantedPicture): Promise<void> {
    const { path } = picture;
    const own: Running = { control: new AbortController(), grace: undefined };
    this.#running.set(path, own);
    try {
      const read = await this.#options.read(picture, this.#memory.find(path), own.control.signal);
      if (this.#running.get(path) === own) this.#memory.hold(path, read, (other) => !this.#wanted.has(other));
    } catch (error) {
      if (this.#running.get(path) === own && this.#wanted.has(path)) this.#note(path, faultOfError(error));
    }
    if (this.#running.get(path) !== own) return;
    if (own.grace !== undefined) clearTimeout(own.grace);
    this.#running.delete(path);
    this.#goOnAfter(path);
  }

  /** A read is over. What it brought may be coarser than what is wanted by now: then it is missing as before. */
  #goOnAfter(path: string): void {
    const wanted = this.#wanted.get(path);
    if (wanted === undefined) {
      this.#goOnAside();
      return;
    }
    if (!this.#isMissing(wanted)) this.#missing.delete(path);
    this.#goOn();
  }

  #goOnAside(): void {
    this.#start();
    this.#goOnAhead();
  }

  #note(path: string, fault: PictureFault): void {
    this.#faults.set(path, fault);
    this.#options.onFault(path, fault);
  }
}

/** Reads pictures as they are wanted and keeps the last ones used. */
export const pictureStore = (options: PictureStoreOptions): PictureStore => new Reads(options);
