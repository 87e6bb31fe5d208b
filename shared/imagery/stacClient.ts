import { isValid } from '../validation/validator.js';
import type { CatalogueCall, GetJson } from './catalogueHttpClient.js';
import { CatalogueError } from './imageryError.js';
import type { SceneCatalogue, SceneQuery } from './imageryPorts.js';
import type { Scene, UnusableScene } from './scene.js';
import type { Catalogue } from './imagerySettings.js';
import { sceneOfItem } from './sceneOfItem.js';
import { SearchPage, type PageLink, type StacItem } from './stacSchemas.js';

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
const PAGE_SIZE = 100;
const MOST_PAGES = 50;

/** What has been read of one search so far. */
interface Reading {
  readonly items: Map<string, StacItem>;
  readonly seen: Set<string>;
  received: number;
}

/** A STAC API (Earth Search v1 or the Planetary Computer). */
export class StacClient implements SceneCatalogue {
  readonly #options: StacOptions;

  constructor(options: StacOptions) {
    this.#options = options;
  }

  async search({ area, from, to }: SceneQuery, signal?: AbortSignal): Promise<readonly (Scene | UnusableScene)[]> {
    const { catalogue, url } = this.#options;
    const body = {
      collections: COLLECTIONS[catalogue],
      intersects: area,
      datetime: `${from}/${to}`,
      limit: PAGE_SIZE,
    };
    const reading: Reading = { items: new Map(), seen: new Set(), received: 0 };
    for (let call: CatalogueCall | undefined = { url: `${url}/search`, body }; call !== undefined;) {
      call = await this.#readPage(call, reading, signal);
    }
    return [...reading.items.values()].map((item) => sceneOfItem(catalogue, item));
  }

  /** Reads one page. @returns the call for the next one */
  async #readPage(call: CatalogueCall, reading: Reading, signal?: AbortSignal): Promise<CatalogueCall | undefined> {
    const mark = JSON.stringify(call);
    if (reading.seen.has(mark)) throw new CatalogueError('invalid', 'The pages of a search lead in a circle.');
    if (reading.seen.size >= MOST_PAGES) {
      throw new CatalogueError('invalid', `A search has more than ${MOST_PAGES} pages.`);
    }
    reading.seen.add(mark);
    const page = await this.#options.getJson(call, signal);
    if (!isValid(SearchPage, page)) throw new CatalogueError('invalid', 'The catalogue sent no STAC search result.');
    for (const item of page.features) reading.items.set(`${item.collection ?? ''}/${item.id}`, item);
    reading.received += page.features.length;
    const next = page.links?.find(({ rel }) => rel === 'next');
    const isLast = next === undefined || page.features.length === 0;
    requireWhole(page, reading.received, isLast);
    return isLast ? undefined : this.#nextCall(next, call);
  }

  /** The call a link stands for; it must stay on the catalogue's host. */
  #nextCall(link: PageLink, call: CatalogueCall): CatalogueCall {
    const url = URL.canParse(link.href) ? new URL(link.href) : undefined;
    if (url?.origin !== new URL(this.#options.url).origin) {
      throw new CatalogueError('refused', 'The next page of a search lies on another host.');
    }
    const headers = link.headers === undefined ? {} : { headers: link.headers };
    if (link.method?.toUpperCase() !== 'POST') return { url: url.href, ...headers };
    const body = link.merge === true ? { ...call.body, ...link.body } : (link.body ?? {});
    return { url: url.href, body, ...headers };
  }
}

/**
 * Fewer items than the catalogue itself counts are half an answer, and half an answer must not pass for all.
 *
 * @throws CatalogueError `unavailable`: a repetition brings the rest
 */
function requireWhole(
  { features, numberReturned, numberMatched }: SearchPage,
  received: number,
  isLast: boolean,
): void {
  const isCut = numberReturned !== undefined && features.length < numberReturned;
  const isShort = isLast && numberMatched !== undefined && received < numberMatched;
  if (isCut || isShort) throw new CatalogueError('unavailable', 'The catalogue sent fewer scenes than it counts.');
}
