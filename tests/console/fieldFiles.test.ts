import { describe, expect, test } from '@jest/globals';
import { zipSync } from 'fflate';
import { parsedFile } from '../../console/views/adding/files/parsedFile.js';
import { kmlText, placemark, polygonElement } from '../farm/kml.js';
import { dbfFile, recordsOf, shpFile, shxFile, square, utmText, WGS84, zipped } from '../farm/shapefiles.js';
import { utmProjection } from '../../shared/geo/grid/utm.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (content: string | Uint8Array, name = 'fields') =>
  parsedFile(new File([typeof content === 'string' ? content : new Uint8Array(content)], name));

const SQUARE = '9,55,12.5 9.1,55,12.5 9.1,55.1,12.5 9,55,12.5';
const HOLE = '9.04,55.02 9.06,55.02 9.06,55.04 9.04,55.02';
const firstRing = [
  [9, 55],
  [9.1, 55],
  [9.1, 55.1],
  [9, 55],
];

describe('a KML file of fields', () => {
  test('gives polygons with their holes, without heights, and names from name and ExtendedData', async () => {
    const data =
      '<ExtendedData><Data name="crop"><value>corn</value></Data><SchemaData><SimpleData name="no">7</SimpleData></SchemaData></ExtendedData>';
    const style = '<styleUrl>#s</styleUrl><description>long</description>';
    const { value, isConverted, note } = await read(kmlText(placemark(data + style + polygonElement(SQUARE, HOLE))));
    expect({ isConverted, note }).toEqual({ isConverted: true, note: undefined });
    expect(value).toMatchObject({ type: 'FeatureCollection' });
    const [feature] = (value as { features: unknown[] }).features;
    expect(feature).toEqual({
      type: 'Feature',
      properties: { name: 'North', crop: 'corn', no: '7' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          firstRing,
          [
            [9.04, 55.02],
            [9.06, 55.02],
            [9.06, 55.04],
            [9.04, 55.02],
          ],
        ],
      },
    });
  });

  test('gives the polygons of a MultiGeometry as one field, and says what it leaves out', async () => {
    const both = `<MultiGeometry>${polygonElement(SQUARE)}<MultiGeometry>${polygonElement(HOLE)}<Point><coordinates>9,55</coordinates></Point></MultiGeometry></MultiGeometry>`;
    const point = placemark('<Point><coordinates>9,55</coordinates></Point>', 'Gate');
    const overlay =
      '<GroundOverlay><LatLonBox><north>56</north><south>55</south><east>10</east><west>9</west></LatLonBox></GroundOverlay>';
    const { value, note } = await read(kmlText(placemark(both) + point + overlay));
    expect(value).toMatchObject({
      features: [{ geometry: { type: 'MultiPolygon', coordinates: [[firstRing], [{ length: 4 }]] } }],
    });
    expect((value as { features: unknown[] }).features).toHaveLength(1);
    expect(note).toBe('1 of 2 placemarks are left out: they have no polygon.');
  });

  test('says why polygons can’t be read, beside what has none', async () => {
    const content = placemark(polygonElement(SQUARE)) + placemark('', 'Gate') + placemark(polygonElement('9'), 'South');
    expect((await read(kmlText(content))).note).toBe(
      '1 of 3 placemarks are left out: they have no polygon. 1 of 3 placemarks are left out: The placemark South has a number by itself among its corners; each is longitude,latitude, parted by a space.',
    );
  });

  test('in a KMZ file is its doc.kml', async () => {
    const archive = zipSync({
      'files/house.png': new Uint8Array(10),
      'other.kml': bytesOf(kmlText('')),
      'doc.kml': bytesOf(kmlText(placemark(polygonElement(SQUARE), 'In KMZ'))),
    });
    expect((await read(archive)).value).toMatchObject({ features: [{ properties: { name: 'In KMZ' } }] });
  });

  test.each([
    { why: 'is no sound one', text: '<kml><Document>', said: 'fields.kml is no sound KML: it is cut off' },
    {
      why: 'has places alone',
      text: kmlText(placemark('<Point><coordinates>1,2</coordinates></Point>')),
      said: 'no placemark with a polygon. Draw the fields as polygons',
    },
    {
      why: 'has polygons that can’t be read',
      text: kmlText(placemark(polygonElement('x,y'))),
      said: 'The placemark North has "x" in place of a number',
    },
  ])('that $why is refused', async ({ text, said }) => {
    await expect(read(text, 'fields.kml')).rejects.toThrow(said);
  });
});

const NAMES = [{ name: 'NAME' }, { name: 'HA', type: 'N' }];
const parts = (overrides: Readonly<Record<string, Uint8Array | string | undefined>> = {}) => ({
  'farm/fields.shp': shpFile([[square([9, 55], 0.1)]]),
  'farm/fields.dbf': dbfFile(NAMES, [['Søndermark', '12.5']]),
  'farm/fields.prj': WGS84,
  '__MACOSX/farm/._fields.shp': 'not read',
  ...overrides,
});
const prjOf = (datum: string): string =>
  `PROJCS["x",GEOGCS["GCS",DATUM["${datum}",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",700000.0],PARAMETER["False_Northing",6600000.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Standard_Parallel_1",44.0],PARAMETER["Standard_Parallel_2",49.0],PARAMETER["Latitude_Of_Origin",46.5],UNIT["Meter",1.0]]`;

interface ReadSquare {
  readonly features: readonly {
    readonly properties: object;
    readonly geometry: { readonly coordinates: readonly (readonly (readonly [number, number])[])[] };
  }[];
}
const firstCorner = (value: unknown): readonly [number, number] | undefined =>
  (value as ReadSquare).features[0]?.geometry.coordinates[0]?.[0];

describe('a zipped shapefile of fields', () => {
  test('gives polygons with the columns of their rows, in a folder too, beside what a Mac adds', async () => {
    const { value, isConverted } = await read(zipped(parts()));
    expect(isConverted).toBe(true);
    expect((value as ReadSquare).features).toMatchObject([
      { properties: { NAME: 'Søndermark', HA: 12.5 }, geometry: { type: 'Polygon' } },
    ]);
    expect(firstCorner(value)).toEqual([9, 55]);
  });

  test.each([
    { why: 'its .cpg file', cpg: '1252' },
    { why: 'the code page of Windows where there is none and the text is no UTF-8', cpg: undefined },
  ])('is read by $why', async ({ cpg }) => {
    const table = dbfFile(NAMES, [['Søndermark', '1']], 'latin1');
    const { value } = await read(zipped(parts({ 'farm/fields.dbf': table, 'farm/fields.cpg': cpg })));
    expect((value as ReadSquare).features[0]?.properties).toMatchObject({ NAME: 'Søndermark' });
  });

  test('has the records that its .shx names, and their rows', async () => {
    const shp = shpFile([[square([9, 55], 0.1)], [square([10, 55], 0.1)], [square([11, 55], 0.1)]]);
    const [, second, third] = recordsOf(shp);
    const table = dbfFile(NAMES, [['Two'], ['Three']]);
    const index = shxFile([second, third]);
    const { value } = await read(
      zipped(parts({ 'farm/fields.shp': shp, 'farm/fields.dbf': table, 'farm/fields.shx': index })),
    );
    expect(firstCorner(value)).toEqual([10, 55]);
    expect((value as ReadSquare).features.map(({ properties }) => properties)).toEqual([
      { NAME: 'Two' },
      { NAME: 'Three' },
    ]);
  });

  test('on a UTM zone stands where it lies', async () => {
    const shp = shpFile([[square([500_000, 6_100_000], 100)]]);
    const { value } = await read(zipped(parts({ 'farm/fields.shp': shp, 'farm/fields.prj': utmText(32) })));
    const [longitude, latitude] = utmProjection(32_632).toPosition([500_000, 6_100_000]);
    const corner = firstCorner(value);
    expect(corner?.[0]).toBeCloseTo(longitude, 8);
    expect(corner?.[1]).toBeCloseTo(latitude, 8);
  });

  // By the definition of Lambert-93 its false origin lies at 3° E, 46.5° N.
  test('on another map of a datum near WGS 84 is reprojected', async () => {
    const shp = shpFile([[square([700_000, 6_600_000], 100)]]);
    const prj = prjOf('D_RGF_1993');
    const { value } = await read(zipped(parts({ 'farm/fields.shp': shp, 'farm/fields.prj': prj })));
    const corner = firstCorner(value);
    expect(corner?.[0]).toBeCloseTo(3, 6);
    expect(corner?.[1]).toBeCloseTo(46.5, 6);
  });

  test('says which records it leaves out', async () => {
    const table = dbfFile(NAMES, [['One'], ['Two']]);
    const { note } = await read(
      zipped(parts({ 'farm/fields.shp': shpFile([[square([9, 55])], null]), 'farm/fields.dbf': table })),
    );
    expect(note).toBe('1 of 2 records are left out: The record has no shape; draw one, or delete the record.');
  });

  test.each([
    { why: 'has no .prj', files: { 'farm/fields.prj': undefined }, said: 'no .prj file beside farm/fields.shp' },
    { why: 'has no .dbf', files: { 'farm/fields.dbf': undefined }, said: 'so its fields have no names' },
    { why: 'has a datum far from WGS 84', files: { 'farm/fields.prj': prjOf('D_OSGB_1936') }, said: 'D_OSGB_1936' },
    { why: 'has no datum', files: { 'farm/fields.prj': 'LOCAL_CS["x"]' }, said: 'ogr2ogr -t_srs EPSG:4326' },
    {
      why: 'has a projection that is not known',
      files: { 'farm/fields.prj': prjOf('D_ETRS_1989').replace('Lambert_Conformal_Conic', 'Guessed') },
      said: 'describes a map that is not known',
    },
    { why: 'has points', files: { 'farm/fields.shp': shpFile([], 1) }, said: 'polygons are taken' },
    { why: 'has no record', files: { 'farm/fields.shp': shpFile([]) }, said: 'has no polygon' },
    { why: 'is one of two', files: { 'farm/others.shp': shpFile([]) }, said: 'has 2 .shp files' },
    { why: 'is not there', files: { 'farm/fields.shp': undefined }, said: 'no .shp file and no .kml file' },
  ])('that $why is refused', async ({ files, said }) => {
    await expect(read(zipped(parts(files)))).rejects.toThrow(said);
  });
});

/** The directory's entry begins with its mark; the unpacked size stands 24 bytes on. */
function withUnpackedSize(archive: Uint8Array, bytes: number): Uint8Array {
  const at = Buffer.from(archive).indexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
  new DataView(archive.buffer, archive.byteOffset).setUint32(at + 24, bytes, true);
  return archive;
}

describe('an archive', () => {
  test('that unpacks to more than 200 MB is not unpacked', async () => {
    const bomb = withUnpackedSize(zipSync({ 'doc.kml': new Uint8Array(1_000) }), 201 * 1024 * 1024);
    await expect(read(bomb)).rejects.toThrow('201 MB unpacked; at most 200 MB');
  });

  test('with more files than anybody has is not unpacked', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`${index}.kml`, new Uint8Array(0)]));
    await expect(read(zipSync(many))).rejects.toThrow('2001 files; at most 2000');
  });

  test('whose directory names less than a file holds does not grow beyond that', async () => {
    const archive = zipSync({ 'doc.kml': bytesOf(kmlText(placemark(polygonElement(SQUARE)))) });
    await expect(read(withUnpackedSize(archive, 20))).rejects.toThrow(/can’t be unpacked|no sound KML/);
  });

  test('that was cut off is refused', async () => {
    await expect(read(zipped(parts()).subarray(0, 100))).rejects.toThrow('Pack it anew');
  });
});

test('a .shp file alone is not taken', async () => {
  await expect(read(shpFile([]), 'fields.shp')).rejects.toThrow('fields.shp is one part of a shapefile');
});

test('GeoJSON is what it is', async () => {
  expect(await read('{"a": 1}')).toEqual({ value: { a: 1 }, isConverted: false, note: undefined });
});

describe('a GeoJSON file', () => {
  const fileOf = (properties: string): string =>
    `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":${properties}}]}`;

  test('keeps every digit of a number by which fields may be named, and is sent with it as a text', async () => {
    const { value, isConverted } = await read(fileOf('{"field_id":2305843009223239037,"nr":7}'));
    expect(value).toMatchObject({ features: [{ properties: { field_id: '2305843009223239037', nr: 7 } }] });
    expect(isConverted).toBe(true);
  });

  test('without such numbers is sent as it is', async () => {
    expect(await read(fileOf('{"field_id":"2305843009223239037","area":1e3}'))).toMatchObject({ isConverted: false });
  });
});
