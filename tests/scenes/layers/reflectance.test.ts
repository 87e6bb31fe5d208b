import { describe, expect, test } from '@jest/globals';
import { correctedDn, reflectanceOf } from '../../../shared/scenes/layers/reflectance.js';

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
