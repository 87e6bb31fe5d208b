import { describe, expect, test } from '@jest/globals';
import { neededColumns, planBlocks, planRanges, type PlannedBlock } from '../../../shared/raster/read/readPlan.js';
import type { TiffImage } from '../../../shared/raster/tiff/tiffImage.js';

const KB = 1024;
const MB = 1024 * KB;

/** 4 × 3 tiles of 100 pixels, each 1000 bytes, one after the other. */
const image: TiffImage = {
  width: 390,
  height: 290,
  bands: 1,
  sampleType: 'uint16',
  compression: 'deflate',
  predictor: 2,
  isPlanar: false,
  blockWidth: 100,
  blockHeight: 100,
  blocksAcross: 4,
  blocksDown: 3,
  blockOffsets: Array.from({ length: 12 }, (_, index) => 500 + index * 1000),
  blockByteCounts: Array<number>(12).fill(1000),
};
const at = (offset: number, byteCount: number): PlannedBlock => ({
  index: 0,
  plane: 0,
  offset,
  byteCount,
  rows: 1,
  copies: [],
});
const lengthsOf = (blocks: readonly PlannedBlock[]): number[] => planRanges(blocks).map(({ length }) => length);

describe('the blocks that windows need', () => {
  test('each once, in file order, with what each window takes of it', () => {
    const planned = planBlocks(image, [
      { column: 150, row: 90, width: 60, height: 20 },
      { column: 100, row: 0, width: 10, height: 10 },
    ]);
    expect(planned.map(({ index }) => index)).toEqual([1, 2, 5, 6]);
    expect(planned[0]!.copies).toEqual([
      { window: 0, fromColumn: 50, fromRow: 90, toColumn: 0, toRow: 0, width: 50, height: 10 },
      { window: 1, fromColumn: 0, fromRow: 0, toColumn: 0, toRow: 0, width: 10, height: 10 },
    ]);
    expect(planned[3]!.copies).toEqual([
      { window: 0, fromColumn: 0, fromRow: 0, toColumn: 50, toRow: 10, width: 10, height: 10 },
    ]);
  });

  test('none for what lies beyond the image, whose last blocks are not full', () => {
    const [last, ...others] = planBlocks(image, [{ column: 380, row: 280, width: 100, height: 100 }]);
    expect(others).toEqual([]);
    expect(last).toMatchObject({
      index: 11,
      rows: 90,
      copies: [{ width: 10, height: 10, fromColumn: 80, fromRow: 80 }],
    });
    expect(planBlocks(image, [{ column: -50, row: -50, width: 50, height: 50 }])).toEqual([]);
  });

  test('not those that are not stored', () => {
    const blockByteCounts = image.blockByteCounts.with(0, 0);
    expect(planBlocks({ ...image, blockByteCounts }, [{ column: 0, row: 0, width: 101, height: 1 }])).toHaveLength(1);
  });

  test('one per band when bands have blocks of their own', () => {
    const planar = {
      ...image,
      bands: 2,
      isPlanar: true,
      blockOffsets: Array.from({ length: 24 }, (_, index) => 500 + index * 1000),
      blockByteCounts: Array<number>(24).fill(1000),
    };
    const planned = planBlocks(planar, [{ column: 0, row: 0, width: 1, height: 1 }]);
    expect(planned.map(({ index, plane }) => [index, plane])).toEqual([
      [0, 0],
      [12, 1],
    ]);
  });

  test('columns are needed up to the last one that a window takes, row by row', () => {
    const [block] = planBlocks({ ...image, blockHeight: 5, blockWidth: 390, blocksAcross: 1, blocksDown: 58 }, [
      { column: 10, row: 1, width: 5, height: 2 },
      { column: 3, row: 2, width: 30, height: 1 },
    ]);
    expect([...neededColumns(block!, 5)]).toEqual([0, 15, 33, 0, 0]);
  });
});

describe('requests', () => {
  test.each([
    { why: 'neighbours become one', blocks: [at(0, 10), at(10, 10)], expected: [20] },
    { why: 'a gap of 64 KB is fetched too', blocks: [at(0, 10), at(10 + 64 * KB, 10)], expected: [20 + 64 * KB] },
    { why: 'a larger gap parts them', blocks: [at(0, 10), at(11 + 64 * KB, 10)], expected: [10, 10] },
    {
      why: 'a small plan is cut at 4 MB',
      blocks: [at(0, 3 * MB), at(3 * MB, MB), at(4 * MB, 1)],
      expected: [4 * MB, 1],
    },
    {
      why: 'a large plan is cut at 8 MB',
      blocks: Array.from({ length: 10 }, (_, index) => at(index * 4 * MB, 4 * MB)),
      expected: [8 * MB, 8 * MB, 8 * MB, 8 * MB, 8 * MB],
    },
    { why: 'one large block is one request', blocks: [at(0, 20 * MB)], expected: [20 * MB] },
    { why: 'blocks on the same bytes are fetched once', blocks: [at(0, 10), at(0, 10), at(5, 2)], expected: [10] },
    { why: 'nothing is no request', blocks: [], expected: [] },
  ])('$why', ({ blocks, expected }) => {
    expect(lengthsOf(blocks)).toEqual(expected);
  });
});
