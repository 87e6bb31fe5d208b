/** Largest sizes of a file that is read: far above those of Sentinel-2 files, far below harmful ones. */
export const LIMITS = {
  /** Columns and rows of an image. */
  sidePixels: 1_000_000,
  /** Columns and rows of a tile. */
  tilePixels: 4096,
  /** Tiles or strips of an image. */
  blocks: 65_536,
  /** Bytes of one block, unpacked. */
  blockBytes: 64 * 1024 * 1024,
  bands: 32,
  /** Images in one file: the chain of directories. */
  directories: 32,
  /** Entries of one directory. */
  directoryEntries: 1024,
  /** Bytes of one tag's values. */
  tagBytes: 1024 * 1024,
  /** Bytes of all directories and tag values of one file. */
  headerBytes: 8 * 1024 * 1024,
  /** Bytes of all windows of one read, unpacked. */
  windowBytes: 1024 * 1024 * 1024,
} as const;
