import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { FieldDocuments } from '../documents/updateIndex.js';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];
/** Documents of twenty years have less; what is larger is none of ours. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The documents of a field as they are noted: of years they have a megabyte, packed some tens of kilobytes. Those of a
 * slice are held packed, for a hundred fields at once would take the memory of everything else.
 */
export interface PackedDocuments {
  /** The last day that they tell of; empty when there is none. */
  readonly lastDate: string;
  /** JSON, by gzip, in base64. */
  readonly packed: string;
}

export async function packDocuments(documents: FieldDocuments): Promise<PackedDocuments> {
  const bytes = await pack(JSON.stringify(documents), { level: constants.Z_BEST_SPEED });
  return { lastDate: documents.recorded.at(-1)?.date ?? '', packed: bytes.toString('base64') };
}

/** Undefined where they can't be read: they are hints. */
export async function unpackDocuments({ packed }: PackedDocuments): Promise<FieldDocuments | undefined> {
  try {
    const bytes = await unpack(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES });
    return JSON.parse(bytes.toString('utf8')) as FieldDocuments;
  } catch {
    return undefined;
  }
}
