import type { MultiPolygon, Polygon } from '../../geo/shapes/geoJson.js';
import type { Grid } from '../../geo/grid/grid.js';
import { isFaithful, type OffsetRule } from './boaOffset.js';
import type { BandName } from '../layers/layers.js';

/** The files of a scene that layers are made of: the 10 m bands and the 20 m classification. */
export type SceneFile = BandName | 'scl';

export const SCENE_FILES = ['scl', 'red', 'green', 'blue', 'nir'] as const satisfies readonly SceneFile[];

/** One Sentinel-2 tile of one overpass: what the service needs of a catalogue's description. */
export interface Scene {
  readonly id: string;
  readonly collection: string;
  /** The satellite, lower-case; empty when the catalogue doesn't say. */
  readonly platform: string;
  /** A made-up scene of the local environment. */
  readonly isSynthetic?: true;
  /** Instant of the acquisition, ISO 8601 UTC. */
  readonly takenAt: string;
  /** Datatake without its baseline, so that a reprocessed scene keeps it; empty when the catalogue doesn't say. */
  readonly datatake: string;
  /** When the datastrip began, e.g. 20260617T100559; empty when the catalogue doesn't say. */
  readonly datastripStart: string;
  /** MGRS tile with a zone of two digits, e.g. 33UUP; empty when the catalogue doesn't say. */
  readonly tile: string;
  /** Processing baseline, e.g. 05.09; empty when the catalogue doesn't say. */
  readonly baseline: string;
  /** When this version was made, ISO 8601; empty when the catalogue doesn't say. */
  readonly generatedAt: string;
  /** 0–100 */
  readonly cloudPercent?: number;
  /** Share of the tile without data, 0–100. */
  readonly nodataPercent?: number;
  /** Outline of the data, WGS 84. */
  readonly footprint: Polygon | MultiPolygon;
  /** Grid of the 10 m bands; that of the classification has the same origin and pixels twice as large. */
  readonly grid: Grid;
  readonly offset: OffsetRule;
  /** Addresses of the files, without a signature. */
  readonly files: Readonly<Record<SceneFile, string>>;
  /** The catalogue's own page of the scene. */
  readonly page?: string;
}

/** Which granule of which overpass a scene is, and what it shows; nothing of its files. */
export type Granule = Pick<Scene, 'platform' | 'takenAt' | 'datatake' | 'datastripStart' | 'tile' | 'footprint'>;

/** A scene's description can't be used; the text says what it lacks. */
export class Unusable extends Error {}

/** A scene whose description in the catalogue the service can't use. */
export interface UnusableScene extends Granule, Pick<Scene, 'id' | 'collection' | 'baseline' | 'generatedAt'> {
  /** What is wrong with the description. */
  readonly fault: string;
}

/**
 * A key that all versions of one granule share: tile and datastrip. Two datastrips of one overpass inside a tile are two
 * granules: parts of the picture, not versions of it.
 *
 * Where the catalogue doesn't name the datastrip, the second of the acquisition tells parts apart. Two versions that are
 * mistaken for parts do no harm: the newer one comes first.
 */
export const granuleOf = ({ id, tile, datastripStart, takenAt }: Scene): string =>
  tile === '' ? id : `${tile} ${datastripStart === '' ? takenAt.slice(0, 19) : datastripStart}`;

/** The version of a product as text that sorts: processing baseline, then time of making; the same in every collection. */
export function productVersionOf({ baseline, generatedAt }: Pick<Scene, 'baseline' | 'generatedAt'>): string {
  const made = Date.parse(generatedAt);
  const known = /^\d\d\.\d\d$/.test(baseline) ? baseline : '';
  return `${known} ${Number.isNaN(made) ? '' : new Date(made).toISOString()}`;
}

/** A version as text that sorts: first whether the collection's metadata are right, then the version of the product. */
export const preferredVersionOf = (scene: Pick<Scene, 'collection' | 'baseline' | 'generatedAt'>): string =>
  `${isFaithful(scene.collection) ? 1 : 0} ${productVersionOf(scene)}`;

/** Sorts texts upwards. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The first version of each granule. @param scenes the better version before the worse */
export function bestVersions(scenes: readonly Scene[]): readonly Scene[] {
  const granules = new Set<string>();
  return scenes.filter((scene) => granules.size < granules.add(granuleOf(scene)).size);
}

/** The UTC day of an acquisition. */
export const dayOfScene = ({ takenAt }: Pick<Scene, 'takenAt'>): string => takenAt.slice(0, 10);

/** Scenes of one overpass over a field differ by less: the satellite passes over a tile in 16 seconds. */
const BESIDE_MS = 60_000;

/**
 * The UTC days that a scene may count for: its own, and near midnight also the day beside, for an overpass counts for the
 * day of its best scene.
 */
export function daysOfScene({ takenAt }: Pick<Scene, 'takenAt'>): readonly string[] {
  const around = [-BESIDE_MS, BESIDE_MS].map((ms) => new Date(Date.parse(takenAt) + ms).toISOString().slice(0, 10));
  return [...new Set(around)];
}

/** The grid that a file of the scene must have: the classification has pixels of 20 m. */
export function gridOfFile({ grid }: Pick<Scene, 'grid'>, file: SceneFile): Grid {
  if (file !== 'scl') return grid;
  const { width, height } = grid;
  return { ...grid, pixelWidth: 20, pixelHeight: 20, width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
}
