import { beforeEach, describe, expect, test } from '@jest/globals';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import type { CatalogueCall } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { StacClient } from '../../../shared/scenes/stac/stacClient.js';
import type { StacItem } from '../../../shared/scenes/item/stacSchemas.js';
import type { ProductKey } from '../../../shared/imagery/products/product.js';
import type { FeedCursor } from '../../../shared/imagery/discovery/feedWindow.js';
import { readFeed } from '../../../shared/imagery/discovery/readFeed.js';
import { planReconciliation, reconcileTiles } from '../../../shared/imagery/discovery/reconcile.js';
import type { Catalogue } from '../../../shared/scenes/imagerySettings.js';
import type { WorkOrder } from '../../../shared/work/item/workItem.js';
import { FeedInMemory, ScenesInMemory } from '../../support/imageryInMemory.js';
import { anItem } from '../builders.js';

type Body = Readonly<Record<string, unknown>> & { readonly query?: Readonly<Record<string, Record<string, unknown>>> };

const NOW = Date.parse('2026-06-17T15:00:00Z');
const made = { 's2:generation_time': '2026-06-17T13:00:00Z' };
const shown = { created: '2026-06-17T14:50:00Z', updated: '2026-06-17T14:50:00Z' };
const item = anItem({}, { ...made, ...shown });

const noFault = (_: Body): boolean => false;

/** A feed whose catalogue answers as told. */
function feedOf(catalogueName: Catalogue = 'earth-search', tiles: readonly string[] = ['33UUP', '05VNL']) {
  const calls: Body[] = [];
  const log: { event: string; facts: Readonly<Record<string, unknown>> }[] = [];
  const world = {
    now: NOW,
    answer: (_: Body): unknown[] => [],
    /** Whether a question can't be answered while others are. */
    fault: noFault,
    more: {},
    calls,
    log,
    asked: [] as ProductKey[],
    compared: 0,
    scenes: new ScenesInMemory(),
    feed: new FeedInMemory(),
  };
  const getJson = ({ body = {} }: CatalogueCall): Promise<unknown> => {
    calls.push(body);
    const isSample = body['limit'] === 1 && body['query'] === undefined;
    if (!isSample && world.fault(body)) {
      return Promise.reject(new CatalogueError('unavailable', 'status 500', { mayBeOfSize: true }));
    }
    if (isSample && world.fault !== noFault)
      return Promise.resolve({ type: 'FeatureCollection', features: [item], links: [] });
    return Promise.resolve({ type: 'FeatureCollection', features: world.answer(body), links: [], ...world.more });
  };
  const ports = {
    catalogueName,
    catalogue: new StacClient({ catalogue: catalogueName, url: 'https://catalogue.example/v1', getJson }),
    scenes: world.scenes,
    feed: world.feed,
    askProduct: ({ tile, scene }: ProductKey) => Promise.resolve(void world.asked.push({ tile, scene })),
    interest: {
      listTiles: () => Promise.resolve(tiles),
      dropEmptyTile: () => Promise.resolve(false),
      summarizeTile: () => Promise.resolve([]),
    },
    compareAll: () => Promise.resolve((world.compared += 1)),
    enqueuer: { ask: () => Promise.resolve() },
    clock: { now: () => new Date(world.now) },
    log: (event: string, facts: Readonly<Record<string, unknown>>) => void log.push({ event, facts }),
  };
  const night = (...some: readonly string[]) => reconcileTiles(ports)({ tiles: some, days: 11, borrows: true });
  return { ...world, world, ports, poll: readFeed(ports), night };
}

/** A feed that has been read to five minutes ago. */
async function running(...options: Parameters<typeof feedOf>) {
  const feed = feedOf(...options);
  const read = { readTo: new Date(NOW - 300_000).toISOString(), lastChangeAt: new Date(NOW - 600_000).toISOString() };
  await feed.feed.putCursor(options[0] ?? 'earth-search', read, undefined);
  return feed;
}

describe('a poll of Earth Search', () => {
  let feed: Awaited<ReturnType<typeof running>>;
  beforeEach(async () => {
    feed = await running();
  });

  test('asks both collections what changed of the tiles of interest, without what no layer needs', async () => {
    await feed.poll();
    expect(feed.calls).toHaveLength(1);
    const [{ fields, ...asked }] = feed.calls as [Body];
    expect(asked).toEqual({
      collections: ['sentinel-2-c1-l2a', 'sentinel-2-l2a'],
      limit: 100,
      datetime: '2026-05-18T00:00:00Z/..',
      query: {
        updated: { gte: '2026-06-17T14:45:00.000Z', lt: '2026-06-17T14:59:30.000Z' },
        'grid:code': { in: ['MGRS-33UUP', 'MGRS-05VNL', 'MGRS-5VNL'] },
      },
    });
    expect((fields as { exclude: string[] }).exclude).toEqual(
      expect.arrayContaining(['assets.visual', 'assets.red-jp2']),
    );
    expect((fields as { exclude: string[] }).exclude).not.toContain('assets.red');
  });

  test('asks for 200 tiles at a time, and for the whole earth when they are more than 800', async () => {
    const tiles = (count: number): string[] => Array.from({ length: count }, (_, index) => `T${index}`);
    const many = await running('earth-search', tiles(450));
    await many.poll();
    expect(many.calls.map(({ query }) => (query?.['grid:code']?.['in'] as string[]).length)).toEqual([200, 200, 50]);
    const all = await running('earth-search', tiles(801));
    await all.poll();
    expect(all.calls.map(({ query }) => Object.keys(query ?? {}))).toEqual([['updated']]);
  });

  test('writes a product down, asks for it once, and moves the cursor', async () => {
    feed.world.answer = () => [item];
    expect(await feed.poll()).toEqual({ windows: 1, pages: 1, items: 1, opened: 1, unusable: 0, lagSeconds: 30 });
    const [product] = feed.scenes.products;
    expect(product).toMatchObject({ tile: '33UUP', day: '2026-06-17', publishedAt: '2026-06-17T14:50:00.000Z' });
    expect(feed.asked).toEqual([{ tile: '33UUP', scene: product?.scene }]);
    const stored = await feed.feed.findCursor('earth-search');
    expect(stored?.cursor).toMatchObject({
      readTo: '2026-06-17T14:55:00.000Z',
      lastChangeAt: '2026-06-17T14:50:00.000Z',
    });
    expect(feed.log.at(-1)).toMatchObject({ event: 'Feed:Read', facts: { catalogue: 'earth-search', tiles: 2 } });
  });

  test('that meets the same again asks for nothing, and reads nothing from storage', async () => {
    feed.world.answer = () => [item];
    await feed.poll();
    const reads = readsOf(feed.scenes);
    feed.world.now += 300_000;
    expect(await feed.poll()).toMatchObject({ items: 0, opened: 0 });
    expect([feed.asked.length, reads()]).toEqual([1, 0]);
  });

  test('of another host knows what this one has taken in', async () => {
    feed.world.answer = () => [item];
    await feed.poll();
    const reads = readsOf(feed.scenes);
    feed.world.now += 300_000;
    expect(await readFeed(feed.ports)()).toMatchObject({ items: 0 });
    expect(reads()).toBe(0);
  });

  test('asks again for a product that the last one left open when it died', async () => {
    feed.world.answer = () => [item];
    const findCursor = () => feed.feed.findCursor('earth-search');
    const dying = { ...feed.ports, feed: { findCursor, putCursor: () => Promise.reject(new Error('dead')) } };
    await expect(readFeed(dying)()).rejects.toThrow('dead');
    feed.world.now += 300_000;
    await feed.poll();
    expect(feed.asked).toHaveLength(2);
  });

  test('that brings nothing new moves nothing, and writes nothing', async () => {
    const before = await feed.feed.findCursor('earth-search');
    feed.world.now += 3_600_000;
    expect(await feed.poll()).toMatchObject({ items: 0, lagSeconds: 30 });
    expect(await feed.feed.findCursor('earth-search')).toEqual(before);
    expect(feed.calls.at(-1)?.query?.['updated']).toMatchObject({ gte: '2026-06-17T14:45:00.000Z' });
  });

  test('leaves out tiles that nobody wants, and counts items that no image can be made of', async () => {
    const other = anItem({ id: 'S2B_33UVP_20260617_0_L2A' }, { ...made, ...shown, 'grid:code': 'MGRS-33UVP' });
    const odd = anItem({ id: 'odd', assets: {} }, shown);
    const malformed = { ...anItem({ id: 'malformed' }, shown), geometry: null };
    feed.world.answer = () => [other, odd, malformed];
    expect(await feed.poll()).toMatchObject({ items: 2, opened: 0, unusable: 2 });
    expect(feed.scenes.products).toMatchObject([{ tile: '33UUP', scenes: [], unusable: { id: 'odd' } }]);
  });

  test('halves a window of more than 20 pages, and reads all of it', async () => {
    const page = Array.from({ length: 100 }, (_, index) => anItem({ id: `S2B_33UUP_20260617_${index}_L2A` }, shown));
    feed.world.answer = ({ query }) => {
      const { gte, lt } = query?.['updated'] as { gte: string; lt: string };
      const isLong = Date.parse(lt) - Date.parse(gte) > 5 * 60_000;
      feed.world.more = isLong ? { numberMatched: 5_000 } : {};
      return isLong ? page : [item];
    };
    expect(await feed.poll()).toMatchObject({ windows: 4, pages: 4, opened: 1, lagSeconds: 30 });
    expect((await feed.feed.findCursor('earth-search'))?.cursor).not.toHaveProperty('resumeAt');
  });

  test('asks no more about a moment that was passed over, though nothing newer comes', async () => {
    const bad = Date.parse('2026-06-17T14:52:10Z');
    feed.world.fault = ({ query }) => {
      const { gte, lt } = query?.['updated'] as { gte: string; lt: string };
      return Date.parse(gte) <= bad && bad < Date.parse(lt);
    };
    await feed.poll();
    const skipped = () => feed.log.filter(({ event }) => event === 'Feed:Skipped').length;
    expect(skipped()).toBe(1);
    feed.calls.splice(0);
    feed.world.now += 300_000;
    expect(await feed.poll()).toMatchObject({ windows: 1, lagSeconds: 30 });
    expect([skipped(), feed.calls.length]).toEqual([1, 1]);
  });

  test('of which a part does not come leaves the cursor where it is', async () => {
    feed.world.answer = () => [item];
    feed.world.more = { numberMatched: 2 };
    await expect(feed.poll()).rejects.toThrow(CatalogueError);
    expect((await feed.feed.findCursor('earth-search'))?.cursor.readTo).toBe('2026-06-17T14:55:00.000Z');
    expect(feed.scenes.products).toEqual([]);
  });

  test('catches up with one question after it was away', async () => {
    feed.world.now += 5 * 3_600_000;
    expect(await feed.poll()).toMatchObject({ windows: 1, lagSeconds: 30 });
  });

  test('ends where it began, although time goes on while the catalogue answers', async () => {
    feed.world.answer = () => {
      feed.world.now += 700;
      return [];
    };
    expect(await feed.poll()).toMatchObject({ windows: 1, pages: 1 });
  });

  test('asks nothing while nobody wants an image, however long that is, and moves on', async () => {
    const idle = await running('earth-search', []);
    expect(await idle.poll()).toMatchObject({ windows: 1, pages: 0, lagSeconds: 30 });
    idle.world.now += 4 * 3_600_000;
    expect(await idle.poll()).toMatchObject({ pages: 0, lagSeconds: 30 });
    expect(idle.calls).toEqual([]);
  });

  test('says so when the catalogue has shown nothing of any place for hours, once for each silence', async () => {
    const silences = (): number => feed.log.filter(({ event }) => event === 'Feed:Silent').length;
    const pollAfter = (minutes: number) => {
      feed.world.now += minutes * 60_000;
      return feed.poll();
    };
    expect(await pollAfter(4 * 60)).toMatchObject({ isSilent: true });
    expect(feed.calls.at(-1)).toMatchObject({ limit: 1, query: { updated: { gte: '2026-06-17T16:00:00.000Z' } } });
    expect(feed.world.compared).toBe(0);
    expect(await pollAfter(5)).toMatchObject({ isSilent: true });
    expect(feed.log.at(-1)).toMatchObject({ event: 'Feed:Read', facts: { isSilent: true } });
    expect(await pollAfter(150)).toMatchObject({ windows: 1, isSilent: true });
    expect(silences()).toBe(1);
    feed.world.answer = ({ limit }) => (limit === 1 ? [item] : []);
    expect(await pollAfter(5)).not.toHaveProperty('isSilent');
    feed.world.answer = () => [];
    expect(await pollAfter(30)).not.toHaveProperty('isSilent');
    // Once an hour: what it has not shown for long may come in any order.
    expect([silences(), feed.world.compared]).toEqual([1, 2]);
    expect(await pollAfter(30)).toMatchObject({ isSilent: true });
    expect(silences()).toBe(2);
  });

  test('knows of no silence any more when nobody wants an image', async () => {
    const left = await running('earth-search', []);
    const readTo = new Date(NOW - 300_000).toISOString();
    const { etag } = (await left.feed.findCursor('earth-search'))!;
    await left.feed.putCursor('earth-search', { readTo, lastChangeAt: readTo, isSilent: true }, etag);
    expect(await left.poll()).not.toHaveProperty('isSilent');
    expect(left.world.compared).toBe(0);
  });

  test('stops when another host moved the cursor', async () => {
    feed.world.now += 5 * 3_600_000;
    feed.world.answer = () => [item];
    feed.feed.isOvertaken = true;
    expect(await feed.poll()).toMatchObject({ windows: 1 });
  });
});

describe('a poll of the Planetary Computer', () => {
  /** Answers a list, or the items of ids. */
  const answering =
    (items: readonly StacItem[]) =>
    ({ ids }: Body): unknown[] =>
      ids === undefined ? [...items] : items.filter(({ id }) => (ids as string[]).includes(id));

  test('compares a day of sensing with what is known, every ten minutes, and three days every hour', async () => {
    const feed = await running('planetary-computer');
    feed.world.answer = answering([anItem({}, { ...made, 's2:mgrs_tile': '33UUP' })]);
    expect(await feed.poll()).toMatchObject({ windows: 0 });
    feed.world.now = Date.parse('2026-06-17T15:10:00Z');
    expect(await feed.poll()).toMatchObject({ windows: 1, items: 1, opened: 1 });
    expect(feed.calls[0]).toMatchObject({
      collections: ['sentinel-2-l2a'],
      datetime: '2026-06-14T00:00:00Z/2026-06-17T23:59:59.999Z',
      query: { 's2:mgrs_tile': { in: ['33UUP', '05VNL'] } },
    });
    expect(feed.calls[1]).toMatchObject({ ids: ['S2B_33UUP_20260617_0_L2A'] });
    feed.world.now = Date.parse('2026-06-17T15:20:00Z');
    expect(await feed.poll()).toMatchObject({ items: 0, opened: 0 });
    expect(feed.calls[2]).toMatchObject({ datetime: '2026-06-16T00:00:00Z/2026-06-17T23:59:59.999Z' });
    expect(feed.calls).toHaveLength(3);
    expect(feed.scenes.products).toMatchObject([{ publishedAt: '2026-06-17T15:10:00.000Z' }]);
  });
});

describe('a night', () => {
  test('takes in what no poll was shown, and what is known in an older version', async () => {
    const feed = await running();
    const better = anItem({}, { ...made, ...shown, 's2:processing_baseline': '05.12' });
    const listed = [item];
    feed.world.answer = ({ ids }) =>
      ids === undefined ? listed : listed.filter(({ id }) => (ids as string[]).includes(id));
    const night = () => feed.night('33UUP', '05VNL');
    await night();
    expect(feed.log.at(-1)).toMatchObject({ event: 'Feed:Reconciled', facts: { listed: 1, missing: 1, opened: 1 } });
    const { product, etag } = (await feed.scenes.find(feed.scenes.products[0]!))!;
    await feed.scenes.put({ ...product, fanOut: 'done' }, etag);
    listed[0] = better;
    await night();
    expect(feed.scenes.products).toMatchObject([{ version: '05.12 2026-06-17T13:00:00.000Z', fanOut: 'open' }]);
    await night();
    expect(feed.log.at(-1)).toMatchObject({ facts: { listed: 1, missing: 0, opened: 0 } });
  });

  test('asks again for what has been open for half an hour, and lets go of what is old', async () => {
    const feed = await running();
    feed.world.answer = () => [item];
    await feed.poll();
    feed.world.now += 29 * 60_000;
    await feed.night('33UUP');
    expect(feed.asked).toHaveLength(1);
    feed.world.now += 60_000;
    await feed.night('33UUP');
    expect(feed.asked).toHaveLength(2);
    feed.world.answer = () => [];
    feed.world.now += 61 * 86_400_000;
    await feed.night('33UUP');
    expect(feed.scenes.products).toEqual([]);
  });

  test('keeps what cannot be used as a product, which tells its reason once', async () => {
    const feed = await running();
    const odd = { ...item, id: `${item.id}_ODD`, assets: {} };
    feed.world.answer = ({ ids }) => [odd].filter(({ id }) => (ids as string[] | undefined)?.includes(id) ?? true);
    await feed.night('33UUP');
    expect(feed.log.at(-1)).toMatchObject({ facts: { unusable: 1, unusableIds: [odd.id], missing: 1 } });
    expect(feed.scenes.products).toMatchObject([{ scenes: [], unusable: { id: odd.id }, fanOut: 'open' }]);
    const asked = feed.asked.length;
    await feed.night('33UUP');
    expect(feed.log.at(-1)).toMatchObject({ facts: { unusable: 0, missing: 0 } });
    expect(feed.asked).toHaveLength(asked);
  });
});

describe('the plan of a night', () => {
  /** The pieces of work that are asked for: their ids, and what is compared. */
  async function plannedFor(cursor: Partial<FeedCursor>, why: 'night' | 'silence' = 'night') {
    const tiles = Array.from({ length: 70 }, (_, index) => `${String(1 + (index % 60)).padStart(2, '0')}UUP${index}`);
    const feed = await running('earth-search', tiles);
    const stored = (await feed.feed.findCursor('earth-search'))!;
    await feed.feed.putCursor('earth-search', { ...stored.cursor, ...cursor }, stored.etag);
    const asked: { id: string; days: number; tiles: readonly string[]; borrows: boolean }[] = [];
    const ask = ({ id, facts = {} }: WorkOrder): Promise<void> =>
      Promise.resolve(void asked.push({ id, ...(facts as { days: number; tiles: string[]; borrows: boolean }) }));
    expect(await planReconciliation({ ...feed.ports, enqueuer: { ask } })(why)).toEqual({ tiles: 70 });
    return asked;
  }

  test('looks eleven days back, and for each tile thirty-seven in one night of seven', async () => {
    const [near, far] = await plannedFor({});
    expect([near, far]).toMatchObject([
      { id: '|2026-06-17|11|0', days: 11, borrows: true },
      { id: '|2026-06-17|37|0', days: 37, borrows: true },
    ]);
    expect(near!.tiles.length + far!.tiles.length).toBe(70);
    expect(far!.tiles.length).toBeGreaterThan(2);
    expect(far!.tiles.length).toBeLessThan(25);
  });

  test('looks far back for all tiles in the week after a silence', async () => {
    const days = async (ended: string) => (await plannedFor({ silenceEndedAt: ended })).map((work) => work.days);
    // Fifty of them at a time.
    expect(await days('2026-06-10T15:30:00.000Z')).toEqual([37, 37]);
    expect(await days('2026-06-10T14:30:00.000Z')).toEqual([11, 37]);
  });

  test('borrows nothing while the catalogue shows nothing of anything', async () => {
    expect((await plannedFor({ isSilent: true })).map(({ borrows }) => borrows)).toEqual([false, false]);
  });

  test('has an id of its own for each hour after a silence', async () => {
    expect((await plannedFor({}, 'silence')).map(({ id }) => id)).toEqual([
      '|2026-06-17T15|37|0',
      '|2026-06-17T15|37|1',
    ]);
  });
});

/** Counts the reads of a store from now on. */
function readsOf(store: ScenesInMemory): () => number {
  let reads = 0;
  const find = store.find.bind(store);
  store.find = (key) => {
    reads += 1;
    return find(key);
  };
  return () => reads;
}
