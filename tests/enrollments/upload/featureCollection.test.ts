import { describe, expect, test } from '@jest/globals';
import { featureCollectionFaults } from '../../../shared/enrollments/upload/featureCollection.js';
import { JsonScanner } from '../../../shared/kit/json/jsonScanner.js';
import { geoJsonBudget } from '../../../shared/kit/json/structureBudget.js';
import { readSubmittedFeatures } from '../../../shared/enrollments/upload/submittedFeatures.js';
import { aCollection, aFeature, aRing, jsonBytes } from '../builders.js';

const submitted = (value: unknown, limit: number) =>
  readSubmittedFeatures(new JsonScanner(jsonBytes(value), geoJsonBudget), limit);
const faultsOf = (value: unknown, limit = 250) => featureCollectionFaults(submitted(value, limit), limit);
const ofGeometry = (geometry: unknown) => faultsOf(aCollection([aFeature({ geometry })]));

describe('a feature collection is taken', () => {
  test.each([
    ['of one polygon', aCollection()],
    ['with members of its own', { ...aCollection(), name: 'x', bbox: [] }],
    ['with other properties', aCollection([{ ...aFeature(), id: 7, properties: { field_id: 'a', crop: {} } }])],
    ['with a third coordinate', aCollection([aFeature({ geometry: { type: 'Polygon', coordinates: [[[1, 2, 3]]] } })])],
    [
      'with an empty geometry, which fails the field alone',
      aCollection([aFeature({ geometry: { type: 'Polygon', coordinates: [] } })]),
    ],
    ['with a multipolygon', aCollection([aFeature({ geometry: { type: 'MultiPolygon', coordinates: [[aRing()]] } })])],
    ['with crs null', { ...aCollection(), crs: null }],
  ])('%s', (_what, value) => {
    expect(faultsOf(value)).toEqual([]);
  });

  test('and gives its features in order', () => {
    const collection = aCollection([aFeature({ fieldId: 'b' }), aFeature({ fieldId: 'a' })]);
    expect(submitted(collection, 250).features.map((feature) => feature?.fieldId)).toEqual(['b', 'a']);
  });
});

describe('the group of a field', () => {
  const ofGroup = (group: unknown) => faultsOf(aCollection([aFeature({ group })]));
  test.each([
    ['of one character', 'A'],
    ['of 128', 'x'.repeat(128)],
    ['of any script, with joiners and what a field_id may not hold', 'Müller & Söhne / می‌خواهم: 1–3'],
    ['that is empty, which is none', ''],
    ['that is null, which is none', null],
  ])('may be one %s', (_what, group) => {
    expect(ofGroup(group)).toEqual([]);
  });

  test.each([
    ['of 129 characters', 'x'.repeat(129), 'group', 'has 129 characters; at most 128 are allowed'],
    ['with a control character', 'Farm\n1', 'group', 'must not hold control'],
    ['with a space at its end', 'Farm 1 ', 'group', 'must not begin or end with a space'],
    ['in another form of Unicode', 'Mu\u0308ller', 'group', 'NFC'],
    ['that is a number', 7, 'type', 'must be a string of at most 128 characters or null; put a number in quotes'],
    ['that is an object', {}, 'type', 'must be a string'],
  ])('may be none %s', (_what, group, type, text) => {
    const loc = ['geojson', 'features', 0, 'properties', 'group'];
    const start = 'geojson.features[0].properties.group';
    expect(ofGroup(group)).toEqual([{ loc, type, msg: expect.stringContaining(text) }]);
    expect(ofGroup(group)[0]?.msg.startsWith(start)).toBe(true);
  });
});

describe('the crs of a feature collection', () => {
  const named = (name: string) => faultsOf({ ...aCollection(), crs: { type: 'name', properties: { name } } });
  test.each([
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 'GDAL'],
    ['urn:ogc:def:crs:OGC::CRS84', 'without a version'],
    ['urn:ogc:def:crs:OGC:1.3:CRS:84', 'with the colon of CRS:84'],
    ['urn:ogc:def:crs:OGC:0:CRS84h', 'with heights'],
    ['urn:ogc:def:crs:EPSG::4326', 'of EPSG'],
    ['urn:ogc:def:crs:EPSG:6.9:4326', 'of EPSG, with a version'],
    ['urn:x-ogc:def:crs:EPSG:4326', 'before OGC had its own name space'],
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'by the address that OGC gives it'],
    ['https://www.opengis.net/def/crs/OGC/0/CRS84h', 'over TLS, with heights'],
    ['http://www.opengis.net/def/crs/EPSG/0/4326', 'of EPSG, by address'],
    ['http://www.opengis.net/gml/srs/epsg.xml#4326', 'by the address of GML'],
    ['EPSG:4326', 'short'],
    ['OGC:CRS84', 'short, of OGC'],
    ['CRS:84', 'as map services name it'],
    ['crs84', 'in small letters'],
  ])('%s is WGS 84: %s', (name) => {
    expect(named(name)).toEqual([]);
  });

  test.each([
    'http://www.opengis.net/def/crs/OGC/1.3/CRS83',
    'http://www.opengis.net/def/crs/EPSG/0/43260',
    'http://www.opengis.net.example.com/def/crs/OGC/1.3/CRS84',
    'urn:ogc:def:crs:EPSG::3857',
    'urn:ogc:def:crs:OGC:1.3:CRS84:x',
    'EPSG:43261',
  ])('%s is another', (name) => {
    expect(named(name).map(({ type }) => type)).toEqual(['crs']);
  });
});

describe('a feature collection is refused', () => {
  test.each([
    ['null', null, 'not_feature_collection'],
    ['a list', [], 'not_feature_collection'],
    ['a feature', aFeature(), 'not_feature_collection'],
    ['without features', { type: 'FeatureCollection' }, 'no_features'],
    ['with no feature', aCollection([]), 'no_features'],
    ['with features in an object', { type: 'FeatureCollection', features: {} }, 'no_features'],
    ['with a null feature', aCollection([null]), 'not_feature'],
    ['with a bare geometry', aCollection([{ type: 'Polygon' }]), 'not_feature'],
    ['in UTM', { ...aCollection(), crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::32633' } } }, 'crs'],
    ['with a linked crs', { ...aCollection(), crs: { type: 'link' } }, 'crs'],
    ['without properties', aCollection([{ ...aFeature(), properties: null }]), 'required'],
    ['without a field_id', aCollection([{ ...aFeature(), properties: {} }]), 'required'],
    ['with a number for a field_id', aCollection([aFeature({ fieldId: 7 })]), 'type'],
    ['with a path for a field_id', aCollection([aFeature({ fieldId: '../x' })]), 'field_id'],
  ])('%s', (_what, value, type) => {
    expect(faultsOf(value).map((fault) => fault.type)).toEqual([type]);
  });

  test.each([
    ['a point', { type: 'Point', coordinates: [1, 2] }, 'geometry_type', []],
    ['a geometry collection', { type: 'GeometryCollection', geometries: [] }, 'geometry_type', []],
    ['a type of the prototype', { type: 'toString', coordinates: [] }, 'geometry_type', []],
    ['no coordinates', { type: 'Polygon' }, 'coordinates', []],
    ['a ring of numbers', { type: 'Polygon', coordinates: [[1, 2]] }, 'coordinates', [0, 0]],
    ['a text for a number', { type: 'Polygon', coordinates: [[[1, '2']]] }, 'coordinates', [0, 0]],
    ['null for a number', { type: 'Polygon', coordinates: [[[1, null]]] }, 'coordinates', [0, 0]],
    ['one number', { type: 'Polygon', coordinates: [[[1]]] }, 'coordinates', [0, 0]],
    ['five numbers', { type: 'Polygon', coordinates: [[[1, 2, 3, 4, 5]]] }, 'coordinates', [0, 0]],
    [
      'rings of a polygon in a multipolygon',
      { type: 'MultiPolygon', coordinates: [aRing()] },
      'coordinates',
      [0, 0, 0],
    ],
  ])('with %s in place of a field', (_what, geometry, type, path) => {
    const tail = type === 'geometry_type' ? ['type'] : ['coordinates', ...path];
    expect(ofGeometry(geometry)).toEqual([
      expect.objectContaining({ loc: ['geojson', 'features', 0, 'geometry', ...tail], type }),
    ]);
  });

  test('with more fields than the customer may have, naming both numbers', () => {
    const features = Array.from({ length: 4 }, (_, index) => aFeature({ fieldId: `f${index}` }));
    expect(faultsOf(aCollection(features), 3)[0]).toMatchObject({
      type: 'too_many_fields',
      msg: expect.stringMatching(/4 features; at most 3/),
    });
    expect(faultsOf(aCollection(features), 4)).toEqual([]);
  });

  test('with an id twice, whatever its casing, naming the first place', () => {
    const features = [aFeature({ fieldId: 'x' }), aFeature({ fieldId: 'North' }), aFeature({ fieldId: 'NORTH' })];
    expect(faultsOf(aCollection(features))).toEqual([
      expect.objectContaining({
        loc: ['geojson', 'features', 2, 'properties', 'field_id'],
        type: 'duplicate',
        msg: expect.stringContaining('feature 1'),
      }),
    ]);
  });

  test('with all its faults at once, the first hundred', () => {
    const features = Array.from({ length: 70 }, () => ({ type: 'Feature', properties: {}, geometry: null }));
    const faults = faultsOf(aCollection(features));
    expect(faults).toHaveLength(100);
    expect(faults.slice(0, 3).map(({ type, loc }) => `${type} ${String(loc[2])}`)).toEqual([
      'required 0',
      'geometry_type 0',
      'required 1',
    ]);
  });
});

describe('what came instead is named', () => {
  const messageOf = (value: unknown): string => faultsOf(value)[0]?.msg ?? '';
  const esriFeature = { attributes: { FIELD_ID: 'x' }, geometry: { rings: [aRing()] } };
  test.each([
    ['a bare feature', aFeature(), 'this is a single Feature: put it into the features of a FeatureCollection'],
    ['a geometry', { type: 'Polygon', coordinates: [aRing()] }, 'this is a geometry (Polygon): make a Feature'],
    [
      'a collection of geometries',
      { type: 'GeometryCollection', geometries: [] },
      'this is a geometry (GeometryCollection)',
    ],
    [
      'Esri JSON',
      { geometryType: 'esriGeometryPolygon', spatialReference: { wkid: 102100 }, features: [esriFeature] },
      'Esri JSON',
    ],
    ['one feature of Esri JSON', esriFeature, 'this looks like Esri JSON: export it as GeoJSON (f=geojson)'],
    ['TopoJSON', { type: 'Topology', objects: {} }, 'this is TopoJSON: convert it to GeoJSON'],
    ['an array of features', [aFeature()], 'this is an array: put its features into one FeatureCollection'],
    ['a text', 'FeatureCollection', 'this is no object'],
    ['null', null, 'this is no object'],
    ['something else', { type: 'featurecollection' }, 'must be FeatureCollection; it is featurecollection'],
    ['a number for a type', { type: 7 }, 'it is no text'],
    ['nothing', {}, 'it is missing'],
    ['a long type with a line end', { type: `a\n${'b'.repeat(500)}` }, 'it is a'],
  ])('%s', (_what, value, says) => {
    const message = messageOf(value);
    expect(message).toMatch(/^geojson\.type must be FeatureCollection; /);
    expect(message).toContain(says);
    expect(message).toMatch(/^[^\n]{1,200}$/);
  });

  const named = (name: unknown) => ({ ...aCollection(), crs: { type: 'name', properties: { name } } });
  test.each([
    [
      named('urn:ogc:def:crs:EPSG::3857'),
      'is urn:ogc:def:crs:EPSG::3857; it must be absent or name CRS84 or EPSG:4326',
    ],
    [named('x'.repeat(500)), `is ${'x'.repeat(64)}…; it must`],
    [named('a\u202eb\u0000'), 'is a?b?; it must'],
    [named(7), 'has no name; it must'],
    [{ ...aCollection(), crs: { type: 'link', properties: { href: 'x' } } }, 'has no name; it must'],
  ])('the crs of %j', (value, says) => {
    expect(messageOf(value)).toContain(`geojson.crs ${says}`);
  });

  const withProperties = (properties: unknown, more: object = {}) =>
    aCollection([{ ...aFeature(), ...more, properties }]);
  test.each([
    [withProperties({ FIELD_ID: 'x' }), 'is missing: rename FIELD_ID to field_id'],
    [withProperties({ crop: 'corn', fieldId: 'x', id: 1 }), 'is missing: rename fieldId to field_id'],
    [withProperties({ 'Field ID': 7 }), 'is missing: rename Field ID to field_id'],
    [withProperties({ 'field-id': 'x' }), 'is missing: rename field-id to field_id'],
    [withProperties({ id: 'x' }), 'is missing: rename id to field_id'],
    [withProperties({ ID: 'x' }, { id: 3 }), 'is missing: rename ID to field_id'],
    [
      withProperties({}, { id: 'x' }),
      'is missing: the id of the feature does not count, write it into properties.field_id',
    ],
    [withProperties(null, { id: 'x' }), 'is missing: the id of the feature does not count'],
    [withProperties({ name: 'x', idea: 1, field: 2, ['field_id'.repeat(9)]: 3 }), 'is missing'],
    [withProperties('field_id'), 'is missing'],
    [withProperties({ field_id: 12 }), 'must be a string: put the number in quotes'],
    [withProperties({ field_id: null, FIELD_ID: 'x' }), 'must be a string'],
  ])('the field_id of %j', (value, says) => {
    expect(messageOf(value)).toMatch(/^geojson\.features\[0\]\.properties\.field_id /);
    expect(messageOf(value)).toContain(says);
    if (says === 'is missing' || says === 'must be a string') expect(messageOf(value)).toMatch(new RegExp(`${says}$`));
  });

  test.each([
    [null, 'geojson.features[0].geometry is null; give it a Polygon or MultiPolygon'],
    ['POLYGON ((1 2, 3 4))', 'geojson.features[0].geometry is no object; give it a Polygon or MultiPolygon'],
    [
      { type: 'Point', coordinates: [1, 2] },
      'geojson.features[0].geometry.type must be Polygon or MultiPolygon; it is Point',
    ],
    [{ rings: [] }, 'geojson.features[0].geometry.type must be Polygon or MultiPolygon'],
  ])('the geometry %j', (geometry, says) => {
    expect(ofGeometry(geometry)).toEqual([expect.objectContaining({ msg: says, type: 'geometry_type' })]);
  });

  test('no geometry at all', () => {
    expect(messageOf(aCollection([{ type: 'Feature', properties: { field_id: 'a' } }]))).toBe(
      'geojson.features[0].geometry is missing; give it a Polygon or MultiPolygon',
    );
  });

  test('a geometry in the list of features', () => {
    expect(messageOf(aCollection([{ type: 'Polygon', coordinates: [aRing()] }]))).toBe(
      'geojson.features[0] must be a Feature; it is Polygon',
    );
  });
});
