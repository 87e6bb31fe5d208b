import { describe, expect, test } from '@jest/globals';
import { renderScene } from '../../../tools/scenes/renderScene.js';
import { ringHolds } from '../../../shared/geo/shapes/rings.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import type { SceneFile } from '../../../shared/scenes/item/scene.js';
import type { CutImage } from '../../../shared/scenes/library/cutImage.js';
import { fileOfBand } from '../../../shared/boundary/stack/sceneStack.js';
import { isInside, toMapPoint, windowGrid, type PixelWindow } from '../../../shared/geo/grid/grid.js';
import { projectionOf } from '../../../shared/geo/grid/utm.js';
import { findField, type FieldFinding } from '../../../shared/boundary/job/findField.js';
import { searchRegion } from '../../../shared/boundary/stack/searchRegion.js';
import { shippedModel } from '../predict/fixtures.js';
import { evenFields } from '../predict/syntheticFields.js';
import { drawnOnce } from '../../support/drawnScenes.js';

/** In a synthetic field of 1.3 ha. */
const POINT: Position = [-92.9819, 41.5046];
/** A small region keeps the tests quick. */
const SIDE = 96;
const usual = searchRegion(POINT, 0).grid;
const corner = (usual.width - SIDE) / 2;
const grid = windowGrid(usual, { column: corner, row: corner, width: SIDE, height: SIDE });
const model = shippedModel();
const [order, look] = [
  { ...grid, date: '2026-06-08' },
  { cloudFraction: 0, roughness: evenFields },
];
const scene = drawnOnce({ ...order, ...look }, () => renderScene(order, look));

const fileOf = (name: string): SceneFile => (name === 'SCL' ? 'scl' : fileOfBand[name as 'B02']);

/** The finding when the files end at a window of the search region. */
async function foundIn(window: PixelWindow, point = POINT): Promise<FieldFinding> {
  const cuts: Partial<Record<SceneFile, CutImage>> = {};
  for (const [name, data] of Object.entries({ ...scene.bands, SCL: scene.scl })) {
    const part = data.slice(0, window.width * window.height);
    for (let row = 0; row < window.height; row += 1) {
      const start = (window.row + row) * grid.width + window.column;
      part.set(data.subarray(start, start + window.width), row * window.width);
    }
    const pixels = { width: window.width, height: window.height, bands: 1, data: part };
    cuts[fileOf(name)] = { grid: windowGrid(grid, window), pixels };
  }
  return findField({ grid, point, scenes: [{ id: 's', date: '2026-06-08', pass: 'p', cuts }] }, model);
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

  test('is not sought where no file shows the point', async () => {
    expect(await foundIn({ column: SIDE / 2 + 5, row: 0, width: 30, height: SIDE })).toMatchObject({
      answer: undefined,
      mayGrow: false,
      picture: undefined,
    });
  });
});

describe('whether a larger region may show more of the field', () => {
  const side = 40;
  const region = windowGrid(usual, { column: 100, row: 100, width: side, height: side });
  const whole = { column: 0, row: 0, width: side, height: side };
  /** Crop in leaf on bare soil, reflectance × 10000, and their classes (SCL). */
  const cover = { B02: [300, 700], B03: [500, 800], B04: [300, 1200], B08: [4000, 1800], SCL: [4, 5] } as const;

  /** A field of 18 by 14 pixels, as files that end at a window of the region show it. */
  async function seen(field: { readonly column: number; readonly row: number }, files: PixelWindow, by = model) {
    const cuts: Partial<Record<SceneFile, CutImage>> = {};
    for (const [name, [crop, soil]] of Object.entries(cover)) {
      const data = Uint16Array.from({ length: files.width * files.height }, (_, k) => {
        const column = files.column + (k % files.width) - field.column;
        const row = files.row + Math.floor(k / files.width) - field.row;
        const isField = isInside({ column, row, width: 1, height: 1 }, { width: 18, height: 14 });
        return isField ? crop : soil + (name === 'SCL' ? 0 : k % 11);
      });
      const pixels = { width: files.width, height: files.height, bands: 1 };
      cuts[fileOf(name)] = {
        grid: windowGrid(region, files),
        pixels: { ...pixels, data: name === 'SCL' ? Uint8Array.from(data) : data },
      };
    }
    const middle = toMapPoint(region, [field.column + 9, field.row + 7]);
    const place = projectionOf(region.epsg).toPosition(middle);
    return findField({ grid: region, point: place, scenes: [{ id: 's', date: '2026-06-08', pass: 'p', cuts }] }, by);
  }

  test.each([
    { where: 'in the middle', field: { column: 12, row: 12 }, touches: false },
    { where: 'at the left', field: { column: 0, row: 12 }, touches: true },
    { where: 'at the top', field: { column: 12, row: 0 }, touches: true },
    { where: 'at the right', field: { column: 22, row: 12 }, touches: true },
    { where: 'at the bottom', field: { column: 12, row: 26 }, touches: true },
  ])('$where of the region: $touches', async ({ field, touches }) => {
    const { answer, mayGrow, picture } = await seen(field, whole);
    expect([answer?.outcome, answer?.touchesWindow, mayGrow]).toEqual(['field', touches, touches]);
    expect(picture?.date).toBe('2026-06-08');
  });

  test.each([
    { where: 'left', field: { column: 14, row: 12 }, files: { ...whole, column: 14, width: 26 } },
    { where: 'top', field: { column: 12, row: 14 }, files: { ...whole, row: 14, height: 26 } },
    { where: 'right', field: { column: 18, row: 12 }, files: { ...whole, width: 36 } },
    { where: 'bottom', field: { column: 12, row: 22 }, files: { ...whole, height: 36 } },
  ])('not where it reaches the end of the files ($where), beyond which they have nothing', async ({ field, files }) => {
    const { answer, mayGrow } = await seen(field, files);
    expect([answer?.outcome, answer?.touchesWindow, mayGrow]).toEqual(['field', true, false]);
  });

  test.each([
    { where: 'there is more ground on one side', files: { ...whole, row: 2, height: 36 }, column: 0, expected: true },
    {
      where: 'the files end on every side',
      files: { column: 2, row: 2, width: 36, height: 36 },
      column: 2,
      expected: false,
    },
  ])('and, where nothing is recognised, while $where: $expected', async ({ files, column, expected }) => {
    // A network that knows no edge leaves the ranker in doubt.
    const { answer, mayGrow, picture } = await seen({ column, row: 12 }, files, { ...model, networks: [] });
    expect([answer?.outcome, answer?.touchesWindow, mayGrow, picture]).toEqual(['refused', true, expected, undefined]);
  });
});
