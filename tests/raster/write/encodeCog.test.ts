import { describe, expect, test } from '@jest/globals';
import type { CogInput } from '../../../shared/raster/write/cogInput.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { aCog, aGrid, somePixels } from '../samples.js';

describe('a written picture', () => {
  test('has the same bytes whenever it is written, metadata in any order', async () => {
    const input = { pixels: somePixels('float32', 300, 200), takenAt: new Date('2026-05-04T10:11:12Z') };
    const [first, second] = [
      await encodeCog(aCog({ ...input, metadata: { a: '1', b: '2' } })),
      await encodeCog(aCog({ ...input, metadata: { b: '2', a: '1' } })),
    ];
    expect(Buffer.compare(first, second)).toBe(0);
  });

  test('begins as GDAL lays out a COG', async () => {
    const bytes = Buffer.from(await encodeCog(aCog()));
    expect(bytes.toString('latin1', 0, 4)).toBe('II*\0');
    expect(bytes.toString('latin1', 8, 60)).toBe('GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\nLAYOUT=IF');
  });

  test('each tile has its length before it and its last four bytes again after it', async () => {
    const bytes = Buffer.from(await encodeCog(aCog({ pixels: somePixels('uint16', 600, 530) })));
    const { image, overviews } = await openRaster(memorySource(bytes));
    const [full, smaller] = [image, overviews];
    for (const level of [full, ...smaller]) {
      level.blockOffsets.forEach((offset, index) => {
        const end = offset + level.blockByteCounts[index]!;
        expect(bytes.readUInt32LE(offset - 4)).toBe(end - offset);
        expect(bytes.subarray(end, end + 4)).toEqual(bytes.subarray(end - 4, end));
      });
    }
    // A reader that begins with an overview finds it first.
    expect(Math.max(...smaller.flatMap(({ blockOffsets }) => blockOffsets))).toBeLessThan(full.blockOffsets[0]!);
  });

  test.each([
    { why: 'two bands', changes: { pixels: somePixels('uint8', 8, 8, 2) }, text: '2 bands' },
    { why: 'another grid', changes: { grid: aGrid(41, 30) }, text: '40 × 30 pixels on a grid of 41 × 30' },
    {
      why: 'nothing',
      changes: { pixels: { width: 0, height: 0, bands: 1, data: new Uint8Array() } },
      text: '0 values',
    },
    {
      why: 'too few values',
      changes: { pixels: { width: 4, height: 4, bands: 1, data: new Uint8Array(15) } },
      text: '15 values',
    },
    { why: 'signed numbers', changes: { pixels: somePixels('int16', 8, 8) }, text: 'int16 is not written' },
    { why: 'a palette on wide numbers', changes: { palette: [[0, 0, 0]] }, text: 'A palette needs one band of uint8' },
    { why: 'tiles of odd size', changes: { tileSize: 100 }, text: 'Tiles of 100 pixels' },
    { why: 'gigantic tiles', changes: { tileSize: 8192 }, text: 'Tiles of 8192 pixels' },
    { why: 'a name that is none', changes: { metadata: { 'a b': '1' } }, text: '"a b" is no name' },
    { why: 'a line break in a value', changes: { metadata: { a: '1\n2' } }, text: 'control character' },
  ] satisfies readonly { why: string; changes: Partial<CogInput>; text: string }[])(
    '$why is refused',
    async ({ changes, text }) => {
      await expect(encodeCog(aCog(changes))).rejects.toThrow(text);
    },
  );
});
