import type { Blobs } from '../../storage/blobs.js';
import type { ImportKey } from './importJob.js';

const folderOf = (tenant: string): string => `${tenant}/imports/`;
const prefixOf = ({ tenant, importId }: ImportKey): string => `${folderOf(tenant)}${importId}/`;
const nameOf = (key: ImportKey, digest: string): string => `${prefixOf(key)}${digest}`;

/** A request ends within minutes: a file without an import after this time never gets one. */
const ORPHAN_AFTER_MS = 24 * 3_600_000;

/**
 * The files of imports, in container `farm-data`: `<tenant>/imports/<import>/<digest>`. Of two requests with one
 * `Idempotency-Key` and different files each has its own.
 */
export class ImportFileStore {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async put(key: ImportKey, digest: string, { type, bytes }: { readonly type: string; readonly bytes: Uint8Array }) {
    await this.#blobs.write(nameOf(key, digest), bytes, { type });
  }

  async read(key: ImportKey, digest: string): Promise<Buffer | undefined> {
    return (await this.#blobs.read(nameOf(key, digest)))?.bytes;
  }

  async remove(key: ImportKey): Promise<void> {
    for (const { name } of await this.#blobs.list(prefixOf(key))) await this.#blobs.delete(name);
  }

  /** Imports of a tenant whose file is older than a day. */
  async old(tenant: string, now: number): Promise<readonly ImportKey[]> {
    const old = (await this.#blobs.list(folderOf(tenant))).filter(({ writtenAt }) => writtenAt < now - ORPHAN_AFTER_MS);
    // Below the folder of a party that is named `imports` lie other files.
    return old.flatMap(({ name }) => {
      const [, importId] = /\/imports\/([0-9a-f-]{36})\/[0-9a-f]{64}$/.exec(name) ?? [];
      return importId === undefined ? [] : [{ tenant, importId }];
    });
  }
}
