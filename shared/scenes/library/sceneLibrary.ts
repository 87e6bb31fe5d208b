import type { DataManagerScene } from '../../jobs/dataManager/scenes.js';
import { coverOf } from '../place/footprint.js';
import { CatalogueError } from '../stac/catalogueError.js';
import { compareTexts, dayOfScene, type Scene } from '../item/scene.js';
import type { Found, SceneCatalogue, ShownItem } from '../stac/sceneCatalogue.js';
import { sceneDays } from '../item/sceneChoice.js';
import type { Period } from '../stac/searchPeriods.js';
import { unusableFacts } from '../item/unusableFacts.js';
import type { SceneReader } from '../pixels/pixelPorts.js';
import { withOffset } from '../pixels/withOffset.js';
import { encodeCog } from '../../raster/write/encodeCog.js';
import { eachOf } from '../../kit/limiter.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { RecentMap } from '../../kit/recentMap.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { cloudPercentOf, readCut, type CutImage } from './cutImage.js';
import { fileOfImage, pathOfFile, sceneImages, type CutFile } from './sceneFile.js';
import { productNameOf, scenesOfPass, type SeenScene } from './scenePass.js';
import { tilesOfRegion, type SceneRegion } from './sceneRegion.js';

export interface SceneLibraryPorts {
  readonly catalogue: Pick<SceneCatalogue, 'list' | 'items'>;
  readonly reader: SceneReader;
  readonly log: Log;
}

/** Bytes of files that are kept: those of ten jobs or so. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Descriptions of scenes that are kept, about 2 KB each: those of twenty jobs or so. */
const KEPT_SCENES = 500;
/** Passes of satellites that are looked at at the same time. */
const CONCURRENT_PASSES = 4;
/** A file is one tile of pixels, without overviews, which nobody reads; its side is a multiple of this. */
const TILE_STEP_PIXELS = 16;

/** Scenes of any place, straight from the catalogue. One instance serves all tenants of a process: satellite images are public. */
export class SceneLibrary {
  readonly #ports: SceneLibraryPorts;
  readonly #scenes = new RecentMap<Scene>(KEPT_SCENES);
  readonly #files = new RecentMap<Uint8Array>(KEPT_BYTES, ({ length }) => length);

  constructor(ports: SceneLibraryPorts) {
    this.#ports = ports;
  }

  /**
   * The scenes that show a region, newest first; of one pass of a satellite the best first, for jobs take from the others
   * only what it doesn't show.
   *
   * @throws CatalogueError or RasterError when the catalogue or the host of its files is away
   */
  async list(region: SceneRegion, days: Period, signal: AbortSignal): Promise<readonly DataManagerScene[]> {
    const scenes = await this.#shown(region, days, signal);
    const place = { bbox: region.box, epsg: region.grid.epsg };
    const passes = sceneDays(scenes, place).flatMap(({ overpasses }) => overpasses);
    const seenIn = new Map<readonly Scene[], readonly SeenScene[]>();
    await eachOf(passes, CONCURRENT_PASSES, async (pass) => {
      seenIn.set(pass, await scenesOfPass(pass, { region, reader: this.#ports.reader, signal }));
    });
    requireOneFile([...seenIn.values()].flat());
    for (const seen of seenIn.values()) for (const scene of seen) await this.#keepClasses(scene, region);
    const listed = passes.flatMap((pass) => seenIn.get(pass)?.map((seen) => listedScene(seen, pass, region)) ?? []);
    return listed.sort((a, b) => compareTexts(b.date, a.date));
  }

  /**
   * The bytes of a file, a GeoTIFF.
   *
   * @returns undefined when the catalogue no longer has the scene, or the file doesn't reach the box
   * @throws CatalogueError, or RasterError also for a file that is broken for good
   */
  async read(file: CutFile, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const scene = await this.#sceneOf(file, signal);
    if (scene === undefined) return undefined;
    const key = keyOf(scene, file);
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const cut = await readCut(this.#ports.reader, { scene, file: fileOfImage[file.image], box: file.box }, signal);
    if (cut instanceof RasterError) throw cut;
    if (cut === undefined) return undefined;
    return this.#kept(key, file.image === 'SCL' ? cut : await this.#withoutOffset(scene, cut));
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
    for (const scene of scenes) this.#scenes.use(nameOf(scene), scene);
    const unusable = found.items.flatMap(({ scene }) => ('files' in scene ? [] : [scene.id]));
    const unread = [listed, found].flatMap(({ unreadableIds = [] }) => unreadableIds);
    const facts = { ...days, tiles: tiles.length, scenes: scenes.length, pages: listed.pages + found.pages };
    log('Scenes:Listed', { ...facts, ...unusableFacts([...unread, ...unusable]) });
    const silent = listed.unreadableIds?.filter((id) => tiles.includes(id)) ?? [];
    if (scenes.length > 0 || silent.length === 0) return scenes;
    throw new CatalogueError('invalid', `Nothing can be had of ${silent.join(', ')}, where scenes may lie.`);
  }

  async #sceneOf(file: CutFile, signal: AbortSignal): Promise<Scene | undefined> {
    const known = this.#scenes.get(nameOf(file));
    if (known !== undefined) return known;
    const { items } = await this.#ports.catalogue.items([file.id], signal);
    const scenes = items.flatMap(({ scene }) => ('files' in scene ? [scene] : []));
    const scene = scenes.find(({ collection }) => collection === file.collection);
    if (scene !== undefined) this.#scenes.use(nameOf(scene), scene);
    return scene;
  }

  async #withoutOffset(scene: Scene, { pixels, grid }: CutImage): Promise<CutImage> {
    const { offsetDn } = await this.#ports.reader.offsetOf(scene);
    return { pixels: withOffset(pixels, offsetDn, 0), grid };
  }

  async #keepClasses({ scene, classes }: SeenScene, { box }: SceneRegion): Promise<void> {
    if (classes !== undefined) await this.#kept(keyOf(scene, { image: 'SCL', box }), classes);
  }

  async #kept(key: string, { pixels, grid }: CutImage): Promise<Uint8Array> {
    const tileSize = Math.ceil(Math.max(grid.width, grid.height) / TILE_STEP_PIXELS) * TILE_STEP_PIXELS;
    const bytes = await encodeCog({ pixels, grid, nodata: 0, tileSize });
    this.#files.use(key, bytes);
    return bytes;
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

const nameOf = ({ collection, id }: Pick<Scene, 'collection' | 'id'>): string => `${collection}/${id}`;

/** A reprocessed scene may keep its id. */
const keyOf = (scene: Scene, { image, box }: Pick<CutFile, 'image' | 'box'>): string =>
  [nameOf(scene), scene.generatedAt, image, ...box].join('|');

function listedScene({ scene, classes }: SeenScene, pass: readonly Scene[], { box }: SceneRegion): DataManagerScene {
  const { collection, id } = scene;
  const itemId = productNameOf(scene, pass);
  const cloudCoverPercent = classes && cloudPercentOf(classes, box);
  return {
    id,
    date: dayOfScene(scene),
    ...(itemId === undefined ? {} : { itemId }),
    ...(cloudCoverPercent === undefined ? {} : { cloudCoverPercent }),
    files: sceneImages.map((image) => ({
      name: image,
      resolution: image === 'SCL' ? 20 : 10,
      filePath: pathOfFile({ collection, id, image, box }),
    })),
  };
}
