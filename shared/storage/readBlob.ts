import type { BlobClient } from '@azure/storage-blob';

/** All bytes of a blob with one request: the client's own way to a buffer asks for the blob's size before. */
export async function readBlob(blob: Pick<BlobClient, 'download'>): Promise<Buffer> {
  const { readableStreamBody } = await blob.download();
  const chunks: Buffer[] = [];
  for await (const chunk of readableStreamBody ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
