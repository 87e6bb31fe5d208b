import type { MultiPolygon, Polygon } from '../../geo/geoJson.js';
import type { Grid } from '../../raster/grid.js';
import type { OffsetRule } from './boaOffset.js';
import type { BandName } from '../layers/layers.js';

/** The files of a scene that layers are made of: the 10 m bands and the 20 m classification. */
export type SceneFile = BandName | 'scl';

export const SCENE_FILES = ['scl', 'red', 'green', 'blue', 'nir'] as const satisfies readonly SceneFile[];

/** One Sentinel-2 tile of one overpass, as far as the service needs to know it from the catalogue. */
export interface Scene {
  readonly id: string;
  readonly collection: string;
  /** The satellite, lower-case; empty when the catalogue doesn't say. */
  readonly platform: string;
  /** The catalogue says that nobody has observed this: a scene of the local environment. */
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

/** What the description of a scene lacks; its text says so. */
export class Unusable extends Error {}

/** A scene that the catalogue describes in a way the service cannot use. */
export interface UnusableScene extends Granule, Pick<Scene, 'id' | 'collection' | 'baseline' | 'generatedAt'> {
  /** What is wrong with its description. */
  readonly fault: string;
}

/**
 * What versions of one granule have in common: tile and datastrip. A datatake that ends in a datastrip inside a tile
 * comes as two granules; they are parts of the picture, not versions of it.
 *
 * Where the catalogue doesn't name the datastrip, the second of the acquisition tells parts apart. Two versions that are
 * taken for parts do no harm: the newer one goes first.
 */
export const granuleOf = ({ id, tile, datastripStart, takenAt }: Scene): string =>
  tile === '' ? id : `${tile} ${datastripStart === '' ? takenAt.slice(0, 19) : datastripStart}`;

/** The version of a product as text that sorts: its processing baseline, then when it was made; not the collection. */
export function productVersionOf({ baseline, generatedAt }: Pick<Scene, 'baseline' | 'generatedAt'>): string {
  const made = Date.parse(generatedAt);
  const known = /^\d\d\.\d\d$/.test(baseline) ? baseline : '';
  return `${known} ${Number.isNaN(made) ? '' : new Date(made).toISOString()}`;
}

/** Collections whose metadata describe the pixels as they are. */
const FAITHFUL = 'sentinel-2-c1-l2a';

/** A version as text that sorts: the collection whose metadata are right, then the version of the product. */
export const preferredVersionOf = (scene: Pick<Scene, 'collection' | 'baseline' | 'generatedAt'>): string =>
  `${scene.collection === FAITHFUL ? 1 : 0} ${productVersionOf(scene)}`;

/** The first version of each granule. @param scenes the better version before the worse */
export function bestVersions(scenes: readonly Scene[]): readonly Scene[] {
  const granules = new Set<string>();
  return scenes.filter((scene) => granules.size < granules.add(granuleOf(scene)).size);
}

/** The UTC day of an acquisition. */
export const dayOfScene = ({ takenAt }: Pick<Scene, 'takenAt'>): string => takenAt.slice(0, 10);

/** Scenes of one overpass that show one field: the satellite passes over a tile in 16 seconds. */
const BESIDE_MS = 60_000;

/**
 * The UTC days that a scene may count for: its own, and at midnight the one beside, for an overpass counts for the day of the
 * scene that shows a field best.
 */
export function daysOfScene({ takenAt }: Pick<Scene, 'takenAt'>): readonly string[] {
  const around = [-BESIDE_MS, BESIDE_MS].map((ms) => new Date(Date.parse(takenAt) + ms).toISOString().slice(0, 10));
  return [...new Set(around)];
}

/** The grid that a file of the scene must have. */
export function gridOfFile({ grid }: Pick<Scene, 'grid'>, file: SceneFile): Grid {
  if (file !== 'scl') return grid;
  const { width, height } = grid;
  return { ...grid, pixelWidth: 20, pixelHeight: 20, width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
}
