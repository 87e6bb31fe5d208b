import type { CogInput } from './cogInput.js';
import type { Pixels } from '../tiff/pixels.js';
import type { TilePacking } from './cogTiles.js';
import { SAMPLE_BYTES } from '../tiff/pixels.js';
import { doubles, longs, shorts, textTag, type TagToWrite } from '../tiff/tiffEncoding.js';
import { GEO_KEY, TAG } from '../tiff/tiffTags.js';

/**
 * Text inside GDAL's metadata: GDAL un-escapes it twice when it reads, so `&`, `<` and `>` are escaped twice.
 *
 * @throws RangeError for control characters, which XML cannot hold
 */
function metadataText(value: string): string {
  if (/[\u0000-\u001f\u007f]/.test(value)) throw new RangeError('A metadata value holds a control character.');
  const escaped = (raw: string): string => raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped(escaped(value));
}

function metadataItem(name: string, value: string): string {
  if (!/^[\w.:-]+$/.test(name)) throw new RangeError(`"${name}" is no name of a metadata item.`);
  return `  <Item name="${name}">${metadataText(value)}</Item>\n`;
}

/** GDAL's metadata (tag 42112) as XML; undefined when there is nothing to say. */
function metadataXml({ metadata = {} }: CogInput): string | undefined {
  const items = Object.keys(metadata)
    .sort()
    .map((name) => metadataItem(name, metadata[name] ?? ''));
  return items.length === 0 ? undefined : `<GDALMetadata>\n${items.join('')}</GDALMetadata>`;
}

/** `YYYY:MM:DD HH:MM:SS` in UTC, the form of tag 306. */
function dateTime(instant: Date): string {
  return instant.toISOString().slice(0, 19).replaceAll('-', ':').replace('T', ' ');
}

/** The tag's photometric interpretation: 1 grey, 2 RGB, 3 palette. */
function photometricOf({ palette, pixels }: CogInput): number {
  if (palette !== undefined) return 3;
  return pixels.bands === 3 ? 2 : 1;
}

/** TIFF wants all reds, then greens, then blues, of 16 bits: 255 becomes 65,535. */
function colorMap(palette: NonNullable<CogInput['palette']>): TagToWrite {
  const channel = (index: 0 | 1 | 2): number[] =>
    Array.from({ length: 256 }, (_, value) => (palette[value]?.[index] ?? 0) * 257);
  return shorts(TAG.colorMap, ...channel(0), ...channel(1), ...channel(2));
}

function geoTags({ epsg, originX, originY, pixelWidth, pixelHeight }: CogInput['grid']): readonly TagToWrite[] {
  const isGeographic = epsg === 4326;
  const crsKey = isGeographic ? GEO_KEY.geodeticCrs : GEO_KEY.projectedCrs;
  const keys = [
    [GEO_KEY.modelType, 0, 1, isGeographic ? 2 : 1],
    [GEO_KEY.rasterType, 0, 1, 1],
    [crsKey, 0, 1, epsg],
  ];
  return [
    doubles(TAG.modelPixelScale, pixelWidth, pixelHeight, 0),
    doubles(TAG.modelTiepoint, 0, 0, 0, originX, originY, 0),
    shorts(TAG.geoKeyDirectory, 1, 1, 0, keys.length, ...keys.flat()),
  ];
}

/** One level of the file: the full picture or an overview. */
export interface CogLevel {
  readonly pixels: Pixels;
  readonly packing: TilePacking;
  readonly isOverview: boolean;
}

/** Tags that only the full picture has: where it lies and what it is. */
function fullSizeTags(input: CogInput): readonly TagToWrite[] {
  const xml = metadataXml(input);
  return [
    ...geoTags(input.grid),
    ...(input.software === undefined ? [] : [textTag(TAG.software, input.software)]),
    ...(input.takenAt === undefined ? [] : [textTag(TAG.dateTime, dateTime(input.takenAt))]),
    ...(xml === undefined ? [] : [textTag(TAG.gdalMetadata, xml)]),
  ];
}

/**
 * All tags of one level.
 *
 * @param tiles where each tile lies and how long it is
 */
export function levelTags(
  input: CogInput,
  level: CogLevel,
  tiles: { readonly offsets: readonly number[]; readonly byteCounts: readonly number[] },
): readonly TagToWrite[] {
  const { pixels, packing, isOverview } = level;
  const perBand = (value: number): number[] => Array<number>(pixels.bands).fill(value);
  return [
    longs(TAG.newSubfileType, isOverview ? 1 : 0),
    longs(TAG.imageWidth, pixels.width),
    longs(TAG.imageLength, pixels.height),
    shorts(TAG.bitsPerSample, ...perBand(SAMPLE_BYTES[packing.sampleType] * 8)),
    shorts(TAG.compression, 8),
    shorts(TAG.photometric, photometricOf(input)),
    shorts(TAG.samplesPerPixel, pixels.bands),
    shorts(TAG.planarConfiguration, 1),
    ...(packing.predictor === 1 ? [] : [shorts(TAG.predictor, packing.predictor)]),
    ...(input.palette === undefined ? [] : [colorMap(input.palette)]),
    shorts(TAG.tileWidth, packing.tileWidth),
    shorts(TAG.tileLength, packing.tileHeight),
    longs(TAG.tileOffsets, ...tiles.offsets),
    longs(TAG.tileByteCounts, ...tiles.byteCounts),
    shorts(TAG.sampleFormat, ...perBand(packing.sampleType === 'float32' ? 3 : 1)),
    textTag(TAG.gdalNodata, Number.isNaN(input.nodata) ? 'nan' : String(input.nodata)),
    ...(isOverview ? [] : fullSizeTags(input)),
  ];
}
