import { describe, expect, test } from '@jest/globals';
import { renderScene } from '../../infra/local/scenes/renderScene.js';
import { ringHolds } from '../../shared/boundary/rings.js';
import type { Position } from '../../shared/geo/geoJson.js';
import { encodeCog } from '../../shared/raster/encodeCog.js';
import { windowGrid, type PixelWindow } from '../../shared/raster/grid.js';
import { findField, type FieldFinding } from '../../shared/smartBoundary/findField.js';
import { searchRegion } from '../../shared/smartBoundary/searchRegion.js';
import { shippedModel } from '../boundary/fixtures.js';
import { evenFields } from '../boundary/syntheticFields.js';

/** In a synthetic field of 1.3 ha. */
const POINT: Position = [-92.9819, 41.5046];
/** A small region keeps the tests quick. */
const SIDE = 96;
const usual = searchRegion(POINT, 0).grid;
const corner = (usual.width - SIDE) / 2;
const grid = windowGrid(usual, { column: corner, row: corner, width: SIDE, height: SIDE });
const model = shippedModel();
const scene = renderScene({ ...grid, date: '2026-06-08' }, { cloudFraction: 0, roughness: evenFields });

/** The finding when the files end at a window of the search region. */
async function foundIn(window: PixelWindow, point = POINT): Promise<FieldFinding> {
  const images: Record<string, Uint8Array> = {};
  for (const [name, data] of Object.entries({ ...scene.bands, SCL: scene.scl })) {
    const part = data.slice(0, window.width * window.height);
    for (let row = 0; row < window.height; row += 1) {
      const start = (window.row + row) * grid.width + window.column;
      part.set(data.subarray(start, start + window.width), row * window.width);
    }
    const pixels = { width: window.width, height: window.height, bands: 1, data: part };
    images[name] = await encodeCog({ grid: windowGrid(grid, window), pixels, nodata: 0 });
  }
  return findField({ grid, point, scenes: [{ id: 's', date: '2026-06-08', images }] }, model);
}

describe('the field at a point', () => {
  test('is found, with a picture of what was looked at', async () => {
    const { answer, picture, mayGrow, passed } = await foundIn({ column: 0, row: 0, width: SIDE, height: SIDE });
    expect(answer).toMatchObject({ outcome: 'field', touchesWindow: false });
    expect(picture).toMatchObject({ date: '2026-06-08', grid: { width: SIDE, height: SIDE } });
    expect([mayGrow, passed]).toEqual([false, []]);
  });

  test('is found at the very edge of the files, which is no cloud', async () => {
    // The files end 30 m west of the point.
    const { answer, mayGrow } = await foundIn({ column: SIDE / 2 - 3, row: 0, width: SIDE / 2 + 3, height: SIDE });
    expect(answer?.outcome).toBe('field');
    if (answer?.outcome !== 'field') return;
    expect(ringHolds(answer.polygon.coordinates[0]!.slice(1), POINT)).toBe(true);
    // It ends where the files end; a larger region would show no more.
    expect([answer.touchesWindow, mayGrow]).toEqual([true, false]);
  });

  test('asks for more when it reaches a side beyond which there is ground', async () => {
    // The same files, asked for as if the region ended 30 m east of the point.
    const near = { ...grid, width: SIDE / 2 + 4 };
    const images: Record<string, Uint8Array> = {};
    for (const [name, data] of Object.entries({ ...scene.bands, SCL: scene.scl })) {
      images[name] = await encodeCog({ grid, pixels: { width: SIDE, height: SIDE, bands: 1, data }, nodata: 0 });
    }
    const scenes = [{ id: 's', date: '2026-06-08', images }];
    const finding = await findField({ grid: near, point: POINT, scenes }, model);
    expect(finding.answer?.touchesWindow).toBe(true);
    expect(finding.mayGrow).toBe(true);
  });

  test('is not sought where no file shows the point', async () => {
    expect(await foundIn({ column: SIDE / 2 + 5, row: 0, width: 30, height: SIDE })).toMatchObject({
      answer: undefined,
      mayGrow: false,
      picture: undefined,
    });
  });
});
