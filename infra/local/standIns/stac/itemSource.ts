import type { GeoBox } from '../../../../shared/scenes/place/footprint.js';
import type { RangedFile } from './byteRange.js';
import type { ItemDocument } from './sceneItems.js';

/** What a search filters by. */
export interface ItemFilter {
  readonly box: GeoBox;
  /** First and last instant, milliseconds since 1970 UTC. */
  readonly from: number;
  readonly to: number;
  readonly collections: readonly string[];
  /** Whether a place is asked for; without one the box is the whole earth. */
  readonly isPlaced: boolean;
  /** Whether it is asked what changed, not what shows a place. */
  readonly isOfChanges: boolean;
  /** Only these tiles, with zones of two digits. */
  readonly tiles?: readonly string[];
  readonly ids?: readonly string[];
}

/** Where the stand-in has its items and files from: synthetic scenes or a folder. */
export interface ItemSource {
  /** Items whose outline meets the box, in any order. @param origin of the stand-in */
  find(filter: ItemFilter, origin: string): readonly ItemDocument[];
  item(collection: string, id: string, origin: string): ItemDocument | undefined;
  /** @param path below `/files/`, decoded */
  file(path: string): RangedFile | undefined;
}
