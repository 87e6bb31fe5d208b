import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { projectionOf, utmProjection } from '../../../shared/geo/grid/utm.js';

/** PROJ 9.1.1 (through GDAL 3.6.2) printed these with six decimals. */
const published = [
  { place: 'CN Tower', lon: -79.387139, lat: 43.642567, epsg: 32617, x: 630084.300834, y: 4833438.585674 },
  { place: 'upper Austria', lon: 13.14, lat: 48.29, epsg: 32633, x: 362034.498691, y: 5350205.373729 },
  { place: 'central meridian, equator', lon: 3, lat: 0, epsg: 32631, x: 500000, y: 0 },
  { place: 'Antarctica', lon: 31.5, lat: -78.25, epsg: 32736, x: 465903.647994, y: 1313293.03841 },
  { place: 'Norway', lon: 6.1, lat: 60.5, epsg: 32632, x: 340726.779417, y: 6710606.48719 },
  { place: 'Fiji, by 180°', lon: -179.99, lat: -16.5, epsg: 32701, x: 180780.516258, y: 8173388.921917 },
  { place: 'England in the zone east of it', lon: -1.4, lat: 51.2, epsg: 32631, x: 192647.856624, y: 5681271.472865 },
  { place: 'Tasmania', lon: 147.2, lat: -42.9, epsg: 32755, x: 516328.0842, y: 5250270.53731 },
];

describe('UTM coordinates', () => {
  test.each(published)('$place: the map point is what PROJ computes, to a micrometre', ({ lon, lat, epsg, x, y }) => {
    const [easting, northing] = utmProjection(epsg).toMap([lon, lat]);
    expect(easting).toBeCloseTo(x, 6);
    expect(northing).toBeCloseTo(y, 6);
  });

  test.each(published)('$place: the way back ends where it began', ({ lon, lat, epsg, x, y }) => {
    const [longitude, latitude] = utmProjection(epsg).toPosition([x, y]);
    expect(longitude).toBeCloseTo(lon, 10);
    expect(latitude).toBeCloseTo(lat, 10);
  });

  test('position → map → position returns everywhere in a zone and its neighbours', () => {
    const anyPlace = fc.record({
      zone: fc.integer({ min: 1, max: 60 }),
      isSouth: fc.boolean(),
      east: fc.double({ min: -9, max: 9, noNaN: true }),
      latitude: fc.double({ min: -83, max: 83, noNaN: true }),
    });
    fc.assert(
      fc.property(anyPlace, ({ zone, isSouth, east, latitude }) => {
        const projection = utmProjection((isSouth ? 32700 : 32600) + zone);
        const longitude = ((zone * 6 - 183 + east + 540) % 360) - 180;
        const [backLongitude, backLatitude] = projection.toPosition(projection.toMap([longitude, latitude]));
        expect(Math.abs(((backLongitude - longitude + 540) % 360) - 180)).toBeLessThan(1e-11);
        expect(Math.abs(backLatitude - latitude)).toBeLessThan(1e-11);
      }),
    );
  });

  test('the scale is 0.9996 on the central meridian and passes 1 about 180 km beside it', () => {
    const projection = utmProjection(32633);
    expect(projection.scaleAt([15, 48])).toBeCloseTo(0.9996, 12);
    expect(projection.scaleAt(projection.toPosition([500_000 - 180_600, 5_350_000]))).toBeCloseTo(1, 5);
  });

  test('the scale is the ratio of a short map length to the same ground length', () => {
    const projection = utmProjection(32631);
    const [latitude, step] = [45, 1e-5];
    const [south, north] = [-step, step].map((offset) => projection.toMap([7.5, latitude + offset]));
    // Radius of curvature of the meridian at 45°: a(1 − e²) / (1 − e² sin²)^1.5
    const e2 = 0.0066943799901413;
    const radius = (6378137 * (1 - e2)) / (1 - e2 / 2) ** 1.5;
    const ground = (2 * step * Math.PI * radius) / 180;
    const map = Math.hypot(north![0] - south![0], north![1] - south![1]);
    expect(projection.scaleAt([7.5, latitude])).toBeCloseTo(map / ground, 8);
  });
});

describe('the projection of a raster', () => {
  test('EPSG:4326 leaves degrees as they are', () => {
    const projection = projectionOf(4326);
    expect(projection.toMap([13, 48])).toEqual([13, 48]);
    expect(projection.toPosition([13, 48])).toEqual([13, 48]);
    expect(projection.scaleAt([13, 48])).toBe(1);
  });

  test('a reference system that is neither is refused by name', () => {
    expect(() => projectionOf(3857)).toThrow('EPSG:3857 is no UTM zone');
  });
});
