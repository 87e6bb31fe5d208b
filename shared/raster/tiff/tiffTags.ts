/** TIFF 6.0, GeoTIFF 1.1 and GDAL tags this library reads or writes. */
export const TAG = {
  newSubfileType: 254,
  imageWidth: 256,
  imageLength: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  software: 305,
  dateTime: 306,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  modelPixelScale: 33550,
  modelTiepoint: 33922,
  modelTransformation: 34264,
  geoKeyDirectory: 34735,
  gdalMetadata: 42112,
  gdalNodata: 42113,
} as const;

/** Bytes of one value of each TIFF field type; index = type, 0 = unknown type. */
export const TYPE_BYTES: readonly number[] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** TIFF field types that this library writes. */
export const TYPE = { ascii: 2, short: 3, long: 4, double: 12 } as const;

/** Keys of the GeoTIFF key directory. */
export const GEO_KEY = { modelType: 1024, rasterType: 1025, geodeticCrs: 2048, projectedCrs: 3072 } as const;

/** Names of the compressions in use, for messages. */
export const COMPRESSION_NAMES: Readonly<Record<number, string>> = {
  2: 'CCITT RLE',
  3: 'CCITT fax 3',
  4: 'CCITT fax 4',
  5: 'LZW',
  6: 'old JPEG',
  7: 'JPEG',
  32773: 'PackBits',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34925: 'LZMA',
  50000: 'zstd',
  50001: 'WebP',
  50002: 'JPEG XL',
};
