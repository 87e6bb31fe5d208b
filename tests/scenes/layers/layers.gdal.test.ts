import { describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAYER_NAMES, type LayerName } from '../../../shared/scenes/layers/layers.js';
import { renderLayer } from '../../../shared/scenes/layers/renderLayer.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { hasGdal, inFolder, python } from '../../raster/gdal.js';
import { aGrid } from '../../raster/samples.js';
import { aCloudyScene, HEIGHT, WIDTH } from '../../imagery/layers/cloudyScene.js';

/** The same layers from the same pixels by numpy, held against the files that GDAL reads. */
const COMPARE = `
import json, sys
import numpy as np
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
gdal.UseExceptions()
folder, offset, w, h = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
red, green, blue, nir = np.fromfile(folder + '/bands', 'uint16').reshape(4, h, w).astype('int64')
scl = np.fromfile(folder + '/scl', 'uint8').reshape(h // 2 + 4, w // 2 + 4)
field = np.fromfile(folder + '/field', 'uint8').reshape(h, w) == 1

def grown(mask, n):
    p = np.pad(mask, n)
    return np.any([p[y:y + mask.shape[0], x:x + mask.shape[1]] for y in range(2 * n + 1) for x in range(2 * n + 1)], axis=0)

hidden = np.isin(scl, [0, 1, 3, 8, 9, 10, 11]) | grown((scl == 8) | (scl == 9), 2) | grown(scl == 3, 1)
clear = ~hidden[2:-2, 2:-2].repeat(2, 0).repeat(2, 1)
valid = field & clear & (red > 0) & (nir > 0)
dn = lambda band: np.maximum(band + offset, 1)
rho = lambda band: dn(band) / 10000
half_up = lambda x: np.floor(x + 0.5)
ndvi = ((dn(nir) - dn(red)) / (dn(nir) + dn(red))).astype('float32')
evi2 = 2.5 * (rho(nir) - rho(red)) / (rho(nir) + 2.4 * rho(red) + 1)
inner = valid & ~grown(~np.pad(field, 1), 1)[1:-1, 1:-1]
speaking = inner if inner.sum() >= 100 else valid
lo, hi = np.percentile(ndvi[speaking].astype('float64'), [2, 98])
more = max(0, 0.1 - (hi - lo)) / 2
lo, hi = round(lo - more, 6), round(hi + more, 6)
seen = field & (red > 0) & (green > 0) & (blue > 0)
color = lambda band: np.where(seen, 1 + half_up(254 * np.clip(rho(band) / 0.3, 0, 1) ** (1 / 1.4)), 0)
expected = {
    'ndvi': np.where(valid, ndvi, -9999)[None],
    'vegetation': np.where(valid, half_up(100 * np.clip((evi2 - 0.05) / 0.8, 0, 1)), 255)[None],
    'scouting': np.where(valid, half_up(100 * np.clip((ndvi.astype('float64') - lo) / (hi - lo), 0, 1)), 255)[None],
    'true-color': np.stack([color(red), color(green), color(blue)]),
}
answer = {}
for name, values in expected.items():
    path = folder + '/' + name + '.tiff'
    warnings, errors, _ = validate(path, full_check=True)
    d = gdal.Open(path)
    b = d.GetRasterBand(1)
    answer[name] = {
        'differing': int((d.ReadAsArray().reshape(values.shape) != values.astype(d.ReadAsArray().dtype)).sum()),
        'faults': warnings + errors, 'epsg': d.GetSpatialRef().GetAuthorityCode(None), 'transform': d.GetGeoTransform(),
        'nodata': b.GetNoDataValue(), 'type': gdal.GetDataTypeName(b.DataType), 'bands': d.RasterCount,
        'scale': [b.GetScale(), b.GetOffset()], 'hasPalette': b.GetColorTable() is not None, 'metadata': d.GetMetadata(),
    }
answer['speaking'], answer['limits'] = int(speaking.sum()), [lo, hi]
answer['std'] = float(ndvi[speaking].astype('float64').std())
print(json.dumps(answer))
`;

interface Compared {
  readonly differing: number;
  readonly faults: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly scale: readonly [number | null, number | null];
}

(hasGdal ? describe : describe.skip)('the files of a field', () => {
  test.each([0, -1000] as const)('offset %d: GDAL and numpy find the same in every layer', async (offsetDn) => {
    const { scene, classes, bands, field } = aCloudyScene(offsetDn);
    await inFolder(async (folder) => {
      writeFileSync(
        join(folder, 'bands'),
        Buffer.concat(Object.values(bands).map(({ buffer }) => Buffer.from(buffer))),
      );
      writeFileSync(join(folder, 'scl'), classes);
      writeFileSync(join(folder, 'field'), field);
      for (const name of LAYER_NAMES) {
        const layer = renderLayer(name, scene)!;
        const metadata = { ...layer.metadata, fieldId: 'North & South', name };
        const bytes = await encodeCog({ ...layer, metadata, grid: aGrid(WIDTH, HEIGHT), software: 'field service' });
        writeFileSync(join(folder, `${name}.tiff`), bytes);
      }
      const found = python(COMPARE, folder, String(offsetDn), String(WIDTH), String(HEIGHT)) as Record<
        LayerName,
        Compared
      > & {
        readonly speaking: number;
        readonly limits: readonly [number, number];
        readonly std: number;
      };
      for (const name of LAYER_NAMES) {
        expect(found[name]).toMatchObject({
          differing: 0,
          faults: [],
          epsg: '32633',
          metadata: { fieldId: 'North & South', name },
        });
        expect(found[name]).toMatchObject({ transform: [359_140, 10, 0, 5_352_340, 0, -10] });
      }
      expect(found.ndvi).toMatchObject({ nodata: -9999, type: 'Float32', hasPalette: false, bands: 1 });
      expect(found.vegetation).toMatchObject({ nodata: 255, type: 'Byte', hasPalette: true });
      expect(found.vegetation.metadata).toMatchObject({ EVI2_SCALE: '0.008', EVI2_OFFSET: '0.05' });
      // A reader that takes scale and offset first would look its palette up by other numbers.
      expect(LAYER_NAMES.map((name) => found[name].scale)).toEqual(LAYER_NAMES.map(() => [null, null]));
      expect(found.scouting).toMatchObject({ nodata: 255, type: 'Byte', hasPalette: true });
      expect(found['true-color']).toMatchObject({ nodata: 0, type: 'Byte', bands: 3, hasPalette: false });
      const [lo, hi] = found.limits;
      expect(found.scouting.metadata).toMatchObject({ SCOUTING_LO: String(lo), SCOUTING_HI: String(hi) });
      const { statistics } = renderLayer('ndvi', scene)!;
      expect(statistics[0]!.count).toBe(found.speaking);
      // Clouds hide some of the field and leave some: otherwise nothing was compared.
      expect(found.speaking).toBeGreaterThan(1000);
      expect(found.speaking).toBeLessThan(6000);
      expect(statistics[0]!.std).toBeCloseTo(found.std, 9);
    });
  });
});
