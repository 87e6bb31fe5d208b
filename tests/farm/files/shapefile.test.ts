import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodingOf } from '../../../shared/farm/files/dbase.js';
import { mapCodeOf, toDegrees } from '../../../shared/farm/files/mapProjection.js';
import { shapefileIn } from '../../../shared/farm/files/archivedShapefile.js';
import { openShapefile } from '../../../shared/farm/files/shapefile.js';
import { shapePolygon } from '../../../shared/farm/files/shapePolygon.js';
import { prepareFeatures } from '../../../shared/farm/imports/importTasks.js';
import type { Prepared } from '../../../shared/farm/imports/preparedFeature.js';
import { utmProjection } from '../../../shared/raster/utm.js';
import { dbfFile, shapeBytes, shpFile, square, utmText, WGS84, zipped, zippedSquares } from '../shapefiles.js';

/** Everything that an archive holds, as an import would write it. */
async function readAll(bytes: Buffer): Promise<readonly Prepared[]> {
  const { encoding, code, ...file } = await shapefileIn(bytes);
  const { table, shapes } = await openShapefile(file);
  const all: Prepared[] = [];
  for await (const shape of shapes()) {
    const raw = { form: 'shapes', shapes: [shape], table, encoding, code } as const;
    all.push(...prepareFeatures({ raw, options: { partyId: 'party', idProperty: 'ID' } }));
  }
  return all;
}

const onMap = (point: readonly [number, number]) => point;
const parts = (overrides: Readonly<Record<string, Uint8Array | string | undefined>> = {}) => ({
  'a.shp': shpFile([[square([9, 55])]]),
  'a.dbf': dbfFile([{ name: 'ID' }], [['one']]),
  'a.prj': WGS84,
  ...overrides,
});

describe('a shapefile', () => {
  test('gives each shape with its row', async () => {
    const all = await readAll(zippedSquares(3));
    expect(all.map((each) => each.fault ?? each.body)).toMatchObject([
      { name: 'Field 0', properties: { sourceId: 'f-0' }, geometry: { type: 'Polygon' } },
      { name: 'Field 1', properties: { sourceId: 'f-1' } },
      { name: 'Field 2', properties: { sourceId: 'f-2' } },
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

  test('with a table that ends early goes on without rows', async () => {
    const shapes = shpFile([[square([9, 55])], [square([9.1, 55])]]);
    const all = await readAll(zipped(parts({ 'a.shp': shapes })));
    expect(all.map((each) => each.fault === undefined && each.body['properties'])).toEqual([
      { sourceId: 'one' },
      undefined,
    ]);
  });

  test('in letters of any case finds its parts', async () => {
    const { 'a.shp': shp, 'a.dbf': dbf } = parts();
    await expect(readAll(zipped({ 'A.SHP': shp, 'a.Dbf': dbf, 'A.PRJ': WGS84 }))).resolves.toHaveLength(1);
  });

  test.each([
    { why: 'no .shp', files: parts({ 'a.shp': undefined }), text: 'has 0 .shp files' },
    { why: 'two of them', files: parts({ 'b.shp': shpFile([]) }), text: 'has 2 .shp files' },
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
  ])('is refused: $why', async ({ files, text }) => {
    await expect(readAll(zipped(files))).rejects.toThrow(text);
  });

  test.each([
    { why: 'that is longer than the file', size: 1_000 },
    { why: 'that is longer than any shape', size: 0x7ffffff0 },
    { why: 'of nothing', size: 0 },
    { why: 'below nothing', size: -4 },
  ])('with a record $why ends there, behind what came before', async ({ size }) => {
    const shapes = shpFile([[square([9, 55])], [square([9.1, 55])]]);
    const second = 100 + 8 + shapeBytes([square([9, 55])]).byteLength;
    shapes.writeInt32BE(size, second + 4);
    const rest = await shapefileIn(zipped(parts({ 'a.shp': shapes })));
    const read: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const { index } of (await openShapefile(rest)).shapes()) read.push(index);
    };
    await expect(reading()).rejects.toThrow('damaged at shape 1');
    expect(read).toEqual([0]);
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

describe('the reference system of a .prj file', () => {
  const mercator = `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",${WGS84},PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["Central_Meridian",0.0],UNIT["Meter",1.0]]`;
  const gdal = utmText(33)
    .replace('D_WGS_1984', 'WGS_1984')
    .replace('"Meter",1.0', '"metre", 1, AUTHORITY["EPSG","9001"]');

  test.each([
    { why: 'degrees', text: WGS84, code: 4326 },
    { why: 'UTM north', text: utmText(32), code: 32632 },
    { why: 'UTM south', text: utmText(60, 10_000_000), code: 32760 },
    { why: 'UTM as OGC writes it', text: gdal, code: 32633 },
    { why: 'Web Mercator', text: mercator, code: 3857 },
  ])('is understood: $why', ({ text, code }) => {
    expect(mapCodeOf(text)).toBe(code);
  });

  test.each([
    { why: 'another datum', text: WGS84.replace('D_WGS_1984', 'D_ETRS_1989') },
    { why: 'a zone on another datum', text: utmText(32).replace('D_WGS_1984', 'D_ETRS_1989') },
    { why: 'grads', text: WGS84.replace('Degree', 'Grad') },
    { why: 'feet', text: utmText(32).replace('"Meter",1.0', '"Foot_US",0.3048006096') },
    { why: 'another meridian', text: utmText(32).replace('9.0]', '9.5]') },
    { why: 'another projection', text: utmText(32).replace('Transverse_Mercator', 'Lambert_Conformal_Conic') },
    { why: 'nothing', text: '' },
    { why: 'brackets without an end', text: 'GEOGCS['.repeat(10_000) },
    { why: 'no text at all', text: '\u0000\uffff' },
  ])('is refused: $why', ({ text }) => {
    expect(() => mapCodeOf(text)).toThrow('ogr2ogr -t_srs EPSG:4326');
  });

  test('gives positions of UTM and of Web Mercator back', () => {
    const [x, y] = utmProjection(32632).toMap([9.3, 55.1]);
    const [longitude, latitude] = toDegrees(32632)([x, y]);
    expect([longitude, latitude].map((value) => value.toFixed(9))).toEqual(['9.300000000', '55.100000000']);
    // EPSG Guidance Note 7-2 has the formula; the point is that of 100.333… W, 24.381… N there.
    const [west, north] = toDegrees(3857)([-11169055.58, 2800000.0]);
    expect([west.toFixed(6), north.toFixed(6)]).toEqual(['-100.333333', '24.381787']);
  });
});

describe('the code page of a .cpg file', () => {
  test.each([
    [undefined, 'utf-8'],
    ['', 'utf-8'],
    ['UTF-8', 'utf-8'],
    ['65001', 'utf-8'],
    ['1252', 'windows-1252'],
    ['ISO 8859-1'.replace(' ', '-'), 'windows-1252'],
    ['88591', 'windows-1252'],
    ['ISO-8859-2\r\n', 'iso-8859-2'],
    ['866', 'ibm866'],
  ])('%p is read as %s', (said, encoding) => {
    expect(encodingOf(said)).toBe(encoding);
  });

  test('decides how names are read', async () => {
    const columns = [{ name: 'ID' }, { name: 'NAME' }];
    const table = dbfFile(columns, [['one', 'Grünes Feld']], 'latin1');
    const [field] = await readAll(zipped(parts({ 'a.dbf': table, 'a.cpg': '1252' })));
    expect(field).toMatchObject({ body: { name: 'Grünes Feld' } });
  });
});
