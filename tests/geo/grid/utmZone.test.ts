import { describe, expect, test } from '@jest/globals';
import { findUtmZone, utmEpsg, utmEpsgAt } from '../../../shared/geo/grid/utmZone.js';

describe('the UTM zone of a place', () => {
  test.each([
    { why: 'upper Austria', longitude: 13.14, latitude: 48.29, expected: 32633 },
    { why: 'the first zone begins at 180° W', longitude: -180, latitude: 10, expected: 32601 },
    { why: '180° E is the same meridian', longitude: 180, latitude: 10, expected: 32601 },
    { why: 'the last zone ends at 180° E', longitude: 179.999, latitude: 10, expected: 32660 },
    { why: 'a zone begins at its west edge', longitude: 6, latitude: 45, expected: 32632 },
    { why: 'the equator counts as north', longitude: 9, latitude: 0, expected: 32632 },
    { why: 'south of the equator', longitude: 147.2, latitude: -42.9, expected: 32755 },
    { why: 'south-west Norway is in the widened zone 32', longitude: 4.5, latitude: 60, expected: 32632 },
    { why: 'zone 32V ends at 64° N', longitude: 4.5, latitude: 64, expected: 32631 },
    { why: 'Svalbard has no zone 32', longitude: 8.9, latitude: 78, expected: 32631 },
    { why: 'Svalbard has no zone 34', longitude: 20.9, latitude: 78, expected: 32633 },
    { why: 'Svalbard has no zone 36', longitude: 33, latitude: 78, expected: 32637 },
    { why: 'east of Svalbard the zones are regular', longitude: 42, latitude: 78, expected: 32638 },
  ])('$why: $longitude, $latitude is in EPSG:$expected', ({ longitude, latitude, expected }) => {
    expect(utmEpsgAt([longitude, latitude])).toBe(expected);
  });

  test.each([4326, 32600, 32661, 32700, 32761, 3857, 32633.5])('EPSG:%d is no UTM zone', (epsg) => {
    expect(findUtmZone(epsg)).toBeUndefined();
  });

  test('a zone and its EPSG code give each other', () => {
    for (const isSouth of [false, true]) {
      for (let number = 1; number <= 60; number += 1) {
        expect(findUtmZone(utmEpsg({ number, isSouth }))).toEqual({ number, isSouth });
      }
    }
  });
});
