import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  pixelsOfRegion,
  sceneRegionOf,
  tilesOfRegion,
  windowOfBox,
} from '../../../shared/scenes/library/sceneRegion.js';
import { countSet } from '../../../shared/geo/grid/polygonMask.js';
import { searchRegion } from '../../../shared/boundary/stack/searchRegion.js';
import { aScene, FIELD_BOX } from '../../imagery/builders.js';
import { tries } from '../../support/fullRun.js';

describe('the region of a box', () => {
  test('lies on a grid of the UTM zone of its middle', () => {
    const { box, grid } = sceneRegionOf(FIELD_BOX);
    expect(box).toEqual(FIELD_BOX);
    expect(grid).toMatchObject({ epsg: 32633, pixelWidth: 10, pixelHeight: 10 });
    // 0.005° by 0.003° at 48° N, corners on whole 20 m.
    expect([grid.width, grid.height].every((side) => side % 2 === 0 && side > 33 && side < 46)).toBe(true);
  });

  test('on both sides of ±180° is a small one', () => {
    const region = sceneRegionOf([179.99, -16.8, -179.99, -16.79]);
    expect(region.grid.width).toBeLessThan(250);
    const zones = new Set(tilesOfRegion(region).map((tile) => tile.slice(0, 2)));
    expect(zones).toEqual(new Set(['01', '60']));
  });

  test('of more than 1,024 pixels a side is refused with the limit', () => {
    expect(() => sceneRegionOf([13, 48, 13.15, 48.01])).toThrow(/1024 pixels of 10 m/);
  });

  test('of a search for a boundary is never refused, wherever the point lies, and some tile is asked for', () => {
    const longitude = fc.double({ min: -180, max: 180, noNaN: true });
    const latitude = fc.double({ min: -75, max: 75, noNaN: true });
    fc.assert(
      fc.property(longitude, latitude, fc.constantFrom(0, 1), (x, y, round) => {
        expect(tilesOfRegion(sceneRegionOf(searchRegion([x, y], round).box)).length).toBeGreaterThan(0);
      }),
      { numRuns: tries(300) },
    );
  });
});

describe('the pixels of a region', () => {
  test('are those of 20 m whose middles lie in its box, which meridians turn against the grid', () => {
    const region = sceneRegionOf([13.14, 48.29, 13.16, 48.31]);
    const { grid, mask } = pixelsOfRegion(region);
    expect([grid.width, grid.height, grid.pixelWidth]).toEqual([region.grid.width / 2, region.grid.height / 2, 20]);
    expect(countSet(mask)).toBeGreaterThan(0.9 * mask.length);
    expect(countSet(mask)).toBeLessThan(mask.length);
  });
});

describe('the window of a box in a raster', () => {
  const { grid } = aScene();

  test('holds the box, and a margin on each side', () => {
    const [plain, wide] = [windowOfBox(grid, FIELD_BOX), windowOfBox(grid, FIELD_BOX, 3)];
    expect(wide).toEqual({
      column: plain!.column - 3,
      row: plain!.row - 3,
      width: plain!.width + 6,
      height: plain!.height + 6,
    });
  });

  test('ends where the raster ends, and is none beyond', () => {
    const window = windowOfBox(grid, FIELD_BOX)!;
    const cut = { ...grid, width: window.column + 5 };
    expect(windowOfBox(cut, FIELD_BOX, 3)).toMatchObject({ column: window.column - 3, width: 8 });
    expect(windowOfBox({ ...grid, width: window.column }, FIELD_BOX)).toBeUndefined();
    expect(windowOfBox({ ...grid, height: window.row }, FIELD_BOX)).toBeUndefined();
  });
});
