import { afterEach, describe, expect, test } from '@jest/globals';
import { startStac, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import { searchReply } from '../../../infra/local/standIns/stac/searchRoute.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { catalogueHttpClient, type CatalogueCall } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import type { Catalogue } from '../../../shared/scenes/imagerySettings.js';
import { NOW, READ_TO, TILES, CATALOGUES, itemOfTile, sourceOf, serviceOf } from './oddItemsUnderTest.js';

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
    expect(await service.poll()).toMatchObject({ lagSeconds: 30 });
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
