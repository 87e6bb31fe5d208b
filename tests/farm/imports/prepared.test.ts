import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { importedId } from '../../../shared/farm/imports/fieldIds.js';
import { featureSpans } from '../../../shared/farm/files/featureSpans.js';
import { prepareFeatures } from '../../../shared/farm/imports/importTasks.js';
import { preparedFeature } from '../../../shared/farm/imports/preparedFeature.js';
import { preparedLine } from '../../../shared/farm/imports/preparedLine.js';
import { isUuid } from '../../../shared/kit/ids.js';
import { collectionOf, featureAt, geometryAt } from './importWorld.js';

const UUID = '3F7D1F64-70d9-4b8e-8d0a-3c2b6a9f0e55';
const prepared = (feature: unknown, rules: object = {}) => preparedFeature(feature, 3, { partyId: 'party', ...rules });
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the id of an imported field', () => {
  test.each([
    { why: 'the property that the caller names', feature: featureAt(0, { nr: 7, field_id: 'f' }), id: '7' },
    { why: 'else field_id', feature: { ...featureAt(0, { field_id: ' f ' }), id: 'other' }, id: 'f' },
    { why: 'else that of the feature', feature: { ...featureAt(0, { field_id: null }), id: 12 }, id: '12' },
  ])('is $why, as a UUID of party and id, the id itself beside it', ({ feature, id }) => {
    const field = prepared(feature, { idProperty: 'nr' });
    expect(field).toMatchObject({ id: importedId('party', id).id, body: { properties: { sourceId: id } } });
  });

  test('is a UUID as it is written, in letters of either case', () => {
    const field = prepared(featureAt(0, { field_id: UUID }));
    expect(field).toMatchObject({ id: UUID });
    expect(field.fault ?? field.body).not.toHaveProperty('properties');
  });

  test('follows from party and geometry where the file has none', () => {
    const idOf = (at: number, partyId: string): string => {
      const field = prepared(featureAt(at, {}), { partyId });
      return field.fault === undefined ? field.id : '';
    };
    expect(idOf(1, 'party')).toBe(idOf(1, 'party'));
    expect(new Set([idOf(1, 'party'), idOf(2, 'party'), idOf(1, 'other')]).size).toBe(3);
  });

  test('is a UUID for every id, another for every other id or party, the same whatever the case of a UUID', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (party, one, other) => {
        const { id } = importedId(party, one);
        expect(isUuid(id)).toBe(true);
        expect(importedId(party, other).id === id).toBe(one === other);
        expect(importedId(`${party}x`, one).id === id).toBe(isUuid(one));
      }),
    );
    expect(importedId(UUID.toLowerCase(), 'f')).toEqual(importedId(UUID.toUpperCase(), 'f'));
  });
});

describe('a feature as a field', () => {
  test('has the usual name, and properties that a field can have', () => {
    const properties = {
      FIELD_NAME: 'Hill',
      crop: 'corn',
      ha: 12.5,
      organic: true,
      empty: '',
      nothing: null,
      nested: { a: 1 },
      long: 'x'.repeat(151),
      party_id: 'p',
      enrollable: true,
    };
    expect(prepared(featureAt(0, properties), { farmId: 'home' })).toMatchObject({
      index: 3,
      kind: 'field',
      partyId: 'party',
      body: { name: 'Hill', farmId: 'home', properties: { crop: 'corn', ha: 12.5, organic: 'true' } },
    });
  });

  test('has at most as many properties as a field may have, with the id of the file', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, index]));
    const field = prepared(featureAt(0, { field_id: 'f', ...many }));
    expect(Object.keys((field.fault === undefined && field.body['properties']) as object)).toHaveLength(25);
  });

  test('has the name of the property that the caller names', () => {
    const field = prepared(featureAt(0, { name: 'no', label: 'yes' }), { nameProperty: 'label' });
    expect(field).toMatchObject({ body: { name: 'yes', properties: { name: 'no' } } });
  });

  test.each([
    { why: 'no feature', feature: 5, text: 'This is no Feature.' },
    { why: 'a bare geometry', feature: geometryAt(0), text: 'This is no Feature.' },
    {
      why: 'one without a geometry',
      feature: { type: 'Feature', geometry: null, properties: {} },
      text: 'no geometry',
    },
    { why: 'a line', feature: { ...featureAt(0), geometry: { type: 'LineString', coordinates: [] } }, text: 'Polygon' },
    {
      why: 'coordinates that are none',
      feature: { ...featureAt(0), geometry: { type: 'Polygon', coordinates: 'x' } },
      text: '',
    },
    { why: 'an endless id', feature: featureAt(0, { field_id: 'x'.repeat(151) }), text: 'at most 150' },
  ])('is refused by itself: $why', ({ feature, text }) => {
    expect(prepared(feature)).toMatchObject({ index: 3, fault: { code: 'InvalidRequest' } });
    expect(prepared(feature).fault?.message).toContain(text);
  });
});

describe('the features of a collection', () => {
  test('lie where the scan says, behind a byte order mark and among foreign members too', () => {
    const features = [featureAt(0), { odd: [1, { '}': ']' }] }, 5, featureAt(1, { name: 'Grünes Feld 🌾' })];
    const text = `\uFEFF${collectionOf(features, { name: 'export', crs: { type: 'name', properties: { name: 'EPSG:4326' } } })}`;
    const { spans = [] } = featureSpans(bytesOf(text));
    const pieces = features.map((_, at) => bytesOf(text).subarray(spans[2 * at], spans[2 * at + 1]));
    expect(pieces.map((piece) => JSON.parse(new TextDecoder().decode(piece)) as unknown)).toEqual(features);
  });

  test.each([
    { why: 'an empty file', text: '', says: 'is empty' },
    { why: 'one that was cut off', text: collectionOf([featureAt(0)]).slice(0, -2), says: 'ends before' },
    { why: 'an archive', text: 'PK\u0003\u0004', says: 'ZIP archive' },
    { why: 'a single feature', text: JSON.stringify(featureAt(0)), says: 'single Feature' },
    { why: 'a sequence of features', text: `${JSON.stringify(featureAt(0))}\n{}`, says: 'sequence of JSON texts' },
    { why: 'no features', text: collectionOf([]), says: 'no features' },
    { why: 'features that are no array', text: '{"type":"FeatureCollection","features":{}}', says: 'no features' },
    {
      why: 'another reference system',
      text: collectionOf([featureAt(0)], { crs: { type: 'name', properties: { name: 'EPSG:25832' } } }),
      says: 'ogr2ogr',
    },
    { why: 'nesting without end', text: `{"a":${'['.repeat(100)}`, says: 'nested more than 32' },
  ])('are refused as a whole: $why', ({ text, says }) => {
    expect(featureSpans(bytesOf(text)).fault).toContain(says);
  });
});

describe('features that are more than are taken at once', () => {
  test('are counted while they are read: of what follows nothing is looked at', () => {
    const text = `{"type":"FeatureCollection","features":[${'0,'.repeat(249_999)}`;
    expect(featureSpans(bytesOf(`${text}no JSON`)).fault).toContain('is not JSON');
    expect(featureSpans(bytesOf(`${text}0,no JSON`)).fault).toBe(
      'The file has more than 250000 features, the most that are taken at once; split it.',
    );
  });
});

describe('a feature or a line that is too large', () => {
  const notes = Array.from({ length: 40 }, () => 'x'.repeat(60_000));
  const manyArrays = { type: 'MultiPolygon', coordinates: Array.from({ length: 250_001 }, () => []) };
  const padded = { ...featureAt(0), note: 'x'.repeat(60_000), notes: notes.slice(0, 33) };
  const inLine = (resource: object, more: object = {}) => ({ path: '/parties/p/fields/f', resource, ...more });

  test.each([
    {
      form: 'features',
      why: 'properties',
      value: featureAt(0, { notes }),
      says: 'The feature has 2.3 MB of properties',
    },
    {
      form: 'features',
      why: 'members',
      value: { ...featureAt(0), notes },
      says: 'The feature has 2.3 MB of properties',
    },
    {
      form: 'features',
      why: 'arrays of a geometry',
      value: { ...padded, geometry: { ...manyArrays, coordinates: [...manyArrays.coordinates, notes] } },
      says: 'The feature has a geometry of 250004 arrays; at most 250000 are taken',
    },
    {
      form: 'lines',
      why: 'properties',
      value: inLine({ properties: { notes } }),
      says: 'The line has 2.3 MB of properties',
    },
    { form: 'lines', why: 'members', value: inLine({}, { notes }), says: 'The line has 2.3 MB of properties' },
    {
      form: 'lines',
      why: 'arrays of a geometry',
      value: inLine({ geometry: { ...manyArrays, coordinates: [...manyArrays.coordinates, notes] } }),
      says: 'The line has a geometry of 250004 arrays; at most 250000 are taken',
    },
  ] as const)('has a fault of its own for its $why, and the next of the $form is read', ({ form, value, says }) => {
    const next = form === 'features' ? featureAt(1) : { path: '/parties/p/fields/g', resource: { name: 'G' } };
    const pieces = [value, next].map((each) => bytesOf(JSON.stringify(each)));
    const options = form === 'features' ? { partyId: 'party' } : {};
    expect(prepareFeatures({ raw: { form, first: 7, pieces }, options })).toMatchObject([
      { index: 7, fault: { code: 'InvalidRequest', message: expect.stringContaining(says) } },
      { index: 8, kind: 'field' },
    ]);
  });

  test('is read with much of its geometry, and little beside it', () => {
    const ring = Array.from({ length: 100_000 }, (_, at) => {
      const angle = (2 * Math.PI * at) / 99_999;
      return [9 + Math.cos(angle) / 100, 55 + Math.sin(angle) / 100];
    });
    const geometry = { type: 'Polygon', coordinates: [[...ring.slice(0, -1), ring[0]]] };
    const pieces = [bytesOf(JSON.stringify({ ...featureAt(0), geometry }, undefined, 1))];
    expect(pieces[0]?.byteLength).toBeGreaterThan(4_000_000);
    const [field] = prepareFeatures({ raw: { form: 'features', first: 0, pieces }, options: { partyId: 'party' } });
    expect(field?.fault).toBeUndefined();
  });
});

describe('a line of an export', () => {
  const line = (value: unknown) =>
    preparedLine(bytesOf(typeof value === 'string' ? value : JSON.stringify(value)), 7, {});

  test.each([
    { path: '/parties/p', kind: 'party', id: 'p' },
    { path: '/parties/p/farms/f', kind: 'farm', id: 'f' },
    { path: '/parties/p/fields/x', kind: 'field', id: 'x' },
  ])('of the path $path is a $kind with its own id', ({ path, kind, id }) => {
    const resource = { id, name: 'N', eTag: 'e', createdBy: 'c', createdDateTime: '2026-01-01T00:00:00Z' };
    expect(line({ path, resource })).toEqual({ index: 7, kind, partyId: 'p', id, body: { name: 'N' } });
  });

  test.each([
    { why: 'no JSON', value: '{', text: 'The line ends before' },
    { why: 'no path', value: { resource: {} }, text: 'no path and resource' },
    {
      why: 'an insight',
      value: { path: '/parties/p/models/m/resource-types/Field/resources/f/insights/i', resource: {} },
      text: 'names no party',
    },
    { why: 'an id that none can be', value: { path: '/parties/..', resource: {} }, text: 'names no party' },
    {
      why: 'properties that no resource can have',
      value: {
        path: '/parties/p',
        resource: { properties: Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`p${at}`, at])) },
      },
      text: 'properties has 26 pairs; at most 25 are stored',
    },
    { why: 'an unknown member', value: { path: '/parties/p', resource: { nope: 1 } }, text: 'nope is no member' },
    { why: 'another id', value: { path: '/parties/p', resource: { id: 'q' } }, text: 'not that of the path' },
  ])('is refused by itself: $why', ({ value, text }) => {
    expect(line(value)).toMatchObject({ index: 7, fault: { code: 'InvalidRequest' } });
    expect(line(value).fault?.message).toContain(text);
  });

  test('keeps every digit of a number', () => {
    const text = '{"path":"/parties/p","resource":{"properties":{"registry":2305843009223239036,"ha":1.5}}}';
    expect(line(text)).toMatchObject({ body: { properties: { registry: '2305843009223239036', ha: 1.5 } } });
  });

  test('of another party than the one that is imported is refused', () => {
    const bytes = bytesOf(JSON.stringify({ path: '/parties/p', resource: {} }));
    expect(preparedLine(bytes, 0, { partyId: 'q' }).fault?.message).toContain('another party than q');
    expect(preparedLine(bytes, 0, { partyId: 'p' }).fault).toBeUndefined();
  });
});
