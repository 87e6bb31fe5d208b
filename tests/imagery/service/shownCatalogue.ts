import type { ItemFilter, ItemSource } from '../../../infra/local/standIns/stac/itemSource.js';
import type { ItemDocument } from '../../../infra/local/standIns/stac/sceneItems.js';
import { searchReply } from '../../../infra/local/standIns/stac/searchRoute.js';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import type { CatalogueCall, GetJson } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { coverOf, type GeoBox } from '../../../shared/scenes/place/footprint.js';
import { anItem, boxPolygon, TILE_BOX } from '../builders.js';

export const URL_OF_CATALOGUE = 'https://catalogue.example/v1';
const HOME = '33UUP';

/** A scene as its item says it. */
export interface SceneToShow {
  /** UTC day of the acquisition. */
  readonly day: string;
  readonly collection?: 'sentinel-2-l2a' | 'sentinel-2-c1-l2a';
  /** MGRS tile; 33UUP when absent. */
  readonly tile?: string;
  /** What the scene shows; the whole of 33UUP when absent. */
  readonly footprint?: GeoBox;
  /** The item names none of the scene's files. */
  readonly hasNoFiles?: true;
}

/** The id of the item of a scene, in the form of its collection. */
export function idOfScene({ day, tile = HOME, collection = 'sentinel-2-l2a' }: SceneToShow): string {
  const stamp = day.replaceAll('-', '');
  return collection === 'sentinel-2-l2a' ? `S2B_${tile}_${stamp}_0_L2A` : `S2B_T${tile}_${stamp}T100612_L2A`;
}

/** The item of a scene as Earth Search writes it. @param shownAt ISO 8601, when it was put in */
export function itemOfScene(scene: SceneToShow, shownAt: string): ItemDocument {
  const { day, tile = HOME, collection = 'sentinel-2-l2a', footprint = TILE_BOX, hasNoFiles } = scene;
  const stamp = day.replaceAll('-', '');
  const properties = {
    datetime: `${day}T10:05:59.000Z`,
    created: shownAt,
    updated: shownAt,
    'grid:code': `MGRS-${tile}`,
    's2:generation_time': `${day}T13:00:00.000000Z`,
    's2:datatake_id': `GS2B_${stamp}T100559_043001_N05.11`,
    's2:datastrip_id': `S2B_OPER_MSI_L2A_DS_2BPS_${stamp}T130000_S${stamp}T100612_N05.11`,
    ...(collection === 'sentinel-2-l2a' ? {} : { 'earthsearch:boa_offset_applied': undefined }),
  };
  const changes = { id: idOfScene(scene), collection, geometry: boxPolygon(footprint) };
  return anItem({ ...changes, ...(hasNoFiles ? { assets: {} } : {}) }, properties) as unknown as ItemDocument;
}

/** A STAC catalogue that shows items from an instant on, speaks as Earth Search does, and counts what it is asked. */
export class ShownCatalogue implements ItemSource {
  /** Requests so far, each page one. */
  requests = 0;
  /** Whether the catalogue answers nothing at all. */
  isAway = false;
  readonly #items: { readonly item: ItemDocument; readonly shownAt: number }[] = [];
  readonly #now: () => number;

  /** @param now milliseconds since 1970 UTC */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param shownAt ISO 8601, when the item becomes visible */
  show(scene: SceneToShow, shownAt: string): void {
    this.#items.push({ item: itemOfScene(scene, shownAt), shownAt: Date.parse(shownAt) });
  }

  readonly getJson: GetJson = ({ url, body }: CatalogueCall): Promise<unknown> => {
    this.requests += 1;
    if (this.isAway) return Promise.reject(new CatalogueError('unavailable', 'The catalogue is away.'));
    const exchange = { method: 'POST', url: new URL(url), headers: {}, body: Buffer.from(JSON.stringify(body)) };
    return Promise.resolve(JSON.parse(String(searchReply(this, exchange).body)));
  };

  find({ box, from, to, collections, tiles, isPlaced }: ItemFilter): readonly ItemDocument[] {
    const visible = this.#items.filter(({ shownAt }) => shownAt <= this.#now()).map(({ item }) => item);
    return visible.filter(({ collection, geometry, properties }) => {
      const takenAt = Date.parse(properties.datetime);
      const isInTime = takenAt >= from && takenAt <= to && collections.includes(collection);
      const isOfTile = tiles?.includes(HOME) !== false;
      return isInTime && isOfTile && !(isPlaced && coverOf(geometry as never, box) === 'none');
    });
  }

  item(): undefined {
    return undefined;
  }

  file(): undefined {
    return undefined;
  }
}
