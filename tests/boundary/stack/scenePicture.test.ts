import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inflateSync } from 'node:zlib';
import { boxOf } from '../../../shared/geo/grid/grid.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { pngImage } from '../../../shared/boundary/stack/pngImage.js';
import { MOST_TIFF_BYTES, scenePicture, type PictureSource } from '../../../shared/boundary/stack/scenePicture.js';
import { pictureGrid } from '../job/aRecord.js';

/** The chunks of a PNG by name, and its pixels [row][column][red, green, blue] with the filter "Up" undone. */
function read(png: Uint8Array) {
  const bytes = Buffer.from(png);
  const chunks: { type: string; data: Buffer; sum: number; summed: number }[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 4, at + 8 + length);
    chunks.push({ type, data: body.subarray(4), sum: bytes.readUInt32BE(at + 8 + length), summed: crcOf(body) });
    at += 12 + length;
  }
  const header = chunks[0]!.data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const raw = inflateSync(chunks[1]!.data);
  const rgb = new Uint8Array(width * height * 3);
  const filters = new Set<number>();
  for (let row = 0; row < height; row += 1) {
    filters.add(raw[row * (width * 3 + 1)]!);
    for (let at = 0; at < width * 3; at += 1) {
      const above = row === 0 ? 0 : rgb[(row - 1) * width * 3 + at]!;
      rgb[row * width * 3 + at] = raw[row * (width * 3 + 1) + 1 + at]! + above;
    }
  }
  return { signature: bytes.subarray(0, 8), chunks, width, height, header, raw, rgb, filters };
}

/** CRC-32 bit by bit, as annex D of the PNG specification defines it. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe('a PNG', () => {
  test('gives back every pixel, whatever its size', () => {
    const picture = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
      .chain(([width, height]) =>
        fc.tuple(
          fc.constant(width),
          fc.constant(height),
          fc.uint8Array({ minLength: width * height * 3, maxLength: width * height * 3 }),
        ),
      );
    fc.assert(
      fc.property(picture, ([width, height, rgb]) => {
        const seen = read(pngImage(rgb, { width, height }));
        expect([seen.width, seen.height, [...seen.rgb]]).toEqual([width, height, [...rgb]]);
        expect(seen.raw).toHaveLength((3 * width + 1) * height);
        expect([...seen.filters]).toEqual([2]);
      }),
      { numRuns: 50 },
    );
  });

  test('has its signature, true colour of eight bits, and the sum of each chunk', () => {
    const { signature, chunks, header } = read(pngImage(new Uint8Array(12).fill(7), { width: 2, height: 2 }));
    expect([...signature]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'IDAT', 'IEND']);
    expect([...header.subarray(8)]).toEqual([8, 2, 0, 0, 0]);
    for (const { sum, summed } of chunks) expect(sum).toBe(summed);
  });
});

describe('the picture of what was looked at', () => {
  const size = { ...pictureGrid, width: 10, height: 10 };
  const ramp = (from: number, step: number): Uint16Array =>
    Uint16Array.from({ length: 100 }, (_, k) => from + k * step);
  const scene = (date: string, bands: PictureSource['scenes'][number]['bands']) => ({ date, sceneIds: [date], bands });
  const use = (date: string, clearFraction: number, isUsed = true) => ({
    date,
    sceneIds: [date],
    clearFraction,
    isUsed,
  });
  const visible = { B04: ramp(500, 10), B03: ramp(400, 10), B02: ramp(300, 10) };

  test('is the clearest used date, of several the latest', async () => {
    const days = ['2026-06-01', '2026-06-03', '2026-06-05', '2026-06-08'];
    const source = { grid: size, scenes: days.map((date) => scene(date, visible)) };
    const uses = [use(days[0]!, 0.9), use(days[1]!, 0.9), use(days[2]!, 0.4), use(days[3]!, 1, false)];
    expect(await scenePicture({ ...source, uses })).toMatchObject({ date: '2026-06-03', grid: size });
  });

  test('has the pixels of that date', async () => {
    const [first, second] = [scene('2026-06-01', visible), scene('2026-06-03', {})];
    const picture = (clearer: string) =>
      scenePicture({
        grid: size,
        scenes: [first, second],
        uses: [first, second].map(({ date }) => use(date, date === clearer ? 1 : 0.5)),
      });
    expect((await picture('2026-06-01'))?.date).toBe('2026-06-01');
    expect(await picture('2026-06-03')).toBeUndefined();
  });

  test('is none when no date was used, or it lacks a band of visible light', async () => {
    const uses = [use('2026-06-01', 1)];
    const { B02: _blue, ...without } = visible;
    expect(await scenePicture({ grid: size, scenes: [scene('2026-06-01', without)], uses })).toBeUndefined();
    expect(await scenePicture({ grid: size, scenes: [scene('2026-06-01', visible)], uses: [] })).toBeUndefined();
    expect(await scenePicture({ grid: size, scenes: [], uses })).toBeUndefined();
  });

  const pictureOf = async (bands: PictureSource['scenes'][number]['bands'], grid = size) =>
    (await scenePicture({ grid, scenes: [scene('2026-06-01', bands)], uses: [use('2026-06-01', 1)] }))!;
  const pixelsOf = async (bands: PictureSource['scenes'][number]['bands']): Promise<readonly (readonly number[])[]> => {
    const { rgb } = read((await pictureOf(bands)).png);
    return Array.from({ length: 100 }, (_, k) => [...rgb.subarray(3 * k, 3 * k + 3)]);
  };

  test('is red, green and blue in this order', async () => {
    const dark = new Uint16Array(100).fill(300);
    const bright = ramp(300, 10);
    expect((await pixelsOf({ B04: bright, B03: dark, B02: dark })).at(-1)).toEqual([255, 0, 0]);
    expect((await pixelsOf({ B04: dark, B03: bright, B02: dark })).at(-1)).toEqual([0, 255, 0]);
    expect((await pixelsOf({ B04: dark, B03: dark, B02: bright })).at(-1)).toEqual([0, 0, 255]);
  });

  test('loses 2 % of the pixels to black and 2 % to white, and lifts the middle tones by 1 / 1.3', async () => {
    const reds = (await pixelsOf(visible)).map(([red]) => red!);
    // 100 values: the second lowest (0.02 of 99, rounded down) is black, the 98th (0.98 of 99) white.
    expect([reds[0], reds[1], reds[97], reds[99]]).toEqual([0, 0, 255, 255]);
    expect([reds[2]! > 0, reds[96]! < 255]).toEqual([true, true]);
    expect(reds[49]).toBe(Math.round(255 * (48 / 96) ** (1 / 1.3)));
    expect([...reds].sort((a, b) => a - b)).toEqual(reds);
  });

  test('is the same wherever the dark pixels lie', async () => {
    const turned = Object.fromEntries(Object.entries(visible).map(([band, pixels]) => [band, pixels.toReversed()]));
    expect((await pixelsOf(turned)).toReversed()).toEqual(await pixelsOf(visible));
  });

  test('has one range for all bands, that of the widest: soil stays brown', async () => {
    const pixels = await pixelsOf({ ...visible, B02: ramp(300, 5) });
    expect(pixels[97]).toEqual([255, 255, Math.round(255 * 0.5 ** (1 / 1.3))]);
  });

  test('is grey where there is no data, which is no dark ground either', async () => {
    const holed = (band: Uint16Array): Uint16Array => band.map((value, k) => (k % 2 === 0 ? 0 : value));
    const pixels = await pixelsOf({ B04: holed(visible.B04), B03: holed(visible.B03), B02: holed(visible.B02) });
    expect(pixels[0]).toEqual([128, 128, 128]);
    expect(pixels[1]).toEqual([0, 0, 0]);
  });

  test('of even ground is black, not noise', async () => {
    const even = new Uint16Array(100).fill(700);
    expect(new Set((await pixelsOf({ B04: even, B03: even, B02: even })).flat())).toEqual(new Set([0]));
  });

  const opened = async (geoTiff: Uint8Array) => {
    const raster = await openRaster(memorySource(geoTiff));
    const { width, height } = raster.image;
    const [pixels] = await readWindows(raster, [{ column: 0, row: 0, width, height }]);
    return { grid: raster.grid!, nodata: raster.nodata, pixels: pixels! };
  };

  test('is a GeoTIFF too, on the grid of what was looked at, of the same shades', async () => {
    const { png, geoTiff } = await pictureOf(visible);
    const { grid, nodata, pixels } = await opened(geoTiff);
    expect([grid, nodata, pixels.bands]).toEqual([size, 0, 3]);
    const { rgb } = read(png);
    const expected = [0, 1, 2].flatMap((channel) =>
      Array.from({ length: 100 }, (_, k) => Math.max(1, rgb[3 * k + channel]!)),
    );
    expect([...pixels.data]).toEqual(expected);
  });

  test('has no data there where the scene has none, which is no dark ground either', async () => {
    const holed = (band: Uint16Array): Uint16Array => band.map((value, k) => (k % 2 === 0 ? 0 : value));
    const { geoTiff } = await pictureOf({ B04: holed(visible.B04), B03: holed(visible.B03), B02: holed(visible.B02) });
    const { data } = (await opened(geoTiff)).pixels;
    expect([data[0], data[1]]).toEqual([0, 1]);
  });

  test('is a GeoTIFF of at most 300 KB: one of noise is made at half the size, over the same ground', async () => {
    const grid = { ...pictureGrid, width: 512, height: 512 };
    let state = 1;
    const noise = (): Uint16Array =>
      Uint16Array.from({ length: 512 * 512 }, () => (state = (state * 48_271) % 2_147_483_647) % 10_000);
    const { geoTiff } = await pictureOf({ B04: noise(), B03: noise(), B02: noise() }, grid);
    expect(geoTiff.length).toBeLessThanOrEqual(MOST_TIFF_BYTES);
    const half = (await opened(geoTiff)).grid;
    expect(half).toMatchObject({ width: 256, height: 256, pixelWidth: 20, pixelHeight: 20 });
    expect(boxOf(half)).toEqual(boxOf(grid));
  });
});
