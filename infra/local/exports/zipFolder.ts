import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readdirSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ExportedFile } from './exportedFile.js';

/** What the zip format of every program can hold is four times as much; a part is to be handed over with ease. */
export const zipLimits = { files: 50_000, bytes: 1_000_000_000 } as const;

/** What was written. */
export interface ZipCounts {
  readonly archives: readonly string[];
  readonly files: number;
  readonly bytes: number;
}

const COMPRESSED = /\.(tiff|gz|png|zip|jpg)$/;

/** One archive that is being written. */
class OpenZip {
  files = 0;
  bytes = 0;
  readonly path: string;
  readonly #stream: WriteStream;
  readonly #zip: Zip;
  /** Rejected when the disk takes no more. */
  readonly #written: Promise<void>;

  constructor(path: string) {
    this.path = path;
    // Never over what is there; readable by its owner alone.
    this.#stream = createWriteStream(path, { mode: 0o600, flags: 'wx' });
    this.#written = finished(this.#stream);
    this.#written.catch(() => undefined);
    this.#zip = new Zip((error, chunk, isLast) => {
      if (error !== null) this.#stream.destroy(error);
      else if (isLast) this.#stream.end(chunk);
      else this.#stream.write(chunk);
    });
  }

  async add({ path, chunks }: ExportedFile): Promise<void> {
    const file = COMPRESSED.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path);
    this.#zip.add(file);
    for await (const chunk of chunks) {
      file.push(chunk);
      this.bytes += chunk.byteLength;
      if (this.#stream.writableNeedDrain) await Promise.race([once(this.#stream, 'drain'), this.#written]);
    }
    file.push(new Uint8Array(), true);
    this.files += 1;
  }

  async close(): Promise<void> {
    this.#zip.end();
    await this.#written;
  }

  /** Leaves nothing of what somebody asked for in parts. */
  drop(): void {
    this.#stream.destroy();
    rmSync(this.path, { force: true });
  }
}

/**
 * Writes files into archives `<name>-1.zip`, `<name>-2.zip`, … of a folder, each of a size that every program opens.
 *
 * @throws Error when the folder holds something
 */
export async function writeZips(
  files: AsyncIterable<ExportedFile>,
  { folder, name }: { readonly folder: string; readonly name: string },
  limits: { readonly files: number; readonly bytes: number } = zipLimits,
): Promise<ZipCounts> {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`The folder ${folder} is not empty; name another one.`);
  const written: OpenZip[] = [];
  const isFull = (zip: OpenZip): boolean => zip.files >= limits.files || zip.bytes >= limits.bytes;
  const begin = (): OpenZip => {
    const next = new OpenZip(join(folder, `${name}-${written.length + 1}.zip`));
    written.push(next);
    return next;
  };
  let open: OpenZip | undefined;
  try {
    for await (const file of files) {
      if (open !== undefined && isFull(open)) {
        await open.close();
        open = undefined;
      }
      open ??= begin();
      await open.add(file);
    }
    await open?.close();
  } catch (error) {
    for (const zip of written) zip.drop();
    throw error;
  }
  return countsOf(written);
}

function countsOf(written: readonly OpenZip[]): ZipCounts {
  const sum = (of: (zip: OpenZip) => number): number => written.reduce((total, zip) => total + of(zip), 0);
  return {
    archives: written.map(({ path }) => path),
    files: sum(({ files }) => files),
    bytes: sum(({ bytes }) => bytes),
  };
}
