import type { ByteSource } from './byteSource.js';
import { RasterError } from './rasterError.js';
import { LIMITS } from './rasterLimits.js';
import {
  checkClaim,
  readEntry,
  readOffset,
  readSignature,
  readValues,
  type DirectoryEntry,
  type TagValues,
  type TiffDialect,
} from './tiffDirectory.js';
import { TAG } from './tiffTags.js';

/** One request brings the directories of nearly every COG. */
const HEAD_BYTES = 32 * 1024;
/** Directories elsewhere in the file are read in pieces of this size. */
const PIECE_BYTES = 16 * 1024;
const KNOWN_TAGS: ReadonlySet<number> = new Set(Object.values(TAG));

/** Bytes of the header wherever they lie: from the pieces read so far, or from the source. */
interface HeaderBytes {
  at(offset: number, length: number): Promise<Uint8Array>;
}

async function openHeader(source: ByteSource, signal: AbortSignal | undefined): Promise<HeaderBytes> {
  const pieces = [{ offset: 0, bytes: await source.read(0, HEAD_BYTES, signal) }];
  const size = source.size ?? pieces[0]?.bytes.length ?? 0;
  let total = 0;
  return {
    at: async (offset, length) => {
      if (offset + length > size) throw new RasterError('corrupt', `the file ends before byte ${offset + length}`);
      const held = pieces.find(
        (piece) => offset >= piece.offset && offset + length <= piece.offset + piece.bytes.length,
      );
      if (held !== undefined) return held.bytes.subarray(offset - held.offset, offset - held.offset + length);
      const wanted = Math.min(size - offset, Math.max(length, PIECE_BYTES));
      total += wanted;
      checkClaim('bytes of the header', total, LIMITS.headerBytes);
      const bytes = await source.read(offset, wanted, signal);
      if (bytes.length < wanted) throw new RasterError('corrupt', `the file ends before byte ${offset + wanted}`);
      pieces.push({ offset, bytes });
      return bytes.subarray(0, length);
    },
  };
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** The entries of the directory at `offset`, and where the next directory lies (0: nowhere). */
async function readDirectory(header: HeaderBytes, offset: number, dialect: TiffDialect) {
  const { countBytes, entryBytes, offsetBytes } = dialect;
  const count = readOffset(viewOf(await header.at(offset, countBytes)), 0, countBytes);
  checkClaim('entries of a directory', count, LIMITS.directoryEntries);
  const first = offset + countBytes;
  const view = viewOf(await header.at(first, count * entryBytes + offsetBytes));
  const entries = Array.from({ length: count }, (_, index) =>
    readEntry(view, index * entryBytes, first + index * entryBytes, dialect),
  );
  return { entries, next: readOffset(view, count * entryBytes, offsetBytes) };
}

async function readTags(header: HeaderBytes, entries: readonly DirectoryEntry[]): Promise<TagValues> {
  const tags = new Map<number, readonly number[] | string>();
  for (const entry of entries.filter(({ tag }) => KNOWN_TAGS.has(tag))) {
    checkClaim(`bytes of tag ${entry.tag}`, entry.valueBytes, LIMITS.tagBytes);
    tags.set(entry.tag, readValues(entry, await header.at(entry.valueOffset, entry.valueBytes)));
  }
  return tags;
}

/**
 * The directories of a TIFF file with the values of the tags this library knows, in file order.
 *
 * One request for nearly every COG; a header that lies elsewhere takes a few more.
 *
 * @throws RasterError `corrupt`, `unsupported` (big-endian), `too_large`, or what the source throws
 */
export async function readTiffHeader(source: ByteSource, signal?: AbortSignal): Promise<readonly TagValues[]> {
  const header = await openHeader(source, signal);
  const { dialect, firstDirectory } = readSignature(viewOf(await header.at(0, 16)));
  const visited = new Set<number>();
  const directories: TagValues[] = [];
  for (let offset = firstDirectory; offset !== 0;) {
    if (visited.has(offset)) throw new RasterError('corrupt', 'the chain of directories runs in a circle');
    visited.add(offset);
    checkClaim('directories', visited.size, LIMITS.directories);
    const { entries, next } = await readDirectory(header, offset, dialect);
    directories.push(await readTags(header, entries));
    offset = next;
  }
  return directories;
}
