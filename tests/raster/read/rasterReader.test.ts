import { describe, expect, test } from '@jest/globals';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { aCog, aGrid, somePixels } from '../samples.js';
import { buildTiff, type TiffForm } from '../tiffBuilder.js';

const pixels = somePixels('uint16', 20, 10);
const open = (form: Partial<TiffForm>) => openRaster(memorySource(buildTiff({ pixels, ...form }), 'red.tif'));
/** Opens and reads everything; both may find the fault. */
async function readAll(bytes: Uint8Array): Promise<void> {
  const raster = await openRaster(memorySource(bytes, 'red.tif'));
  await readWindows(raster, [{ column: 0, row: 0, width: raster.image.width, height: raster.image.height }]);
}

describe('where a GeoTIFF lies', () => {
  test('tie point and pixel scale', async () => {
    expect((await open({})).grid).toEqual(aGrid(20, 10));
  });

  test('a tie point that is not the corner', async () => {
    const tags = { 33922: [12, [5, 2, 0, 359_190, 5_352_320, 0]] } as const;
    expect((await open({ tags })).grid).toEqual(aGrid(20, 10));
  });

  test('a tie point that is the centre of its pixel', async () => {
    const tags = {
      33922: [12, [0, 0, 0, 359_145, 5_352_335, 0]],
      34735: [3, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 32633]],
    } as const;
    expect((await open({ tags })).grid).toEqual(aGrid(20, 10));
  });

  test('a transformation matrix', async () => {
    const matrix = [10, 0, 0, 359_140, 0, -10, 0, 5_352_340, 0, 0, 0, 0, 0, 0, 0, 1];
    expect((await open({ tags: { 33550: null, 33922: null, 34264: [12, matrix] } })).grid).toEqual(aGrid(20, 10));
  });

  test('longitude and latitude', async () => {
    const tags = {
      33550: [12, [0.0001, 0.0002, 0]],
      33922: [12, [0, 0, 0, 13, 48, 0]],
      34735: [3, [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326]],
    } as const;
    const { grid } = await open({ tags });
    expect(grid).toMatchObject({ epsg: 4326, originX: 13, originY: 48, pixelWidth: 0.0001, pixelHeight: 0.0002 });
  });

  test('a system without a code has code 0, a plain TIFF has no place', async () => {
    const userDefined = { 34735: [3, [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32767]] } as const;
    expect((await open({ tags: userDefined })).grid?.epsg).toBe(0);
    expect((await open({ tags: { 34735: null } })).grid?.epsg).toBe(0);
    expect((await open({ tags: { 33550: null, 33922: null } })).grid).toBeUndefined();
  });

  test.each([
    { why: 'rotated', tags: { 34264: [12, [10, 1, 0, 0, 1, -10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] }, kind: 'unsupported' },
    { why: 'south-up', tags: { 34264: [12, [10, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]] }, kind: 'unsupported' },
    { why: 'many tie points', tags: { 33922: [12, Array<number>(12).fill(1)] }, kind: 'unsupported' },
    { why: 'no numbers', tags: { 33922: [12, [0, 0, 0, NaN, 0, 0]] }, kind: 'corrupt' },
    { why: 'a matrix cut short', tags: { 34264: [12, [10, 0]] }, kind: 'unsupported' },
  ] as const)('$why is refused as $kind', async ({ tags, kind }) => {
    await expect(open({ tags })).rejects.toMatchObject({
      name: 'RasterError',
      kind,
    });
  });
});

describe('the nodata value', () => {
  test.each([
    { text: '0', expected: 0 },
    { text: '-9999', expected: -9999 },
    { text: ' 255 ', expected: 255 },
    { text: 'nan', expected: NaN },
    { text: '-3.4e+38', expected: -3.4e38 },
    { text: '', expected: undefined },
    { text: 'none', expected: undefined },
  ])('"$text" is $expected', async ({ text, expected }) => {
    expect((await open({ tags: { 42113: [2, text] } })).nodata).toBe(expected);
  });
});

describe('what the header tells', () => {
  test('the metadata come as they are', async () => {
    const bytes = await encodeCog(aCog({ metadata: { fieldId: 'a&b' } }));
    const raster = await openRaster(memorySource(bytes));
    expect(raster.metadataXml).toBe('<GDALMetadata>\n  <Item name="fieldId">a&amp;amp;b</Item>\n</GDALMetadata>');
    expect(raster).toMatchObject({ nodata: 0, grid: aGrid(40, 30), overviews: [] });
  });
});

describe('a file that is no raster we read is refused by name', () => {
  const cases: readonly (Partial<TiffForm> & { readonly why: string; readonly kind: string; readonly text: string })[] =
    [
      { why: 'LZW', compression: 5, kind: 'unsupported', text: 'compression LZW (5)' },
      { why: 'JPEG', compression: 7, kind: 'unsupported', text: 'compression JPEG (7)' },
      { why: 'JPEG 2000', compression: 34712, kind: 'unsupported', text: 'compression JPEG 2000 (34712)' },
      { why: 'zstd', compression: 50000, kind: 'unsupported', text: 'compression zstd (50000)' },
      { why: 'LERC', compression: 34887, kind: 'unsupported', text: 'compression LERC (34887)' },
      { why: 'nobody’s', compression: 12345, kind: 'unsupported', text: 'compression unknown (12345)' },
      {
        why: '64-bit floats',
        tags: { 258: [3, [64]], 339: [3, [3]] },
        kind: 'unsupported',
        text: '64-bit floating point',
      },
      { why: '12-bit numbers', tags: { 258: [3, [12]] }, kind: 'unsupported', text: '12-bit unsigned' },
      { why: 'complex numbers', tags: { 339: [3, [6]] }, kind: 'unsupported', text: 'sample format 6' },
      {
        why: 'bands of two types',
        tags: { 258: [3, [16, 8]], 277: [3, [2]] },
        kind: 'unsupported',
        text: 'bands differ',
      },
      {
        why: 'a predictor for floats on integers',
        compression: 8,
        tags: { 317: [3, [3]] },
        kind: 'unsupported',
        text: 'predictor 3',
      },
      {
        why: 'an unknown predictor',
        compression: 8,
        tags: { 317: [3, [9]] },
        kind: 'unsupported',
        text: 'predictor 9',
      },
      { why: 'no width', tags: { 256: null }, kind: 'corrupt', text: 'tag 256 is missing' },
      { why: 'no columns', tags: { 256: [4, [0]] }, kind: 'corrupt', text: 'tag 256 is 0' },
      { why: 'a text for a width', tags: { 256: [2, 'wide'] }, kind: 'corrupt', text: 'tag 256 is a text' },
      {
        why: 'a field type of no number',
        tags: { 256: [16, [1]], 257: [2, '9'] },
        kind: 'corrupt',
        text: 'tag 257 is a text',
      },
      {
        why: 'a fraction for a width',
        tags: { 256: [5, [1, 2]] },
        kind: 'unsupported',
        text: 'tag 256 has the field type 5',
      },
      { why: 'no strips', tags: { 273: null }, kind: 'corrupt', text: '1 blocks expected, 0 listed' },
      { why: 'strips without rows', tags: { 278: [4, [0]] }, kind: 'corrupt', text: 'a strip has no rows' },
      { why: 'no band', tags: { 277: [3, [0]] }, kind: 'corrupt', text: 'no band' },
      { why: 'a block beyond the file', tags: { 273: [4, [1e9]] }, kind: 'corrupt', text: 'beyond the end' },
      { why: 'a gigantic image', tags: { 256: [4, [4e9]] }, kind: 'too_large', text: 'pixels of tag 256' },
      {
        why: 'a gigantic tile',
        tags: { 322: [4, [8192]], 323: [4, [16]] },
        kind: 'too_large',
        text: 'pixels of tag 322',
      },
      { why: 'too many strips', tags: { 257: [4, [70_000]], 278: [4, [1]] }, kind: 'too_large', text: 'blocks: 70000' },
      {
        why: 'a gigantic strip',
        tags: { 256: [4, [40_000]], 257: [4, [40_000]], 278: [4, [40_000]] },
        kind: 'too_large',
        text: 'bytes of a block',
      },
      { why: 'too many bands', tags: { 258: [3, [16]], 277: [3, [100]] }, kind: 'too_large', text: 'bands: 100' },
      {
        why: 'a gigantic tag',
        tags: { 42112: [2, 'x'.repeat(1_100_000)] },
        kind: 'too_large',
        text: 'bytes of tag 42112',
      },
    ];

  test.each(cases)('$why', async ({ kind, text, why: _why, ...form }) => {
    const opening = open(form);
    await expect(opening).rejects.toMatchObject({ name: 'RasterError', kind });
    await expect(opening).rejects.toThrow(text);
    await expect(opening).rejects.toThrow(/^red\.tif: /);
  });

  test('big-endian', async () => {
    const bytes = Buffer.from(buildTiff({ pixels }));
    bytes.write('MM');
    await expect(readAll(bytes)).rejects.toMatchObject({
      kind: 'unsupported',
      message: 'red.tif: big-endian TIFF (MM) is not supported',
    });
  });

  test.each([
    { why: 'nothing at all', bytes: Buffer.alloc(0) },
    { why: 'a text', bytes: Buffer.from('<html>not found, and long enough</html>') },
    { why: 'no directory', bytes: Buffer.concat([Buffer.from('II*\0\0\0\0\0'), Buffer.alloc(20)]) },
    {
      why: 'a directory beyond the file',
      bytes: Buffer.concat([Buffer.from('II*\0\xff\xff\xff\x0f', 'latin1'), Buffer.alloc(20)]),
    },
  ])('$why is corrupt', async ({ bytes }) => {
    await expect(readAll(bytes)).rejects.toMatchObject({ name: 'RasterError', kind: 'corrupt' });
  });

  test('directories in a circle', async () => {
    const bytes = Buffer.from(buildTiff({ pixels }));
    const entries = bytes.readUInt16LE(8);
    bytes.writeUInt32LE(8, 10 + entries * 12);
    await expect(readAll(bytes)).rejects.toThrow('runs in a circle');
  });

  test('a chain of more than 32 directories', async () => {
    const empty = Array.from({ length: 40 }, (_, index) => {
      const directory = Buffer.alloc(6);
      directory.writeUInt32LE(8 + (index + 1) * 6, 2);
      return directory;
    });
    const bytes = Buffer.concat([Buffer.from('II*\0\x08\0\0\0'), ...empty, Buffer.alloc(16)]);
    await expect(readAll(bytes)).rejects.toMatchObject({
      kind: 'too_large',
      message: 'red.tif: directories: 33, at most 32 are allowed',
    });
  });

  test('data that are no deflate', async () => {
    const bytes = Buffer.from(buildTiff({ pixels, compression: 8 }));
    bytes.fill(0xa5, bytes.length - 30);
    await expect(readAll(bytes)).rejects.toMatchObject({ kind: 'corrupt' });
    await expect(readAll(bytes)).rejects.toThrow(/^red\.tif: block 0: its deflate data are damaged/);
  });

  test('a block that unpacks to less than its pixels', async () => {
    const bytes = buildTiff({
      pixels: somePixels('uint8', 20, 10),
      compression: 8,
      tags: { 257: [4, [11]], 278: [4, [11]] },
    });
    await expect(readAll(bytes)).rejects.toThrow('block 0: it holds 200 bytes, 220 are needed');
  });

  test('a block that unpacks to more than its pixels', async () => {
    const bytes = buildTiff({
      pixels: somePixels('uint8', 20, 100),
      compression: 8,
      tags: { 257: [4, [50]], 278: [4, [50]] },
    });
    await expect(readAll(bytes)).rejects.toMatchObject({ kind: 'corrupt' });
  });

  test('a file cut off after its header was read', async () => {
    const bytes = buildTiff({ pixels: somePixels('uint16', 300, 300), rowsPerStrip: 10 });
    const raster = await openRaster(memorySource(bytes, 'red.tif'));
    const short = { ...raster, source: memorySource(bytes.subarray(0, 40_000), 'red.tif') };
    await expect(readWindows(short, [{ column: 0, row: 0, width: 300, height: 300 }])).rejects.toThrow(
      'red.tif: the file ends inside block data',
    );
  });

  test('windows that would not fit into memory', async () => {
    const raster = await open({});
    await expect(readWindows(raster, [{ column: 0, row: 0, width: 40_000, height: 40_000 }])).rejects.toMatchObject({
      kind: 'too_large',
    });
  });
});
