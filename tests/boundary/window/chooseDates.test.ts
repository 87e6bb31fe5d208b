import { describe, expect, test } from '@jest/globals';
import type { BoundaryScene } from '../../../shared/boundary/window/boundaryInput.js';
import { chooseDates, clearMask, maxDates } from '../../../shared/boundary/window/chooseDates.js';

const side = 40;
const grid = {
  epsg: 32632,
  originX: 500_000,
  originY: 5_400_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: side,
  height: side,
};
const point = { row: 20, column: 20 };

/** A scene whose classification is `scl` everywhere but where told. */
function aScene({
  date = '2025-06-01',
  scl = 4,
  at = [] as readonly number[],
  as = 9,
  nodata = [] as readonly number[],
} = {}): BoundaryScene {
  const red = new Uint16Array(side * side).fill(500);
  for (const k of nodata) red[k] = 0;
  const classes = new Uint8Array(side * side).fill(scl);
  for (const k of at) classes[k] = as;
  return { date, sceneIds: [`scene-${date}`], bands: { B04: red }, scl: classes };
}

const rows = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) * side }, (_, k) => from * side + k);

describe('clear pixels', () => {
  test.each([
    { scl: 0, name: 'no data', isClear: false },
    { scl: 1, name: 'saturated', isClear: false },
    { scl: 2, name: 'dark or terrain shadow', isClear: true },
    { scl: 3, name: 'cloud shadow', isClear: false },
    { scl: 4, name: 'vegetation', isClear: true },
    { scl: 5, name: 'bare ground', isClear: true },
    { scl: 6, name: 'water', isClear: true },
    { scl: 7, name: 'unclassified', isClear: true },
    { scl: 8, name: 'cloud, medium probability', isClear: false },
    { scl: 9, name: 'cloud, high probability', isClear: false },
    { scl: 10, name: 'thin cirrus', isClear: false },
    { scl: 11, name: 'snow', isClear: false },
  ])('$name ($scl) is clear: $isClear', ({ scl, isClear }) => {
    expect(clearMask(aScene({ scl }), grid).data[0]).toBe(isClear ? 1 : 0);
  });

  test('keep three pixels away from a cloud, diagonals included', () => {
    const { data } = clearMask(aScene({ at: [20 * side + 20] }), grid);
    expect(data[17 * side + 17]).toBe(0);
    expect(data[16 * side + 20]).toBe(1);
    expect(data.filter((value) => value === 0)).toHaveLength(49);
  });

  test('have data in every band; without a classification that is all', () => {
    const { scl: _, ...scene } = aScene({ nodata: [5] });
    expect([...clearMask(scene, grid).data.subarray(4, 7)]).toEqual([1, 0, 1]);
  });
});

describe('the choice of dates', () => {
  test('drops a date with a cloud over the point and says so', () => {
    const { chosen, uses } = chooseDates([aScene(), aScene({ date: '2025-06-06', at: [20 * side + 25] })], grid, point);
    expect(chosen.map(({ scene }) => scene.date)).toEqual(['2025-06-01']);
    expect(uses[0]).toMatchObject({
      date: '2025-06-01',
      sceneIds: ['scene-2025-06-01'],
      clearFraction: 1,
      isUsed: true,
    });
    expect(uses[1]).toMatchObject({ isUsed: false, reason: 'clouds, their shadow or missing data lie over the point' });
  });

  test('prefers dates with 60 % of the land in sight', () => {
    // The cloud's margin hides three rows more.
    const dim = aScene({ date: '2025-06-06', at: rows(0, 14) });
    const { chosen, uses } = chooseDates([aScene(), dim], grid, { row: 35, column: 20 });
    expect(chosen.map(({ scene }) => scene.date)).toEqual(['2025-06-01']);
    expect(uses[1]!.reason).toBe('less than 60 % of the land within 640 m is in sight');
  });

  test('makes do with less when no date shows more, down to a quarter', () => {
    const at = { row: 35, column: 20 };
    expect(chooseDates([aScene({ at: rows(0, 14) })], grid, at).chosen).toHaveLength(1);
    expect(chooseDates([aScene({ at: rows(0, 28) })], grid, at)).toMatchObject({
      chosen: [],
      uses: [{ reason: 'less than 25 % of the land within 640 m is in sight' }],
    });
  });

  test('keeps the six clearest dates, in their order', () => {
    const scenes = Array.from({ length: 8 }, (_, k) => aScene({ date: `2025-06-0${k + 1}`, at: rows(0, k % 4) }));
    const { chosen, uses } = chooseDates(scenes, grid, { row: 30, column: 20 });
    expect(chosen).toHaveLength(maxDates);
    expect(chosen.map(({ scene }) => scene.date)).toEqual([
      '2025-06-01',
      '2025-06-02',
      '2025-06-03',
      '2025-06-05',
      '2025-06-06',
      '2025-06-07',
    ]);
    expect(uses[3]!.reason).toBe('6 clearer dates were used');
  });

  test('leaves nothing when every date is clouded', () => {
    expect(chooseDates([aScene({ scl: 9 })], grid, point).chosen).toEqual([]);
  });
});
