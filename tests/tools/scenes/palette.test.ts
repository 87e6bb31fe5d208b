import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { paletteOf } from '../../../tools/scenes/palette.js';

const seed = fc.nat();

describe('a palette', () => {
  test('has 2 to 7 crops with a cover between 0.02 and 0.98', () => {
    fc.assert(
      fc.property(seed, seed, (country, day) => {
        const { crops } = paletteOf(country, day);
        expect(crops.length).toBeGreaterThanOrEqual(2);
        expect(crops.length).toBeLessThanOrEqual(7);
        for (const [{ green }, weight] of crops) {
          expect(green).toBeGreaterThanOrEqual(0.02);
          expect(green).toBeLessThanOrEqual(0.98);
          expect(weight).toBeGreaterThan(0);
        }
      }),
    );
  });

  test('of another day keeps how common each crop is and the size of patterns', () => {
    fc.assert(
      fc.property(seed, seed, seed, (country, day, other) => {
        const [one, two] = [paletteOf(country, day), paletteOf(country, other)];
        expect(two.crops.map(([, weight]) => weight)).toEqual(one.crops.map(([, weight]) => weight));
        expect(two.unevenness.scale).toBe(one.unevenness.scale);
      }),
    );
  });

  test('follows from its seeds', () => {
    expect(paletteOf(3, 4)).toEqual(paletteOf(3, 4));
    expect(paletteOf(3, 5).crops).not.toEqual(paletteOf(3, 4).crops);
  });
});
