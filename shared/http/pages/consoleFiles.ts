import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { StoredContent } from '../../kit/answer/answer.js';
import { loadedOnce } from '../../kit/loadedOnce.js';

/** One file as `listing.json` of the build names it. */
export interface ListedFile {
  readonly type: string;
  /** Entity tag of the content, the same for every encoding. */
  readonly tag: string;
  /** Length of the uncompressed content. */
  readonly bytes: number;
  /** True when the name contains a hash of the content. */
  readonly isNamedByContent: boolean;
}

/** Reads a file of the build by name. */
export type ReadBuilt = (name: string) => Promise<Uint8Array>;

const unpacked = promisify(gunzip);
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_EACH_TIME = 'no-cache';

/** Reads from the folder beside the bundle. */
export const readBuilt: ReadBuilt = (name) => readFile(new URL(`console/${name}`, import.meta.url));

/** The console's files by name; undefined for a name that is not in the listing. */
export function consoleFiles(read: ReadBuilt): (name: string) => Promise<StoredContent | undefined> {
  const listed = loadedOnce(async () => {
    const text = Buffer.from(await read('listing.json')).toString('utf8');
    return JSON.parse(text) as Readonly<Record<string, ListedFile>>;
  });
  return async (path) => {
    const files = await listed();
    const name = path === '' ? 'index.html' : path;
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (file === undefined) return undefined;
    const { type, bytes, tag } = file;
    return {
      type,
      bytes,
      tag,
      cache: file.isNamedByContent ? FOREVER : ASK_EACH_TIME,
      read: async (encoding) => {
        if (encoding === 'br') return read(`${name}.br`);
        const packed = await read(`${name}.gz`);
        return encoding === 'gzip' ? packed : unpacked(packed);
      },
    };
  };
}
