import { describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { centreMask, type PlanarPart } from '../../../shared/geo/grid/polygonMask.js';
import { hasGdal, inFolder, python } from '../../raster/gdal.js';
import { aGrid } from '../../raster/samples.js';

const DRAW = `
import json, sys
import numpy as np
from osgeo import gdal, ogr
gdal.UseExceptions(); ogr.UseExceptions()
shapes, out = json.load(open(sys.argv[1])), open(sys.argv[1] + '.raw', 'wb')
for parts in shapes:
    d = gdal.GetDriverByName('MEM').Create('', 120, 90, 1, gdal.GDT_Byte)
    d.SetGeoTransform([359140, 10, 0, 5352340, 0, -10])
    for rings in parts:
        source = ogr.GetDriverByName('Memory').CreateDataSource('')
        layer = source.CreateLayer('l', None, ogr.wkbPolygon)
        feature = ogr.Feature(layer.GetLayerDefn())
        feature.SetGeometry(ogr.CreateGeometryFromJson(json.dumps({'type': 'Polygon', 'coordinates': rings})))
        layer.CreateFeature(feature)
        gdal.RasterizeLayer(d, [1], layer, burn_values=[1])
    out.write(d.ReadRaster())
print(json.dumps(len(shapes)))
`;

/** A star-shaped ring around a place, in metres. */
function star(seed: number, [x, y]: readonly [number, number], radius: number): [number, number][] {
  const corners = 5 + (seed % 40);
  const ring = Array.from({ length: corners }, (_, index): [number, number] => {
    const angle = (2 * Math.PI * index) / corners;
    const reach = radius * (0.55 + 0.45 * Math.sin(seed * 13.7 + index * (3 + (seed % 7))));
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
  });
  return [...ring, ring[0]!];
}

(hasGdal ? describe : describe.skip)('fields drawn by pixel centre', () => {
  test('300 polygons with holes and overlapping parts: not one pixel differs from GDAL', async () => {
    const shapes: PlanarPart[][] = Array.from({ length: 300 }, (_, seed) => {
      const centre = [359_700 + (seed % 11) * 17.3, 5_351_900 - (seed % 13) * 9.1] as const;
      const parts: PlanarPart[] = [[star(seed, centre, 420), star(seed + 5, centre, 90)]];
      if (seed % 3 === 0) parts.push([star(seed + 1, [centre[0] + 200, centre[1] + 100], 300)]);
      return parts;
    });
    await inFolder((folder) => {
      const path = join(folder, 'shapes.json');
      writeFileSync(path, JSON.stringify(shapes));
      expect(python(DRAW, path)).toBe(300);
      const expected = readFileSync(`${path}.raw`);
      const found = Buffer.concat(shapes.map((parts) => centreMask(parts, aGrid(120, 90))));
      const differing = found.reduce((count, value, index) => count + (value === expected[index] ? 0 : 1), 0);
      expect(differing).toBe(0);
      expect(found.filter((value) => value === 1).length).toBeGreaterThan(100_000);
      return Promise.resolve();
    });
  });
});
