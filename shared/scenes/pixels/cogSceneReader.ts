import type { Clock } from '../../kit/clock.js';
import type { BlockShare } from '../../raster/read/blockShare.js';
import { budgetedSource } from '../../raster/read/budgetedSource.js';
import type { ByteSource } from '../../raster/tiff/byteSource.js';
import type { Grid, PixelWindow } from '../../geo/grid/grid.js';
import type { HttpAddress } from '../../raster/read/httpRangeClient.js';
import { httpRangeSource } from '../../raster/read/httpRangeSource.js';
import type { Pixels } from '../../raster/tiff/pixels.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import { openRaster, type Raster } from '../../raster/read/rasterReader.js';
import { readWindows } from '../../raster/read/windowReader.js';
import type { KnownOffset } from '../item/boaOffset.js';
import type { EgressGuard } from '../../kit/outbound/egressClient.js';
import { EgressRefused } from '../../kit/outbound/egressRule.js';
import type { SceneReader } from './pixelPorts.js';
import { measuredOffset, overviewsToAsk, type AskedBands } from './offsetMeasure.js';
import type { AddressFor } from '../stac/planetaryComputerClient.js';
import { gridOfFile, type Scene, type SceneFile } from '../item/scene.js';
import { MOST_DN } from '../layers/reflectance.js';
import { MOST_CLASS } from '../layers/visibility.js';

/** What a `CogSceneReader` needs. */
export interface CogSceneReaderOptions {
  readonly clock: Clock;
  readonly egress: EgressGuard;
  /** Adds a signature where the catalogue's files need one. */
  readonly sign?: AddressFor;
  readonly random: () => number;
  /** Bytes that one read of a file may fetch; four whole bands when absent. Only a broken file needs more. */
  readonly readBudgetBytes?: number;
}

/** Files whose headers are cached: those of a few scenes. */
const KEPT_FILES = 40;
const KEPT_OFFSETS = 500;
const READ_BUDGET_BYTES = 1024 ** 3;

interface WindowsOfFile {
  readonly scene: Scene;
  readonly file: SceneFile;
  readonly windows: readonly PixelWindow[];
  readonly share?: BlockShare;
}

/** Reads scenes that are Cloud Optimized GeoTIFFs, by HTTP. */
export class CogSceneReader implements SceneReader {
  readonly #options: CogSceneReaderOptions;
  readonly #opened = new Map<string, Promise<Raster>>();
  readonly #offsets = new Map<string, Promise<KnownOffset>>();

  constructor(options: CogSceneReaderOptions) {
    this.#options = options;
  }

  async read(
    scene: Scene,
    file: SceneFile,
    { windows, signal, share }: Parameters<SceneReader['read']>[2],
  ): Promise<readonly (Pixels | RasterError)[]> {
    const wanted = { scene, file, windows, ...(share === undefined ? {} : { share }) };
    try {
      return await this.#readTogether(wanted, signal);
    } catch (error) {
      if (!(error instanceof RasterError) || error.isTransient) throw error;
      return windows.length <= 1 ? windows.map(() => error) : await this.#readEach(wanted, signal);
    }
  }

  async offsetOf(scene: Scene): Promise<KnownOffset> {
    const key = `${scene.collection}/${scene.id}/${scene.generatedAt}`;
    return await kept(this.#offsets, key, { limit: KEPT_OFFSETS, make: () => this.#findOffset(scene) });
  }

  async #readTogether({ scene, file, windows, share }: WindowsOfFile, signal: AbortSignal): Promise<readonly Pixels[]> {
    const raster = await this.#open(scene, file);
    try {
      const read = await readWindows(raster, windows, { signal, ...(share === undefined ? {} : { share }) });
      return read.map((pixels) => withoutOdd(pixels, raster, file === 'scl' ? MOST_CLASS : MOST_DN));
    } catch (error) {
      // A file that was replaced has another header too.
      if (error instanceof RasterError && error.kind === 'changed') this.#opened.delete(scene.files[file]);
      throw error;
    }
  }

  /** Reads each window by itself, so that a broken block fails only the windows that need it. */
  async #readEach({ windows, ...wanted }: WindowsOfFile, signal: AbortSignal): Promise<(Pixels | RasterError)[]> {
    const found: (Pixels | RasterError)[] = [];
    for (const window of windows) {
      try {
        found.push(...(await this.#readTogether({ ...wanted, windows: [window] }, signal)));
      } catch (error) {
        if (!(error instanceof RasterError) || error.isTransient) throw error;
        found.push(error);
      }
    }
    return found;
  }

  /** Opens a file with a new budget for each read; only the header is cached. */
  async #open(scene: Scene, file: SceneFile): Promise<Raster> {
    const url = scene.files[file];
    const make = async (): Promise<Raster> => {
      const source = this.#source(url);
      return { ...(await openRaster(this.#limited(source))), source };
    };
    const raster = await kept(this.#opened, url, { limit: KEPT_FILES, make });
    requireGrid(raster, gridOfFile(scene, file));
    return { ...raster, source: this.#limited(raster.source) };
  }

  #limited(source: ByteSource): ByteSource {
    return budgetedSource(source, this.#options.readBudgetBytes ?? READ_BUDGET_BYTES);
  }

  #source(url: string) {
    const { clock, random } = this.#options;
    return httpRangeSource(url, {
      clock,
      random,
      addressFor: (address, isRenewal) => this.#address(address, isRenewal),
    });
  }

  async #address(url: string, isRenewal: boolean): Promise<HttpAddress> {
    const { egress, sign } = this.#options;
    const { href } = await passed(url, egress);
    return sign === undefined ? { url: href } : await sign(href, isRenewal);
  }

  async #findOffset(scene: Scene): Promise<KnownOffset> {
    if (scene.offset !== 'measure') return scene.offset;
    return await measuredIn({
      blue: await this.#open(scene, 'blue'),
      red: await this.#open(scene, 'red'),
      nir: await this.#open(scene, 'nir'),
    });
  }
}

/** @throws RasterError, lasting for an address that must not be called, transient for a host name without an address */
async function passed(url: string, egress: EgressGuard): Promise<URL> {
  try {
    return await egress.pass(url);
  } catch (error) {
    if (error instanceof EgressRefused) throw new RasterError('unsupported', error.message, { cause: error });
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    throw new RasterError('unavailable', `the host of the file could not be resolved (${code})`, { isTransient: true });
  }
}

async function measuredIn({ blue, red, nir }: AskedBands<Raster>): Promise<KnownOffset> {
  const images = overviewsToAsk({ blue, red, nir });
  if (images === undefined) return measuredOffset(undefined);
  return measuredOffset({
    blue: await wholeImage(blue, images.blue),
    red: await wholeImage(red, images.red),
    nir: await wholeImage(nir, images.nir),
  });
}

async function wholeImage(raster: Raster, image: Raster['image']): Promise<Pixels> {
  const window = { column: 0, row: 0, width: image.width, height: image.height };
  const [pixels] = await readWindows(raster, [window], { image });
  if (pixels === undefined) throw new RasterError('corrupt', `${raster.source.name}: an overview has no pixels`);
  return withoutOdd(pixels, raster, MOST_DN);
}

/** What a file has, with 0 for the value that it names as no data and for values above the most that it can have. */
function withoutOdd(pixels: Pixels, { nodata }: Raster, most: number): Pixels {
  const { data } = pixels;
  for (let index = 0; index < data.length; index += 1) {
    const value = data[index] ?? 0;
    if (value > most || value === nodata) data[index] = 0;
  }
  return pixels;
}

/** @throws RasterError when a file's grid differs from the one in the catalogue */
function requireGrid({ grid, source }: Raster, expected: Grid): void {
  const isSame =
    grid !== undefined && (Object.keys(expected) as (keyof Grid)[]).every((name) => grid[name] === expected[name]);
  if (!isSame) throw new RasterError('corrupt', `${source.name}: its grid is not the one the catalogue describes`);
}

/** The cached value of a key, made once for all simultaneous callers; a failure is not cached. */
function kept<T>(
  values: Map<string, Promise<T>>,
  key: string,
  { limit, make }: { readonly limit: number; readonly make: () => Promise<T> },
): Promise<T> {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  values.set(key, value);
  value.catch(() => {
    if (values.get(key) === value) values.delete(key);
  });
  const [oldest] = values.keys();
  if (values.size > limit && oldest !== undefined) values.delete(oldest);
  return value;
}
