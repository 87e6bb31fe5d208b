import { describe, expect, test } from '@jest/globals';
import { mosaic } from '../../../shared/raster/mask/mosaic.js';

const of = (...values: readonly number[]) => ({
  width: values.length,
  height: 1,
  bands: 1,
  data: Uint16Array.from(values),
});

describe('pictures laid over each other', () => {
  test('each pixel is of the first picture that has data there', () => {
    expect(mosaic([of(1, 0, 0, 4), of(9, 2, 0, 9), of(9, 9, 0, 9)], 0)).toEqual(of(1, 2, 0, 4));
  });

  test('one picture stays as it is and is not shared', () => {
    const picture = of(1, 0, 3);
    const laid = mosaic([picture], 0);
    expect(laid).toEqual(picture);
    expect(laid.data).not.toBe(picture.data);
  });

  test.each([
    { why: 'none', pictures: [], text: 'no picture' },
    { why: 'two sizes', pictures: [of(1, 2), of(1)], text: 'not alike' },
    { why: 'two types', pictures: [of(1), { ...of(1), data: Uint8Array.of(1) }], text: 'not alike' },
  ])('$why is refused', ({ pictures, text }) => {
    expect(() => mosaic(pictures, 0)).toThrow(text);
  });
});
