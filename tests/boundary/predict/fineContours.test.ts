import { describe, expect, test } from '@jest/globals';
import { maskOfWindow, type CandidateMask } from '../../../shared/boundary/candidates/candidateMask.js';
import { fineContours } from '../../../shared/boundary/predict/fineContours.js';
import type { Plane } from '../../../shared/boundary/window/gaussian.js';
import { outlineAround } from '../../../shared/boundary/predict/fieldOutline.js';
import { signedArea } from '../../../shared/geo/shapes/rings.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';

const side = 40;

/** The pixels of a rectangle, rows and columns counted from 0, the last included. */
function blockFrom(top: number, left: number, bottom: number, right: number): CandidateMask {
  const data = Uint8Array.from({ length: side * side }, (_, k) => {
    const [row, column] = [Math.floor(k / side), k % side];
    return row >= top && row <= bottom && column >= left && column <= right ? 1 : 0;
  });
  return maskOfWindow({ width: side, height: side, data });
}

/** High along the four sides of a rectangle, as a boundary blurred by the sensor is. */
function ridgeAlong(top: number, left: number, bottom: number, right: number): Plane {
  const data = Float32Array.from({ length: side * side }, (_, k) => {
    const [y, x] = [Math.floor(k / side) + 0.5, (k % side) + 0.5];
    const beside = (from: number, to: number, at: number): number => Math.max(0, from - at, at - to);
    const across = Math.min(
      Math.hypot(Math.min(Math.abs(y - top), Math.abs(y - bottom)), beside(left, right, x)),
      Math.hypot(Math.min(Math.abs(x - left), Math.abs(x - right)), beside(top, bottom, y)),
    );
    return Math.exp(-(across ** 2));
  });
  return { width: side, height: side, data };
}

const flat: Plane = { width: side, height: side, data: new Float32Array(side * side) };
const areaOf = (mask: CandidateMask, probability: Plane): number => {
  const rings = fineContours(mask, probability);
  expect(rings).toHaveLength(1);
  return Math.abs(signedArea(rings[0]!));
};

describe('the outline at a quarter of a pixel', () => {
  const mask = blockFrom(10, 10, 29, 29);

  test.each([
    { why: 'half a pixel inside the mask’s rim', edge: [10.5, 10.5, 29.5, 29.5], sides: 19 },
    { why: 'on the rim', edge: [10, 10, 30, 30], sides: 20 },
    { why: 'half a pixel outside', edge: [9.5, 9.5, 30.5, 30.5], sides: 21 },
  ] as const)('runs just inside a boundary that lies $why', ({ edge: [top, left, bottom, right], sides }) => {
    const width = Math.sqrt(areaOf(mask, ridgeAlong(top, left, bottom, right)));
    // Level 0.6 lies a sixth of a pixel further in, and the blur takes the corners.
    expect(width).toBeGreaterThan(sides - 0.7);
    expect(width).toBeLessThan(sides);
  });

  test('keeps out of the pixels two steps from the mask however high the boundary is there', () => {
    const far = areaOf(mask, ridgeAlong(6, 6, 34, 34));
    expect(Math.sqrt(far)).toBeLessThan(22);
  });

  test('follows a field that leaves the window to the window’s edge', () => {
    const xs = fineContours(blockFrom(10, 0, 29, 20), ridgeAlong(10, -5, 30, 21))[0]!.map(([x]) => x);
    expect(Math.min(...xs)).toBeLessThan(0.5);
  });

  test('of a mask that fills the window is still a line', () => {
    expect(fineContours(blockFrom(0, 0, side - 1, side - 1), flat).length).toBeGreaterThan(0);
  });
});

describe('the outline of a field', () => {
  const grid = {
    epsg: 32632,
    originX: 500_000,
    originY: 5_400_000,
    pixelWidth: 10,
    pixelHeight: 10,
    width: side,
    height: side,
  };
  const pointAt = (column: number, row: number) =>
    utmProjection(grid.epsg).toPosition([grid.originX + 10 * column, grid.originY - 10 * row]);
  const mask = blockFrom(10, 10, 29, 29);
  const probability = ridgeAlong(11, 11, 29, 29);

  test('follows the boundary where it is known', () => {
    const [found, point] = [{ mask, grid, pixel: { row: 20, column: 20 } }, pointAt(20, 20)];
    const [fine, coarse] = [outlineAround({ ...found, probability }, point), outlineAround(found, point)];
    expect(fine!.areaHectares).toBeLessThan(3.4);
    expect(coarse!.areaHectares).toBeGreaterThan(3.6);
  });

  test('follows the mask’s pixels when the finer line leaves the point out', () => {
    const [found, point] = [{ mask, grid, pixel: { row: 20, column: 10 } }, pointAt(10.3, 20.5)];
    const [fine, coarse] = [outlineAround({ ...found, probability }, point), outlineAround(found, point)];
    expect(fine).toEqual(coarse);
  });
});
