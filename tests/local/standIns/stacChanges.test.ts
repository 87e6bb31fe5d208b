import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startStac, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { catalogueHttpClient } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import { StacClient } from '../../../shared/scenes/stac/stacClient.js';
import type { Found, ShownItem } from '../../../shared/scenes/stac/sceneCatalogue.js';
import type { FeedWindow } from '../../../shared/scenes/stac/sceneCatalogue.js';
import { productKeyOf } from '../../../shared/imagery/products/product.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { isUsable } from '../../../shared/scenes/item/sceneOfItem.js';

const NOW = Date.parse('2026-06-20T12:00:00Z');
const TILE = '33UUP';
/** Days in which a tile is shown several times. */
const window: FeedWindow = { from: '2026-06-01T00:00:00.000Z', to: '2026-06-20T12:00:00.000Z' };

let stac: StacStandIn;
let now = NOW;
let feed: StacClient;
beforeAll(async () => {
  stac = await startStac({ clock: { now: () => new Date(now) } });
  const egress = egressGuard([stac.host], { clock: systemClock });
  const getJson = catalogueHttpClient({ fetch, clock: systemClock, egress, random: Math.random });
  feed = new StacClient({ catalogue: 'earth-search', url: stac.apiUrl, getJson });
});
afterAll(() => stac.close());
beforeEach(() => {
  now = NOW;
  stac.feed.set({});
});

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${new URL(stac.apiUrl).origin}${path}`, { method: 'POST', body: JSON.stringify(body) });
const search = async (body: object) =>
  (await (await post('/v1/search', body)).json()) as {
    readonly features: readonly (Record<string, object> & { readonly id: string })[];
    readonly numberMatched: number;
  };
const changed = async (some: FeedWindow = window, takenSince = '2026-05-20') => {
  const found = await feed.changes({ window: some, takenSince, tiles: [TILE], mostPages: 20 });
  return (found as Found<ShownItem>).items;
};

describe('the local catalogue, asked what changed', () => {
  test('shows what it put in within the window, of the tiles that are named, in both collections', async () => {
    const items = await changed();
    const scenes = items.map(({ scene }) => scene).filter(isUsable);
    expect(new Set(scenes.map(({ tile }) => tile))).toEqual(new Set([TILE]));
    expect(new Set(scenes.map(({ collection }) => collection)).size).toBe(2);
    expect(items.every(({ updated = '' }) => updated >= window.from && updated < window.to)).toBe(true);
    const products = new Set(scenes.map((scene) => productKeyOf(scene)?.scene));
    expect(products.size).toBeLessThan(scenes.length);
  });

  test('leaves no item out and shows none twice when windows follow one another', async () => {
    const middle = (await changed())[0]!.updated!;
    const parts = [...(await changed({ ...window, to: middle })), ...(await changed({ ...window, from: middle }))];
    const idsOf = (items: typeof parts) => items.map(({ scene }) => scene.id).sort();
    expect(idsOf(parts)).toEqual(idsOf([...(await changed())]));
  });

  test('lists which granules they are and what they show where that is asked for', async () => {
    const days = { from: '2026-06-01', to: '2026-06-20' };
    const [{ granule, id } = { granule: undefined, id: '' }] = (await feed.list([TILE], days, { withGranules: true }))
      .items;
    const [found] = (await feed.items([id])).items;
    const { platform, takenAt, datatake, datastripStart, tile, footprint } = found!.scene as Scene;
    expect(granule).toEqual({ platform, takenAt, datatake, datastripStart, tile, footprint });
    expect(datastripStart).toMatch(/^\d{8}T\d{6}$/);
    expect((await feed.list([TILE], days)).items[0]).not.toHaveProperty('granule');
  });

  test('lists briefly what it has, and shows items by their ids', async () => {
    const { items } = await feed.list([TILE], { from: '2026-06-01', to: '2026-06-20' });
    expect(items.length).toBeGreaterThan(2);
    expect(items[0]).toMatchObject({ tile: TILE, version: expect.stringMatching(/^\d\d\.\d\d 2026-06-/) as unknown });
    const found = await feed.items(items.slice(0, 2).map(({ id }) => id));
    expect(found.items.map(({ scene }) => scene.id).sort()).toEqual(
      items
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
    );
  });

  test('says that it is alive while it shows anything of a tile that was asked for', async () => {
    const latest = (await changed())
      .map(({ updated = '' }) => updated)
      .sort()
      .at(-1)!;
    expect(await feed.isAlive(Date.parse(latest) + 3_600_000)).toBe(true);
    expect(await feed.isAlive(Date.parse(latest) + 4 * 3_600_000)).toBe(false);
  });

  test.each([
    { query: { 'eo:cloud_cover': { gt: 100 } }, isFound: false },
    { query: { 'eo:cloud_cover': { lte: 100, gte: 0 } }, isFound: true },
    { query: { platform: { eq: 'sentinel-9z' } }, isFound: false },
    { query: { platform: { neq: 'sentinel-9z', startsWith: 'sentinel-2' } }, isFound: true },
    { query: { 's2:datatake_id': { contains: 'GS2', endsWith: '.11' } }, isFound: true },
    { query: { updated: { lt: '2026-06-01T00:00:00.000001Z' } }, isFound: false },
    { query: { 'no:such_property': { lt: 5 } }, isFound: false },
  ])('takes the conditions $query', async ({ query, isFound }) => {
    const named = { datetime: '2026-06-01T00:00:00Z/..', query: { 'grid:code': { eq: `MGRS-${TILE}` }, ...query } };
    expect((await search(named)).numberMatched > 0).toBe(isFound);
  });

  test('refuses an operator that the real one has not', async () => {
    const answer = await post('/v1/search', { query: { updated: { after: 'today' } } });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { code: 'BadRequest', description: 'A query has no after.' },
    ]);
  });

  test('answers with the fields that are asked for', async () => {
    const conditions = { datetime: '2026-06-01T00:00:00Z/..', query: { 'grid:code': { in: [`MGRS-${TILE}`] } } };
    const [item] = (await search({ ...conditions, fields: { exclude: ['assets.red', 'links'] } })).features;
    expect(Object.keys(item!['assets']!).sort()).toEqual(['blue', 'green', 'nir', 'scl']);
    expect(item).not.toHaveProperty('links');
    const [brief] = (await search({ ...conditions, fields: { include: ['properties.datetime'] } })).features;
    expect(Object.keys(brief!).sort()).toEqual(['collection', 'id', 'properties', 'stac_version', 'type']);
    expect(Object.keys(brief!['properties']!)).toEqual(['datetime']);
  });
});

describe('an untidy feed', () => {
  const shownBy = async (cases: object) => {
    expect((await post('/.control/feed', cases)).status).toBe(204);
    return changed();
  };

  test('skips items that a list shows', async () => {
    const all = await feed.list([TILE], { from: '2026-05-20', to: '2026-06-20' });
    expect(await shownBy({ skipped: 1 })).toEqual([]);
    expect((await feed.list([TILE], { from: '2026-05-20', to: '2026-06-20' })).items).toEqual(all.items);
    const some = await shownBy({ skipped: 0.5 });
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan((await shownBy({})).length);
  });

  test('shows items long after the time that they bear', async () => {
    const all = await changed();
    const latest = all
      .map(({ updated = '' }) => updated)
      .sort()
      .at(-1)!;
    now = Date.parse(latest) + 60_000;
    const ids = (await shownBy({ late: 1, lateHours: 48 })).map(({ scene }) => scene.id);
    expect(ids.length).toBeLessThan(all.length);
    now += 48 * 3_600_000;
    expect((await changed()).map(({ scene }) => scene.id).sort()).toEqual(all.map(({ scene }) => scene.id).sort());
  });

  test('puts items in again as they were, an hour later', async () => {
    const before = await changed();
    const after = await shownBy({ repeated: 1 });
    expect(after.map(({ scene }) => scene)).toEqual(before.map(({ scene }) => scene));
    const hour = after.map(({ updated }, index) => Date.parse(updated!) - Date.parse(before[index]!.updated!));
    expect(new Set(hour)).toEqual(new Set([3_600_000]));
  });

  test('is flooded with old items, which a bound on the acquisition keeps away', async () => {
    const flood = { at: '2026-06-15T00:00:00.000Z', count: 5_000 };
    const usual = (await changed()).length;
    expect(await shownBy({ flood })).toHaveLength(usual);
    expect(await feed.changes({ window, takenSince: '2015-01-01', tiles: [TILE], mostPages: 20 })).toBeUndefined();
  });

  test('answers pages of more items than its largest with 502, as a gateway does', async () => {
    expect((await post('/.control/feed', { largestPage: 10 })).status).toBe(204);
    const named = { datetime: '2026-06-01T00:00:00Z/..', query: { 'grid:code': { in: [`MGRS-${TILE}`] } } };
    const statuses = [1, 10, 11, 100].map(async (limit) => (await post('/v1/search', { ...named, limit })).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 502, 502]);
    await post('/.control/reset', {});
    expect((await post('/v1/search', { ...named, limit: 100 })).status).toBe(200);
  });

  test.each([{ skipped: 2 }, { late: 'often' }, { largestPage: 0 }, ['skipped']])('refuses %j', async (cases) => {
    expect((await post('/.control/feed', cases)).status).toBe(400);
  });
});

describe('a catalogue with odd items', () => {
  let odd: StacStandIn;
  beforeAll(async () => {
    odd = await startStac({ clock: { now: () => new Date(NOW) }, cases: { hasOddItems: true } });
  });
  afterAll(() => odd.close());

  test('shows one of many kinds beside each sound one, the same one again by its id', async () => {
    const ask = async (body: object) => {
      const answer = await fetch(`${odd.apiUrl}/search`, { method: 'POST', body: JSON.stringify(body) });
      return ((await answer.json()) as { readonly features: readonly unknown[] }).features;
    };
    const month = { datetime: '2026-04-01T00:00:00Z/..', bbox: [13, 48, 13.2, 48.4], limit: 100 };
    const features = await ask(month);
    const [sound, others] = [features.filter((one) => isSound(one)), features.filter((one) => !isSound(one))];
    expect(sound.length).toBeGreaterThan(20);
    expect(others).toHaveLength(sound.length);
    const ids = others.map(idOf).filter((id) => id !== undefined);
    expect(new Set(ids.map((id) => /_([a-z-]+)_ODD$/.exec(id)?.[1])).size).toBeGreaterThan(8);
    expect((await ask({ ids: ids.slice(0, 5), limit: 100 })).map(idOf).sort()).toEqual(ids.slice(0, 5).sort());
  });
});

/** The id of a feature, where it is one and has one. */
const idOf = (feature: unknown): string | undefined => (feature as { id?: string } | null)?.id ?? undefined;
const isSound = (feature: unknown): boolean => idOf(feature)?.endsWith('_SYNTHETIC') === true;

describe('the local catalogue, told to publish a scene', () => {
  const publish = (body: object): Promise<Response> => post('/.control/scenes', body);

  test('shows it from now on, of a day of which there was none, to questions about changes and to searches', async () => {
    const place = [13.14, 48.29];
    const recent = { from: new Date(NOW - 1_000).toISOString(), to: new Date(NOW + 1_000).toISOString() };
    expect(await changed(recent)).toEqual([]);
    const before = await search({ intersects: { type: 'Point', coordinates: place } });
    const published = (await (await publish({ place })).json()) as { day: string; tiles: string[] };
    expect(published.tiles).toContain(TILE);
    const [item, ...others] = await changed(recent);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ updated: new Date(NOW).toISOString(), scene: { tile: TILE } });
    expect(item!.scene.takenAt.slice(0, 10)).toBe(published.day);
    const after = await search({ intersects: { type: 'Point', coordinates: place } });
    expect(after.numberMatched).toBe(before.numberMatched + published.tiles.length);
    const { href } = Object.values(after.features.find(({ id }) => id === item!.scene.id)!['assets']!)[0] as {
      href: string;
    };
    expect((await fetch(href, { headers: { range: 'bytes=0-15' } })).status).toBe(206);
    const again = (await (await publish({ place })).json()) as { day: string };
    expect(again.day < published.day).toBe(true);
  });

  test('says what a place looks like', async () => {
    for (const body of [{}, { place: 'here' }, { place: [200, 0] }]) expect((await publish(body)).status).toBe(400);
  });
});
