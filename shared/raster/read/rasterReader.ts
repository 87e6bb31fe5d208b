import type { ByteSource } from '../tiff/byteSource.js';
import { georeferenceOf } from '../tiff/geoKeys.js';
import type { Grid } from '../../geo/grid/grid.js';
import { named, RasterError } from '../tiff/rasterError.js';
import { TAG } from '../tiff/tiffTags.js';
import { isOverview, nodataOf, tiffImageOf, type TiffImage } from '../tiff/tiffImage.js';
import { readTiffHeader } from '../tiff/tiffHeaderReader.js';

/** A GeoTIFF whose header has been read; `readWindows` reads its pixels. */
export interface Raster {
  readonly source: ByteSource;
  /** The full-size image. */
  readonly image: TiffImage;
  /** Smaller versions, largest first. */
  readonly overviews: readonly TiffImage[];
  /** Where the full-size image lies; undefined when the file doesn't say. Its `epsg` is 0 when no code is given. */
  readonly grid: Grid | undefined;
  /** The value of pixels without data; undefined when the file names none. */
  readonly nodata: number | undefined;
  /** GDAL's metadata (tag 42112) as the XML it is. */
  readonly metadataXml: string | undefined;
}

/**
 * Opens a GeoTIFF: reads its header, with one request of 32 KB for nearly every COG.
 *
 * Classic and BigTIFF, little-endian; tiles and strips; deflate or no compression; predictors 1 to 3; uint8, uint16,
 * int16, float32. Pages beyond the first image and masks are passed over.
 *
 * @throws RasterError for everything else; its message begins with the source's name
 */
export async function openRaster(source: ByteSource, signal?: AbortSignal): Promise<Raster> {
  try {
    const [first, ...others] = await readTiffHeader(source, signal);
    if (first === undefined) throw new RasterError('corrupt', 'the file has no image');
    const fileBytes = source.size ?? 0;
    const image = tiffImageOf(first, fileBytes);
    const overviews = others.filter(isOverview).map((tags) => tiffImageOf(tags, fileBytes));
    const metadata = first.get(TAG.gdalMetadata);
    return {
      source,
      image,
      overviews: overviews.sort((a, b) => b.width - a.width),
      grid: georeferenceOf(first, image),
      nodata: nodataOf(first),
      metadataXml: typeof metadata === 'string' ? metadata : undefined,
    };
  } catch (error) {
    throw named(error, source.name);
  }
}
