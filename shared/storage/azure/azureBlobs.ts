import type { BlobDownloadResponseParsed, BlobRequestConditions, ContainerClient } from '@azure/storage-blob';
import { createHash } from 'node:crypto';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { ByteCollector } from '../../kit/byteCollector.js';
import type { BlobHead, Blobs, BlobWrite, ListedBlob, StoredBlob } from '../blobs.js';
import type { Etag } from '../rows.js';
import { fromStorage, storageStatus, unlessStatus } from '../storageErrors.js';

const MIB = 1024 * 1024;
/** One request up to this size; above, blocks that become visible together, each soon enough for the limit of a try. */
const UPLOAD = { maxSingleShotSize: 8 * MIB, blockSize: 4 * MIB, concurrency: 2 };
/** Times that a download which is cut off goes on where it was. */
const MOST_CUTS = 3;
/** Of no blob: where an answer names no ETag, the next write onto it is refused. */
const NO_ETAG = '"0x0"';

/** A container of the data account, or of the imagery account. */
export class AzureBlobs implements Blobs {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  read(name: string): Promise<StoredBlob | undefined> {
    return unlessStatus([404], async () => {
      const blob = this.#container.getBlobClient(name);
      const first = await blob.download();
      const etag = first.etag ?? NO_ETAG;
      const content = new ByteCollector(Infinity, first.contentLength);
      for (let cuts = 0, answer = first; ; cuts += 1) {
        if (await wasReadWhole(answer, content)) {
          return {
            bytes: Buffer.from(content.bytes().buffer, 0, content.length),
            etag,
            metadata: first.metadata ?? {},
          };
        }
        if (cuts === MOST_CUTS)
          throw new ServiceError(commonFaults.unavailable, 'A file of the service cannot be read right now.');
        answer = await blob.download(content.length, undefined, { conditions: { ifMatch: etag } });
      }
    });
  }

  async head(name: string): Promise<BlobHead | undefined> {
    const answer = await unlessStatus([404], () => this.#container.getBlobClient(name).getProperties());
    return answer && { etag: answer.etag ?? NO_ETAG, metadata: answer.metadata ?? {} };
  }

  async write(name: string, bytes: Uint8Array, { type, metadata = {}, onto }: BlobWrite): Promise<Etag | undefined> {
    const blob = this.#container.getBlockBlobClient(name);
    const blobHTTPHeaders = { blobContentType: type, ...contentMd5(bytes) };
    const options = { ...UPLOAD, blobHTTPHeaders, metadata: { ...metadata }, conditions: conditionsOf(onto) };
    try {
      const answer = await unlessStatus(refusalsOf(onto), () => blob.uploadData(bytes, options));
      return answer && (answer.etag ?? NO_ETAG);
    } catch (error) {
      if (onto !== undefined && isWithoutBlocks(error)) return undefined;
      throw error;
    }
  }

  async delete(
    name: string,
    { etag, writtenBefore }: { readonly etag?: Etag; readonly writtenBefore?: Date } = {},
  ): Promise<boolean> {
    const conditions = {
      ...(etag === undefined ? {} : { ifMatch: etag }),
      ...(writtenBefore === undefined ? {} : { ifUnmodifiedSince: writtenBefore }),
    };
    try {
      await unlessStatus([404], () => this.#container.getBlobClient(name).delete({ conditions }));
      return true;
    } catch (error) {
      if (isFolderWithFiles(error)) return false;
      if (storageStatus(error) !== 412) throw error;
      // One that is gone is refused for its missing ETag as one that was changed is.
      return (await this.head(name)) === undefined;
    }
  }

  list(prefix: string): Promise<readonly ListedBlob[]> {
    return fromStorage(async () => {
      const blobs: ListedBlob[] = [];
      for await (const { name, properties } of this.#container.listBlobsFlat({ prefix })) {
        blobs.push({ name, writtenAt: properties.lastModified.getTime() });
      }
      return blobs;
    });
  }
}

/** Adds what comes of an answer. @returns false when it was cut off: what came until then is right */
async function wasReadWhole(answer: BlobDownloadResponseParsed, content: ByteCollector): Promise<boolean> {
  try {
    for await (const chunk of answer.readableStreamBody ?? []) content.add(chunk as Buffer);
    return true;
  } catch {
    return false;
  }
}

/** Storage sums up what comes in one request by itself, and compares; what comes in blocks it can't. */
const contentMd5 = (bytes: Uint8Array): { readonly blobContentMD5?: Uint8Array } =>
  bytes.byteLength > UPLOAD.maxSingleShotSize ? {} : { blobContentMD5: createHash('md5').update(bytes).digest() };

/** Another write of the blob came between our blocks and their list: the service then forgets blocks not yet listed. */
const isWithoutBlocks = (error: unknown): boolean =>
  storageStatus(error) === 400 && (error as { readonly code?: string }).code === 'InvalidBlockList';

/** A folder of a hierarchical namespace: one that isn't empty stays. */
const isFolderWithFiles = (error: unknown): boolean =>
  storageStatus(error) === 409 && (error as { readonly code?: string }).code === 'DirectoryIsNotEmpty';

function conditionsOf(onto: BlobWrite['onto']): BlobRequestConditions {
  if (onto === undefined) return {};
  return onto === null ? { ifNoneMatch: '*' } : { ifMatch: onto };
}

/** Without a condition there is nothing to refuse: such an answer is an error. */
const refusalsOf = (onto: BlobWrite['onto']): readonly number[] => (onto === undefined ? [] : [404, 409, 412]);
