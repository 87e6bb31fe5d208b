import { isValid } from '../../validation/validator.js';
import type { CatalogueCall, GetJson } from './catalogueHttpClient.js';
import { CatalogueError } from './catalogueError.js';
import type { SceneCatalogue, SceneQuery } from '../imageryPorts.js';
import type { Scene, UnusableScene } from './scene.js';
import type { Catalogue } from '../imagerySettings.js';
import { sceneOfItem, takenAtOf } from './sceneOfItem.js';
import { SearchPage, StacItem, type FoundFeature, type PageLink } from './stacSchemas.js';

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
  readonly features: Map<string, FoundFeature>;
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
    const reading: Reading = { features: new Map(), seen: new Set(), received: 0 };
    for (let call: CatalogueCall | undefined = { url: `${url}/search`, body }; call !== undefined;) {
      call = await this.#readPage(call, reading, signal);
    }
    return [...reading.features.values()].map((feature) =>
      isValid(StacItem, feature) ? sceneOfItem(catalogue, feature) : unreadable(feature, area),
    );
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
    for (const feature of page.features) reading.features.set(`${feature.collection ?? ''}/${feature.id}`, feature);
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
 * A feature that is no STAC item, such as one without an outline. It must not hide the others; that the catalogue has
 * found it says that it meets the area.
 */
const unreadable = (feature: FoundFeature, area: SceneQuery['area']): UnusableScene => ({
  id: feature.id,
  takenAt: takenAtOf(feature),
  footprint: area,
  fault: 'its outline or its list of files is malformed',
});

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
