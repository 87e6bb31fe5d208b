import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dilate, erode } from '../../../shared/raster/mask/maskEdges.js';

const mask = (...rows: readonly string[]): Uint8Array =>
  Uint8Array.from(rows.join('').split(''), (mark) => (mark === '#' ? 1 : 0));
const draw = (values: Uint8Array, width: number): readonly string[] =>
  Array.from({ length: values.length / width }, (_, row) =>
    [...values.subarray(row * width, (row + 1) * width)].map((value) => (value === 1 ? '#' : '.')).join(''),
  );

describe('a mask that grows', () => {
  test('takes a square around each pixel, cut at the edge', () => {
    const grown = dilate(mask('.....', '.....', '....#', '.....', '#....'), { width: 5, height: 5 }, 1);
    expect(draw(grown, 5)).toEqual(['.....', '...##', '...##', '##.##', '##...']);
  });

  test('by two pixels is by one pixel twice', () => {
    const size = { width: 9, height: 7 };
    fc.assert(
      fc.property(fc.uint8Array({ min: 0, max: 1, minLength: 63, maxLength: 63 }), (values) => {
        expect(dilate(values, size, 2)).toEqual(dilate(dilate(values, size, 1), size, 1));
      }),
    );
  });
});

describe('a mask that shrinks', () => {
  test('keeps what has all eight neighbours; there are none outside', () => {
    const shrunk = erode(mask('#####', '#####', '#####', '####.', '#####'), { width: 5, height: 5 });
    expect(draw(shrunk, 5)).toEqual(['.....', '.###.', '.##..', '.##..', '.....']);
  });

  test('grows back into itself at most', () => {
    const size = { width: 8, height: 8 };
    fc.assert(
      fc.property(fc.uint8Array({ min: 0, max: 1, minLength: 64, maxLength: 64 }), (values) => {
        expect(dilate(erode(values, size), size, 1).every((value, index) => value <= values[index]!)).toBe(true);
      }),
    );
  });
});
