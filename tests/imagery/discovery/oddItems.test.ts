import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startStac, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import type { ItemSource } from '../../../infra/local/standIns/stac/itemSource.js';
import { oddId, REFUSED_FORMS, WHOLE_FORMS } from '../../../infra/local/standIns/stac/oddForms.js';
import type { ItemDocument } from '../../../infra/local/standIns/stac/sceneItems.js';
import { searchReply } from '../../../infra/local/standIns/stac/searchRoute.js';
import { systemClock } from '../../../shared/clock.js';
import {
  catalogueHttpClient,
  type CatalogueCall,
  type GetJson,
} from '../../../shared/imagery/catalogue/catalogueHttpClient.js';
import { CatalogueError } from '../../../shared/imagery/catalogue/catalogueError.js';
import { egressGuard } from '../../../shared/imagery/catalogue/egressClient.js';
import { FeedClient } from '../../../shared/imagery/catalogue/feedClient.js';
import { StacClient } from '../../../shared/imagery/catalogue/stacClient.js';
import { readFeed } from '../../../shared/imagery/discovery/readFeed.js';
import { reconcileTiles } from '../../../shared/imagery/discovery/reconcile.js';
import type { Catalogue } from '../../../shared/imagery/imagerySettings.js';
import { MemoryFeedStore } from '../../support/memoryFeedStore.js';
import { MemorySceneStore } from '../../support/memorySceneStore.js';
import { anItem, boxPolygon, FIELD_BOX } from '../builders.js';

/** Past the tenth minute of an hour: the Planetary Computer is asked for one day. */
const NOW = Date.parse('2026-06-17T15:10:00Z');
const READ_TO = '2026-06-17T14:55:00.000Z';
const TILES = ['33UUP', '33UVP', '33UWP'];
const CATALOGUES: readonly Catalogue[] = ['earth-search', 'planetary-computer'];
const URL_BASE = 'https://catalogue.example/v1';

type Facts = Readonly<Record<string, unknown>>;

/** An item of a tile in the form that both catalogues understand; each tile has a product of its own. */
function itemOfTile(tile: string, form?: string): ItemDocument {
  const id = `S2B_${tile}_20260617_0_L2A`;
  const shown = { created: '2026-06-17T14:58:00Z', updated: '2026-06-17T14:58:00Z' };
  const made = { 's2:generation_time': '2026-06-17T13:00:00Z', 'grid:code': `MGRS-${tile}`, 's2:mgrs_tile': tile };
  const item = anItem({ id: form === undefined ? id : oddId(id, form) }, { ...shown, ...made });
  return item as unknown as ItemDocument;
}

/** A catalogue that has these items and nothing else. */
const sourceOf = (items: readonly ItemDocument[]): ItemSource => ({
  find: ({ ids }) => items.filter(({ id }) => ids?.includes(id) !== false),
  item: () => undefined,
  file: () => undefined,
});

/** A service that reads a catalogue. @param getJson asks it */
async function serviceOf(catalogueName: Catalogue, getJson: GetJson, url = URL_BASE) {
  const log: { event: string; facts: Facts }[] = [];
  const scenes = new MemorySceneStore();
  const feed = new MemoryFeedStore();
  await feed.putCursor(catalogueName, { readTo: READ_TO, lastChangeAt: READ_TO }, undefined);
  const options = { catalogue: catalogueName, url, getJson };
  const ports = {
    catalogueName,
    sceneFeed: new FeedClient(options),
    scenes,
    feed,
    sceneQueue: { enqueue: () => Promise.resolve() },
    interest: {
      listTiles: () => Promise.resolve(TILES),
      dropEmptyTile: () => Promise.resolve(false),
      summarizeTile: () => Promise.resolve([]),
    },
    searchTile: () => Promise.resolve(0),
    clock: { now: () => new Date(NOW) },
    log: (event: string, facts: Facts) => void log.push({ event, facts }),
  };
  return {
    poll: readFeed(ports),
    night: () => reconcileTiles(ports)(TILES),
    search: (area = boxPolygon(FIELD_BOX)) =>
      new StacClient({ ...options, log: ports.log }).search({
        area,
        from: '2026-06-01T00:00:00Z',
        to: '2026-06-20T00:00:00Z',
      }),
    setCursor: async (readTo: string) => {
      const stored = await feed.findCursor(catalogueName);
      await feed.putCursor(catalogueName, { readTo, lastChangeAt: readTo }, stored?.etag);
    },
    readTo: async () => (await feed.findCursor(catalogueName))?.cursor.readTo ?? '',
    /** Ids of the scenes that were taken in. */
    taken: () => scenes.products.flatMap((product) => product.scenes.map(({ id }) => id)).sort(),
    logged: (event: string): Facts | undefined => log.findLast((line) => line.event === event)?.facts,
    scenes,
  };
}

/** A service whose catalogue has these items. @param changed what it answers in place of one of them */
function serviceWith(
  catalogue: Catalogue,
  items: readonly ItemDocument[],
  changed: (feature: unknown) => unknown = (feature) => feature,
) {
  const getJson = ({ url, body = {} }: CatalogueCall): Promise<unknown> => {
    const exchange = { method: 'POST', url: new URL(url), headers: {}, body: Buffer.from(JSON.stringify(body)) };
    const page = JSON.parse(String(searchReply(sourceOf(items), exchange).body)) as { features: unknown[] };
    return Promise.resolve({ ...page, features: page.features.map(changed) });
  };
  return serviceOf(catalogue, getJson);
}

const GOOD = ['33UUP', '33UWP'];
const goodIds = GOOD.map((tile) => itemOfTile(tile).id);
const among = (odd: ItemDocument): readonly ItemDocument[] => [itemOfTile('33UUP'), odd, itemOfTile('33UWP')];
/** Forms of which nothing is left to be named by. */
const NAMELESS = ['no-id', 'no-object'];
const nameOf = ({ id }: ItemDocument, form: string): string => (NAMELESS.includes(form) ? 'an item without an id' : id);

const refused = CATALOGUES.flatMap((catalogue) => Object.keys(REFUSED_FORMS).map((form) => ({ catalogue, form })));
const whole = CATALOGUES.flatMap((catalogue) => Object.keys(WHOLE_FORMS).map((form) => ({ catalogue, form })));

describe('an item that no image can be made of', () => {
  test.each(refused)('$form, alone in $catalogue, is counted with its id, and the cursor moves', async (row) => {
    const odd = itemOfTile('33UVP', row.form);
    const service = await serviceWith(row.catalogue, [odd]);
    expect(await service.poll()).toMatchObject({ opened: 0, unusable: 1 });
    expect(service.logged('Feed:Read')).toMatchObject({ unusable: 1, unusableIds: [nameOf(odd, row.form)] });
    expect(await service.readTo()).toBe(
      row.catalogue === 'earth-search' ? '2026-06-17T15:09:30.000Z' : '2026-06-17T15:10:00.000Z',
    );
    expect(service.taken()).toEqual([]);
  });

  test.each(refused)('$form, among good ones of $catalogue, keeps none of them away', async (row) => {
    const service = await serviceWith(row.catalogue, among(itemOfTile('33UVP', row.form)));
    expect(await service.poll()).toMatchObject({ opened: 2, unusable: 1 });
    expect(service.taken()).toEqual(goodIds);
  });

  test.each(refused)('$form, among good ones of $catalogue, leaves the night its work', async (row) => {
    const odd = itemOfTile('33UVP', row.form);
    const service = await serviceWith(row.catalogue, among(odd));
    await service.night();
    expect(service.taken()).toEqual(goodIds);
    expect(service.logged('Feed:Reconciled')).toMatchObject({ unusable: 1, unusableIds: [nameOf(odd, row.form)] });
  });

  test.each(refused)('$form, among good ones of $catalogue, leaves a search what it found', async (row) => {
    const service = await serviceWith(row.catalogue, among(itemOfTile('33UVP', row.form)));
    const found = await service.search();
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(goodIds));
    for (const { takenAt } of found) expect(new Date(takenAt).toISOString()).toBe(takenAt);
  });

  test('is named among the first ten of many', async () => {
    const many = Array.from({ length: 30 }, (_, index) => {
      const item = itemOfTile('33UVP', 'no-instant');
      return { ...item, id: item.id.replace('_0_', `_${index}_`) };
    });
    const service = await serviceWith('earth-search', many);
    expect(await service.poll()).toMatchObject({ unusable: 30 });
    expect(service.logged('Feed:Read')?.['unusableIds']).toHaveLength(10);
  });
});

describe('an item with any value in place of one of its members', () => {
  test.each(CATALOGUES)('keeps no other away in %s, and the cursor moves', async (catalogue) => {
    const odd = itemOfTile('33UVP');
    const members = fc.constantFrom(...membersOf(odd));
    await fc.assert(
      fc.asyncProperty(members, fc.jsonValue(), async (path, value) => {
        const changed = (feature: unknown): unknown =>
          (feature as { id: string }).id === odd.id ? withMember(feature, path, value) : feature;
        const service = await serviceWith(catalogue, among(odd), changed);
        await service.poll();
        expect(service.taken()).toEqual(expect.arrayContaining(goodIds));
        expect((await service.readTo()) > READ_TO).toBe(true);
        await service.night();
        expect((await service.search()).map(({ id }) => id)).toEqual(expect.arrayContaining(goodIds));
      }),
      { numRuns: 200 },
    );
  });
});

type Path = readonly string[];

/** The path of every member of a document, at any depth. */
function membersOf(document: unknown): readonly Path[] {
  if (typeof document !== 'object' || document === null) return [];
  return Object.entries(document).flatMap(([name, member]) => [
    [name],
    ...membersOf(member).map((path) => [name, ...path]),
  ]);
}

/** A document with another value at a path, where it has that. */
function withMember(document: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof document !== 'object' || document === null) return document;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(document)
    ? [...(document as unknown[])]
    : { ...document };
  Object.assign(copy, { [name]: withMember((document as Record<string, unknown>)[name], rest, value) });
  return copy;
}

describe('an odd item that is whole all the same', () => {
  test.each(whole)('$form, alone in $catalogue, is taken in for the tile in its id', async ({ catalogue, form }) => {
    const odd = itemOfTile('33UVP', form);
    const service = await serviceWith(catalogue, [odd]);
    expect(await service.poll()).toMatchObject({ opened: 1, unusable: 0 });
    expect(service.scenes.products).toMatchObject([{ tile: '33UVP', day: '2026-06-17', scenes: [{ id: odd.id }] }]);
    expect(service.logged('Feed:Read')).not.toHaveProperty('unusableIds');
  });

  test.each(whole)('$form, among good ones of $catalogue, is taken in beside them', async ({ catalogue, form }) => {
    const odd = itemOfTile('33UVP', form);
    const service = await serviceWith(catalogue, among(odd));
    expect(await service.poll()).toMatchObject({ opened: 3, unusable: 0 });
    expect(service.taken()).toEqual([...goodIds, odd.id].sort());
  });

  test.each(whole)('$form is known to the next night of $catalogue', async ({ catalogue, form }) => {
    const service = await serviceWith(catalogue, [itemOfTile('33UVP', form)]);
    await service.night();
    await service.night();
    expect(service.logged('Feed:Reconciled')).toMatchObject({ listed: 1, missing: 0 });
  });

  test.each([
    { why: 'the change alone', times: { created: undefined }, publishedAt: '2026-06-17T14:58:00.000Z' },
    { why: 'a change on no day', times: { updated: '2026-02-30T00:00:00Z' }, publishedAt: '2026-06-17T14:58:00.000Z' },
    { why: 'nulls', times: { created: null, updated: null }, publishedAt: '2026-06-17T15:10:00.000Z' },
  ])('which tells of its times $why was published at $publishedAt', async ({ times, publishedAt }) => {
    const item = itemOfTile('33UVP');
    const service = await serviceWith('planetary-computer', [
      { ...item, properties: { ...item.properties, ...times } },
    ]);
    await service.poll();
    expect(service.scenes.products).toMatchObject([{ publishedAt }]);
  });

  test('at a leap second was taken in the second before it', async () => {
    const service = await serviceWith('earth-search', [itemOfTile('33UVP', 'leap-second')]);
    await service.poll();
    expect(service.scenes.products[0]?.scenes[0].takenAt).toBe('2026-06-17T23:59:59.000Z');
  });
});

describe('a product of more than a table holds in one row', () => {
  /** Outlines of 2,000 corners: nine of them are more than a row takes. */
  const versions = Array.from({ length: 12 }, (_, index) => {
    const item = itemOfTile('33UUP');
    const ring = Array.from({ length: 3_999 }, (_, corner) => [
      13.14 + 0.123456789 * Math.cos(corner),
      48.29 + 0.123456789 * Math.sin(corner),
    ]);
    const geometry = { type: 'Polygon' as const, coordinates: [[...ring, ring[0]]] };
    const properties = { ...item.properties, 's2:processing_baseline': `05.${20 - index}` };
    return { ...item, id: item.id.replace('_0_', `_${index}_`), geometry, properties };
  });

  test.each([
    { order: 'the best version first', items: versions },
    { order: 'the best version last', items: versions.toReversed() },
  ])('keeps the best version and as many others as fit, shown $order', async ({ items }) => {
    const service = await serviceWith('earth-search', items);
    expect(await service.poll()).toMatchObject({ unusable: 0 });
    const [product] = service.scenes.products;
    expect(product?.scenes[0].baseline).toBe('05.20');
    expect(product?.scenes.length).toBeGreaterThan(1);
    expect(product?.scenes.length).toBeLessThan(8);
    expect(2 * JSON.stringify(product).length).toBeLessThanOrEqual(900 * 1024);
    await service.night();
    expect(service.scenes.products[0]?.version).toBe(product?.version);
  });

  test('stays as it was when its next version alone is more than that', async () => {
    const endless = itemOfTile('33UUP', 'endless-outline');
    const better = { ...endless, properties: { ...endless.properties, 's2:processing_baseline': '05.12' } };
    const service = await serviceWith('earth-search', [itemOfTile('33UUP'), better]);
    expect(await service.poll()).toMatchObject({ opened: 1, unusable: 1 });
    expect(service.taken()).toEqual([itemOfTile('33UUP').id]);
  });
});

describe('a catalogue that fails at pages of more than ten items', () => {
  let stac: StacStandIn | undefined;
  afterEach(() => stac?.close());

  /** A service on the local catalogue, over HTTP, that never waits; what each of its searches asked for. */
  async function onStandIn(largestPage: number | undefined) {
    const standIn = (stac = await startStac({ clock: { now: () => new Date(NOW) } }));
    standIn.feed.set(largestPage === undefined ? {} : { largestPage });
    const egress = egressGuard([standIn.host], { clock: systemClock });
    const limits: number[] = [];
    const counting: typeof fetch = (input, init) => {
      const body = typeof init?.body === 'string' ? init.body : '{}';
      limits.push((JSON.parse(body) as { limit: number }).limit);
      return fetch(input, init);
    };
    const clock = { ...systemClock, sleep: () => Promise.resolve() };
    const getJson = catalogueHttpClient({ fetch: counting, clock, egress, random: () => 0 });
    return { ...(await serviceOf('earth-search', getJson, standIn.apiUrl)), limits, standIn };
  }
  const largestOf = (limits: readonly number[]): readonly number[] =>
    limits.filter((limit, at) => limit !== limits[at - 1]);

  test('is asked for half of that, and half again, until pages come; nothing is missing', async () => {
    const tidy = await onStandIn(undefined);
    await tidy.night();
    const ids = tidy.taken();
    await tidy.standIn.close();
    const service = await onStandIn(10);
    await service.night();
    expect(service.taken()).toEqual(ids);
    // One item alone is asked for first: it tells a page that is too large from an outage.
    expect(largestOf(service.limits).slice(0, 6)).toEqual([100, 1, 50, 25, 12, 6]);
    // The list of the tiles and their neighbours has many pages of that size.
    expect(service.limits.filter((limit) => limit === 6).length).toBeGreaterThan(5);
  });

  test('moves the cursor of a poll', async () => {
    const service = await onStandIn(10);
    await service.poll();
    expect(await service.readTo()).toBe('2026-06-17T15:09:30.000Z');
  });

  test('is searched for a place all the same', async () => {
    const service = await onStandIn(10);
    expect((await service.search()).length).toBeGreaterThan(3);
  });

  test('is asked four times in full and once for one item when it fails at every size', async () => {
    const service = await onStandIn(undefined);
    service.standIn.script.add({ kind: 'status', status: 502, path: '/v1/search', times: Infinity });
    await expect(service.poll()).rejects.toMatchObject({ fault: 'unavailable' });
    // At last one item of whatever place and time is asked for: single items may be at fault while the catalogue is there.
    expect(service.limits).toEqual([100, 100, 100, 100, 1, 1]);
    expect(await service.readTo()).toBe(READ_TO);
  });
});

describe('a catalogue that fails at each answer with one certain item in it', () => {
  const FAULTS = {
    'status 500': new CatalogueError('unavailable', 'status 500', { mayBeOfSize: true }),
    'an answer that is too large': new CatalogueError('invalid', 'status 413', { mayBeOfSize: true }),
  };
  const rows = CATALOGUES.flatMap((catalogue) =>
    (Object.keys(FAULTS) as (keyof typeof FAULTS)[]).flatMap((fault) =>
      [0, 6, 29].map((place) => ({ catalogue, fault, place })),
    ),
  );
  const many = Array.from({ length: 30 }, (_, index) => {
    const item = itemOfTile(TILES[index % 3]!);
    const minute = String(index).padStart(2, '0');
    const datetime = `2026-06-17T10:${minute}:00Z`;
    const updated = `2026-06-17T14:${minute}:30Z`;
    const times = {
      datetime,
      updated,
      created: updated,
      's2:datatake_id': `GS2B_20260617T10${minute}00_043001_N05.11`,
    };
    return { ...item, id: item.id.replace('_0_', `_${index}_`), properties: { ...item.properties, ...times } };
  });

  /** A service whose catalogue can't answer a page with this item, or with an item elsewhere for the question whether it is there. */
  async function failingAt(catalogue: Catalogue, isBad: (id: string) => boolean, fault: CatalogueError) {
    const elsewhere = { ...itemOfTile('54LWP'), id: 'ELSEWHERE' };
    const late = { ...elsewhere.properties, datetime: '2026-06-17T12:00:00Z', updated: '2026-06-17T12:00:00Z' };
    const source = sourceOf([...many, { ...elsewhere, properties: late }]);
    const getJson = ({ url, body = {} }: CatalogueCall): Promise<unknown> => {
      const exchange = { method: 'POST', url: new URL(url), headers: {}, body: Buffer.from(JSON.stringify(body)) };
      const page = JSON.parse(String(searchReply(source, exchange).body)) as { features: { id: string }[] };
      return page.features.some(({ id }) => isBad(id)) ? Promise.reject(fault) : Promise.resolve(page);
    };
    const service = await serviceOf(catalogue, getJson);
    await service.setCursor('2026-06-17T13:59:30.000Z');
    return service;
  }

  test.each(rows)('by $fault, item $place of 30 of $catalogue: the others come, and the cursor moves', async (row) => {
    const bad = many[row.place]!.id;
    const others = many.map(({ id }) => id).filter((id) => id !== bad);
    const service = await failingAt(row.catalogue, (id) => id === bad, FAULTS[row.fault]);
    const before = await service.readTo();
    await service.poll();
    expect((await service.readTo()) > before).toBe(true);
    // The Planetary Computer doesn't tell changes: its tile is asked for as a whole, and fails alone.
    const lost = row.catalogue === 'earth-search' ? [] : many.filter((_, index) => index % 3 === row.place % 3);
    const wanted = others.filter((id) => !lost.some((item) => item.id === id));
    expect(service.taken()).toEqual(expect.arrayContaining(wanted));
    expect(service.logged('Feed:Read')).toMatchObject({ unusable: 1 });
  });

  test.each(rows)('by $fault, item $place of 30 of $catalogue: the night does the other tiles', async (row) => {
    const bad = many[row.place]!.id;
    const service = await failingAt(row.catalogue, (id) => id === bad, FAULTS[row.fault]);
    await service.night();
    const wanted = many.filter((_, index) => index % 3 !== row.place % 3).map(({ id }) => id);
    expect(service.taken()).toEqual(expect.arrayContaining(wanted));
    expect(service.logged('Feed:Reconciled')).toMatchObject({ unusableIds: [TILES[row.place % 3]] });
  });

  test('has the second passed over told, with its span', async () => {
    const bad = many[7]!;
    const service = await failingAt('earth-search', (id) => id === bad.id, FAULTS['status 500']);
    await service.poll();
    const { from, to } = service.logged('Feed:Skipped') as { from: string; to: string };
    const changedAt = Date.parse(bad.properties.updated);
    expect(Date.parse(from)).toBeLessThanOrEqual(changedAt);
    expect(Date.parse(to)).toBeGreaterThan(changedAt);
    expect(Date.parse(to) - Date.parse(from)).toBeLessThan(2_000);
  });

  test('is away, and the cursor stays, when no item comes at all', async () => {
    const service = await failingAt('earth-search', () => true, FAULTS['status 500']);
    await expect(service.poll()).rejects.toMatchObject({ fault: 'unavailable' });
    expect(service.logged('Feed:Skipped')).toBeUndefined();
    expect(await service.readTo()).toBe('2026-06-17T13:59:30.000Z');
  });

  test('is waited for when it answers no question about changes, though others', async () => {
    const fault = FAULTS['status 500'];
    let asked = 0;
    const getJson = ({ body = {} }: CatalogueCall): Promise<unknown> => {
      asked += 1;
      const isOfChanges = JSON.stringify(body).includes('"updated":{"gte"');
      return isOfChanges ? Promise.reject(fault) : Promise.resolve({ type: 'FeatureCollection', features: [many[0]] });
    };
    const service = await serviceOf('earth-search', getJson);
    await expect(service.poll()).rejects.toMatchObject({ fault: 'unavailable' });
    expect(await service.readTo()).toBe(READ_TO);
    expect(asked).toBeLessThan(150);
  });
});
