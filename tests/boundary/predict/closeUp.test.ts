import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { maskIou, maskOfWindow, touchesEdge } from '../../../shared/boundary/candidates/candidateMask.js';
import { closeUpOf, inWindow } from '../../../shared/boundary/predict/closeUp.js';
import type { Plane } from '../../../shared/boundary/window/gaussian.js';
import { proposals } from '../../../shared/boundary/predict/proposals.js';
import { upsampled } from '../../../shared/boundary/window/upsample.js';
import { toMapPoint, toPixel } from '../../../shared/geo/grid/grid.js';
import { projectionOf } from '../../../shared/geo/grid/utm.js';
import { shippedModel } from './fixtures.js';
import { aPlace, inputAt } from './syntheticFields.js';

/** What cubic interpolation as sharp as this one may leave of a slope of 1, of a value. */
const slack = 0.1;

const gridOf = (width: number, height: number) => ({
  epsg: 32632,
  originX: 602_000,
  originY: 5_204_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width,
  height,
});

function planeOf(width: number, height: number, valueAt: (row: number, column: number) => number): Plane {
  const data = Float32Array.from({ length: width * height }, (_, k) => valueAt(Math.floor(k / width), k % width));
  return { width, height, data };
}

/** A date whose channel tells the column, hidden in the first row. */
function dateOf(width: number, height: number) {
  const columns = planeOf(width, height, (row, column) => (row === 0 ? 0 : column));
  const clear = { width, height, data: new Uint8Array(width * height).fill(1).fill(0, 0, width) };
  return { clear, channels: [columns], networkInput: [columns], hasNir: false };
}

describe('a close-up', () => {
  test('shows 640 m round the point at 5 m, less where the window is smaller, and never what lies beyond it', () => {
    const sides = fc.integer({ min: 20, max: 300 });
    const share = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(sides, sides, share, share, (width, height, alongX, alongY) => {
        const grid = gridOf(width, height);
        const onMap = toMapPoint(grid, [alongX * width, alongY * height]);
        const projection = projectionOf(grid.epsg);
        const closeUp = closeUpOf({ dates: [dateOf(width, height)], grid }, projection.toPosition(onMap));
        const { pixel, left, top } = closeUp;
        expect([closeUp.grid.width, closeUp.grid.height]).toEqual([2 * Math.min(64, width), 2 * Math.min(64, height)]);
        expect(closeUp.grid.pixelWidth).toBe(5);
        const [x, y] = toPixel(closeUp.grid, onMap);
        expect(Math.abs(x - pixel.column - 0.5)).toBeLessThanOrEqual(0.501);
        expect(Math.abs(y - pixel.row - 0.5)).toBeLessThanOrEqual(0.501);
        const [right, bottom] = [width - left - closeUp.grid.width / 2, height - top - closeUp.grid.height / 2];
        expect(Math.min(left, top, right, bottom)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('of more than three dates shows the three that show most of the place, the newest where they show as much', () => {
    const grid = gridOf(100, 100);
    const shownTo = (row: number) => {
      const date = dateOf(100, 100);
      return { ...date, clear: { ...date.clear, data: date.clear.data.map((_, k) => (k < row * 100 ? 1 : 0)) } };
    };
    const at = projectionOf(grid.epsg).toPosition(toMapPoint(grid, [50.5, 50.5]));
    const shownRows = (rows: readonly number[]) =>
      closeUpOf({ dates: rows.map(shownTo), grid }, at).dates.map(
        ({ clear }) => clear.data.filter((value) => value === 1).length / 256 + 18,
      );
    expect(shownRows([60, 70, 50, 75, 65])).toEqual([70, 75, 65]);
    const tied = [70, 70, 60, 70, 70].map(shownTo).map((date, k) => ({ ...date, hasNir: k % 2 === 0 }));
    // The second, fourth and fifth of them.
    expect(closeUpOf({ dates: tied, grid }, at).dates.map(({ hasNir }) => hasNir)).toEqual([false, false, true]);
  });

  test('interpolates what was seen, hides what was hidden, and mixes nothing of it into what was seen', () => {
    const grid = gridOf(100, 40);
    const at = projectionOf(grid.epsg).toPosition(toMapPoint(grid, [50.5, 20.5]));
    const { dates, left } = closeUpOf({ dates: [dateOf(100, 40)], grid }, at);
    const [date] = dates;
    const fine = date!.channels[0]!.data;
    expect(fine.subarray(0, 2 * 128).every((value) => value === 0)).toBe(true);
    // The third fine row is the first that is clear, beside hidden pixels of 0; a pixel's centre lies between its two.
    for (const row of [2, 3, 10]) {
      for (let k = 8; k < 120; k += 1) {
        expect(Math.abs(fine[row * 128 + k]! - (left + (k + 0.5) / 2 - 0.5))).toBeLessThan(slack);
      }
    }
    expect(date!.networkInput).toEqual(date!.channels);
    expect(date!.clear.data.indexOf(1)).toBe(2 * 128);
  });

  test('gives a mask back to the window as it was there', () => {
    const window = { width: 90, height: 80 };
    const bits = fc.array(fc.integer({ min: 0, max: 63 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(bits, bits, (rows, columns) => {
        const [coarse, fine] = [new Uint8Array(90 * 80), new Uint8Array(128 * 128)];
        rows.forEach((row, k) => {
          const column = columns[k % columns.length]!;
          coarse[(row + 9) * 90 + column + 17] = 1;
          for (const at of [0, 1, 128, 129]) fine[2 * row * 128 + 2 * column + at] = 1;
        });
        const mask = maskOfWindow({ width: 128, height: 128, data: fine });
        const back = inWindow(mask, { top: 9, left: 17 }, window);
        expect(back).toEqual(maskOfWindow({ ...window, data: coarse }));
      }),
      { numRuns: 30 },
    );
  });
});

describe('upsampling', () => {
  test('keeps a slope, however fine', () => {
    const plane = planeOf(12, 9, (row, column) => 3 * row - column);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), (times) => {
        const fine = upsampled(plane, times);
        expect([fine.width, fine.height]).toEqual([12 * times, 9 * times]);
        for (let row = 2 * times; row < 7 * times; row += 1) {
          const [y, x] = [(row + 0.5) / times - 0.5, (6 * times + 0.5) / times - 0.5];
          expect(Math.abs(fine.data[row * fine.width + 6 * times]! - (3 * y - x))).toBeLessThan(3 * slack);
        }
      }),
    );
  });
});

describe('candidates', () => {
  const place = aPlace({ dates: ['2025-06-07'], side: 96 });
  const bySize = place.fields.toSorted((a, b) => a.areaM2 - b.areaM2);
  const model = shippedModel();
  const isCloser = ({ found }: { readonly found: { readonly grid: { readonly pixelWidth: number } } }) =>
    found.grid.pixelWidth === 5;

  test('of a small field are sought in a close-up as well, their areas in pixels of the window', () => {
    const small = bySize.find(({ areaM2 }) => areaM2 > 4000)!;
    const { ranked } = proposals(inputAt(place, small), model, { views: 1 });
    const closer = ranked.filter(isCloser);
    expect(closer.length).toBeGreaterThan(3);
    expect(ranked.length).toBeGreaterThan(closer.length);
    expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).toSorted((a, b) => b - a));
    for (const { mask, found, features } of closer) {
      expect(Math.exp(features[0]!)).toBeCloseTo(found.mask.size / 4, 6);
      expect(mask.size / (found.mask.size / 4)).toBeGreaterThan(0.7);
      expect(mask.size / (found.mask.size / 4)).toBeLessThan(1.4);
    }
    // What reaches the close-up's edge goes on beyond it.
    expect(closer.some(({ found }) => touchesEdge(found.mask, found.grid))).toBe(false);
    // Both scales see the same place.
    const coarse = ranked.filter((candidate) => !isCloser(candidate));
    const agreement = closer.map(({ mask }) => Math.max(...coarse.map((other) => maskIou(mask, other.mask))));
    expect(Math.max(...agreement)).toBeGreaterThan(0.6);
  });

  test('of a large field are not, nor without the network, nor where the window shows no field', () => {
    const [small, large] = [bySize.find(({ areaM2 }) => areaM2 > 4000)!, bySize.at(-1)!];
    const doubtful = { ...model, ranker: { ...model.ranker, baselines: model.ranker.baselines.map((one) => one - 1) } };
    expect(proposals(inputAt(place, large), model, { views: 1 }).ranked.some(isCloser)).toBe(false);
    expect(proposals(inputAt(place, small), model, { method: 'gradient' }).ranked.some(isCloser)).toBe(false);
    expect(proposals(inputAt(place, small), doubtful, { views: 1 }).ranked.some(isCloser)).toBe(false);
  });

  test('at the edge of the window are not, for the field may go on there; none is smaller than 0.1 ha', () => {
    const sure = { ...model, ranker: { ...model.ranker, baselines: model.ranker.baselines.map((one) => one + 1) } };
    const askedAt = (column: number, row: number) => {
      const point = projectionOf(place.grid.epsg).toPosition(toMapPoint(place.grid, [column + 0.5, row + 0.5]));
      const { ranked } = proposals({ ...place, point }, sure, { views: 1 });
      const own = ranked.find((candidate) => !isCloser(candidate))!.mask;
      expect(own.size).toBeLessThan(150);
      return { own, closer: ranked.filter(isCloser) };
    };
    // Without the rule a close-up would show three here that end before the edge.
    const atEdge = askedAt(20, 92);
    expect(touchesEdge(atEdge.own, place.grid)).toBe(true);
    expect(atEdge.closer).toEqual([]);
    // Without the limit the smallest here would have 30 pixels of 5 m.
    const { closer } = askedAt(48, 70);
    expect(closer.length).toBeGreaterThan(5);
    expect(Math.min(...closer.map(({ found }) => found.mask.size))).toBeGreaterThanOrEqual(40);
  });
});
