import { createHash } from 'node:crypto';
import { changedByOthers } from '../kit/errors/changedByOthers.js';
import type { BlobHead, Blobs, StoredBlob } from './blobs.js';
import type { Etag } from './rows.js';

/** Writers of one blob are attempts of one piece of work, a handful; each refusal means that one of them has written. */
const MOST_TRIES = 10;

export interface FencedWrite {
  /** Content type, the same for all writes of one name. */
  readonly type: string;
  /** Fencing token: of the claim that writes, an integer from 0 that grows with each claim of one piece of work. */
  readonly epoch: number;
  /** Names as in `BlobWrite`, but none of the fence's own: `epoch`, `sha256`, `buried`. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * Writes a blob unless a higher epoch wrote or buried the blob before; the same epoch writes over itself. A writer that
 * stood still can therefore change nothing once a later one has been there.
 *
 * The fence lasts as long as the blob: `Blobs.delete` takes the fence away, so only retention and purges may delete.
 *
 * @returns false when a higher epoch is there, and stays as it is: the writer's claim is lost
 * @throws ServiceError 503 when storage can't be reached, or the blob is changed faster than it can be written; the
 *   write may have happened, and is repeated with the same epoch or a higher one
 */
export async function writeFenced(
  blobs: Pick<Blobs, 'head' | 'write'>,
  name: string,
  bytes: Uint8Array,
  write: FencedWrite,
): Promise<boolean> {
  const stamp = stampOf(bytes, write);
  // Most blobs are written once: what is there is asked for only where the first try finds something.
  let onto: Etag | null = null;
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    if ((await blobs.write(name, bytes, { type: write.type, metadata: stamp, onto })) !== undefined) return true;
    const there = await blobs.head(name);
    if (epochOf(there) > write.epoch) return false;
    // Written by the refused request itself: its answer was lost, and the client library's repetition was refused.
    if (hasStamp(there, stamp)) return true;
    // Retention may have deleted the blob since the refusal.
    onto = there?.etag ?? null;
  }
  throw changedByOthers('a file of the service');
}

/**
 * Replaces a blob by a tombstone, or leaves a tombstone where no blob is yet: readers take the tombstone for absent, and
 * writers of lower epochs, who may come later, are refused. The same epoch or a higher one writes over the tombstone, so a
 * burial needs an epoch above that of each attempt whose work it takes back.
 *
 * @returns false when a higher epoch is there, and stays as it is
 * @throws ServiceError 503 as `writeFenced`
 */
export const bury = (blobs: Pick<Blobs, 'head' | 'write'>, name: string, epoch: number): Promise<boolean> =>
  writeFenced(blobs, name, Buffer.alloc(0), { type: TOMBSTONE_TYPE, epoch, metadata: { buried: 'true' } });

const TOMBSTONE_TYPE = 'application/octet-stream';

/** Whether a blob is a tombstone, to be taken for absent. `Blobs.list` names tombstones, too. */
export const isBuried = ({ metadata }: BlobHead): boolean => metadata['buried'] === 'true';

/** A blob whole; undefined when there is none, or only a tombstone. */
export async function readLiving(blobs: Pick<Blobs, 'read'>, name: string): Promise<StoredBlob | undefined> {
  const blob = await blobs.read(name);
  return blob === undefined || isBuried(blob) ? undefined : blob;
}

/** What a blob says of its writer and its bytes: what has the same stamp needs no second write. */
function stampOf(bytes: Uint8Array, { epoch, metadata }: FencedWrite): Readonly<Record<string, string>> {
  if (!Number.isSafeInteger(epoch) || epoch < 0) throw new RangeError(`${String(epoch)} is no epoch.`);
  return { ...metadata, epoch: String(epoch), sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** 0 where there is no blob, and for a blob that was written without a fence. */
const epochOf = (there: BlobHead | undefined): number => Number(there?.metadata['epoch'] ?? 0);

/** Whether the metadata of a blob are these and no others. */
function hasStamp(there: BlobHead | undefined, stamp: Readonly<Record<string, string>>): boolean {
  const found = there?.metadata ?? {};
  const names = Object.keys(stamp);
  return names.length === Object.keys(found).length && names.every((each) => found[each] === stamp[each]);
}
