import { cornersOf, toPixel } from '../../geo/grid/grid.js';
import { utmProjection } from '../../geo/grid/utm.js';
import { coverOf, type GeoBox } from '../place/footprint.js';
import {
  bestVersions,
  compareTexts as compare,
  dayOfScene,
  granuleOf,
  preferredVersionOf,
  type Scene,
} from './scene.js';

/** The place of a field, as far as the choice of scenes depends on it. */
export interface ImagedPlace {
  readonly bbox: GeoBox;
  /** The UTM zone in which the field's images are drawn where possible, so that those of all dates match. */
  readonly epsg: number;
}

/** The scenes that show a field on one day. */
export interface SceneDay {
  /** UTC day of the acquisition. */
  readonly date: string;
  /**
   * Overpasses, never mixed with one another. Each has its granules in their best version, the best granule first; other
   * versions follow, for places that the best version doesn't show.
   */
  readonly overpasses: readonly (readonly Scene[])[];
}

const TEN_MINUTES_MS = 10 * 60_000;

/** Puts the better version of a scene first: the collection whose metadata are right, then the newer version. */
const byVersion = (a: Scene, b: Scene): number =>
  compare(preferredVersionOf(b), preferredVersionOf(a)) || compare(b.id, a.id);

type Seen = Pick<Scene, 'takenAt' | 'datatake' | 'platform'>;

/** Whether two scenes belong to one overpass: never two satellites, never ten minutes apart, never two datatakes. */
export function isSameOverpass(a: Seen, b: Seen): boolean {
  const isNear = Math.abs(Date.parse(a.takenAt) - Date.parse(b.takenAt)) <= TEN_MINUTES_MS;
  const isSameTake = a.datatake === '' || b.datatake === '' || a.datatake === b.datatake;
  return isNear && isSameTake && a.platform === b.platform;
}

/** Groups scenes by overpass, in order of time. */
function overpassesOf(scenes: readonly Scene[]): readonly (readonly Scene[])[] {
  const sorted = scenes.toSorted((a, b) => compare(a.takenAt, b.takenAt) || compare(a.id, b.id));
  const groups: Scene[][] = [];
  for (const scene of sorted) {
    const group = groups.find((candidate) => candidate.every((other) => isSameOverpass(other, scene)));
    if (group === undefined) groups.push([scene]);
    else group.push(scene);
  }
  return groups;
}

/** Whether two scenes are one processing in both collections: their pixels are the same, so one is enough. */
const isSameProcessing = (a: Scene, b: Scene): boolean =>
  a.baseline === b.baseline && a.generatedAt === b.generatedAt && a.generatedAt !== '';

/** The best version of each granule, the best granule first, then the other versions in the same order. */
function inOrder(overpass: readonly Scene[], place: ImagedPlace): readonly Scene[] {
  const granules = new Map<string, Scene[]>();
  for (const scene of overpass.toSorted(byVersion)) {
    const versions = granules.get(granuleOf(scene));
    if (versions === undefined) granules.set(granuleOf(scene), [scene]);
    else if (!versions.some((version) => isSameProcessing(version, scene))) versions.push(scene);
  }
  const best = bestVersions([...granules.values()].flat()).toSorted(byMerit(place));
  return [...best, ...best.flatMap((scene) => granules.get(granuleOf(scene))?.slice(1) ?? [])];
}

/** Whether the footprint covers all of a field's box, and the box lies in the tile's raster. */
function showsAll(scene: Scene, { bbox }: ImagedPlace): boolean {
  if (coverOf(scene.footprint, bbox) !== 'all') return false;
  const { toMap } = utmProjection(scene.grid.epsg);
  return cornersOf(bbox).every((corner) => {
    const [column, row] = toPixel(scene.grid, toMap(corner));
    return column >= 0 && row >= 0 && column <= scene.grid.width && row <= scene.grid.height;
  });
}

/** Puts first what shows all of the field, then its own zone, less nodata, higher baseline, newer, lower tile. */
function byMerit(place: ImagedPlace): (a: Scene, b: Scene) => number {
  const shown = new Map<Scene, boolean>();
  const isWhole = (scene: Scene): boolean => {
    const known = shown.get(scene) ?? showsAll(scene, place);
    shown.set(scene, known);
    return known;
  };
  const first = (isBetter: boolean): number => (isBetter ? 0 : 1);
  return (a, b) =>
    first(isWhole(a)) - first(isWhole(b)) ||
    first(a.grid.epsg === place.epsg) - first(b.grid.epsg === place.epsg) ||
    (a.nodataPercent ?? 0) - (b.nodataPercent ?? 0) ||
    compare(b.baseline, a.baseline) ||
    compare(b.generatedAt, a.generatedAt) ||
    compare(a.tile, b.tile) ||
    compare(a.id, b.id);
}

/**
 * The days on which scenes show a field, and the scenes to take it from.
 *
 * Two granules of one tile are parts of the picture; of several versions of one granule (collections, reprocessing) the
 * best stands for it. An overpass that shows nothing of the field is left out.
 *
 * @returns newest day first
 */
export function sceneDays(scenes: readonly Scene[], place: ImagedPlace): readonly SceneDay[] {
  const visible = scenes.filter(({ footprint }) => coverOf(footprint, place.bbox) !== 'none');
  const days = new Map<string, Scene[][]>();
  for (const overpass of overpassesOf(visible)) {
    const granules = inOrder(overpass, place);
    const [best] = granules;
    if (best === undefined) continue;
    const date = dayOfScene(best);
    days.set(date, [...(days.get(date) ?? []), [...granules]]);
  }
  return [...days].map(([date, overpasses]) => ({ date, overpasses })).sort((a, b) => compare(b.date, a.date));
}
