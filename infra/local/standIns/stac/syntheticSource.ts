import type { Position } from '../../../../shared/geo/shapes/geoJson.js';
import { coverOf } from '../../../../shared/scenes/place/footprint.js';
import { addDays, dayOf } from '../../../../shared/kit/validation/calendar.js';
import type { Render } from './render.js';
import type { RangedFile } from './byteRange.js';
import type { ItemFilter, ItemSource } from './itemSource.js';
import { epsgOfTile, tileNamed, tilesOver, type MgrsTile } from './mgrsTiles.js';
import { oddId, REFUSED_FORMS } from './oddForms.js';
import { overpassesOver, overpassPublished, type Overpass } from './sceneCalendar.js';
import { sideOfCut, sideWestOf, type SceneCases, type Side } from './sceneCases.js';
import {
  COLLECTION_0,
  COLLECTION_1,
  folderOf,
  idOf,
  itemOf,
  publishedAtOf,
  type ItemDocument,
  type SyntheticScene,
} from './sceneItems.js';
import { isSceneFile, SyntheticFiles } from './syntheticFiles.js';

const DAY_MS = 86_400_000;
const COLLECTIONS = [COLLECTION_1, COLLECTION_0] as const;

/** Synthetic scenes of any place on earth, every five days. */
export class SyntheticSource implements ItemSource {
  readonly #now: () => Date;
  readonly #cases: SceneCases;
  readonly #files: SyntheticFiles;
  /** Tiles that were asked for, by name. */
  readonly #named = new Map<string, MgrsTile>();
  /** Beside those of the calendar, by tile. */
  readonly #published = new Map<string, readonly Overpass[]>();

  constructor(now: () => Date, render: Render, cases: SceneCases = {}) {
    this.#now = now;
    this.#cases = cases;
    this.#files = new SyntheticFiles(render, cases);
  }

  find(filter: ItemFilter, origin: string): readonly ItemDocument[] {
    const wanted = COLLECTIONS.filter((collection) => filter.collections.includes(collection));
    const days = daysOf(filter);
    return this.#tilesOf(filter)
      .flatMap((tile) => this.#scenes(tile, days))
      .filter(({ collection }) => wanted.includes(collection))
      .map((scene) => itemOf(scene, origin))
      .filter(({ properties, geometry }) => {
        const takenAt = Date.parse(properties.datetime);
        const isMet = coverOf(geometry as Parameters<typeof coverOf>[0], filter.box) !== 'none';
        return takenAt >= filter.from && takenAt <= filter.to && isMet;
      })
      .flatMap((item) => (this.#cases.hasOddItems === true ? [item, oddTwin(item)] : [item]));
  }

  /** The earth has some 57,000 tiles: a search that names neither place nor tiles is one of those named before. */
  #tilesOf({ box, isPlaced, tiles, ids }: ItemFilter): readonly MgrsTile[] {
    const names = tiles ?? ids?.map(tileIn);
    if (names === undefined && !isPlaced) return [...this.#named.values()];
    const found =
      names === undefined
        ? tilesOver(box, this.#cases.hasNeighbourZones === true)
        : [...new Set(names)].flatMap((name) => this.#named.get(name) ?? tileOfName(name) ?? []);
    for (const tile of found) this.#named.set(tile.name, tile);
    return found;
  }

  item(collection: string, id: string, origin: string): ItemDocument | undefined {
    const scenes = this.#scenesOf(tileIn(id), dayIn(id));
    const scene = scenes.find((candidate) => candidate.collection === collection && idOf(candidate) === id);
    return scene && itemOf(scene, origin);
  }

  file(path: string): RangedFile | undefined {
    const [, tileName = '', folder = '', file = ''] = path.split('/');
    const name = file.replace(/\.tif$/, '');
    const scenes = this.#scenesOf(tileName, folder.slice(0, 10));
    const scene = scenes.find((candidate) => path === `${folderOf(candidate)}/${file}`);
    if (scene === undefined || !isSceneFile(name)) return undefined;
    const cog = this.#files.fileOf(scene, name);
    return { size: cog.size, version: path, read: (first, last) => cog.read(first, last) };
  }

  /**
   * Shows one scene more of every tile of a place, from now on: of today, or of the latest day before of which there is none.
   *
   * @returns its UTC day and the tiles
   */
  publish([longitude, latitude]: Position): { readonly day: string; readonly tiles: readonly string[] } {
    const tiles = tilesOver([longitude, latitude, longitude, latitude]);
    for (let daysBack = 0; ; daysBack += 1) {
      const overpass = overpassPublished(this.#now(), daysBack);
      if (tiles.some(({ name }) => this.#scenesOf(name, overpass.date).length > 0)) continue;
      for (const { name } of tiles) this.#published.set(name, [...(this.#published.get(name) ?? []), overpass]);
      return { day: overpass.date, tiles: tiles.map(({ name }) => name) };
    }
  }

  /** Every scene of a tile on a day. */
  #scenesOf(tileName: string, date: string): readonly SyntheticScene[] {
    const tile = /^\d{4}-\d{2}-\d{2}$/.test(date) ? tileNamed(tileName, epsgOfTile(tileName)) : undefined;
    return tile === undefined ? [] : this.#scenes(tile, { from: date, to: date });
  }

  #scenes(tile: MgrsTile, { from, to }: { readonly from: string; readonly to: string }): readonly SyntheticScene[] {
    // Far ends of an open interval cost nothing: nothing is published beyond tomorrow.
    const last = to > '9000' ? addDays(this.#now().toISOString().slice(0, 10), 1) : to;
    const published = (this.#published.get(tile.name) ?? []).filter(({ date }) => date >= from && date <= last);
    return this.#overpasses(tile, { from, to: last })
      .concat(published)
      .flatMap((overpass) => COLLECTIONS.flatMap((collection) => scenesOf(this.#cases, { collection, tile, overpass })))
      .filter((scene) => publishedAtOf(scene) <= this.#now());
  }

  /**
   * The overpasses of which the catalogue has a tile. With neighbours a tile is seen by those over the zones beside its own
   * too, no two of which share a day; of every second one over a zone its own tiles are not in the catalogue.
   */
  #overpasses(tile: MgrsTile, days: { readonly from: string; readonly to: string }): readonly Overpass[] {
    const over = (zone: number): readonly Overpass[] => overpassesOver(zone, { ...days, now: this.#now() });
    const own = zoneOf(tile);
    if (this.#cases.hasNeighbourZones !== true) return over(own);
    const beside = [own - 1, own + 1].map((zone) => ((zone + 59) % 60) + 1);
    return [...over(own).filter((overpass) => !isOdd(overpass)), ...beside.flatMap(over)];
  }
}

const REFUSED = Object.keys(REFUSED_FORMS);

/** An item of which no image can be made; which kind follows from the id of its sound twin, as catalogues must find it again. */
function oddTwin(item: ItemDocument): ItemDocument {
  const sum = Buffer.from(item.id).reduce((total, byte) => total + byte, 0);
  return { ...item, id: oddId(item.id, REFUSED[sum % REFUSED.length] ?? '') };
}

const dayIn = (id: string): string => /_(\d{4})(\d{2})(\d{2})/.exec(id)?.slice(1).join('-') ?? '';

/** First and last day that is asked for, by ids too. */
function daysOf({ from, to, ids }: ItemFilter): { readonly from: string; readonly to: string } {
  const asked = ids?.map(dayIn).toSorted();
  const [first = dayOf(Math.floor(from / DAY_MS)), last = dayOf(Math.floor(to / DAY_MS))] = [asked?.[0], asked?.at(-1)];
  return { from: first, to: last };
}

/** The tile in the id of an item. */
const tileIn = (id: string): string => (/_T?(\d{1,2}[C-X][A-Z]{2})_/.exec(id)?.[1] ?? '').padStart(5, '0');

const tileOfName = (name: string): MgrsTile | undefined =>
  /^(0[1-9]|[1-5]\d|60)[C-X][A-Z]{2}$/.test(name) ? tileNamed(name, epsgOfTile(name)) : undefined;

const zoneOf = ({ grid }: MgrsTile): number => grid.epsg % 100;

/** Of these overpasses the neighbouring zones alone are in the catalogue. */
const isOdd = ({ platform }: Overpass): boolean => platform === 'sentinel-2b';

type Seen = Pick<SyntheticScene, 'collection' | 'tile' | 'overpass'>;

/** The scenes that a collection has of a tile and overpass: one, unless cases are asked for. */
function scenesOf(cases: SceneCases, seen: Seen): readonly SyntheticScene[] {
  const { collection, tile, overpass } = seen;
  if (collection === COLLECTION_1 && !overpass.isInCollection1) return [];
  const isOddlyNamed = cases.hasOddTileNames === true && collection === COLLECTION_0;
  const tileName = isOddlyNamed ? tile.name.replace(/^0/, '') : tile.name;
  const granules = cases.cutAt === undefined ? ([0] as const) : ([0, 1] as const);
  // Collection 1 has the newest version alone.
  const versions = cases.isReprocessed === true && collection === COLLECTION_0 ? ([0, 1] as const) : ([0] as const);
  return granules.flatMap((granule) =>
    versions.map((version) => ({
      ...seen,
      granule,
      version,
      tileName,
      sides: sidesOf(cases, tile, { granule, version }),
    })),
  );
}

function sidesOf(
  { cutAt, reprocessedWestOf }: SceneCases,
  { grid }: MgrsTile,
  { granule, version }: Pick<SyntheticScene, 'granule' | 'version'>,
): readonly Side[] {
  return [
    ...(cutAt === undefined ? [] : [sideOfCut(grid, cutAt, granule)]),
    ...(reprocessedWestOf === undefined || version === 0 ? [] : [sideWestOf(grid, reprocessedWestOf)]),
  ];
}
