import type { Blobs } from '../../../shared/storage/blobs.js';
import { readLiving } from '../../../shared/storage/fencedBlobs.js';
import type { Rows } from '../../../shared/storage/rows.js';

/** One file of what is handed over to whoever asks for what is stored of it. */
export interface ExportedFile {
  /** Below the archive, with slashes. */
  readonly path: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const PAGE = 1_000;

export const textFile = (path: string, text: string): ExportedFile => ({ path, chunks: [Buffer.from(text)] });
export const jsonFile = (path: string, value: unknown): ExportedFile =>
  textFile(path, `${JSON.stringify(value, null, 2)}\n`);

/** Values as lines of JSON, a chunk for each page. */
export async function* linesOf(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  for await (const page of pages) yield Buffer.from(page.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

/** The rows of a partition, page by page, without the marks of storage. */
export async function* pagesOfRows(rows: Pick<Rows, 'range'>, partition: string): AsyncGenerator<readonly unknown[]> {
  for (let above: string | undefined; ;) {
    const page = await rows.range(partition, above === undefined ? {} : { above }, { most: PAGE });
    yield page.map(({ etag: _etag, partitionKey: _partition, ...row }) => row);
    if (page.length < PAGE) return;
    above = page.at(-1)?.rowKey;
  }
}

/** The blobs of an owner, whose folder is the first of their names. @param folder where they lie in the archive */
export async function* filesOfOwner(
  blobs: Pick<Blobs, 'list' | 'read'>,
  { owner, folder }: { readonly owner: string; readonly folder: string },
): AsyncGenerator<ExportedFile> {
  for (const { name } of await blobs.list(`${owner}/`)) {
    const blob = await readLiving(blobs, name);
    // A folder of a hierarchical namespace, or gone since it was listed.
    if (blob === undefined || blob.bytes.length === 0) continue;
    yield { path: `${folder}/${name.slice(owner.length + 1)}`, chunks: [blob.bytes] };
  }
}
