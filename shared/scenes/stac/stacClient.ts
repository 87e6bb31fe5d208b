import { isValid } from '../../kit/validation/validator.js';
import {
  joined,
  type ChangeQuery,
  type Found,
  type ListedItem,
  type ListOptions,
  type SceneCatalogue,
  type SceneQuery,
  type ShownItem,
} from './sceneCatalogue.js';
import type { Period } from './searchPeriods.js';
import type { Catalogue } from '../imagerySettings.js';
import { CatalogueError } from './catalogueError.js';
import type { GetJson } from './catalogueHttpClient.js';
import { groupsOf } from './groups.js';
import { instantOf } from '../item/instant.js';
import { dayOfScene, productVersionOf } from '../item/scene.js';
import { epsgTold } from '../item/sceneAssets.js';
import { granuleOfItem, sceneOfItem, takenAtOf, tileOfItem, statedVersionOf } from '../item/sceneOfItem.js';
import { PAGE_SIZE, searchPages } from './pageReader.js';
import { ItemTimes, OutlinedFeature, SceneProperties, SearchPage, type FoundFeature } from '../item/stacSchemas.js';

export interface StacOptions {
  readonly catalogue: Catalogue;
  /** Of a STAC API, without a trailing slash: `/search` is added. */
  readonly url: string;
  readonly getJson: GetJson;
}

/** In order of preference. */
const COLLECTIONS: Readonly<Record<Catalogue, readonly string[]>> = {
  'earth-search': ['sentinel-2-c1-l2a', 'sentinel-2-l2a'],
  'planetary-computer': ['sentinel-2-l2a'],
};

/** A list of 200 tiles and eleven days has some 20 pages. */
const MOST_LIST_PAGES = 200;
/** A month of one place fits on few pages. */
const MOST_SEARCH_PAGES = 50;

const HOUR_MS = 3_600_000;
/** Earth Search changes 1,200 items an hour. */
const SILENCE_HOURS = 3;
/** The Planetary Computer shows scenes in batches, and doesn't tell when. */
const PLANETARY_SILENCE_HOURS = 36;

/** Assets of bands that no layer is made of. */
const UNUSED = [
  ...['aot', 'coastal', 'nir08', 'nir09', 'rededge1', 'rededge2', 'rededge3'],
  ...['swir16', 'swir22', 'visual', 'wvp'],
];
/** A page without the assets that no layer is made of is a fifth as large. */
const UNUSED_ASSETS = [
  ...UNUSED.flatMap((name) => [name, `${name}-jp2`]),
  ...['red', 'green', 'blue', 'nir', 'scl'].map((name) => `${name}-jp2`),
  ...['cloud', 'snow', 'preview', 'preview-jp2', 'thumbnail', 'tilejson'],
  ...['granule_metadata', 'product_metadata', 'tileinfo_metadata'],
];
const WITHOUT_UNUSED = { exclude: UNUSED_ASSETS.map((name) => `assets.${name}`) };

const LISTED_PROPERTIES = [
  ...['datetime', 'start_datetime', 'proj:epsg', 'proj:code', 'grid:code', 's2:mgrs_tile'],
  ...['s2:processing_baseline', 's2:generation_time', 'updated'],
];
const GRANULE_PROPERTIES = ['platform', 's2:datatake_id', 's2:datastrip_id'];
const named = (properties: readonly string[]): readonly string[] => properties.map((name) => `properties.${name}`);
const LISTED = {
  include: ['id', 'collection', ...named(LISTED_PROPERTIES)],
  exclude: ['assets', 'links', 'geometry', 'bbox'],
};
const LISTED_GRANULES = {
  include: [...LISTED.include, ...named(GRANULE_PROPERTIES), 'geometry'],
  exclude: ['assets', 'links', 'bbox'],
};

/** Codes of a tile such as `MGRS-33UUP`; catalogues write zones below 10 with one digit or two. */
const codesOf = (tile: string): readonly string[] => [tile, tile.replace(/^0/, '')].map((name) => `MGRS-${name}`);

/** The condition that an item shows one of these tiles. */
function ofTiles(catalogue: Catalogue, tiles: readonly string[]): Readonly<Record<string, unknown>> {
  if (catalogue === 'planetary-computer') return { 's2:mgrs_tile': { in: tiles } };
  return { 'grid:code': { in: [...new Set(tiles.flatMap(codesOf))] } };
}

function shownItem(catalogue: Catalogue, feature: FoundFeature): ShownItem | undefined {
  const scene = sceneOfItem(catalogue, feature);
  if (scene === undefined) return undefined;
  const times: unknown = feature.properties;
  const [created, updated] = isValid(ItemTimes, times) ? [instantOf(times.created), instantOf(times.updated)] : [];
  return {
    scene,
    ...(created === undefined ? {} : { created }),
    ...(updated === undefined ? {} : { updated }),
  };
}

function listedItem(feature: FoundFeature): ListedItem | undefined {
  const properties: unknown = feature.properties;
  if (!isValid(SceneProperties, properties)) return undefined;
  const epsg = epsgTold(properties);
  return {
    id: feature.id,
    collection: feature.collection ?? '',
    tile: tileOfItem(feature, properties, epsg),
    day: dayOfScene({ takenAt: takenAtOf(feature) }),
    version: productVersionOf(statedVersionOf(properties)),
    ...(isValid(OutlinedFeature, feature)
      ? { granule: granuleOfItem(feature, { properties, epsg }, feature.geometry) }
      : {}),
  };
}

function readOf<T>(
  { items: features, unreadableIds: unreadable = [], pages }: Found<FoundFeature>,
  read: (feature: FoundFeature) => T | undefined,
): Found<T> {
  const items: T[] = [];
  const unreadableIds = [...unreadable];
  for (const feature of features) {
    const item = read(feature);
    if (item === undefined) unreadableIds.push(feature.id);
    else items.push(item);
  }
  return { items, unreadableIds, pages };
}

/** The STAC API of Earth Search v1 or of the Planetary Computer. */
export class StacClient implements SceneCatalogue {
  readonly #options: StacOptions;

  constructor(options: StacOptions) {
    this.#options = options;
  }

  async changes({
    window,
    takenSince,
    tiles,
    mostPages,
  }: ChangeQuery): Promise<Found<ShownItem> | CatalogueError | undefined> {
    const updated = { gte: window.from, lt: window.to };
    const found = await this.#unlessUnanswered(() =>
      this.#search(mostPages, {
        datetime: `${takenSince}T00:00:00Z/..`,
        query: { updated, ...(tiles === undefined ? {} : ofTiles(this.#options.catalogue, tiles)) },
        fields: WITHOUT_UNUSED,
      }),
    );
    return found === undefined || found instanceof CatalogueError ? found : this.#shown(found);
  }

  async list(
    tiles: readonly string[],
    { from, to }: Period,
    { withGranules = false, signal }: ListOptions = {},
  ): Promise<Found<ListedItem>> {
    const ask = async (some: readonly string[]): Promise<Found<FoundFeature>> => {
      const conditions = {
        datetime: `${from}T00:00:00Z/${to}T23:59:59.999Z`,
        query: ofTiles(this.#options.catalogue, some),
        fields: withGranules ? LISTED_GRANULES : LISTED,
      };
      const found = await this.#search(MOST_LIST_PAGES, conditions, signal);
      if (found !== undefined) return found;
      throw new CatalogueError('invalid', `A list has more than ${MOST_LIST_PAGES} pages.`, { mayBeOfSize: true });
    };
    return readOf(await this.#inHalves(tiles, ask), listedItem);
  }

  async items(ids: readonly string[], signal?: AbortSignal): Promise<Found<ShownItem>> {
    const ask = async (some: readonly string[]): Promise<Found<FoundFeature>> => {
      const found = await this.#search(2, { ids: some, fields: WITHOUT_UNUSED }, signal);
      if (found !== undefined) return found;
      throw new CatalogueError('invalid', 'The catalogue sent more items than there are ids.');
    };
    const all: Found<FoundFeature>[] = [];
    // Two collections may have an item of one id, so half a page of ids is answered on one page.
    for (const some of groupsOf(ids, PAGE_SIZE / 2)) all.push(await this.#inHalves(some, ask));
    return this.#shown(joined(all));
  }

  async search({ area, from, to }: SceneQuery, signal?: AbortSignal): Promise<Found<ShownItem>> {
    const conditions = { intersects: area, datetime: `${from}/${to}`, fields: WITHOUT_UNUSED };
    const found = await this.#search(MOST_SEARCH_PAGES, conditions, signal);
    if (found === undefined) throw new CatalogueError('invalid', `A search has more than ${MOST_SEARCH_PAGES} pages.`);
    return this.#shown(found);
  }

  isAlive(now: number): Promise<boolean> {
    const since = (hours: number): string => new Date(now - hours * HOUR_MS).toISOString();
    return this.#showsAnything(
      this.#options.catalogue === 'planetary-computer'
        ? { datetime: `${since(PLANETARY_SILENCE_HOURS)}/..` }
        : { query: { updated: { gte: since(SILENCE_HOURS) } } },
    );
  }

  /** Asks for all names at once. Where the catalogue fails, asks for halves; a name for which it fails alone is unreadable. */
  async #inHalves(
    names: readonly string[],
    ask: (names: readonly string[]) => Promise<Found<FoundFeature>>,
  ): Promise<Found<FoundFeature>> {
    const found = await this.#unlessUnanswered(() => ask(names));
    if (!(found instanceof CatalogueError)) return found;
    if (names.length === 1) return { items: [], unreadableIds: names, pages: 0 };
    const middle = Math.ceil(names.length / 2);
    const first = await this.#inHalves(names.slice(0, middle), ask);
    return joined([first, await this.#inHalves(names.slice(middle), ask)]);
  }

  /**
   * The answer to a question, or the error when the size of the answer, or an item in it, may be the cause.
   *
   * @throws CatalogueError in an outage, and for every other error
   */
  async #unlessUnanswered<T>(ask: () => Promise<T>): Promise<T | CatalogueError> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CatalogueError) || !error.mayBeOfSize) throw error;
      // `unavailable` may be an outage: then the catalogue doesn't answer any question.
      if (error.fault === 'unavailable' && !(await this.#isAnswering())) throw error;
      return error;
    }
  }

  /** Whether the catalogue answers a question for any one item, tried once. */
  async #isAnswering(): Promise<boolean> {
    try {
      return await this.#showsAnything({}, { tries: 1 });
    } catch (error) {
      if (error instanceof CatalogueError) return false;
      throw error;
    }
  }

  /** Whether there is any item of a condition. Reads one item and no next page: the answer need not be whole. */
  async #showsAnything(condition: Readonly<Record<string, unknown>>, more: { readonly tries?: number } = {}) {
    const { catalogue, url, getJson } = this.#options;
    const body = { collections: COLLECTIONS[catalogue], ...condition, fields: LISTED, limit: 1 };
    const page = await getJson({ url: `${url}/search`, body, ...more });
    if (!isValid(SearchPage, page)) throw new CatalogueError('invalid', 'The catalogue sent no STAC search result.');
    return page.features.length > 0;
  }

  #search(
    mostPages: number,
    conditions: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Found<FoundFeature> | undefined> {
    const { catalogue, url, getJson } = this.#options;
    const body = { collections: COLLECTIONS[catalogue], limit: PAGE_SIZE, ...conditions };
    return searchPages(body, { url, getJson, mostPages, signal });
  }

  #shown(found: Found<FoundFeature>): Found<ShownItem> {
    return readOf(found, (feature) => shownItem(this.#options.catalogue, feature));
  }
}
