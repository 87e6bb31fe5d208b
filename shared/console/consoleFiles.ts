import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { StoredContent } from '../answer.js';
import { loadedOnce } from '../loadedOnce.js';

/** One file as `listing.json` of the build names it. */
export interface ListedFile {
  readonly type: string;
  /** Marks the content, whatever its encoding. */
  readonly tag: string;
  /** Length as it is, not packed. */
  readonly bytes: number;
  /** Its name holds a hash of its content: another content has another name. */
  readonly isNamedByContent: boolean;
}

/** Reads a file of the build by name. */
export type ReadBuilt = (name: string) => Promise<Uint8Array>;

const unpacked = promisify(gunzip);
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_EACH_TIME = 'no-cache';

/** Reads beside the bundle, where the build has put the files. */
export const readBuilt: ReadBuilt = (name) => readFile(new URL(`console/${name}`, import.meta.url));

/**
 * The console's files. What isn't in the listing does not exist, whatever lies in the folder.
 *
 * @returns undefined for a name that isn't listed
 */
export function consoleFiles(read: ReadBuilt): (name: string) => Promise<StoredContent | undefined> {
  const listed = loadedOnce(
    async () =>
      JSON.parse(Buffer.from(await read('listing.json')).toString('utf8')) as Readonly<Record<string, ListedFile>>,
  );
  return async (path) => {
    const files = await listed();
    const name = path === '' ? 'index.html' : path;
    const file = Object.hasOwn(files, name) ? files[name] : undefined;
    if (file === undefined) return undefined;
    return {
      type: file.type,
      bytes: file.bytes,
      tag: file.tag,
      cache: file.isNamedByContent ? FOREVER : ASK_EACH_TIME,
      read: async (encoding) => {
        if (encoding === 'br') return read(`${name}.br`);
        const packed = await read(`${name}.gz`);
        return encoding === 'gzip' ? packed : unpacked(packed);
      },
    };
  };
}
