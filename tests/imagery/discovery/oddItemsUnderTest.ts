import type { ItemSource } from '../../../infra/local/standIns/stac/itemSource.js';
import { oddId } from '../../../infra/local/standIns/stac/oddForms.js';
import type { ItemDocument } from '../../../infra/local/standIns/stac/sceneItems.js';
import { searchReply } from '../../../infra/local/standIns/stac/searchRoute.js';
import { type CatalogueCall, type GetJson } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { StacClient } from '../../../shared/scenes/stac/stacClient.js';
import { readFeed } from '../../../shared/imagery/discovery/readFeed.js';
import { reconcileTiles } from '../../../shared/imagery/discovery/reconcile.js';
import type { Catalogue } from '../../../shared/scenes/imagerySettings.js';
import { FeedInMemory, ScenesInMemory } from '../../support/imageryInMemory.js';
import { scenesFound } from '../../support/scenesFound.js';
import { anItem, boxPolygon, FIELD_BOX } from '../builders.js';

/** Past the tenth minute of an hour: the Planetary Computer is asked for one day. */
export const NOW = Date.parse('2026-06-17T15:10:00Z');
/** Cursor of the feed at the beginning. */
export const READ_TO = '2026-06-17T14:55:00.000Z';
/** Tiles of which somebody wants images. */
export const TILES = ['33UUP', '33UVP', '33UWP'];
/** Every catalogue that the service reads. */
export const CATALOGUES: readonly Catalogue[] = ['earth-search', 'planetary-computer'];
const URL_BASE = 'https://catalogue.example/v1';

type Facts = Readonly<Record<string, unknown>>;

/** An item of a tile in the form that both catalogues understand; each tile has a product of its own. */
export function itemOfTile(tile: string, form?: string): ItemDocument {
  const id = `S2B_${tile}_20260617_0_L2A`;
  const shown = { created: '2026-06-17T14:58:00Z', updated: '2026-06-17T14:58:00Z' };
  const made = { 's2:generation_time': '2026-06-17T13:00:00Z', 'grid:code': `MGRS-${tile}`, 's2:mgrs_tile': tile };
  const item = anItem({ id: form === undefined ? id : oddId(id, form) }, { ...shown, ...made });
  return item as unknown as ItemDocument;
}

/** A catalogue that has these items and nothing else. */
export const sourceOf = (items: readonly ItemDocument[]): ItemSource => ({
  find: ({ ids }) => items.filter(({ id }) => ids?.includes(id) !== false),
  item: () => undefined,
  file: () => undefined,
});

/** A service that reads a catalogue. @param getJson asks it */
export async function serviceOf(catalogueName: Catalogue, getJson: GetJson, url = URL_BASE) {
  const log: { event: string; facts: Facts }[] = [];
  const scenes = new ScenesInMemory();
  const feed = new FeedInMemory();
  await feed.putCursor(catalogueName, { readTo: READ_TO, lastChangeAt: READ_TO }, undefined);
  const options = { catalogue: catalogueName, url, getJson };
  const ports = {
    catalogueName,
    catalogue: new StacClient(options),
    scenes,
    feed,
    askProduct: () => Promise.resolve(),
    interest: {
      listTiles: () => Promise.resolve(TILES),
      dropEmptyTile: () => Promise.resolve(false),
      summarizeTile: () => Promise.resolve([]),
    },
    compareAll: () => Promise.resolve(),
    enqueuer: { ask: () => Promise.resolve() },
    clock: { now: () => new Date(NOW) },
    log: (event: string, facts: Facts) => void log.push({ event, facts }),
  };
  return {
    poll: readFeed(ports),
    night: () => reconcileTiles(ports)({ tiles: TILES, days: 11, borrows: true }),
    search: (area = boxPolygon(FIELD_BOX)) =>
      scenesFound(ports.catalogue, { area, from: '2026-06-01T00:00:00Z', to: '2026-06-20T00:00:00Z' }),
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
export function serviceWith(
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
