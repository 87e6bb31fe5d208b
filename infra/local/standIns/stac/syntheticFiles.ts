import { toMapPoint, type Grid } from '../../../../shared/geo/grid/grid.js';
import { isInDeepShadow, shadowDn } from '../../../../tools/scenes/deepShadow.js';
import type { RenderedScene } from '../../../../tools/scenes/renderScene.js';
import type { Render } from './render.js';
import type { MgrsTile } from './mgrsTiles.js';
import type { Overpass } from './sceneCalendar.js';
import { isShown, type SceneCases } from './sceneCases.js';
import { folderOf, hasOffset, type SyntheticScene } from './sceneItems.js';
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

/** A block of a file: its column and row among the blocks, and its pixels on a side. */
interface BlockPlace extends Grid {
  readonly column: number;
  readonly row: number;
  readonly side: number;
}

/** Makes the files of synthetic scenes where they are read, and keeps what was painted last. */
export class SyntheticFiles {
  readonly #blocks = new Map<string, Promise<RenderedScene>>();
  readonly #files = new Map<string, VirtualCog>();
  readonly #render: Render;
  readonly #shadowFraction: number;

  constructor(render: Render, { shadowFraction = 0 }: SceneCases = {}) {
    this.#render = render;
    this.#shadowFraction = shadowFraction;
  }

  /** One file of a scene; the same bytes at every start. */
  fileOf(scene: SyntheticScene, name: SceneFileName): VirtualCog {
    const key = `${folderOf(scene)}/${name}`;
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
      const blockPixels = BLOCK_PIXELS / 2;
      return new VirtualCog({ grid: half, blockPixels, bytesPerPixel: 1 }, async (column, row) => {
        const classes = everySecond((await this.#painted(tile, overpass, { column, row })).scl);
        return classes.map(this.#seen(scene, { ...half, column, row, side: blockPixels }));
      });
    }
    const added = hasOffset(scene) ? OFFSET_DN : 0;
    return new VirtualCog({ grid, blockPixels: BLOCK_PIXELS, bytesPerPixel: 2 }, async (column, row) => {
      const { bands } = await this.#painted(tile, overpass, { column, row });
      const place = { ...grid, column, row, side: BLOCK_PIXELS };
      const numbers = bands[name].map((dn) => dn + added).map(this.#seen(scene, place, added));
      return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    });
  }

  /** What a scene shows of a painted block: nothing beyond its sides, and deep shadow in the bands. */
  #seen(scene: SyntheticScene, { column, row, side, ...grid }: BlockPlace, addedDn?: number) {
    if (scene.sides.length === 0 && this.#shadowFraction === 0) return (value: number): number => value;
    return (value: number, index: number): number => {
      const pixel = [column * side + (index % side) + 0.5, row * side + Math.floor(index / side) + 0.5] as const;
      const [x, y] = toMapPoint(grid, pixel);
      if (!isShown(scene.sides, [x, y])) return 0;
      const isDark = addedDn !== undefined && isInDeepShadow(x, y, this.#shadowFraction);
      return isDark ? shadowDn(addedDn) : value;
    };
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
