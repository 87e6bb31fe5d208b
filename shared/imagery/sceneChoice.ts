import { toPixel } from '../raster/grid.js';
import { utmProjection } from '../raster/utm.js';
import { coverOf, type GeoBox } from './footprint.js';
import { dayOfScene, type Scene } from './scene.js';

/** The place of a field, as far as the choice of scenes depends on it. */
export interface Place {
  readonly bbox: GeoBox;
  /** The zone its pictures are drawn in where possible, so that dates stack. */
  readonly epsg: number;
}

/** The scenes that show a field on one day. */
export interface SceneDay {
  /** UTC day of the acquisition. */
  readonly date: string;
  /** Overpasses, each with its tiles that show the field, the best first; never mixed with one another. */
  readonly overpasses: readonly (readonly Scene[])[];
}

const TEN_MINUTES_MS = 10 * 60_000;

/** Of two versions of one scene the collection whose metadata are right, then the newer one. */
function byVersion(a: Scene, b: Scene): number {
  const faithful = ({ collection }: Scene): number => (collection === 'sentinel-2-c1-l2a' ? 0 : 1);
  return (
    faithful(a) - faithful(b) ||
    compare(b.baseline, a.baseline) ||
    compare(b.generatedAt, a.generatedAt) ||
    compare(b.id, a.id)
  );
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Whether two scenes belong to one overpass: never two satellites, never ten minutes apart, never two datatakes. */
function isSameOverpass(a: Scene, b: Scene): boolean {
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

/** The best version of each tile. */
function newestVersions(overpass: readonly Scene[]): readonly Scene[] {
  const best = new Map<string, Scene>();
  for (const scene of overpass) {
    const known = best.get(scene.tile);
    if (known === undefined || byVersion(scene, known) < 0) best.set(scene.tile, scene);
  }
  return [...best.values()];
}

/** Whether the field's box lies in the tile's raster, and how much of it the footprint covers. */
function showsAll(scene: Scene, { bbox }: Place): boolean {
  if (coverOf(scene.footprint, bbox) !== 'all') return false;
  const { toMap } = utmProjection(scene.grid.epsg);
  const [west, south, east, north] = bbox;
  const corners = [
    [west, south],
    [west, north],
    [east, south],
    [east, north],
  ] as const;
  return corners.every((corner) => {
    const [column, row] = toPixel(scene.grid, toMap(corner));
    return column >= 0 && row >= 0 && column <= scene.grid.width && row <= scene.grid.height;
  });
}

/** Tiles that show all of the field, then those in its own zone, less nodata, higher baseline, newer, lower tile. */
function byMerit(place: Place): (a: Scene, b: Scene) => number {
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
    compare(a.tile, b.tile);
}

/**
 * The days on which scenes show a field, and the scenes to take it from.
 *
 * Of several versions of one tile (collections, reprocessing) one is kept. An overpass that shows nothing of the field
 * is left out.
 *
 * @returns newest day first
 */
export function sceneDays(scenes: readonly Scene[], place: Place): readonly SceneDay[] {
  const visible = scenes.filter(({ footprint }) => coverOf(footprint, place.bbox) !== 'none');
  const days = new Map<string, Scene[][]>();
  for (const overpass of overpassesOf(visible)) {
    const tiles = newestVersions(overpass).toSorted(byMerit(place));
    const [best] = tiles;
    if (best === undefined) continue;
    const date = dayOfScene(best);
    days.set(date, [...(days.get(date) ?? []), [...tiles]]);
  }
  return [...days].map(([date, overpasses]) => ({ date, overpasses })).sort((a, b) => compare(b.date, a.date));
}
