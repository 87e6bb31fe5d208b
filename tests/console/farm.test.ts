import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listFarmFields, listParties, putField, readOutlines, removeLand } from '../../console/api/farm.js';
import type { ListedField } from '../../console/api/fields.js';
import { foundOptions, indexAfter } from '../../console/parts/comboChoice.js';
import { askFarmAccess, farmAccess, forgetFarms } from '../../console/parts/farmAccess.js';
import { landFieldsOf } from '../../console/parts/farmLand.js';
import { optionsOf } from '../../console/parts/landOptions.js';
import { nameBasedId } from '../../console/parts/nameBasedId.js';
import { farmHref, farmPlaceOf, placeOf } from '../../console/router.js';
import { farmRolesOf } from '../../console/session/roles.js';
import { signIn, signOut } from '../../console/session/session.js';
import { patchOfBoundary } from '../../console/views/boundary/fieldOfBoundary.js';
import { fields } from '../../console/views/fields/fieldsStore.js';
import { fieldIdOf, idOfMapField } from '../../console/views/gdd/fieldOfMap.js';
import { firstWanted } from '../../console/views/gdd/useSeason.js';
import { polygonOf } from '../../console/views/farms/editOutline.js';
import type { Polygon } from '../../shared/geo/shapes/geoJson.js';

/** A token that says these things of itself; nobody has signed it. */
const tokenWith = (claims: object): string =>
  ['{}', JSON.stringify(claims), 'signature'].map((part) => Buffer.from(part).toString('base64url')).join('.');

const modifiedDateTime = '2026-03-02T07:10:00Z';
const square: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [9.12, 55.91],
      [9.13, 55.91],
      [9.13, 55.92],
      [9.12, 55.92],
      [9.12, 55.91],
    ],
  ],
};

interface Sent {
  readonly url: URL;
  readonly init: RequestInit;
}

/** Answers calls of the service; keeps what was sent. */
function answering(answer: (sent: Sent) => { readonly status?: number; readonly json: unknown }): readonly Sent[] {
  const sent: Sent[] = [];
  jest.spyOn(globalThis, 'fetch').mockImplementation((input, init = {}) => {
    const one = { url: new URL(input as string, 'https://fields.example.com'), init };
    sent.push(one);
    const { status = 200, json } = answer(one);
    return Promise.resolve(Response.json(json, { status }));
  });
  return sent;
}

beforeEach(() => {
  signIn({ apiKey: 'key', token: tokenWith({ roles: ['Farm.ReadWrite'] }) }, false);
});
afterEach(() => {
  jest.restoreAllMocks();
  forgetFarms();
  signOut();
});

describe('what a token may do with farm data', () => {
  test.each([
    { why: 'an application that may write', token: tokenWith({ roles: ['Farm.ReadWrite'] }), read: true, write: true },
    { why: 'an application that may read', token: tokenWith({ roles: ['Jobs.Read', 'Farm.Read'] }), read: true },
    { why: 'a person, by scp', token: tokenWith({ scp: 'Jobs.ReadWrite Farm.Read' }), read: true },
    { why: 'a person, whose roles do not count', token: tokenWith({ scp: 'Jobs.Read', roles: ['Farm.Read'] }) },
    { why: 'jobs alone', token: tokenWith({ roles: ['Jobs.ReadWrite'] }) },
    { why: 'letters beyond Latin in a name', token: tokenWith({ name: 'Søren 穂', roles: ['Farm.Read'] }), read: true },
    { why: 'no JWT', token: 'not.a.token' },
    { why: 'claims that are no object', token: tokenWith([1]) },
    { why: 'no token', token: undefined },
  ])('is read from the token: $why', ({ token, read = false, write = false }) => {
    expect(farmRolesOf(token)).toEqual({ canRead: read, canWrite: write });
  });
});

describe('what the page shows of farm data', () => {
  const after = async (): Promise<string> => {
    await askFarmAccess();
    return farmAccess.value.state;
  };

  test('is the tenant’s own, with its parties', async () => {
    answering(() => ({ json: { value: [{ id: 'a', modifiedDateTime }] } }));
    expect(await after()).toBe('own');
    expect(farmAccess.value).toMatchObject({ canWrite: true, parties: { isCut: false, items: [{ id: 'a' }] } });
  });

  test('is nothing without a role, and nobody is asked', async () => {
    const sent = answering(() => ({ json: {} }));
    signIn({ apiKey: 'key', token: tokenWith({ roles: ['Jobs.ReadWrite'] }) }, false);
    expect(await after()).toBe('none');
    expect(sent).toEqual([]);
  });

  test.each([
    { status: 403, state: 'none' },
    { status: 500, state: 'failed' },
  ])('is $state after an answer $status', async ({ status, state }) => {
    answering(() => ({ status, json: { error: { code: 'SomeCode', message: 'No.' } } }));
    expect(await after()).toBe(state);
  });
});

describe('a list of farm data', () => {
  test('is read to its end by skipToken, an empty page included, and sorted by name', async () => {
    const pages = [
      { value: [{ id: 'c', name: 'Field 10' }], skipToken: 'second' },
      { value: [], skipToken: 'third', nextLink: 'https://elsewhere.example.com/parties?skipToken=third' },
      { value: [{ id: 'b', name: 'Field 9' }, { id: 'Field 1' }] },
    ];
    const sent = answering(() => ({ json: pages.shift() }));
    const { items, isCut } = await listParties();
    expect(items.map(({ id }) => id)).toEqual(['Field 1', 'b', 'c']);
    expect(isCut).toBe(false);
    expect(sent.map(({ url }) => url.searchParams.get('skipToken'))).toEqual([null, 'second', 'third']);
    for (const { url } of sent) {
      expect(url.origin).toBe('https://fields.example.com');
      expect(url.searchParams.get('api-version')).toBe('2023-11-01-preview');
    }
  });

  test('ends at 5,000, and says so', async () => {
    let next = 0;
    const page = () => Array.from({ length: 1_000 }, () => ({ id: String((next += 1)) }));
    const sent = answering(() => ({ json: { value: page(), skipToken: 'more' } }));
    const { items, isCut } = await listParties();
    expect([items.length, isCut, sent.length]).toEqual([5_000, true, 5]);
  });

  test('of fields leaves search regions out and asks for one farm by its id, whatever its letters', async () => {
    const value = [
      { id: 'a', name: 'North', status: 'Active' },
      { id: 'b', name: 'Looked for here', status: 'SearchRegion' },
    ];
    const sent = answering(() => ({ json: { value } }));
    const { items } = await listFarmFields({ partyId: 'a~b', farmId: 'home.farm' });
    expect(items.map(({ id }) => id)).toEqual(['a']);
    expect(sent[0]?.url.pathname).toBe('/parties/a~b/fields');
    expect(sent[0]?.url.searchParams.get('farmIds')).toBe('home.farm');
  });
});

test('outlines are read over the links of short answers, at most 250', async () => {
  const feature = (id: string) => ({ properties: { field_id: id }, geometry: square });
  const next = 'https://inner.example.com/v1/parties/p/fields.geojson?limit=250&skipToken=two';
  const pages = [{ features: [feature('a')], links: [{ rel: 'next', href: next }] }, { features: [feature('b')] }];
  const sent = answering(() => ({ json: pages.shift() }));
  expect([...(await readOutlines({ partyId: 'p', farmId: '' })).keys()]).toEqual(['a', 'b']);
  expect(sent.map(({ url: { searchParams: query } }) => [query.get('limit'), query.get('skipToken')])).toEqual([
    ['250', null],
    ['249', 'two'],
  ]);
});

test('a field is written as a merge patch', async () => {
  const sent = answering(() => ({ json: { id: 'f' } }));
  await putField('p', 'f', { name: 'North' });
  const { method, headers, body } = sent[0]?.init ?? {};
  expect([method, body]).toEqual(['PATCH', '{"name":"North"}']);
  expect(headers).toMatchObject({ 'content-type': 'application/merge-patch+json' });
});

describe('land that is deleted', () => {
  const removing = (...states: readonly object[]) => {
    const left = [...states];
    return answering(() => ({ json: left.shift() }));
  };

  test('is gone with all below it once the service has said so', async () => {
    jest.useFakeTimers();
    const sent = removing({ status: 'Waiting' }, { status: 'Running' }, { status: 'Succeeded' });
    const removed = removeLand('fields', { partyId: 'p', fieldId: 'a~b' });
    await jest.runAllTimersAsync();
    await removed;
    jest.useRealTimers();
    expect(sent.map(({ init: { method = 'GET' } }) => method)).toEqual(['PUT', 'GET', 'GET']);
    const [first, ...looks] = sent.map(({ url }) => url.pathname);
    expect(first).toMatch(/^\/fields\/cascade-delete\/[0-9a-f-]{36}$/);
    expect(looks).toEqual([first, first]);
    expect(sent[0]?.url.searchParams.get('fieldId')).toBe('a~b');
  });

  test('is not gone where that has failed, which is said', async () => {
    removing({ status: 'Failed', message: 'The party was changed.', errorCode: 'Conflict' });
    await expect(removeLand('parties', { partyId: 'p' })).rejects.toMatchObject({
      message: 'The party was changed.',
      code: 'Conflict',
    });
  });
});

test('an outline is edited where it is one polygon', () => {
  const two = { type: 'MultiPolygon', coordinates: [square.coordinates, square.coordinates] } as const;
  const one = { type: 'MultiPolygon', coordinates: [square.coordinates] } as const;
  expect([square, one].map(polygonOf)).toEqual([square, square]);
  expect([two, { type: 'Point', coordinates: [9, 55] } as const, undefined].map(polygonOf)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

describe('a field of the map whose season is asked for', () => {
  const wanted = { ...firstWanted([]), partyId: 'p', farmId: 'f', fieldId: 'of the farm', mapField: 'North' };
  const sas = { path: 'acme/', sas_token: '' };
  const readable = async (roles: readonly string[] = ['Farm.ReadWrite']): Promise<void> => {
    signIn({ apiKey: 'key', token: tokenWith({ roles }) }, false);
    fields.value = [{ field_id: 'North', geometry: square } as unknown as ListedField];
    await askFarmAccess();
  };

  test.each([
    { why: 'is written once', known: 404, methods: ['GET', 'PATCH'] },
    { why: 'stays as it was changed since', known: 200, methods: ['GET'] },
  ])('$why', async ({ known, methods }) => {
    const sent = answering(({ url: { pathname }, init: { method } }) => {
      if (pathname === '/parties') return { json: { value: [{ id: 'p', modifiedDateTime }] } };
      if (pathname === '/v1/auth/sas-token') return { json: sas };
      return { status: method === 'PATCH' ? 201 : known, json: {} };
    });
    await readable();
    expect(await fieldIdOf(wanted)).toBe(await idOfMapField('acme', 'North'));
    const ofField = sent.filter(({ url }) => url.pathname.startsWith('/parties/p/fields/'));
    expect(ofField.map(({ init: { method = 'GET' } }) => method)).toEqual(methods);
  });

  test.each([
    { why: 'none is chosen', roles: ['Farm.ReadWrite'], mapField: undefined },
    { why: 'the map has no such field any more', roles: ['Farm.ReadWrite'], mapField: 'Gone' },
    { why: 'the token may not write it', roles: ['Farm.Read'], mapField: 'North' },
  ])('gives way to the field of the farm where $why', async ({ roles, mapField }) => {
    answering(() => ({ json: { value: [] } }));
    await readable(roles);
    expect(await fieldIdOf({ ...wanted, mapField })).toBe('of the farm');
  });
});

describe('a boundary that is saved as a field', () => {
  const saved = { partyId: 'p', farmId: 'f', insightId: '2ed6657d-e927-568b-95e1-2665a8aea6a2', name: 'Found' };

  test('has the id that follows from its insight (RFC 9562, A.4: www.example.com in the namespace of DNS)', async () => {
    expect(await nameBasedId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(saved.insightId);
  });

  test('says where it comes from, and how sure that is', () => {
    expect(patchOfBoundary({ ...saved, candidate: { geometry: square, confidence: 0.91 } })).toEqual({
      name: 'Found',
      farmId: 'f',
      geometry: square,
      source: 'Smart Boundary',
      properties: { insightId: saved.insightId, confidence: 0.91 },
    });
  });

  test('loses its confidence when its edge was changed by hand', () => {
    const { properties } = patchOfBoundary({ ...saved, candidate: { geometry: square, confidence: undefined } });
    expect(properties).toEqual({ insightId: saved.insightId, confidence: null });
  });
});

describe('fields of a list and of a map', () => {
  const listed = (...ids: readonly string[]) => ({
    items: ids.map((id) => ({ id, partyId: 'p', modifiedDateTime })),
    isCut: false,
  });

  test('are joined by id: an outline without a field of the list is left out', () => {
    const { fields, note } = landFieldsOf(
      listed('a', 'point'),
      new Map([
        ['a', square],
        ['region', square],
      ]),
    );
    expect(fields.map(({ id, areaHa }) => [id, areaHa === undefined ? undefined : Math.round(areaHa)])).toEqual([
      ['a', 70],
      ['point', undefined],
    ]);
    expect(note).toBeUndefined();
  });

  test('say what of them is missing', () => {
    const many = listed(...Array.from({ length: 251 }, (_, index) => String(index)));
    expect(landFieldsOf(many, new Map()).note).toMatch(/^The map shows the first 250 fields/);
    expect(landFieldsOf({ ...many, isCut: true }, new Map()).note).toMatch(/^Only the first 251 fields are listed/);
  });
});

describe('one of many by name', () => {
  const options = [
    { id: '1', text: 'Creek East', note: '12.0 ha' },
    { id: '2', text: 'Süd & Söhne' },
    { id: '3', text: 'East Creek' },
  ];

  test.each([
    ['', ['1', '2', '3'], 'nothing typed: all'],
    ['sud', ['2'], 'without accents and case'],
    ['east', ['3', '1'], 'those that begin with it first'],
    ['12.0', ['1'], 'by its note'],
    ['nowhere', [], 'none'],
  ])('%j finds %j: %s', (typed, ids) => {
    expect(foundOptions(options, typed).map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 2, 0],
    ['ArrowUp', -1, 2],
    ['ArrowUp', 0, 2],
    ['ArrowUp', 2, 1],
    ['Home', 1, undefined],
  ])('%s leads from %d to %s of three', (key, active, expected) => {
    expect(indexAfter(key, active, 3)).toBe(expected);
  });

  test('a key leads nowhere when there are none', () => {
    expect(indexAfter('ArrowDown', -1, 0)).toBeUndefined();
  });

  test('ids tell those of the same name apart, and stand for a name that is missing', () => {
    const items = [
      { id: 'a', name: 'Home' },
      { id: 'b', name: 'Home' },
      { id: 'c', name: ' ' },
    ];
    expect(optionsOf({ items, isCut: false })).toEqual([
      { id: 'a', text: 'Home', note: 'a' },
      { id: 'b', text: 'Home', note: 'b' },
      { id: 'c', text: 'c' },
    ]);
  });
});

describe('the address of a farm', () => {
  test.each([
    { place: { partyId: '', farmId: '', fieldId: '' }, href: '#/farms' },
    { place: { partyId: 'p', farmId: '', fieldId: '' }, href: '#/farms/p' },
    { place: { partyId: 'p', farmId: 'f', fieldId: '' }, href: '#/farms/p/f' },
    { place: { partyId: 'p', farmId: 'f', fieldId: 'x' }, href: '#/farms/p/f/x' },
    { place: { partyId: 'p', farmId: '', fieldId: 'x' }, href: '#/farms/p/*/x' },
    { place: { partyId: 'p', farmId: '-', fieldId: 'x' }, href: '#/farms/p/-/x' },
  ])('$href leads back to it', ({ place, href }) => {
    expect(farmHref('farms', place)).toBe(href);
    expect(placeOf(href).view).toBe('farms');
    expect(farmPlaceOf(placeOf(href).parts)).toEqual(place);
  });
});
