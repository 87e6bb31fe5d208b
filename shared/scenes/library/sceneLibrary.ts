import { coverOf } from '../place/footprint.js';
import { CatalogueError } from '../stac/catalogueError.js';
import { compareTexts, dayOfScene, type Scene, type SceneFile } from '../item/scene.js';
import type { Found, SceneCatalogue, ShownItem } from '../stac/sceneCatalogue.js';
import { sceneDays } from '../item/sceneChoice.js';
import type { Period } from '../stac/searchPeriods.js';
import { unusableFacts } from '../item/unusableFacts.js';
import type { SceneReader } from '../pixels/pixelPorts.js';
import { withOffset } from '../pixels/withOffset.js';
import { eachOf } from '../../kit/limiter.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { RecentMap } from '../../kit/recentMap.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { cloudPercentOf, readCut, type CutImage } from './cutImage.js';
import { passOf, scenesOfPass, type SeenScene } from './scenePass.js';
import { tilesOfRegion, type SceneRegion } from './sceneRegion.js';

export interface SceneLibraryPorts {
  readonly catalogue: Pick<SceneCatalogue, 'list' | 'items'>;
  readonly reader: SceneReader;
  readonly log: Log;
}

/** Bytes of pixels that are kept: those of a few jobs. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Passes of satellites that are looked at at the same time. */
const CONCURRENT_PASSES = 4;

/** A scene that shows something of a region. */
export interface RegionScene {
  readonly scene: Scene;
  /** Names the pass of the satellite: the scenes of one pass show different ground at one time. */
  readonly pass: string;
  /** Clouds among the pixels of the region that have data, 0–100; absent where the classification can't be read. */
  readonly cloudPercent?: number;
}

/**
 * What files of a scene show around a region: reflectance × 10000 without offset, 0 no data; classes of `scl`. A file that
 * doesn't reach the region is left out.
 */
export type SceneCuts = Readonly<Partial<Record<SceneFile, CutImage>>>;

/** Where scenes and their pixels come from. */
export type Scenes = Pick<SceneLibrary, 'scenesOf' | 'cutsOf'>;

/** Scenes of any place, straight from the catalogue. One instance serves all tenants of a process: satellite images are public. */
export class SceneLibrary {
  readonly #ports: SceneLibraryPorts;
  readonly #cuts = new RecentMap<CutImage>(KEPT_BYTES, ({ pixels: { data } }) => data.byteLength);

  constructor(ports: SceneLibraryPorts) {
    this.#ports = ports;
  }

  /**
   * The scenes that show a region, newest first; of one pass of a satellite the best first, for jobs take from the others
   * only what it doesn't show.
   *
   * @throws CatalogueError or RasterError when the catalogue or the host of its files is away
   */
  async scenesOf(region: SceneRegion, days: Period, signal: AbortSignal): Promise<readonly RegionScene[]> {
    const scenes = await this.#shown(region, days, signal);
    const place = { bbox: region.box, epsg: region.grid.epsg };
    const passes = sceneDays(scenes, place).flatMap(({ overpasses }) => overpasses);
    const seenIn = new Map<readonly Scene[], readonly SeenScene[]>();
    await eachOf(passes, CONCURRENT_PASSES, async (pass) => {
      seenIn.set(pass, await scenesOfPass(pass, { region, reader: this.#ports.reader, signal }));
    });
    requireOneFile([...seenIn.values()].flat());
    for (const { scene, classes } of [...seenIn.values()].flat())
      if (classes !== undefined) this.#cuts.use(keyOf(scene, 'scl', region), classes);
    const listed = passes.flatMap((pass) => seenIn.get(pass)?.map((seen) => regionScene(seen, pass, region)) ?? []);
    return listed.sort((a, b) => compareTexts(dayOfScene(b.scene), dayOfScene(a.scene)));
  }

  /** Windows of files round a region. @throws RasterError when the host of the files is away, or a file is broken for good */
  async cutsOf(
    scene: Scene,
    files: readonly SceneFile[],
    region: SceneRegion,
    signal: AbortSignal,
  ): Promise<SceneCuts> {
    const cuts: Partial<Record<SceneFile, CutImage>> = {};
    for (const file of files) {
      const key = keyOf(scene, file, region);
      const cut = this.#cuts.get(key) ?? (await this.#read(scene, file, region, signal));
      if (cut === undefined) continue;
      this.#cuts.use(key, cut);
      cuts[file] = cut;
    }
    return cuts;
  }

  async #read(scene: Scene, file: SceneFile, { box }: SceneRegion, signal: AbortSignal): Promise<CutImage | undefined> {
    const cut = await readCut(this.#ports.reader, { scene, file, box }, signal);
    if (cut instanceof RasterError) throw cut;
    if (cut === undefined || file === 'scl') return cut;
    const { offsetDn } = await this.#ports.reader.offsetOf(scene);
    return { pixels: withOffset(cut.pixels, offsetDn, 0), grid: cut.grid };
  }

  /** What the catalogue lists of the region's tiles and shows something of the region. */
  async #shown(region: SceneRegion, days: Period, signal: AbortSignal): Promise<readonly Scene[]> {
    const { catalogue, log } = this.#ports;
    const tiles = tilesOfRegion(region);
    const listed = await catalogue.list(tiles, days, { withGranules: true, signal });
    const ids = listed.items.flatMap(({ id, granule }) =>
      granule === undefined || coverOf(granule.footprint, region.box) !== 'none' ? [id] : [],
    );
    const none: Found<ShownItem> = { items: [], pages: 0 };
    const found = ids.length === 0 ? none : await catalogue.items([...new Set(ids)], signal);
    const scenes = found.items.flatMap(({ scene }) => ('files' in scene ? [scene] : []));
    const unusable = found.items.flatMap(({ scene }) => ('files' in scene ? [] : [scene.id]));
    const unread = [listed, found].flatMap(({ unreadableIds = [] }) => unreadableIds);
    const facts = { ...days, tiles: tiles.length, scenes: scenes.length, pages: listed.pages + found.pages };
    log('Scenes:Listed', { ...facts, ...unusableFacts([...unread, ...unusable]) });
    const silent = listed.unreadableIds?.filter((id) => tiles.includes(id)) ?? [];
    if (scenes.length > 0 || silent.length === 0) return scenes;
    throw new CatalogueError('invalid', `Nothing can be had of ${silent.join(', ')}, where scenes may lie.`);
  }
}

/**
 * A file that its host refuses costs its scene alone: some are announced and never there.
 *
 * @throws CatalogueError when the host refuses the files of all scenes: then more is wrong than a file
 */
function requireOneFile(seen: readonly SeenScene[]): void {
  if (seen.length === 0 || seen.some(({ refusal }) => refusal === undefined)) return;
  throw new CatalogueError('refused', `The files of all ${seen.length} scenes are refused.`, {
    cause: seen[0]?.refusal,
  });
}

/** A reprocessed scene may keep its id. */
const keyOf = ({ collection, id, generatedAt }: Scene, file: SceneFile, { box }: SceneRegion): string =>
  [collection, id, generatedAt, file, ...box].join('|');

function regionScene({ scene, classes }: SeenScene, pass: readonly Scene[], { box }: SceneRegion): RegionScene {
  const cloudPercent = classes && cloudPercentOf(classes, box);
  return { scene, pass: passOf(scene, pass), ...(cloudPercent === undefined ? {} : { cloudPercent }) };
}
