import { isValid } from '../../validation/validator.js';
import type { GetJson } from './catalogueHttpClient.js';
import { CatalogueError } from './catalogueError.js';
import type { SceneCatalogue, SceneQuery } from '../imageryPorts.js';
import type { Scene, UnusableScene } from './scene.js';
import type { Catalogue } from '../imagerySettings.js';
import { sceneOfItem, takenAtOf } from './sceneOfItem.js';
import { PAGE_SIZE, searchPages } from './pageReader.js';
import { unusableFacts } from './unusableFacts.js';
import { StacItem, type FoundFeature } from './stacSchemas.js';
import type { Log } from '../../telemetry/telemetry.js';

export interface StacOptions {
  readonly catalogue: Catalogue;
  /** Of a STAC API, without a trailing slash: `/search` is added. */
  readonly url: string;
  readonly getJson: GetJson;
}

export interface StacClientOptions extends StacOptions {
  /** Told of items that a search passes over. */
  readonly log?: Log;
}

/** In order of preference. */
export const COLLECTIONS: Readonly<Record<Catalogue, readonly string[]>> = {
  'earth-search': ['sentinel-2-c1-l2a', 'sentinel-2-l2a'],
  'planetary-computer': ['sentinel-2-l2a'],
};
const MOST_PAGES = 50;

/** A STAC API (Earth Search v1 or the Planetary Computer). */
export class StacClient implements SceneCatalogue {
  readonly #options: StacClientOptions;

  constructor(options: StacClientOptions) {
    this.#options = options;
  }

  async search({ area, from, to }: SceneQuery, signal?: AbortSignal): Promise<readonly (Scene | UnusableScene)[]> {
    const { catalogue, url, getJson, log } = this.#options;
    const body = {
      collections: COLLECTIONS[catalogue],
      intersects: area,
      datetime: `${from}/${to}`,
      limit: PAGE_SIZE,
    };
    const found = await searchPages(body, { url, getJson, mostPages: MOST_PAGES, signal });
    if (found === undefined) throw new CatalogueError('invalid', `A search has more than ${MOST_PAGES} pages.`);
    const { features, unreadable } = found;
    if (unreadable.length > 0) log?.('Catalogue:Unreadable', { catalogue, ...unusableFacts(unreadable) });
    return features.map((feature) =>
      isValid(StacItem, feature) ? sceneOfItem(catalogue, feature) : malformed(feature, area),
    );
  }
}

/**
 * A feature that is no STAC item, such as one without an outline. It must not hide the others; that the catalogue has
 * found it says that it meets the area.
 */
const malformed = (feature: FoundFeature, area: SceneQuery['area']): UnusableScene => ({
  id: feature.id,
  takenAt: takenAtOf(feature),
  footprint: area,
  fault: 'its outline or its list of files is malformed',
});
