import { describe, expect, test } from '@jest/globals';
import {
  correctedDn,
  darkFloorDn,
  isOffsetRemoved,
  isRemovedTwice,
  reflectanceOf,
} from '../../shared/imagery/layersReflectance.js';

describe('a digital number without the offset', () => {
  test.each([
    { why: 'nodata stays nodata', dn: 0, offsetDn: -1000, expected: 0 },
    { why: 'the offset is taken off', dn: 1500, offsetDn: -1000, expected: 500 },
    { why: 'zero reflectance is data, not nodata', dn: 1000, offsetDn: -1000, expected: 1 },
    { why: 'noise below zero is data too', dn: 850, offsetDn: -1000, expected: 1 },
    { why: 'an old baseline carries none', dn: 1500, offsetDn: 0, expected: 1500 },
  ] as const)('$why: $dn with $offsetDn is $expected', ({ dn, offsetDn, expected }) => {
    expect(correctedDn(dn, offsetDn)).toBe(expected);
  });

  test('10,000 are one unit of reflectance', () => {
    expect(reflectanceOf(3500, -1000)).toBe(0.25);
  });
});

describe('whether the offset was already removed', () => {
  /** 10,000 pixels: `dark` of them at the floor, the rest bright, and as many without data. */
  const scene = (floor: number, dark: number): Uint16Array => {
    const dns = new Uint16Array(20_000).fill(2500, 0, 10_000);
    return dns.fill(floor, 0, dark);
  };

  test('the floor is the 0.1 percentile of the pixels with data', () => {
    expect(darkFloorDn(scene(48, 11))).toBe(48);
    expect(darkFloorDn(scene(48, 10))).toBe(2500);
    expect(darkFloorDn(Uint16Array.of(0, 0))).toBeUndefined();
    expect(darkFloorDn(Uint16Array.of(0, 7))).toBe(7);
    expect(darkFloorDn(Uint16Array.of(65_535))).toBe(65_535);
  });

  test.each([
    { why: 'water at 0.005 reflectance without the offset', floor: 48, expected: true },
    { why: 'just below the bound', floor: 799, expected: true },
    { why: 'the bound itself', floor: 800, expected: false },
    { why: 'dark water with the offset', floor: 1048, expected: false },
    { why: 'nothing but nodata', floor: undefined, expected: false },
  ])('$why ($floor): $expected', ({ floor, expected }) => {
    expect(isOffsetRemoved(floor)).toBe(expected);
  });
});

describe('whether a correction would remove the offset twice', () => {
  const land = Uint8Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 4 : 5));

  test.each([
    { dark: 2, expected: false, why: '2 % of the land falls to zero' },
    { dark: 3, expected: true, why: '3 % of the land falls to zero' },
  ])('$why: $expected', ({ dark, expected }) => {
    const dns = new Uint16Array(100).fill(1800).fill(1000, 0, dark);
    expect(isRemovedTwice(dns, land, -1000)).toBe(expected);
    expect(isRemovedTwice(dns, land, 0)).toBe(false);
  });

  test('water, clouds and pixels without data are not asked', () => {
    const classes = Uint8Array.of(6, 9, 4, 4);
    expect(isRemovedTwice(Uint16Array.of(10, 10, 0, 1500), classes, -1000)).toBe(false);
  });
});
