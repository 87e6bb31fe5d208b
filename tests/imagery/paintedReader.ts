import type { KnownOffset } from '../../shared/scenes/item/boaOffset.js';
import type { SceneReader } from '../../shared/scenes/pixels/pixelPorts.js';
import { gridOfFile, type Scene, type SceneFile } from '../../shared/scenes/item/scene.js';
import { toMapPoint, type PixelWindow } from '../../shared/geo/grid/grid.js';
import { sampleArray, type Pixels } from '../../shared/raster/tiff/pixels.js';
import { RasterError } from '../../shared/raster/tiff/rasterError.js';

/** What a scene shows at a place on its own map: a digital number or a class. */
export type Paint = (scene: Scene, file: SceneFile, place: readonly [x: number, y: number]) => number;

/** Farmland under a clear sky: vegetation everywhere, red 500 and near infrared 3,000. */
export const clearFields: Paint = (_scene, file) => ({ scl: 4, red: 500, green: 700, blue: 400, nir: 3_000 })[file];

/** Reads scenes that exist as a rule of paint; what was read is counted. */
export class PaintedReader implements SceneReader {
  /** Every read: scene, file and number of windows. */
  readonly reads: { readonly scene: string; readonly file: SceneFile; readonly windows: number }[] = [];
  /** Faults by scene id and file, or by scene id alone; thrown when transient, given for each window when not. */
  readonly faults = new Map<string, RasterError>();
  readonly offsets = new Map<string, KnownOffset>();
  paint: Paint;

  constructor(paint: Paint = clearFields) {
    this.paint = paint;
  }

  read(
    scene: Scene,
    file: SceneFile,
    { windows }: { readonly windows: readonly PixelWindow[] },
  ): Promise<readonly (Pixels | RasterError)[]> {
    this.reads.push({ scene: scene.id, file, windows: windows.length });
    const fault = this.faults.get(`${scene.id}/${file}`) ?? this.faults.get(scene.id);
    if (fault?.isTransient === true) return Promise.reject(fault);
    return Promise.resolve(windows.map((window) => fault ?? this.#pixels(scene, file, window)));
  }

  offsetOf(scene: Scene): Promise<KnownOffset> {
    const known = this.offsets.get(scene.id) ?? scene.offset;
    return Promise.resolve(known === 'measure' ? { offsetDn: 0, basis: 'measured' } : known);
  }

  #pixels(scene: Scene, file: SceneFile, { column, row, width, height }: PixelWindow): Pixels {
    const grid = gridOfFile(scene, file);
    const data = sampleArray(file === 'scl' ? 'uint8' : 'uint16', width * height);
    for (let index = 0; index < data.length; index += 1) {
      const [x, y] = [column + (index % width), row + Math.floor(index / width)];
      const isInside = x >= 0 && y >= 0 && x < grid.width && y < grid.height;
      data[index] = isInside ? this.paint(scene, file, toMapPoint(grid, [x + 0.5, y + 0.5])) : 0;
    }
    return { width, height, bands: 1, data };
  }
}
