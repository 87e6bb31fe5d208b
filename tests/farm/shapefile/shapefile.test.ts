import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Polygon } from '../../../shared/geo/shapes/geoJson.js';
import { signedArea } from '../../../shared/geo/shapes/rings.js';
import { shapePolygon } from '../../../shared/farm/shapefile/shapePolygon.js';
import { dbfFile, shapeBytes, shpFile, square, WGS84, zipped, zippedSquares } from '../shapefiles.js';
import { partsWith as parts, readAll, type Parts } from './readShapefile.js';

/** A circle of many points, clockwise. */
const manyPoints = (count: number, radius: number): readonly (readonly [number, number])[] =>
  Array.from({ length: count }, (_, index) => {
    const angle = (-2 * Math.PI * index) / (count - 1);
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });

const onMap = (point: readonly [number, number]) => point;

describe('a shapefile', () => {
  test('gives each shape with its row', async () => {
    const all = await readAll(zippedSquares(3));
    expect(all).toMatchObject([
      { body: { name: 'Field 0', properties: { sourceId: 'f-0' } }, packed: expect.any(Uint8Array) as unknown },
      { body: { name: 'Field 1', properties: { sourceId: 'f-1' } } },
      { body: { name: 'Field 2', properties: { sourceId: 'f-2' } } },
    ]);
  });

  test('leaves out rows that were deleted, and says of records without a shape that they have none', async () => {
    const all = await readAll(
      zipped(
        parts({
          'a.shp': shpFile([[square([9, 55])], [square([9.1, 55])], null]),
          'a.dbf': dbfFile([{ name: 'ID' }], [['one'], [null], ['three']]),
        }),
      ),
    );
    expect(all).toMatchObject([
      { index: 0, kind: 'field' },
      {
        index: 2,
        fault: { code: 'InvalidRequest', message: 'The record has no shape; draw one, or delete the record.' },
      },
    ]);
  });

  test('in letters of any case finds its parts', async () => {
    const { 'a.shp': shp, 'a.dbf': dbf } = parts();
    await expect(readAll(zipped({ 'A.SHP': shp, 'a.Dbf': dbf, 'A.PRJ': WGS84 }))).resolves.toHaveLength(1);
  });

  test.each([
    { why: 'Finder', in: (name: string) => `farm/${name}`, more: { '__MACOSX/farm/._a.shp': 'x', 'farm/': '' } },
    { why: '.NET of old', in: (name: string) => `farm\\${name}`, more: { 'farm\\': '' } },
    { why: 'a tar of old', in: (name: string) => `./${name}`, more: { '._a.shp': 'x' } },
    { why: 'who names the whole way', in: (name: string) => `/data/../${name}`, more: {} },
    { why: 'another system', in: (name: string) => `C:\\data\\${name}`, more: { 'C:\\other\\a.dbf': 'x' } },
  ])('is read as it is packed by $why', async ({ in: into, more }) => {
    const files: Parts = Object.fromEntries(Object.entries(parts()).map(([name, content]) => [into(name), content]));
    await expect(readAll(zipped({ ...files, ...more }))).resolves.toMatchObject([{ kind: 'field' }]);
  });

  test.each([
    { why: 'no .shp', files: parts({ 'a.shp': undefined }), text: 'has 0 .shp files' },
    { why: 'two of them', files: parts({ 'b.shp': shpFile([]) }), text: 'has 2 .shp files (such as a.shp)' },
    { why: 'no .dbf', files: parts({ 'a.dbf': undefined }), text: 'no .dbf file beside a.shp' },
    { why: 'no .prj', files: parts({ 'a.prj': undefined }), text: 'ogr2ogr -t_srs EPSG:4326' },
    { why: 'a reference system that is not read', files: parts({ 'a.prj': 'LOCAL_CS["x"]' }), text: 'ogr2ogr -t_srs' },
    { why: 'an unknown code page', files: parts({ 'a.cpg': 'klingon' }), text: 'code page klingon' },
    { why: 'points', files: parts({ 'a.shp': shpFile([], 1) }), text: 'shapes of type 1' },
    { why: 'another file', files: parts({ 'a.shp': Buffer.alloc(200) }), text: 'The .shp file is none' },
    { why: 'an empty .shp', files: parts({ 'a.shp': '' }), text: 'The .shp file is none' },
    { why: 'an empty .dbf', files: parts({ 'a.dbf': '' }), text: 'ends within its head' },
    {
      why: 'a table cut off',
      files: parts({ 'a.dbf': dbfFile([{ name: 'ID' }], []).subarray(0, 40) }),
      text: 'its columns',
    },
    {
      why: 'a table cut off within its rows',
      files: parts({ 'a.dbf': parts()['a.dbf']?.slice(0, -10) }),
      text: 'it ends within its rows',
    },
  ])('is refused: $why', async ({ files, text }) => {
    await expect(readAll(zipped(files))).rejects.toThrow(text);
  });
});

describe('the polygon of a shape', () => {
  const hole = [...square([9.002, 55.002], 0.002)].reverse();

  test.each([5, 15, 25])('of type %d has the same rings, counter-clockwise without, clockwise within', (type) => {
    const outer = square([9, 55]);
    expect(shapePolygon(shapeBytes([outer, hole], type), onMap)).toEqual({
      type: 'Polygon',
      coordinates: [[...outer].reverse(), [...hole].reverse()],
    });
  });

  test('puts a hole into the smallest ring around it, wherever it stands', () => {
    const island = square([9.0021, 55.0021], 0.0015);
    const lake = [...square([9.0025, 55.0025], 0.0005)].reverse();
    const polygon = shapePolygon(shapeBytes([lake, island, square([9, 55]), hole]), onMap);
    expect(polygon).toMatchObject({ type: 'MultiPolygon' });
    expect(typeof polygon === 'string' ? [] : polygon.coordinates.map((rings) => rings.length)).toEqual([2, 2]);
  });

  const ringsOf = (...rings: Parameters<typeof shapeBytes>[0] & object): readonly number[] | string => {
    const polygon = shapePolygon(shapeBytes(rings), onMap);
    if (typeof polygon === 'string') return polygon;
    return polygon.type === 'Polygon' ? [polygon.coordinates.length] : polygon.coordinates.map(({ length }) => length);
  };

  // Clockwise as `square` is, or the other way round.
  const lake = square([9.002, 55.002], 0.004);
  const island = square([9.003, 55.003], 0.002);
  test.each([
    { why: 'both clockwise', rings: [square([9, 55]), lake], parts: [2] },
    { why: 'both counter-clockwise', rings: [square([9, 55]).toReversed(), lake.toReversed()], parts: [2] },
    { why: 'an island in it, all clockwise', rings: [island, square([9, 55]), lake], parts: [1, 2] },
    { why: 'an island that fills it', rings: [square([9, 55]), lake, lake.toReversed()], parts: [2, 1] },
  ])('takes a ring within another for its hole, whichever way they run: $why', ({ rings, parts: expected }) => {
    expect(ringsOf(...rings)).toEqual(expected);
  });

  test('runs as GeoJSON has it, whichever way the file does', () => {
    const expected = [[...square([9, 55])].reverse(), lake];
    for (const rings of [
      [square([9, 55]), lake],
      [square([9, 55]).toReversed(), lake.toReversed()],
    ]) {
      const { coordinates } = shapePolygon(shapeBytes(rings), onMap) as Polygon;
      expect(coordinates.map((ring) => ring.map(String).sort())).toEqual(
        expected.map((ring) => ring.map(String).sort()),
      );
      expect(coordinates.map((ring) => signedArea(ring) > 0)).toEqual([true, false]);
    }
  });

  // A square with a bay in its upper side, and what lies in the bay.
  const bay = [[0, 0], [0, 4], [1, 4], [1, 1], [3, 1], [3, 4], [4, 4], [4, 0], [0, 0]] as const; // prettier-ignore
  test.each([
    { why: 'a part beside another, at a corner', rings: [square([0, 0], 1), square([1, 1], 0.5)] },
    { why: 'a part beside another, at a side', rings: [square([0, 0], 1), square([1, 0.25], 0.5)] },
    { why: 'a part in the bay of another', rings: [bay, square([1.5, 2], 1)] },
    { why: 'a part that fills the bay of another', rings: [bay, [[1, 1], [1, 4], [3, 4], [3, 1], [1, 1]] as const] }, // prettier-ignore
    { why: 'a part that touches the bay of another', rings: [bay, [[1, 2], [2, 3], [3, 2], [2, 1], [1, 2]] as const] }, // prettier-ignore
  ])('takes for no hole what only touches: $why', ({ rings }) => {
    expect(ringsOf(...rings)).toEqual([1, 1]);
  });

  test('takes for a hole what touches from within', () => {
    expect(ringsOf(square([0, 0], 4), [[0, 1], [1, 2], [2, 1], [1, 0], [0, 1]])).toEqual([2]); // prettier-ignore
  });

  test.each([
    { why: 'rings', rings: Array.from({ length: 7_100 }, (_, index) => square([index, 0], 0.5)) },
    { why: 'points', rings: Array.from({ length: 160 }, (_, index) => manyPoints(4_000, 1 / (index + 1))) },
  ])('of too many $why, one in the other, is not sorted', ({ rings }) => {
    expect(ringsOf(...rings)).toMatch(/^The shape has \d+ parts and holes, too many to be sorted/);
  });

  test('takes a ring the wrong way round that no other holds for a part', () => {
    const wrong = [...square([9, 55])].reverse();
    expect(shapePolygon(shapeBytes([wrong]), onMap)).toMatchObject({ type: 'Polygon' });
  });

  test.each([
    { why: 'more parts than bytes', at: 36, value: 1_000_000 },
    { why: 'more points than bytes', at: 40, value: 1_000_000 },
    { why: 'no part', at: 36, value: 0 },
    { why: 'fewer than no points', at: 40, value: -1 },
    { why: 'a part that begins behind the end', at: 48, value: 70 },
    { why: 'a part that begins before the one before it', at: 48, value: -1 },
  ])('with $why is damaged', ({ at, value }) => {
    const bytes = shapeBytes([square([9, 55]), hole]);
    bytes.writeInt32LE(value, at);
    expect(shapePolygon(bytes, onMap)).toMatch('damaged');
  });

  test('of any bytes is a polygon or a text, never an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const shape = Buffer.concat([shapeBytes([square([9, 55])]).subarray(0, 44), bytes]);
        expect(['string', 'object']).toContain(typeof shapePolygon(shape, onMap));
      }),
    );
  });
});
