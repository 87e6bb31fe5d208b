import type { MultiPolygon, Polygon } from '../../geo/shapes/geoJson.js';
import type { CatalogueError } from './catalogueError.js';
import type { Granule, Scene, UnusableScene } from '../item/scene.js';
import type { Period } from './searchPeriods.js';

/** An item of a catalogue. */
export interface ShownItem {
  readonly scene: Scene | UnusableScene;
  /** When the catalogue says that it added the item. ISO 8601. */
  readonly created?: string;
  /** When the catalogue says that it last changed the item. ISO 8601. */
  readonly updated?: string;
}

/** An item of a list: as much as tells whether the service has the item. */
export interface ListedItem {
  readonly id: string;
  readonly collection: string;
  readonly tile: string;
  /** UTC day of the acquisition. */
  readonly day: string;
  /** See `productVersionOf`; empty where the catalogue doesn't say. */
  readonly version: string;
  /** Only in a list with granules, where the item is complete. */
  readonly granule?: Granule;
}

/** A whole answer of a catalogue. */
export interface Found<T> {
  readonly items: readonly T[];
  /** Ids, where there are any, of features that can't be read. */
  readonly unreadableIds?: readonly string[];
  readonly pages: number;
}

/** Several answers as one. */
export const joined = <T>(answers: readonly Found<T>[]): Found<T> => ({
  items: answers.flatMap(({ items }) => items),
  unreadableIds: answers.flatMap(({ unreadableIds = [] }) => unreadableIds),
  pages: answers.reduce((sum, { pages }) => sum + pages, 0),
});

/** Changes at `from` or later and before `to`. ISO 8601. */
export interface FeedWindow {
  readonly from: string;
  readonly to: string;
}

/** What a poll of a catalogue asks for. */
export interface ChangeQuery {
  readonly window: FeedWindow;
  /** Acquired on this UTC day or later: old items that come again in masses cost nothing. */
  readonly takenSince: string;
  /** All tiles of the earth when absent. */
  readonly tiles?: readonly string[];
  readonly mostPages: number;
}

/** What a search by place asks for. */
export interface SceneQuery {
  /** WGS 84. */
  readonly area: Polygon | MultiPolygon;
  /** First and last instant, ISO 8601, inclusive. */
  readonly from: string;
  readonly to: string;
}

/** Options of a list. */
export interface ListOptions {
  /** Whether items tell what they show. */
  readonly withGranules?: boolean;
  readonly signal?: AbortSignal;
}

/** A catalogue of scenes. Answers are whole: where a part is missing, a method throws. */
export interface SceneCatalogue {
  /**
   * Items that the catalogue added or changed in a window.
   *
   * @returns undefined when there are more pages than are wanted; the error when the catalogue can't answer this question
   *   while it answers others: a shorter window may be answered
   * @throws CatalogueError
   */
  changes(query: ChangeQuery): Promise<Found<ShownItem> | CatalogueError | undefined>;
  /** Items of tiles on days, briefly. A tile for which the catalogue fails is named as unreadable. @throws CatalogueError */
  list(tiles: readonly string[], days: Period, more?: ListOptions): Promise<Found<ListedItem>>;
  /** Items by their ids. One that is gone is left out; one for which the catalogue fails is unreadable. @throws CatalogueError */
  items(ids: readonly string[], signal?: AbortSignal): Promise<Found<ShownItem>>;
  /** Every item that shows something of a place. @throws CatalogueError */
  search(query: SceneQuery, signal?: AbortSignal): Promise<Found<ShownItem>>;
  /** Whether the catalogue has shown anything at all of late, whatever the place. @throws CatalogueError */
  isAlive(now: number): Promise<boolean>;
}
