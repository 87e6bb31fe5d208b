import { addDays, dayOf } from '../../../../shared/validation/calendar.js';
import type { Render } from '../dataManager/scenes/syntheticScenes.js';
import type { RangedFile } from './byteRange.js';
import type { ItemFilter, ItemSource } from './itemSource.js';
import { epsgOfTile, tileNamed, tilesOver, type MgrsTile } from './mgrsTiles.js';
import { overpassesOver } from './sceneCalendar.js';
import {
  COLLECTION_0,
  COLLECTION_1,
  idOf,
  itemOf,
  type CollectionId,
  type ItemDocument,
  type SyntheticScene,
} from './sceneItems.js';
import { isSceneFile, SyntheticFiles } from './syntheticFiles.js';

const DAY_MS = 86_400_000;
const COLLECTIONS = [COLLECTION_1, COLLECTION_0] as const;

/** Synthetic scenes of any place on earth, every five days. */
export class SyntheticSource implements ItemSource {
  readonly #now: () => Date;
  readonly #files: SyntheticFiles;

  constructor(now: () => Date, render: Render) {
    this.#now = now;
    this.#files = new SyntheticFiles(render);
  }

  find(filter: ItemFilter, origin: string): readonly ItemDocument[] {
    const wanted = COLLECTIONS.filter((collection) => filter.collections.includes(collection));
    const [from, to] = [dayOf(Math.floor(filter.from / DAY_MS)), dayOf(Math.floor(filter.to / DAY_MS))];
    return tilesOver(filter.box).flatMap((tile) =>
      this.#scenes(tile, { from, to }, wanted)
        .filter(({ overpass: { takenAt } }) => takenAt.getTime() >= filter.from && takenAt.getTime() <= filter.to)
        .map((scene) => itemOf(scene, origin)),
    );
  }

  item(collection: string, id: string, origin: string): ItemDocument | undefined {
    const name = /_T?(\d{2}[C-X][A-Z]{2})_/.exec(id)?.[1] ?? '';
    const day = /_(\d{4})(\d{2})(\d{2})/.exec(id)?.slice(1).join('-') ?? '';
    const scene = this.#sceneOf(collection, name, day);
    return scene === undefined || idOf(scene) !== id ? undefined : itemOf(scene, origin);
  }

  file(path: string): RangedFile | undefined {
    const [collection = '', tileName = '', date = '', file = ''] = path.split('/');
    const name = file.replace(/\.tif$/, '');
    const scene = this.#sceneOf(collection, tileName, date);
    if (scene === undefined || !isSceneFile(name)) return undefined;
    const cog = this.#files.fileOf(scene, name);
    return { size: cog.size, version: path, read: (first, last) => cog.read(first, last) };
  }

  #sceneOf(collection: string, tileName: string, date: string): SyntheticScene | undefined {
    const tile = tileNamed(tileName, epsgOfTile(tileName));
    const known = COLLECTIONS.filter((name) => name === collection);
    if (tile === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
    return this.#scenes(tile, { from: date, to: date }, known)[0];
  }

  #scenes(
    tile: MgrsTile,
    { from, to }: { readonly from: string; readonly to: string },
    collections: readonly CollectionId[],
  ): SyntheticScene[] {
    // Far ends of an open interval cost nothing: nothing is published beyond tomorrow.
    const last = to > '9000' ? addDays(this.#now().toISOString().slice(0, 10), 1) : to;
    return overpassesOver(tile, { from, to: last, now: this.#now() }).flatMap((overpass) =>
      collections
        .filter((collection) => collection === COLLECTION_0 || overpass.isInCollection1)
        .map((collection) => ({ collection, tile, overpass })),
    );
  }
}
