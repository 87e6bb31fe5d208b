import type { MultiPolygon, Polygon } from '../../geo/geoJson.js';
import type { CatalogueError } from './catalogueError.js';
import type { Granule, Scene, UnusableScene } from './scene.js';
import type { Period } from './searchPeriods.js';

/** An item of a catalogue, and when it says that it was put in and last changed. */
export interface ShownItem {
  readonly scene: Scene | UnusableScene;
  readonly created?: string;
  readonly updated?: string;
}

/** An item as far as it tells whether it is known. */
export interface ListedItem {
  readonly id: string;
  readonly collection: string;
  readonly tile: string;
  /** UTC day of the acquisition. */
  readonly day: string;
  /** As `productVersionOf` tells it; empty where the catalogue doesn't say. */
  readonly version: string;
  /** Where it was asked for, and the item tells it. */
  readonly granule?: Granule;
}

/** A whole answer, and the pages it took. */
export interface Found<T> {
  readonly items: readonly T[];
  /** Ids of features that are none that can be read, where they have any. */
  readonly unreadableIds?: readonly string[];
  readonly pages: number;
}

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

/** A catalogue of scenes. */
export interface SceneCatalogue {
  /**
   * What a catalogue put in or changed in a window.
   *
   * @returns undefined when that is more than the pages that are wanted, the fault when the catalogue can't answer it while it
   *   answers other questions: a shorter window may be answered. @throws CatalogueError; never a part of it
   */
  changes(query: ChangeQuery): Promise<Found<ShownItem> | CatalogueError | undefined>;
  /** What a catalogue has of tiles on days, briefly. A tile of which it can't tell that is named as unreadable. @throws CatalogueError */
  list(tiles: readonly string[], days: Period, more?: { readonly withGranules?: boolean }): Promise<Found<ListedItem>>;
  /** Items by their ids. One that is gone is not among them; one that can't be answered is named as unreadable. @throws CatalogueError */
  items(ids: readonly string[]): Promise<Found<ShownItem>>;
  /** Every item that shows something of a place. @throws CatalogueError; never answers with a part of them */
  search(query: SceneQuery, signal?: AbortSignal): Promise<Found<ShownItem>>;
  /** Whether a catalogue has shown anything at all of late, whatever the place. @throws CatalogueError */
  isAlive(now: number): Promise<boolean>;
}
