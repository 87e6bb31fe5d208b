import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ByteSource } from '../../../shared/raster/tiff/byteSource.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { aCog, somePixels } from '../samples.js';
import { buildTiff } from '../tiffBuilder.js';
import { tries } from '../../support/fullRun.js';

const MUTATIONS = tries(2000);
/** Requests for the parts of one file, whatever its directories say; an undamaged one needs three. */
const MOST_READS = 8;
/** Four unpacked blocks of at most 64 MB at a time, and what the collector has not taken yet. */
const MOST_MEMORY_KB = 400 * 1024;

/** Repeatable random numbers (mulberry32): a failing file can be made again from its number. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** Values that arithmetic on sizes and offsets stumbles over. */
const EXTREMES = [0, 1, 2, 7, 255, 256, 4096, 4097, 65_535, 65_536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff];

/** The directories lie in front: most changes go there, where they hurt. */
function place(bytes: Buffer, random: (below: number) => number): number {
  const front = random(4) === 0 ? bytes.length : Math.min(bytes.length, 700);
  return random(Math.max(1, front - 8));
}

const CHANGES: readonly ((bytes: Buffer, random: (below: number) => number) => Buffer)[] = [
  (bytes, random) => {
    bytes[place(bytes, random)] = random(256);
    return bytes;
  },
  (bytes, random) => {
    bytes.writeUInt32LE(EXTREMES[random(EXTREMES.length)]!, place(bytes, random));
    return bytes;
  },
  (bytes, random) => {
    bytes.writeUInt16LE(EXTREMES[random(EXTREMES.length)]! & 0xffff, place(bytes, random));
    return bytes;
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => {
    bytes.copy(bytes, place(bytes, random), place(bytes, random), place(bytes, random) + random(64));
    return bytes;
  },
  (bytes, random) => {
    const start = place(bytes, random);
    bytes.fill(random(256), start, Math.min(bytes.length, start + random(200)));
    return bytes;
  },
];

function mutated(seeds: readonly Buffer[], number: number): Buffer {
  const random = randomFrom(number);
  let bytes: Buffer = Buffer.from(seeds[number % seeds.length]!);
  for (let change = 0; change <= random(4) && bytes.length > 16; change += 1) {
    bytes = CHANGES[random(CHANGES.length)]!(bytes, random);
  }
  return bytes;
}

/** Bytes in memory as a source that counts how often it is asked. */
function countingSource(bytes: Uint8Array): { readonly source: ByteSource; readonly reads: () => number } {
  const inner = memorySource(bytes);
  let reads = 0;
  const read: ByteSource['read'] = (...range) => {
    reads += 1;
    return inner.read(...range);
  };
  return { source: { ...inner, read }, reads: () => reads };
}

/** Opens a file and reads both its corners and an overview. */
async function readCorners(source: ByteSource): Promise<void> {
  const raster = await openRaster(source);
  const { width, height } = raster.image;
  const corner = { column: width - 100, row: height - 100, width: 300, height: 300 };
  await readWindows(raster, [{ column: 0, row: 0, width: 200, height: 200 }, corner]);
  const overview = raster.overviews[0];
  if (overview !== undefined)
    await readWindows(raster, [{ column: 0, row: 0, width: 100, height: 100 }], { image: overview });
}

describe('a damaged file', () => {
  let seeds: readonly Buffer[];
  beforeAll(async () => {
    const written = await Promise.all([
      encodeCog(aCog({ pixels: somePixels('uint16', 300, 200), tileSize: 64, metadata: { fieldId: 'North' } })),
      encodeCog(aCog({ pixels: somePixels('float32', 70, 60), nodata: -9999 })),
      encodeCog(aCog({ pixels: somePixels('uint8', 60, 60, 3) })),
    ]);
    const other = [
      buildTiff({ pixels: somePixels('int16', 90, 80), rowsPerStrip: 9, compression: 8, predictor: 2 }),
      buildTiff({ pixels: somePixels('uint16', 90, 80, 3), isBig: true, tile: [32, 16], isPlanar: true, sparse: [4] }),
      buildTiff({ pixels: somePixels('float32', 90, 80), compression: 8, predictor: 3, isDirectoryLast: true }),
    ];
    seeds = [...written.map((bytes) => Buffer.from(bytes)), ...other];
    for (const seed of seeds) await readCorners(memorySource(seed));
  });

  test(`is read or refused with a RasterError, with few requests and within bounds: ${MUTATIONS} files`, async () => {
    const memoryBefore = process.resourceUsage().maxRSS;
    const outcomes = new Map<string, number>();
    for (let number = 0; number < MUTATIONS; number += 1) {
      const { source, reads } = countingSource(mutated(seeds, number));
      const outcome = await readCorners(source).then(
        () => 'read',
        (error: unknown) => (error instanceof RasterError ? error.kind : `file ${number}: ${String(error)}`),
      );
      expect(['read', 'corrupt', 'unsupported', 'too_large']).toContain(outcome);
      expect({ number, isFew: reads() <= MOST_READS }).toEqual({ number, isFew: true });
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(process.resourceUsage().maxRSS - memoryBefore).toBeLessThan(MOST_MEMORY_KB);
    // The changes must really hurt, and in every way, or this test proves nothing.
    for (const kind of ['read', 'corrupt', 'unsupported', 'too_large'])
      expect(outcomes.get(kind) ?? 0).toBeGreaterThan(tries(20));
  });
});
