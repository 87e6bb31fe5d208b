import type { Blobs } from '../../storage/blobs.js';

/** Whose import it is, and its id. */
export interface ImportKey {
  readonly tenant: string;
  readonly importId: string;
}

/** No party has this folder: ids have no `$`. */
const folderOf = (tenant: string): string => `${tenant}/$imports/`;
const prefixOf = ({ tenant, importId }: ImportKey): string => `${folderOf(tenant)}${importId}/`;
const nameOf = (key: ImportKey, digest: string): string => `${prefixOf(key)}${digest}`;

/**
 * The files of imports, in container `farm-data`: `<tenant>/$imports/<import>/<digest>`. Of two requests with one
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

  /** Imports of a tenant whose file was written before an instant, milliseconds since 1970 UTC. */
  async old(tenant: string, writtenBefore: number): Promise<readonly ImportKey[]> {
    const old = (await this.#blobs.list(folderOf(tenant))).filter(({ writtenAt }) => writtenAt < writtenBefore);
    return old.flatMap(({ name }) => {
      const [importId] = name.slice(folderOf(tenant).length).split('/');
      return importId === undefined ? [] : [{ tenant, importId }];
    });
  }
}
