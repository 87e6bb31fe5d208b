import type { Grid } from '../../geo/grid/grid.js';
import { RasterError } from './rasterError.js';
import type { TagValues } from './tiffDirectory.js';
import { GEO_KEY, TAG } from './tiffTags.js';

/** The keys whose value stands in the key directory, not in another tag. */
function shortKeys(directory: readonly number[]): ReadonlyMap<number, number> {
  const keys = new Map<number, number>();
  for (let at = 4; at + 3 < directory.length; at += 4) {
    const [key, location, , value] = directory.slice(at, at + 4);
    if (key !== undefined && location === 0 && value !== undefined) keys.set(key, value);
  }
  return keys;
}

function numbers(tags: TagValues, tag: number): readonly number[] | undefined {
  const values = tags.get(tag);
  return typeof values === 'string' ? undefined : values;
}

/** EPSG code of the reference system; 0 when the file names none. */
function epsgOf(keys: ReadonlyMap<number, number>): number {
  const model = keys.get(GEO_KEY.modelType);
  const code = keys.get(model === 2 ? GEO_KEY.geodeticCrs : GEO_KEY.projectedCrs) ?? 0;
  // 32767 says "described by other keys"
  return code === 32767 ? 0 : code;
}

type Affine = Pick<Grid, 'originX' | 'originY' | 'pixelWidth' | 'pixelHeight'>;

function fromTransformation(matrix: readonly number[]): Affine {
  const [pixelWidth = NaN, b, , originX = NaN, d, e = NaN, , originY = NaN] = matrix;
  if (b !== 0 || d !== 0) throw new RasterError('unsupported', 'a rotated raster is not supported');
  return { originX, originY, pixelWidth, pixelHeight: -e };
}

function fromTiepoint(tiepoint: readonly number[], scale: readonly number[]): Affine {
  const [column = NaN, row = NaN, , x = NaN, y = NaN] = tiepoint;
  const [pixelWidth = NaN, pixelHeight = NaN] = scale;
  return { originX: x - column * pixelWidth, originY: y + row * pixelHeight, pixelWidth, pixelHeight };
}

function affineOf(tags: TagValues): Affine | undefined {
  const matrix = numbers(tags, TAG.modelTransformation);
  if (matrix !== undefined) return fromTransformation(matrix);
  const tiepoint = numbers(tags, TAG.modelTiepoint);
  const scale = numbers(tags, TAG.modelPixelScale);
  if (tiepoint === undefined || scale === undefined) return undefined;
  if (tiepoint.length > 6) throw new RasterError('unsupported', 'a raster on several tie points is not supported');
  return fromTiepoint(tiepoint, scale);
}

/**
 * Where the full-size image of a GeoTIFF, `width` × `height` pixels, lies; undefined when the file doesn't say.
 *
 * @throws RasterError `unsupported` when it is rotated, mirrored or on several tie points, `corrupt` when a number is
 * not finite
 * @see OGC GeoTIFF 1.1, annex B
 */
export function georeferenceOf(tags: TagValues, { width, height }: Pick<Grid, 'width' | 'height'>): Grid | undefined {
  const affine = affineOf(tags);
  if (affine === undefined) return undefined;
  if (!Object.values(affine).every((value) => Number.isFinite(value))) {
    throw new RasterError('corrupt', 'the georeference is not finite');
  }
  const { pixelWidth, pixelHeight } = affine;
  if (pixelWidth <= 0 || pixelHeight <= 0) throw new RasterError('unsupported', 'only north-up rasters are supported');
  const keys = shortKeys(numbers(tags, TAG.geoKeyDirectory) ?? []);
  // RasterPixelIsPoint: the tie point is the centre of its pixel.
  const shift = keys.get(GEO_KEY.rasterType) === 2 ? 0.5 : 0;
  return {
    epsg: epsgOf(keys),
    originX: affine.originX - shift * pixelWidth,
    originY: affine.originY + shift * pixelHeight,
    pixelWidth,
    pixelHeight,
    width,
    height,
  };
}
