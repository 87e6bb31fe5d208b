import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFileSource } from '../../../shared/raster/read/fileSource.js';
import type { PixelWindow } from '../../../shared/geo/grid/grid.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { hasGdal, inFolder, python } from '../gdal.js';

/** GDAL makes a file of smooth noise and says what it holds. */
const CREATE = `
import json, sys
import numpy as np
from osgeo import gdal, osr
gdal.UseExceptions()
path, driver, dtype, bands, options = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), json.loads(sys.argv[5])
h, w = 333, 411
rng = np.random.default_rng(7)
y, x = np.mgrid[0:h, 0:w]
a = np.stack([(np.sin(x / (17 + b)) * np.cos(y / 23) + 1) * 100 + rng.random((h, w)) * 20 for b in range(bands)]).astype(dtype)
if dtype == 'int16': a -= 120
t = {'uint8': gdal.GDT_Byte, 'uint16': gdal.GDT_UInt16, 'int16': gdal.GDT_Int16, 'float32': gdal.GDT_Float32}[dtype]
mem = gdal.GetDriverByName('MEM').Create('', w, h, bands, t)
mem.SetGeoTransform([600000, 10, 0, 5000000, 0, -10])
s = osr.SpatialReference(); s.ImportFromEPSG(32719); mem.SetProjection(s.ExportToWkt())
for b in range(bands):
    mem.GetRasterBand(b + 1).WriteArray(a[b])
    mem.GetRasterBand(b + 1).SetNoDataValue(5)
gdal.GetDriverByName(driver).CreateCopy(path, mem, options=options)
a.tofile(path + '.raw')
print(json.dumps({'driver': driver}))
`;

const READ = `
import json, sys
from osgeo import gdal
gdal.UseExceptions()
d = gdal.Open(sys.argv[1])
open(sys.argv[2], 'wb').write(d.ReadRaster())
print(json.dumps({'transform': d.GetGeoTransform(), 'epsg': int(d.GetSpatialRef().GetAuthorityCode(None)), 'nodata': d.GetRasterBand(1).GetNoDataValue()}))
`;

/** All pixels of a file as bytes, read by us: whole, or put together from odd windows. */
async function readAll(
  path: string,
): Promise<{ readonly bytes: Buffer; readonly raster: Awaited<ReturnType<typeof openRaster>> }> {
  const source = await openFileSource(path);
  try {
    const raster = await openRaster(source);
    const { width, height } = raster.image;
    const whole: PixelWindow = { column: 0, row: 0, width, height };
    const odd: PixelWindow = { column: 97, row: 101, width: 55, height: 66 };
    const [all, part] = await readWindows(raster, [whole, odd]);
    const isInside = width > 200 && height > 200;
    if (isInside) {
      for (let row = 0; row < odd.height; row += 1) {
        const start = (odd.row + row) * width + odd.column;
        expect(part!.data.subarray(row * odd.width, (row + 1) * odd.width)).toEqual(
          all!.data.subarray(start, start + odd.width),
        );
      }
    }
    return { bytes: Buffer.from(all!.data.buffer, all!.data.byteOffset, all!.data.byteLength), raster };
  } finally {
    await source.close();
  }
}

(hasGdal ? describe : describe.skip)('files that GDAL wrote', () => {
  test.each([
    ['GTiff', 'uint16', 1, []],
    ['GTiff', 'uint8', 3, ['COMPRESS=DEFLATE', 'PREDICTOR=2']],
    [
      'GTiff',
      'uint16',
      3,
      ['INTERLEAVE=BAND', 'COMPRESS=DEFLATE', 'PREDICTOR=2', 'TILED=YES', 'BLOCKXSIZE=64', 'BLOCKYSIZE=128'],
    ],
    ['GTiff', 'int16', 1, ['COMPRESS=DEFLATE', 'PREDICTOR=2', 'BLOCKYSIZE=17']],
    ['GTiff', 'float32', 1, ['COMPRESS=DEFLATE', 'PREDICTOR=3', 'TILED=YES']],
    ['GTiff', 'float32', 3, ['COMPRESS=DEFLATE', 'PREDICTOR=3', 'TILED=YES', 'INTERLEAVE=PIXEL']],
    ['GTiff', 'float32', 1, ['COMPRESS=DEFLATE', 'PREDICTOR=2']],
    ['GTiff', 'uint16', 1, ['BIGTIFF=YES', 'COMPRESS=DEFLATE', 'TILED=YES']],
    ['COG', 'uint16', 1, ['COMPRESS=DEFLATE', 'PREDICTOR=YES', 'BLOCKSIZE=128']],
    ['COG', 'uint8', 1, ['COMPRESS=DEFLATE', 'PREDICTOR=YES', 'BLOCKSIZE=256', 'BIGTIFF=YES']],
    ['COG', 'float32', 1, ['COMPRESS=DEFLATE', 'PREDICTOR=YES', 'BLOCKSIZE=128']],
  ] as const)('%s %s, %d bands, %j: the same pixels, place and nodata', async (driver, type, bands, options) => {
    await inFolder(async (folder) => {
      const path = join(folder, 'gdal.tif');
      python(CREATE, path, driver, type, String(bands), JSON.stringify(options));
      const { bytes, raster } = await readAll(path);
      expect(bytes.equals(readFileSync(`${path}.raw`))).toBe(true);
      expect(raster.grid).toMatchObject({
        epsg: 32719,
        originX: 600_000,
        originY: 5_000_000,
        pixelWidth: 10,
        pixelHeight: 10,
      });
      expect(raster).toMatchObject({ nodata: 5, image: { sampleType: type, bands } });
      expect(raster.overviews.length).toBe(driver === 'COG' ? (options.includes('BLOCKSIZE=128' as never) ? 2 : 1) : 0);
    });
  });

  test('sparse blocks are nodata', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'sparse.tif');
      python(
        `
import json, sys
import numpy as np
from osgeo import gdal
d = gdal.GetDriverByName('GTiff').Create(sys.argv[1], 256, 256, 1, gdal.GDT_Byte, options=['SPARSE_OK=TRUE', 'TILED=YES', 'BLOCKXSIZE=64', 'BLOCKYSIZE=64', 'COMPRESS=DEFLATE'])
d.GetRasterBand(1).SetNoDataValue(7)
d.GetRasterBand(1).WriteArray(np.full((64, 64), 3, 'uint8'), 64, 128)
d = None
print(json.dumps(0))
`,
        path,
      );

      const { bytes, raster } = await readAll(path);
      expect(raster.image.blockByteCounts.filter((count) => count === 0)).toHaveLength(15);
      expect(bytes.filter((value) => value === 3)).toHaveLength(64 * 64);
      expect(bytes.filter((value) => value === 7)).toHaveLength(256 * 256 - 64 * 64);
    });
  });

  test.each(['LZW', 'JPEG', 'LERC', 'ZSTD', 'PACKBITS', 'LZMA', 'WEBP'])('%s is refused by its name', async (name) => {
    await inFolder(async (folder) => {
      const path = join(folder, 'packed.tif');
      try {
        python(CREATE, path, 'GTiff', 'uint8', '3', JSON.stringify([`COMPRESS=${name}`, 'INTERLEAVE=PIXEL']));
      } catch {
        // This GDAL was built without it: nothing to refuse.
        return;
      }
      await expect(readAll(path)).rejects.toMatchObject({ name: 'RasterError', kind: 'unsupported' });
      await expect(readAll(path)).rejects.toThrow(new RegExp(`compression ${name} `, 'i'));
    });
  });
});

/** Real Sentinel-2 pictures, where a checkout has them beside it. */
const samples = '../shared/data/imagery';
const realFiles = ((): readonly string[] => {
  try {
    return readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tif'));
  } catch {
    process.stdout.write(`${samples} is not here: real pictures are skipped.\n`);
    return [];
  }
})();

(hasGdal && realFiles.length > 0 ? describe : describe.skip)('real pictures', () => {
  test.each(realFiles.length > 0 ? realFiles : ['none'])(
    '%s: the same pixels and place as GDAL reads',
    async (name) => {
      await inFolder(async (folder) => {
        const path = join(samples, name);
        const raw = join(folder, 'pixels.raw');
        const expected = python(READ, path, raw) as { transform: number[]; epsg: number; nodata: number | null };
        const { bytes, raster } = await readAll(path);
        expect(bytes.equals(readFileSync(raw))).toBe(true);
        const { grid } = raster;
        expect([grid!.originX, grid!.pixelWidth, 0, grid!.originY, 0, -grid!.pixelHeight]).toEqual(expected.transform);
        expect(grid!.epsg).toBe(expected.epsg);
        expect(raster.nodata ?? null).toBe(expected.nodata);
      });
    },
  );
});
