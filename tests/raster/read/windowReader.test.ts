import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { budgetedSource } from '../../../shared/raster/read/budgetedSource.js';
import type { ByteSource } from '../../../shared/raster/tiff/byteSource.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import type { PixelWindow } from '../../../shared/geo/grid/grid.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import { sampleTypeOf, type Pixels, type SampleType } from '../../../shared/raster/tiff/pixels.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { planBlocks } from '../../../shared/raster/read/readPlan.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { aCog, somePixels } from '../samples.js';
import { buildTiff, type TiffForm } from '../tiffBuilder.js';
import { tries } from '../../support/fullRun.js';

const whole = ({ width, height }: { width: number; height: number }): PixelWindow => ({
  column: 0,
  row: 0,
  width,
  height,
});

/** The pixels of a window, cut out of the picture by the plainest code there is. */
function cut(pixels: Pixels, window: PixelWindow, nodata: number): Uint16Array {
  return Uint16Array.from({ length: window.width * window.height }, (_, index) => {
    const column = window.column + (index % window.width);
    const row = window.row + Math.floor(index / window.width);
    const isInside = column >= 0 && row >= 0 && column < pixels.width && row < pixels.height;
    return isInside ? pixels.data[row * pixels.width + column]! : nodata;
  });
}

async function readWhole(bytes: Uint8Array): Promise<Pixels> {
  const raster = await openRaster(memorySource(bytes));
  const [pixels] = await readWindows(raster, [whole(raster.image)]);
  return pixels!;
}

/** A source that remembers what was read, in order. */
function watched(bytes: Uint8Array): ByteSource & { readonly reads: [offset: number, length: number][] } {
  const reads: [number, number][] = [];
  const inner = memorySource(bytes);
  return {
    ...inner,
    reads,
    read: (offset, length, signal) => {
      reads.push([offset, length]);
      return inner.read(offset, length, signal);
    },
  };
}

const sampleTypes = ['uint8', 'uint16', 'int16', 'float32'] as const satisfies readonly SampleType[];

describe('every layout of pixels reads back', () => {
  const forms: readonly (Omit<TiffForm, 'pixels'> & { readonly why: string })[] = [
    { why: 'one strip, not packed' },
    { why: 'strips of 7 rows, the last one shorter', rowsPerStrip: 7 },
    { why: 'deflate', compression: 8, rowsPerStrip: 16 },
    { why: 'the old number of deflate', compression: 32946, rowsPerStrip: 16 },
    { why: 'tiles', tile: [16, 32] },
    { why: 'tiles, deflate, predictor 2', tile: [32, 16], compression: 8, predictor: 2 },
    { why: 'strips, deflate, predictor 2', rowsPerStrip: 5, compression: 8, predictor: 2 },
    { why: 'each band by itself', tile: [16, 16], isPlanar: true, compression: 8, predictor: 2 },
    { why: 'strips of each band by itself', rowsPerStrip: 9, isPlanar: true },
    { why: 'BigTIFF', isBig: true, tile: [16, 16], compression: 8 },
    { why: 'the directory after the pixels', isDirectoryLast: true, rowsPerStrip: 4 },
    { why: 'BigTIFF with its directory last', isDirectoryLast: true, isBig: true, rowsPerStrip: 4 },
  ];
  const cases = forms.flatMap((form) =>
    sampleTypes.flatMap((type) => [1, 3].map((bands) => ({ ...form, type, bands }))),
  );

  test.each(cases)('$why: $type, $bands bands', async ({ type, bands, why: _why, ...form }) => {
    const pixels = somePixels(type, 53, 37, bands);
    const found = await readWhole(buildTiff({ pixels, ...form }));
    expect(found).toEqual(pixels);
    expect(sampleTypeOf(found.data)).toBe(type);
  });

  test.each([1, 3])('the floating-point predictor, %d bands', async (bands) => {
    const pixels = somePixels('float32', 53, 37, bands);
    expect(await readWhole(buildTiff({ pixels, tile: [16, 16], compression: 8, predictor: 3 }))).toEqual(pixels);
    expect(await readWhole(buildTiff({ pixels, rowsPerStrip: 8, compression: 8, predictor: 3 }))).toEqual(pixels);
  });

  test('every value of a float survives, infinity and not-a-number too', async () => {
    const data = Float32Array.of(0, -0, 1e-40, -1e38, Infinity, -Infinity, NaN, 0.1);
    const found = await readWhole(
      buildTiff({ pixels: { width: 8, height: 1, bands: 1, data }, compression: 8, predictor: 3 }),
    );
    expect([...found.data]).toEqual([...data]);
  });
});

describe('a picture that was written', () => {
  const size = fc.integer({ min: 1, max: 280 });

  test('reads back the same, whatever its size and type', async () => {
    const any = fc.record({
      type: fc.constantFrom('uint8' as const, 'uint16' as const, 'float32' as const),
      width: size,
      height: size,
      bands: fc.constantFrom(1, 3),
      isTiled: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ type, width, height, bands, isTiled }) => {
        const pixels = somePixels(type, width, height, bands);
        const found = await readWhole(await encodeCog(aCog({ pixels, ...(isTiled ? { tileSize: 64 } : {}) })));
        expect(Buffer.compare(Buffer.from(found.data.buffer), Buffer.from(pixels.data.buffer))).toBe(0);
      }),
      { numRuns: tries(25) },
    );
  });

  test('gives any window the pixels that lie there, and nodata beyond its edge', async () => {
    const pixels = somePixels('uint16', 300, 280);
    const raster = await openRaster(memorySource(await encodeCog(aCog({ pixels, tileSize: 64, nodata: 7 }))));
    const corner = fc.integer({ min: -40, max: 320 });
    const side = fc.integer({ min: 1, max: 150 });
    const windows = fc.array(fc.record({ column: corner, row: corner, width: side, height: side }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(windows, async (wanted) => {
        const found = await readWindows(raster, wanted);
        found.forEach((window, index) => {
          expect(
            Buffer.compare(Buffer.from(window.data.buffer), Buffer.from(cut(pixels, wanted[index]!, 7).buffer)),
          ).toBe(0);
        });
      }),
      { numRuns: tries(40) },
    );
  });

  test('its overviews can be read', async () => {
    const pixels = { width: 600, height: 520, bands: 1, data: new Uint16Array(600 * 520).fill(900) };
    const raster = await openRaster(memorySource(await encodeCog(aCog({ pixels }))));
    expect(raster.overviews.map(({ width, height }) => [width, height])).toEqual([
      [300, 260],
      [150, 130],
    ]);
    const [smallest] = await readWindows(raster, [{ column: 100, row: 100, width: 50, height: 30 }], {
      image: raster.overviews[1]!,
    });
    expect(smallest!.data).toEqual(new Uint16Array(1500).fill(900));
  });
});

describe('blocks that are not stored', () => {
  test.each([
    { nodata: '255', expected: 255 },
    { nodata: undefined, expected: 0 },
  ])('are nodata: $expected when the file says $nodata', async ({ nodata, expected }) => {
    const pixels = somePixels('uint8', 48, 32);
    const tags = nodata === undefined ? {} : { 42113: [2, nodata] as const };
    const found = await readWhole(buildTiff({ pixels, tile: [16, 16], compression: 8, sparse: [1, 5], tags }));
    found.data.forEach((value, index) => {
      const block = Math.floor(Math.floor(index / 48) / 16) * 3 + Math.floor((index % 48) / 16);
      expect(value).toBe(block === 1 || block === 5 ? expected : pixels.data[index]);
    });
  });
});

describe('what is fetched', () => {
  test('the header of a small file takes one request', async () => {
    const source = watched(await encodeCog(aCog()));
    await openRaster(source);
    expect(source.reads).toEqual([[0, 32_768]]);
  });

  test('the directory of a file that has it last takes two more', async () => {
    const source = watched(
      buildTiff({ pixels: somePixels('uint16', 200, 200), isDirectoryLast: true, rowsPerStrip: 1 }),
    );
    await openRaster(source);
    expect(source.reads.length).toBeLessThanOrEqual(3);
  });

  test('no byte of a block is read twice, and no block that nobody needs beyond the gaps', async () => {
    const bytes = await encodeCog(aCog({ pixels: somePixels('uint16', 400, 400), tileSize: 64 }));
    const corner = fc.integer({ min: 0, max: 340 });
    const windows = fc.array(
      fc.record({ column: corner, row: corner, width: fc.constant(60), height: fc.constant(60) }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(windows, async (wanted) => {
        const source = watched(bytes);
        const raster = await openRaster(source);
        source.reads.length = 0;
        await readWindows(raster, wanted);
        const reads = source.reads.toSorted(([a], [b]) => a - b);
        reads.forEach(([offset, length], index) => {
          const next = reads[index + 1];
          if (next !== undefined) expect(next[0]).toBeGreaterThanOrEqual(offset + length);
        });
        for (const block of planBlocks(raster.image, wanted)) {
          expect(
            reads.filter(
              ([offset, length]) => offset <= block.offset && block.offset + block.byteCount <= offset + length,
            ),
          ).toHaveLength(1);
        }
      }),
      { numRuns: tries(30) },
    );
  });

  test('nothing for windows beyond the image', async () => {
    const source = watched(await encodeCog(aCog()));
    const raster = await openRaster(source);
    const [window] = await readWindows(raster, [{ column: 100, row: 0, width: 3, height: 2 }]);
    expect([...window!.data]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(source.reads).toHaveLength(1);
  });

  test('never more than the budget', async () => {
    const bytes = await encodeCog(aCog({ pixels: somePixels('uint16', 300, 300) }));
    const source = budgetedSource({ ...memorySource(bytes, 'red.tif'), etag: '"v1"' }, 40_000);
    expect(source).toMatchObject({ name: 'red.tif', size: bytes.length, etag: '"v1"' });
    const raster = await openRaster(source);
    await expect(readWindows(raster, [whole(raster.image)])).rejects.toMatchObject({
      kind: 'too_large',
      message: 'red.tif: the read needs more than the 40000 bytes allowed',
    });
    // The header took 32 KB; a refused read takes nothing.
    await expect(source.read(0, 40_000 - 32_768 + 1)).rejects.toMatchObject({ kind: 'too_large' });
    expect(await source.read(0, 40_000 - 32_768)).toHaveLength(40_000 - 32_768);
  });
});

describe('a read that is given up', () => {
  test('rejects with the reason, before and in the middle', async () => {
    const bytes = await encodeCog(aCog({ pixels: somePixels('uint16', 400, 400) }));
    const raster = await openRaster(memorySource(bytes));
    const given = new AbortController();
    const reading = readWindows(raster, [whole(raster.image)], { signal: given.signal });
    given.abort(new Error('no longer wanted'));
    await expect(reading).rejects.toThrow('no longer wanted');
    await expect(readWindows(raster, [whole(raster.image)], { signal: given.signal })).rejects.toThrow(
      'no longer wanted',
    );
    await expect(openRaster(memorySource(bytes), given.signal)).rejects.toThrow('no longer wanted');
  });

  test('one bad range ends the others', async () => {
    const bytes = await encodeCog(aCog({ pixels: somePixels('uint16', 400, 400), tileSize: 64 }));
    const raster = await openRaster(memorySource(bytes));
    let aborted = 0;
    const failing: ByteSource = {
      ...memorySource(bytes),
      read: (offset, _length, signal) =>
        offset === first
          ? Promise.reject(new Error('the line is dead'))
          : new Promise((_resolve, reject) => {
              signal!.addEventListener('abort', () => {
                aborted += 1;
                reject(signal!.reason as Error);
              });
            }),
    };
    const wanted = [0, 7 * 3, 7 * 6].map((block) => ({
      column: 0,
      row: Math.floor(block / 7) * 64,
      width: 4,
      height: 4,
    }));
    const first = planBlocks(raster.image, wanted)[0]!.offset;
    await expect(readWindows({ ...raster, source: failing }, wanted)).rejects.toThrow('the line is dead');
    expect(aborted).toBe(2);
  });
});
