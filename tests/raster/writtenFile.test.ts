import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CogInput } from '../../shared/raster/write/cogInput.js';
import { encodeCog } from '../../shared/raster/write/encodeCog.js';
import { memorySource } from '../../shared/raster/read/memorySource.js';
import { sampleArray } from '../../shared/raster/tiff/pixels.js';
import { openRaster } from '../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../shared/raster/read/windowReader.js';
import { aCog, aGrid, somePixels } from './samples.js';

/** Bytes of a value by its type, TIFF 6.0 section 2: ASCII, SHORT, LONG, DOUBLE. */
const WIDTH: Readonly<Record<number, number>> = { 2: 1, 3: 2, 4: 4, 12: 8 };

/** One tag's values as they lie in the file. */
function valuesOf(bytes: Buffer, entry: number): readonly number[] | string {
  const [type, count] = [bytes.readUInt16LE(entry + 2), bytes.readUInt32LE(entry + 4)];
  const width = WIDTH[type] ?? Number.NaN;
  const at = count * width <= 4 ? entry + 8 : bytes.readUInt32LE(entry + 8);
  if (type === 2) return bytes.toString('latin1', at, at + count - 1);
  const read = type === 12 ? bytes.readDoubleLE.bind(bytes) : bytes.readUIntLE.bind(bytes);
  return Array.from({ length: count }, (_, index) => read(at + index * width, width));
}

/** All tags of each picture of a little-endian file, read without the reader that is tested beside. */
function tagsOf(file: Uint8Array): readonly ReadonlyMap<number, readonly number[] | string>[] {
  const bytes = Buffer.from(file);
  const pictures: Map<number, readonly number[] | string>[] = [];
  for (let at = bytes.readUInt32LE(4); at !== 0;) {
    const count = bytes.readUInt16LE(at);
    const entries = Array.from({ length: count }, (_, index) => at + 2 + index * 12);
    pictures.push(new Map(entries.map((entry) => [bytes.readUInt16LE(entry), valuesOf(bytes, entry)])));
    at = bytes.readUInt32LE(at + 2 + count * 12);
  }
  return pictures;
}

const firstTags = async (changes: Partial<CogInput>) => tagsOf(await encodeCog(aCog(changes)))[0];

describe('the tags of a written picture', () => {
  // TIFF 6.0, tag 262: 1 BlackIsZero, 2 RGB, 3 palette; tag 339: 1 unsigned, 3 floating point.
  test.each([
    { what: 'numbers', pixels: somePixels('uint16', 8, 8), photometric: 1, predictor: [2], format: [1], bits: [16] },
    { what: 'fractions', pixels: somePixels('float32', 8, 8), photometric: 1, predictor: [3], format: [3], bits: [32] },
    {
      what: 'colours',
      pixels: somePixels('uint8', 8, 8, 3),
      photometric: 2,
      predictor: [2],
      format: [1, 1, 1],
      bits: [8, 8, 8],
    },
    {
      what: 'classes',
      pixels: somePixels('uint8', 8, 8),
      palette: [[0, 0, 0] as const, [255, 128, 1] as const],
      photometric: 3,
      predictor: undefined,
      format: [1],
      bits: [8],
    },
  ])('say how $what are to be understood', async ({ pixels, palette, photometric, predictor, format, bits }) => {
    const tags = await firstTags({ pixels, ...(palette === undefined ? {} : { palette }) });
    expect(tags?.get(262)).toEqual([photometric]);
    expect(tags?.get(317)).toEqual(predictor);
    expect(tags?.get(339)).toEqual(format);
    expect(tags?.get(258)).toEqual(bits);
    expect(tags?.get(277)).toEqual([bits.length]);
    const colours = tags?.get(320) as readonly number[] | undefined;
    expect(colours === undefined ? undefined : [1, 257, 513].map((at) => colours[at])).toEqual(
      palette === undefined ? undefined : [65_535, 32_896, 257],
    );
  });

  // GeoTIFF 1.1, 7.2: 1024 model type (1 projected, 2 geographic), 1025 raster type (1 pixel is area), 3072 and 2048 the
  // reference system of either.
  test.each([
    { epsg: 32633, pixelSize: 10, keys: [1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32633] },
    { epsg: 4326, pixelSize: 0.0001, keys: [1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326] },
  ])('say where it lies in EPSG:$epsg', async ({ epsg, pixelSize, keys }) => {
    const place = { epsg, originX: 14, originY: 48, pixelWidth: pixelSize, pixelHeight: pixelSize };
    const tags = await firstTags({ grid: { ...aGrid(40, 30), ...place } });
    expect(tags?.get(34735)).toEqual([1, 1, 0, 3, ...keys]);
    expect(tags?.get(33550)).toEqual([pixelSize, pixelSize, 0]);
    expect(tags?.get(33922)).toEqual([0, 0, 0, 14, 48, 0]);
  });

  test('say what made it and when it was taken; without either they say nothing', async () => {
    const told = await firstTags({ software: 'layers 1', takenAt: new Date('2026-05-04T10:11:12.345Z') });
    expect([305, 306].map((tag) => told?.get(tag))).toEqual(['layers 1', '2026:05:04 10:11:12']);
    const silent = await firstTags({});
    expect([305, 306, 42112].filter((tag) => silent?.has(tag))).toEqual([]);
  });

  test('say of no band a scale or an offset, whatever is asked for: readers would apply it before the palette', async () => {
    const names = fc.constantFrom('SCALE', 'OFFSET', 'EVI2_SCALE', 'name', 'sample', 'role');
    const inputs = fc.record({
      metadata: fc.dictionary(names, fc.string({ unit: 'grapheme-ascii' })),
      hasPalette: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(inputs, async ({ metadata, hasPalette }) => {
        const pixels = somePixels('uint8', 20, 16);
        const palette = Array.from({ length: 256 }, () => [1, 2, 3] as const);
        const tags = await firstTags({ pixels, metadata, ...(hasPalette ? { palette } : {}) });
        // GDAL takes an item for the whole file when its element has a name alone.
        const items = String(tags?.get(42112) ?? '').match(/<Item[^>]*>/g) ?? [];
        expect(items).toEqual(
          Object.keys(metadata)
            .sort()
            .map((name) => `<Item name="${name}">`),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('of an overview say that it is one, and nothing of its place', async () => {
    const [full, overview] = tagsOf(await encodeCog(aCog({ pixels: somePixels('uint16', 600, 530), software: 'x' })));
    expect([full?.get(254), overview?.get(254)]).toEqual([[0], [1]]);
    expect([256, 257].map((tag) => overview?.get(tag))).toEqual([[300], [265]]);
    expect([305, 33550, 33922, 34735].filter((tag) => overview?.has(tag))).toEqual([]);
  });
});

describe('what is written is read again, value by value', () => {
  const pictures = fc.record({
    sampleType: fc.constantFrom('uint8' as const, 'uint16' as const, 'float32' as const),
    width: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 1, max: 70 }),
    bands: fc.constantFrom(1 as const, 3 as const),
    tileSize: fc.constantFrom(16, 32, 48),
    seed: fc.integer(),
  });

  test('in pictures of any size, type and tiling, as a whole and in windows', async () => {
    await fc.assert(
      fc.asyncProperty(pictures, fc.infiniteStream(fc.nat(1_000)), async (picture, numbers) => {
        const { sampleType, width, height, bands, tileSize, seed } = picture;
        const data = sampleArray(sampleType, width * height * bands);
        for (let index = 0; index < data.length; index += 1) data[index] = Math.imul(index + 1, seed | 1) & 0xff;
        const pixels = { width, height, bands, data };
        const raster = await openRaster(memorySource(await encodeCog(aCog({ pixels, tileSize }))));
        const upTo = (limit: number): number => Number(numbers.next().value) % limit;
        const [column, row] = [upTo(width), upTo(height)];
        const part = { column, row, width: 1 + upTo(width - column), height: 1 + upTo(height - row) };
        const [all, some] = await readWindows(raster, [{ column: 0, row: 0, width, height }, part]);
        expect(all).toEqual(pixels);
        const wanted = sampleArray(sampleType, part.width * part.height * bands);
        for (let at = 0; at < wanted.length; at += 1) {
          const [line, x] = [Math.floor(at / part.width), column + (at % part.width)];
          const [band, y] = [Math.floor(line / part.height), row + (line % part.height)];
          wanted[at] = data[(band * height + y) * width + x] ?? Number.NaN;
        }
        expect(some?.data).toEqual(wanted);
      }),
      { numRuns: 30 },
    );
  });
});
