import type { PixelWindow } from '../../geo/grid/grid.js';
import type { TiffImage } from '../tiff/tiffImage.js';

/** Ranges this close are fetched as one: 64 KB cost less than a request. */
const LARGEST_GAP_BYTES = 64 * 1024;
const LARGEST_RANGE_BYTES = 8 * 1024 * 1024;
/** Small reads have smaller ranges, so that all connections are used. */
const SMALL_PLAN_BYTES = 4 * LARGEST_RANGE_BYTES;
const SMALL_PLAN_RANGE_BYTES = 4 * 1024 * 1024;

/** A rectangle to copy from a block into a window. */
export interface BlockCopy {
  /** Index of the window. */
  readonly window: number;
  /** First pixel inside the block. */
  readonly fromColumn: number;
  readonly fromRow: number;
  /** First pixel inside the window. */
  readonly toColumn: number;
  readonly toRow: number;
  readonly width: number;
  readonly height: number;
}

/** A block that at least one window needs. */
export interface PlannedBlock {
  /** Index into the image's block lists. */
  readonly index: number;
  /** The band of a planar image, else 0. */
  readonly plane: number;
  readonly offset: number;
  readonly byteCount: number;
  /** Rows of the block that lie inside the image: fewer in the last strip. */
  readonly rows: number;
  readonly copies: readonly BlockCopy[];
}

/** One request and the blocks it brings, in file order. */
export interface PlannedRange {
  readonly offset: number;
  readonly length: number;
  readonly blocks: readonly PlannedBlock[];
}

/** Part of one axis that a window takes from a block: `from` inside the block, `to` inside the window. */
interface Overlap {
  readonly block: number;
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

function overlaps(start: number, length: number, axis: { readonly pixels: number; readonly block: number }): Overlap[] {
  const first = Math.max(0, start);
  const end = Math.min(axis.pixels, start + length);
  const found: Overlap[] = [];
  for (let at = first; at < end;) {
    const block = Math.floor(at / axis.block);
    const next = Math.min(end, (block + 1) * axis.block);
    found.push({ block, from: at - block * axis.block, to: at - start, length: next - at });
    at = next;
  }
  return found;
}

/** Adds the copies of one window, block by block, to `copies` (key: block row · blocks across + block column). */
function addCopies(copies: Map<number, BlockCopy[]>, image: TiffImage, placed: PixelWindow, window: number): void {
  const across = overlaps(placed.column, placed.width, { pixels: image.width, block: image.blockWidth });
  const down = overlaps(placed.row, placed.height, { pixels: image.height, block: image.blockHeight });
  for (const row of down) {
    for (const column of across) {
      const key = row.block * image.blocksAcross + column.block;
      const list = copies.get(key) ?? [];
      if (list.length === 0) copies.set(key, list);
      list.push({
        window,
        fromColumn: column.from,
        fromRow: row.from,
        toColumn: column.to,
        toRow: row.to,
        width: column.length,
        height: row.length,
      });
    }
  }
}

/**
 * The stored blocks that windows need, each once, in file order.
 *
 * Windows may overlap and may reach beyond the image; blocks that aren't stored (sparse) are left out.
 */
export function planBlocks(image: TiffImage, windows: readonly PixelWindow[]): readonly PlannedBlock[] {
  const copies = new Map<number, BlockCopy[]>();
  windows.forEach((placed, window) => {
    addCopies(copies, image, placed, window);
  });
  const perPlane = image.blocksAcross * image.blocksDown;
  const planes = image.isPlanar ? image.bands : 1;
  const planned: PlannedBlock[] = [];
  for (const [key, list] of copies) {
    const rows = Math.min(image.blockHeight, image.height - Math.floor(key / image.blocksAcross) * image.blockHeight);
    for (let plane = 0; plane < planes; plane += 1) {
      const index = plane * perPlane + key;
      const byteCount = image.blockByteCounts[index] ?? 0;
      const offset = image.blockOffsets[index] ?? 0;
      if (byteCount > 0) planned.push({ index, plane, offset, byteCount, rows, copies: list });
    }
  }
  return planned.sort((a, b) => a.offset - b.offset);
}

/**
 * Joins blocks that lie close together into requests.
 *
 * @param blocks in file order
 * @returns ranges with gaps of at most 64 KB inside, at most 8 MB each (4 MB when all of them are under 32 MB) unless
 * one block alone is larger
 */
export function planRanges(blocks: readonly PlannedBlock[]): readonly PlannedRange[] {
  const total = blocks.reduce((sum, block) => sum + block.byteCount, 0);
  const limit = total <= SMALL_PLAN_BYTES ? SMALL_PLAN_RANGE_BYTES : LARGEST_RANGE_BYTES;
  const ranges: { offset: number; length: number; blocks: PlannedBlock[] }[] = [];
  for (const block of blocks) {
    const last = ranges.at(-1);
    const end = last === undefined ? -Infinity : last.offset + last.length;
    const joined = last === undefined ? Infinity : Math.max(end, block.offset + block.byteCount) - last.offset;
    if (last !== undefined && block.offset - end <= LARGEST_GAP_BYTES && joined <= limit) {
      last.length = joined;
      last.blocks.push(block);
    } else {
      ranges.push({ offset: block.offset, length: block.byteCount, blocks: [block] });
    }
  }
  return ranges;
}

/**
 * How far each row of a block is needed.
 *
 * @returns per row the column after the last one needed, 0 for a row that is not needed
 */
export function neededColumns(block: PlannedBlock, blockHeight: number): Uint32Array {
  const ends = new Uint32Array(blockHeight);
  for (const { fromColumn, fromRow, width, height } of block.copies) {
    for (let row = fromRow; row < fromRow + height; row += 1) {
      ends[row] = Math.max(ends[row] ?? 0, fromColumn + width);
    }
  }
  return ends;
}
