import { describe, expect, test } from '@jest/globals';
import { inflateSync } from 'node:zlib';
import { demoFarm } from '../../../infra/local/demo/demoFarm.js';
import { layerPicture } from '../../../infra/local/demo/layerPicture.js';
import { POINT_ON_SURFACE } from '../../../infra/local/demo/farms.js';
import { checkField } from '../../../shared/enrollments/upload/fieldShape.js';
import { WorkBudget } from '../../../shared/geo/soundness/workBudget.js';
import { SCOUTING_PALETTE, VEGETATION_PALETTE } from '../../../shared/scenes/layers/palette.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { aCog } from '../../raster/samples.js';

/** Colours of a PNG whose rows are differences to the row above: [row][column]. */
function coloursOf(png: Buffer): readonly (readonly string[])[] {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const start = png.indexOf('IDAT') + 4;
  const packed = inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8)));
  const bytes = packed.length / height;
  const above = new Uint8Array(bytes - 1);
  return Array.from({ length: height }, (_, row) => {
    packed.subarray(row * bytes + 1, (row + 1) * bytes).forEach((difference, at) => {
      above[at] = (above[at]! + difference) & 0xff;
    });
    return Array.from({ length: width }, (_column, column) => above.slice(column * 3, column * 3 + 3).join());
  });
}

const PAPER = '212,219,226';

describe('a layer as a picture for browsers', () => {
  test('shows each pixel of true colour as a square of its colour, and none where there is no data', async () => {
    const pixels = { width: 3, height: 1, bands: 3, data: Uint8Array.from([10, 0, 200, 20, 0, 210, 30, 0, 220]) };
    const rows = coloursOf(await layerPicture('true-color', await encodeCog(aCog({ pixels }))));
    expect([...new Set(rows.flat())]).toEqual(['10,20,30', PAPER, '200,210,220']);
    expect(rows[0]!.length).toBe(rows.length * 3);
  });

  test.each([
    { layer: 'vegetation', palette: VEGETATION_PALETTE },
    { layer: 'scouting', palette: SCOUTING_PALETTE },
  ] as const)('shows $layer by its palette', async ({ layer, palette }) => {
    const pixels = { width: 3, height: 1, bands: 1, data: Uint8Array.from([0, 255, 100]) };
    const rows = coloursOf(await layerPicture(layer, await encodeCog(aCog({ pixels, nodata: 255, palette }))));
    expect([...new Set(rows.flat())]).toEqual([palette[0]!.join(), PAPER, palette[100]!.join()]);
  });
});

describe('the demo farm', () => {
  test('is six fields round the point, the same at every start, that ingest accepts', () => {
    const farm = demoFarm(POINT_ON_SURFACE, 6);
    expect(new Set(farm.map(({ fieldId }) => fieldId)).size).toBe(6);
    expect(demoFarm(POINT_ON_SURFACE, 6)).toEqual(farm);
    for (const { geometry } of farm) {
      expect(checkField([geometry.coordinates], new WorkBudget()).shape.areaHa).toBeGreaterThan(4.9);
    }
  });
});
