import type { RenderedScene } from '../../scenes/renderScene.js';
import type { Render } from '../dataManager/scenes/syntheticScenes.js';
import type { MgrsTile } from './mgrsTiles.js';
import type { Overpass } from './sceneCalendar.js';
import { hasOffset, type SyntheticScene } from './sceneItems.js';
import { VirtualCog } from './virtualCog.js';

/** Names of a scene's files, as in the real bucket. */
const FILES = ['B02', 'B03', 'B04', 'B08', 'SCL'] as const;
export type SceneFileName = (typeof FILES)[number];

export const isSceneFile = (name: string): name is SceneFileName => FILES.some((file) => file === name);

/** Ground of one block: 1.28 km. Small, because each is painted when somebody reads it. */
const BLOCK_PIXELS = 128;
/** About 80 KB each. */
const KEPT_BLOCKS = 1_500;
const OFFSET_DN = 1_000;

/** Makes the files of synthetic scenes where they are read, and keeps what was painted last. */
export class SyntheticFiles {
  readonly #blocks = new Map<string, Promise<RenderedScene>>();
  readonly #files = new Map<string, VirtualCog>();
  readonly #render: Render;

  constructor(render: Render) {
    this.#render = render;
  }

  /** One file of a scene; the same bytes at every start. */
  fileOf(scene: SyntheticScene, name: SceneFileName): VirtualCog {
    const key = [scene.collection, scene.tile.name, scene.overpass.date, name].join('/');
    const known = this.#files.get(key) ?? this.#newFile(scene, name);
    // Each holds a header of 60 KB.
    if (this.#files.size > 500) this.#files.clear();
    this.#files.set(key, known);
    return known;
  }

  #newFile(scene: SyntheticScene, name: SceneFileName): VirtualCog {
    const { tile, overpass } = scene;
    const { grid } = tile;
    if (name === 'SCL') {
      const half = { ...grid, pixelWidth: 20, pixelHeight: 20, width: grid.width / 2, height: grid.height / 2 };
      return new VirtualCog({ grid: half, blockPixels: BLOCK_PIXELS / 2, bytesPerPixel: 1 }, async (column, row) =>
        everySecond((await this.#painted(tile, overpass, { column, row })).scl),
      );
    }
    const added = hasOffset(scene) ? OFFSET_DN : 0;
    return new VirtualCog({ grid, blockPixels: BLOCK_PIXELS, bytesPerPixel: 2 }, async (column, row) => {
      const numbers = (await this.#painted(tile, overpass, { column, row })).bands[name].map((dn) => dn + added);
      return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    });
  }

  /** One block of all bands: they are painted together, and usually read together. */
  #painted(
    { grid }: MgrsTile,
    { date, cloudFraction }: Overpass,
    { column, row }: { readonly column: number; readonly row: number },
  ): Promise<RenderedScene> {
    const originX = grid.originX + column * BLOCK_PIXELS * 10;
    const originY = grid.originY - row * BLOCK_PIXELS * 10;
    const key = [grid.epsg, originX, originY, date].join();
    const known = this.#blocks.get(key);
    if (known !== undefined) return known;
    const block = { ...grid, originX, originY, width: BLOCK_PIXELS, height: BLOCK_PIXELS };
    const painted = this.#render({ grid: block, date, cloudFraction });
    painted.catch(() => this.#blocks.delete(key));
    this.#blocks.set(key, painted);
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > KEPT_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
    return painted;
  }
}

/** Classes of 20 m from classes of 10 m, each of which stands four times. */
function everySecond(classes: Uint8Array): Uint8Array {
  const side = BLOCK_PIXELS / 2;
  return Uint8Array.from(
    { length: side * side },
    (_, index) => classes[Math.floor(index / side) * 2 * BLOCK_PIXELS + (index % side) * 2] ?? 0,
  );
}
