import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CogInput } from '../../../shared/raster/write/cogInput.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { hasGdal, inFolder, python } from '../gdal.js';
import { aCog, aGrid, somePixels } from '../samples.js';

const DESCRIBE = `
import json, sys
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
gdal.UseExceptions()
path = sys.argv[1]
warnings, errors, details = validate(path, full_check=True)
d = gdal.Open(path)
b = d.GetRasterBand(1)
table = b.GetColorTable()
open(path + '.raw', 'wb').write(d.ReadRaster())
print(json.dumps({
  'warnings': warnings, 'errors': errors, 'epsg': d.GetSpatialRef().GetAuthorityCode(None),
  'transform': d.GetGeoTransform(), 'nodata': b.GetNoDataValue(), 'type': gdal.GetDataTypeName(b.DataType),
  'metadata': d.GetMetadata(), 'structure': d.GetMetadata('IMAGE_STRUCTURE'), 'bands': d.RasterCount,
  'block': b.GetBlockSize(), 'overviews': b.GetOverviewCount(), 'scale': b.GetScale(), 'offset': b.GetOffset(),
  'colour': [gdal.GetColorInterpretationName(d.GetRasterBand(i + 1).GetColorInterpretation()) for i in range(d.RasterCount)],
  'table': None if table is None else [table.GetColorEntry(i)[:3] for i in range(256)],
}))
`;

interface Description {
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  readonly epsg: string;
  readonly transform: readonly number[];
  readonly nodata: number | null;
  readonly type: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly structure: Readonly<Record<string, string>>;
  readonly bands: number;
  readonly block: readonly [number, number];
  readonly overviews: number;
  readonly scale: number | null;
  readonly offset: number | null;
  readonly colour: readonly string[];
  readonly table: readonly (readonly number[])[] | null;
}

/** What GDAL says of a picture we wrote, and the bytes of the pixels it reads. */
async function askGdal(input: CogInput): Promise<Description & { readonly pixels: Buffer }> {
  let answer: (Description & { readonly pixels: Buffer }) | undefined;
  await inFolder(async (folder) => {
    const path = join(folder, 'picture.tif');
    writeFileSync(path, await encodeCog(input));
    const description = python(DESCRIBE, path) as Description;
    answer = { ...description, pixels: readFileSync(`${path}.raw`) };
  });
  return answer!;
}

const bytesOf = ({ pixels: { data } }: CogInput): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

(hasGdal ? describe : describe.skip)('GDAL reads what was written', () => {
  test.each([
    {
      why: 'float32 in one tile',
      input: aCog({ pixels: somePixels('float32', 80, 74), nodata: -9999 }),
      overviews: 0,
      block: [80, 80],
    },
    { why: 'one pixel', input: aCog({ pixels: somePixels('uint16', 1, 1) }), overviews: 0, block: [16, 16] },
    {
      why: 'the largest single tile',
      input: aCog({ pixels: somePixels('uint16', 512, 200) }),
      overviews: 0,
      block: [512, 208],
    },
    {
      why: 'uint16 with overviews',
      input: aCog({ pixels: somePixels('uint16', 1111, 513) }),
      overviews: 3,
      block: [256, 256],
    },
    {
      why: 'float32 with overviews',
      input: aCog({ pixels: somePixels('float32', 300, 700), nodata: -9999 }),
      overviews: 2,
      block: [256, 256],
    },
    {
      why: 'RGB',
      input: aCog({ pixels: somePixels('uint8', 90, 60, 3) }),
      overviews: 0,
      block: [96, 64],
    },
    {
      why: 'RGB with overviews',
      input: aCog({ pixels: somePixels('uint8', 600, 530, 3) }),
      overviews: 2,
      block: [256, 256],
    },
    {
      why: 'larger tiles',
      input: aCog({ pixels: somePixels('uint16', 1500, 1300), tileSize: 1024, overviewsBy: 'nearest' }),
      overviews: 1,
      block: [1024, 1024],
    },
  ])('$why: the same pixels, a valid COG', async ({ input, overviews, block }) => {
    const found = await askGdal(input);
    expect(found.errors).toEqual([]);
    expect(found.warnings).toEqual([]);
    expect(found.pixels.equals(bytesOf(input))).toBe(true);
    expect(found).toMatchObject({ overviews, block, bands: input.pixels.bands, epsg: '32633', nodata: input.nodata });
    expect(found.structure).toMatchObject({ LAYOUT: 'COG', COMPRESSION: 'DEFLATE' });
    expect(found.transform).toEqual([359_140, 10, 0, 5_352_340, 0, -10]);
  });

  test('a palette, and neither scale nor offset', async () => {
    const palette = Array.from({ length: 256 }, (_, value) => [value, 255 - value, (value * 7) % 256] as const);
    const input = aCog({
      pixels: somePixels('uint8', 50, 40),
      nodata: 255,
      palette,
    });
    const found = await askGdal(input);
    expect(found).toMatchObject({
      errors: [],
      warnings: [],
      nodata: 255,
      scale: null,
      offset: null,
      colour: ['Palette'],
    });
    expect(found.table).toEqual(palette);
    expect(found.pixels.equals(bytesOf(input))).toBe(true);
  });

  test('every metadata value comes back as it was given, marks and accents too', async () => {
    const metadata = { fieldId: 'North & South <3> "a" é', SCENE_CLOUD_PERCENT: '12.5', escaped: '&amp;amp; &lt;' };
    const found = await askGdal(
      aCog({ metadata, software: 'field service 1.0', takenAt: new Date('2026-05-04T10:11:12.345Z') }),
    );
    expect(found.metadata).toMatchObject({
      ...metadata,
      TIFFTAG_SOFTWARE: 'field service 1.0',
      TIFFTAG_DATETIME: '2026:05:04 10:11:12',
      AREA_OR_POINT: 'Area',
    });
    expect(found.errors).toEqual([]);
  });

  test('a picture in longitude and latitude', async () => {
    const grid = { ...aGrid(40, 30), epsg: 4326, originX: 13, originY: 48, pixelWidth: 0.0001, pixelHeight: 0.0002 };
    const found = await askGdal(aCog({ grid }));
    expect(found).toMatchObject({ errors: [], epsg: '4326', transform: [13, 0.0001, 0, 48, 0, -0.0002] });
  });

  test('RGB bands are red, green and blue', async () => {
    const found = await askGdal(aCog({ pixels: somePixels('uint8', 20, 20, 3) }));
    expect(found.colour).toEqual(['Red', 'Green', 'Blue']);
    expect(found.structure).toMatchObject({ INTERLEAVE: 'PIXEL' });
  });
});
