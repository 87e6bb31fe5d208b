import { isValid } from '../../validation/validator.js';
import type { ChangeQuery, Found, ListedItem, SceneCatalogue, SceneQuery, ShownItem } from './sceneCatalogue.js';
import type { Period } from './searchPeriods.js';
import type { Catalogue } from './imagerySettings.js';
import { CatalogueError } from './catalogueError.js';
import type { GetJson } from './catalogueHttpClient.js';
import { instantOf } from './instant.js';
import { dayOfScene, productVersionOf } from './scene.js';
import { epsgTold } from './sceneAssets.js';
import { outlinedGranule, sceneOfItem, takenAtOf, tileOfItem, statedVersionOf } from './sceneOfItem.js';
import { PAGE_SIZE, searchPages, type FoundPages } from './pageReader.js';
import { ItemTimes, OutlinedFeature, SceneProperties, SearchPage, type FoundFeature } from './stacSchemas.js';

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

/** A list of ids of that many tiles and eleven days has some 20 pages. */
const MOST_LIST_PAGES = 200;
/** A month of one place fits on few pages. */
const MOST_SEARCH_PAGES = 50;

const HOUR_MS = 3_600_000;
/** Earth Search changes 1,200 items an hour. */
const SILENCE_HOURS = 3;
/** The Planetary Computer shows scenes in batches, and doesn't tell when. */
const PLANETARY_SILENCE_HOURS = 36;

/** Assets that no layer is made of; a page without them is a fifth as large. */
const UNUSED = [
  'aot',
  'coastal',
  'nir08',
  'nir09',
  'rededge1',
  'rededge2',
  'rededge3',
  'swir16',
  'swir22',
  'visual',
  'wvp',
];
const UNUSED_ASSETS = [
  ...UNUSED.flatMap((name) => [name, `${name}-jp2`]),
  ...['red', 'green', 'blue', 'nir', 'scl'].map((name) => `${name}-jp2`),
  ...['cloud', 'snow', 'preview', 'preview-jp2', 'thumbnail', 'tilejson'],
  ...['granule_metadata', 'product_metadata', 'tileinfo_metadata'],
];
const WITHOUT_UNUSED = { exclude: UNUSED_ASSETS.map((name) => `assets.${name}`) };

const LISTED_PROPERTIES = [
  ...['datetime', 'start_datetime', 'proj:epsg', 'proj:code', 'grid:code', 's2:mgrs_tile'],
  ...['s2:processing_baseline', 's2:generation_time'],
];
const GRANULE_PROPERTIES = ['platform', 's2:datatake_id', 's2:datastrip_id'];
const named = (properties: readonly string[]): readonly string[] => properties.map((name) => `properties.${name}`);
const LISTED = {
  include: ['id', 'collection', ...named([...LISTED_PROPERTIES, 'updated'])],
  exclude: ['assets', 'links', 'geometry', 'bbox'],
};
const LISTED_GRANULES = {
  include: [...LISTED.include, ...named(GRANULE_PROPERTIES), 'geometry'],
  exclude: ['assets', 'links', 'bbox'],
};

/** `MGRS-33UUP` of a tile; zones below 10 are written with one digit or two. */
const codesOf = (tile: string): readonly string[] => [tile, tile.replace(/^0/, '')].map((name) => `MGRS-${name}`);

/** The condition that an item shows one of these tiles. */
function ofTiles(catalogue: StacOptions['catalogue'], tiles: readonly string[]): Readonly<Record<string, unknown>> {
  if (catalogue === 'planetary-computer') return { 's2:mgrs_tile': { in: tiles } };
  return { 'grid:code': { in: [...new Set(tiles.flatMap(codesOf))] } };
}

function shownItem(catalogue: StacOptions['catalogue'], feature: FoundFeature): ShownItem | undefined {
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
  const { baseline, generatedAt } = statedVersionOf(properties);
  const epsg = epsgTold(properties);
  return {
    id: feature.id,
    collection: feature.collection ?? '',
    tile: tileOfItem(feature, properties, epsg),
    day: dayOfScene({ takenAt: takenAtOf(feature) }),
    version: productVersionOf({ baseline, generatedAt }),
    ...(isValid(OutlinedFeature, feature) ? { granule: outlinedGranule(feature, properties, epsg) } : {}),
  };
}

function readOf<T>(
  { features, pages, ...found }: FoundPages,
  read: (feature: FoundFeature) => T | undefined,
): Found<T> {
  const all = features.map((feature) => ({ id: feature.id, item: read(feature) }));
  const items = all.map(({ item }) => item).filter((item): item is NonNullable<typeof item> => item !== undefined);
  const unreadableIds = [...found.unreadable, ...all.filter(({ item }) => item === undefined).map(({ id }) => id)];
  return { items, unreadableIds, pages };
}

const together = (all: readonly FoundPages[]): FoundPages => ({
  features: all.flatMap(({ features }) => features),
  unreadable: all.flatMap(({ unreadable }) => unreadable),
  pages: all.reduce((sum, { pages }) => sum + pages, 0),
});

/** Asks a STAC API (Earth Search v1 or the Planetary Computer). */
export class StacClient implements SceneCatalogue {
  readonly #options: StacOptions;

  constructor(options: StacOptions) {
    this.#options = options;
  }

  async changes(query: ChangeQuery): Promise<Found<ShownItem> | CatalogueError | undefined> {
    const found = await this.#unlessUnanswered(() => this.#changes(query));
    return found === undefined || found instanceof CatalogueError ? found : this.#shown(found);
  }

  #changes({ window, takenSince, tiles, mostPages }: ChangeQuery): Promise<FoundPages | undefined> {
    const { catalogue } = this.#options;
    return this.#search(mostPages, {
      datetime: `${takenSince}T00:00:00Z/..`,
      query: {
        updated: { gte: window.from, lt: window.to },
        ...(tiles === undefined ? {} : ofTiles(catalogue, tiles)),
      },
      fields: WITHOUT_UNUSED,
    });
  }

  async list(
    tiles: readonly string[],
    { from, to }: Period,
    { withGranules = false }: { readonly withGranules?: boolean } = {},
  ): Promise<Found<ListedItem>> {
    const ask = async (some: readonly string[]): Promise<FoundPages> => {
      const found = await this.#search(MOST_LIST_PAGES, {
        datetime: `${from}T00:00:00Z/${to}T23:59:59.999Z`,
        query: ofTiles(this.#options.catalogue, some),
        fields: withGranules ? LISTED_GRANULES : LISTED,
      });
      if (found === undefined) {
        const told = `A list has more than ${MOST_LIST_PAGES} pages.`;
        throw new CatalogueError('invalid', told, { mayBeOfSize: true });
      }
      return found;
    };
    return readOf(await this.#inHalves(tiles, ask), listedItem);
  }

  async items(ids: readonly string[]): Promise<Found<ShownItem>> {
    const ask = async (some: readonly string[]): Promise<FoundPages> => {
      const found = await this.#search(2, { ids: some, fields: WITHOUT_UNUSED });
      if (found === undefined) throw new CatalogueError('invalid', 'The catalogue sent more items than there are ids.');
      return found;
    };
    const all: FoundPages[] = [];
    // Two collections may have an item of one id: no answer needs a second page.
    for (let start = 0; start < ids.length; start += PAGE_SIZE / 2) {
      all.push(await this.#inHalves(ids.slice(start, start + PAGE_SIZE / 2), ask));
    }
    return this.#shown(together(all));
  }

  async search({ area, from, to }: SceneQuery, signal?: AbortSignal): Promise<Found<ShownItem>> {
    const conditions = { intersects: area, datetime: `${from}/${to}`, fields: WITHOUT_UNUSED };
    const found = await this.#search(MOST_SEARCH_PAGES, conditions, signal);
    if (found === undefined) throw new CatalogueError('invalid', `A search has more than ${MOST_SEARCH_PAGES} pages.`);
    return this.#shown(found);
  }

  async isAlive(now: number): Promise<boolean> {
    const { catalogue, url, getJson } = this.#options;
    const since = (hours: number): string => new Date(now - hours * HOUR_MS).toISOString();
    const condition =
      catalogue === 'planetary-computer'
        ? { datetime: `${since(PLANETARY_SILENCE_HOURS)}/..` }
        : { query: { updated: { gte: since(SILENCE_HOURS) } } };
    const body = { collections: COLLECTIONS[catalogue], ...condition, fields: LISTED, limit: 1 };
    // One item is enough, so the next page is not asked for, and whether the answer is whole doesn't matter.
    const page = await getJson({ url: `${url}/search`, body });
    if (!isValid(SearchPage, page)) throw new CatalogueError('invalid', 'The catalogue sent no STAC search result.');
    return page.features.length > 0;
  }

  /** Asks for all names at once, for halves of them where that can't be answered; a name that can't be even alone is unreadable. */
  async #inHalves(
    names: readonly string[],
    ask: (names: readonly string[]) => Promise<FoundPages>,
  ): Promise<FoundPages> {
    const found = await this.#unlessUnanswered(() => ask(names));
    if (!(found instanceof CatalogueError)) return found;
    if (names.length === 1) return { features: [], unreadable: names, pages: 0 };
    const middle = Math.ceil(names.length / 2);
    const first = await this.#inHalves(names.slice(0, middle), ask);
    return together([first, await this.#inHalves(names.slice(middle), ask)]);
  }

  /**
   * What the catalogue answers to one question, or its fault when the size of the answer, or an item in it, may be the cause.
   *
   * @throws CatalogueError in an outage, and for every other fault
   */
  async #unlessUnanswered<T>(ask: () => Promise<T>): Promise<T | CatalogueError> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CatalogueError) || !error.mayBeOfSize) throw error;
      // An answer that is too large is no outage; for any other fault something else must be answered.
      if (error.fault === 'unavailable' && !(await this.#showsAnything())) throw error;
      return error;
    }
  }

  /** Whether the catalogue answers a question for any one item, asked once. */
  async #showsAnything(): Promise<boolean> {
    const { catalogue, url, getJson } = this.#options;
    const body = { collections: COLLECTIONS[catalogue], fields: LISTED, limit: 1 };
    try {
      const page = await getJson({ url: `${url}/search`, body, tries: 1 });
      return isValid(SearchPage, page) && page.features.length > 0;
    } catch (error) {
      if (error instanceof CatalogueError) return false;
      throw error;
    }
  }

  #search(
    mostPages: number,
    conditions: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<FoundPages | undefined> {
    const { catalogue, url, getJson } = this.#options;
    const body = { collections: COLLECTIONS[catalogue], limit: PAGE_SIZE, ...conditions };
    return searchPages(body, { url, getJson, mostPages, signal });
  }

  #shown(found: FoundPages): Found<ShownItem> {
    return readOf(found, (feature) => shownItem(this.#options.catalogue, feature));
  }
}
