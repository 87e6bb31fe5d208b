import type { CogInput } from './cogInput.js';
import { levelTags, type CogLevel } from './cogTags.js';
import { packTiles, type TilePacking } from './cogTiles.js';
import { pyramid } from './overviews.js';
import { sampleTypeOf } from '../tiff/pixels.js';
import { LIMITS } from '../tiff/rasterLimits.js';
import { directoryBytes, encodeDirectory } from '../tiff/tiffEncoding.js';

/** Media type of such a file (OGC 21-026). */
export const COG_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';

/** A picture up to this size is one tile. */
const ONE_TILE_PIXELS = 512;
const TILE_PIXELS = 256;
const HEADER_BYTES = 8;

const LAYOUT = [
  'LAYOUT=IFDS_BEFORE_DATA',
  'BLOCK_ORDER=ROW_MAJOR',
  'BLOCK_LEADER=SIZE_AS_UINT4',
  'BLOCK_TRAILER=LAST_4_BYTES_REPEATED',
  // The space leaves room for YES: an editor that breaks the order overwrites the line in place.
  'KNOWN_INCOMPATIBLE_EDITION=NO\n ',
].join('\n');
/** GDAL's "ghost area": tells readers the order of the file. */
const GHOST_TEXT = `GDAL_STRUCTURAL_METADATA_SIZE=${String(LAYOUT.length).padStart(6, '0')} bytes\n${LAYOUT}`;
/** A directory begins at an even offset. */
const GHOST = GHOST_TEXT.padEnd(Math.ceil(GHOST_TEXT.length / 2) * 2, '\0');

/** The packed tiles of one level and what describes them. */
interface PackedLevel extends CogLevel {
  readonly tiles: readonly Uint8Array[];
}

const upTo16 = (pixels: number): number => Math.ceil(pixels / 16) * 16;

/** Refuses pixels that don't fit their grid. */
function checkPixels({ pixels, grid }: CogInput): void {
  const { width, height, bands, data } = pixels;
  if (bands !== 1 && bands !== 3) throw new RangeError(`${bands} bands: 1 or 3 can be written.`);
  if (width !== grid.width || height !== grid.height) {
    throw new RangeError(`${width} × ${height} pixels on a grid of ${grid.width} × ${grid.height}.`);
  }
  if (data.length !== width * height * bands || data.length === 0) {
    throw new RangeError(`${data.length} values for ${width} × ${height} × ${bands}.`);
  }
}

/** Refuses what the format can't hold. */
function checkForm({ pixels, palette, tileSize = TILE_PIXELS }: CogInput): void {
  const sampleType = sampleTypeOf(pixels.data);
  if (sampleType === 'int16') throw new RangeError('int16 is not written: uint8, uint16 or float32.');
  if (palette !== undefined && (pixels.bands !== 1 || sampleType !== 'uint8')) {
    throw new RangeError('A palette needs one band of uint8.');
  }
  if (tileSize < 16 || tileSize > LIMITS.tilePixels || tileSize % 16 !== 0) {
    throw new RangeError(`Tiles of ${tileSize} pixels: their side is a multiple of 16, at most ${LIMITS.tilePixels}.`);
  }
}

function packingOf(input: CogInput): TilePacking {
  const { pixels, nodata, palette, tileSize } = input;
  const sampleType = sampleTypeOf(pixels.data);
  const isOneTile = tileSize === undefined && Math.max(pixels.width, pixels.height) <= ONE_TILE_PIXELS;
  const plain = palette === undefined ? 2 : 1;
  return {
    sampleType,
    nodata,
    predictor: sampleType === 'float32' ? 3 : plain,
    tileWidth: isOneTile ? upTo16(pixels.width) : (tileSize ?? TILE_PIXELS),
    tileHeight: isOneTile ? upTo16(pixels.height) : (tileSize ?? TILE_PIXELS),
  };
}

async function packLevels(input: CogInput): Promise<readonly PackedLevel[]> {
  const packing = packingOf(input);
  const largestTile = Math.max(packing.tileWidth, packing.tileHeight);
  const rules = { nodata: input.nodata, by: input.overviewsBy ?? 'average' };
  const levels = pyramid(input.pixels, largestTile, rules);
  return await Promise.all(
    levels.map(async (pixels, index) => ({
      pixels,
      packing,
      isOverview: index > 0,
      tiles: await packTiles(pixels, packing),
    })),
  );
}

/** A tile in the file: its length before it, its last four bytes repeated after it. */
function framed(tile: Uint8Array): readonly Uint8Array[] {
  const leader = Buffer.alloc(4);
  leader.writeUInt32LE(tile.length, 0);
  return [leader, tile, tile.subarray(-4)];
}

const FRAME_BYTES = 8;

/** Where the tiles of each level begin. The smallest level comes first in the file, for readers that start with an overview. */
function tileOffsets(levels: readonly PackedLevel[], firstTile: number): readonly (readonly number[])[] {
  let at = firstTile;
  const smallestFirst = levels.toReversed().map(({ tiles }) =>
    tiles.map((tile) => {
      const offset = at + 4;
      at += tile.length + FRAME_BYTES;
      return offset;
    }),
  );
  return smallestFirst.reverse();
}

function encodeDirectories(input: CogInput, levels: readonly PackedLevel[]): Buffer {
  const first = HEADER_BYTES + GHOST.length;
  const tagsAt = (offsets: readonly (readonly number[])[]) =>
    levels.map((level, index) =>
      levelTags(input, level, { offsets: offsets[index] ?? [], byteCounts: level.tiles.map(({ length }) => length) }),
    );
  // The size of a directory does not depend on the offsets, so the sizes can be computed first.
  const sizes = tagsAt(levels.map(({ tiles }) => tiles.map(() => 0))).map(directoryBytes);
  const end = sizes.reduce((sum, size) => sum + size, first);
  let at = first;
  const directories = tagsAt(tileOffsets(levels, end)).map((tags, index) => {
    const next = at + (sizes[index] ?? 0);
    const bytes = encodeDirectory(tags, at, index + 1 < levels.length ? next : 0);
    at = next;
    return bytes;
  });
  return Buffer.concat(directories);
}

/**
 * A Cloud Optimized GeoTIFF as GDAL lays it out: header, directories (full size first), then the tiles, smallest
 * overview first.
 *
 * Deflate level 6; predictor 3 for float32, 2 for integers, none with a palette. One tile up to 512 pixels (sides
 * rounded up to 16), else 256-pixel tiles and overviews. The same input gives the same bytes.
 *
 * @throws RangeError when the input contradicts itself
 * @see https://gdal.org/drivers/raster/cog.html
 */
export async function encodeCog(input: CogInput): Promise<Uint8Array> {
  checkPixels(input);
  checkForm(input);
  const levels = await packLevels(input);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('II', 'latin1');
  header.writeUInt16LE(42, 2);
  header.writeUInt32LE(HEADER_BYTES + GHOST.length, 4);
  const tiles = levels.toReversed().flatMap((level) => level.tiles.flatMap(framed));
  return Buffer.concat([header, Buffer.from(GHOST, 'latin1'), encodeDirectories(input, levels), ...tiles]);
}
