import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../shared/kit/clock.js';
import { LAYER_NAMES, type FieldScene } from '../../../shared/scenes/layers/layers.js';
import { renderLayer } from '../../../shared/scenes/layers/renderLayer.js';
import { clearPixels, SCL_MARGIN_PIXELS, skipReason, visibilityOf } from '../../../shared/scenes/layers/visibility.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { coarserWindow, windowGrid, withMargin, type PixelWindow } from '../../../shared/geo/grid/grid.js';
import { httpRangeSource } from '../../../shared/raster/read/httpRangeSource.js';
import { limiter } from '../../../shared/kit/limiter.js';
import type { Pixels } from '../../../shared/raster/tiff/pixels.js';
import { fieldMask, windowOfParts, type PlanarPart } from '../../../shared/geo/grid/polygonMask.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { fieldsOf, TILE } from './scene.js';

/** One measurement, in the shape rasterioBench.py prints too. */
export interface Measurement {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The same as the first job of a new process, its code not yet compiled. */
  readonly firstWallMs?: number;
  /** Highest resident memory of the process; 0 where /proc is missing. */
  readonly peakMb: number;
  /** SHA-256 over all windows of each band. */
  readonly digests: Readonly<Record<string, string>>;
}

export interface Order {
  readonly url: string;
  readonly placement: 'clustered' | 'spread';
  /** Where the layers go; reading alone when absent. */
  readonly out?: string;
}

type Bands = Readonly<Record<string, readonly Pixels[]>>;

async function readFile(url: string, windows: readonly PixelWindow[]): Promise<readonly Pixels[]> {
  return readWindows(await openRaster(httpRangeSource(url, { clock: systemClock })), windows);
}

/** The classification first, then the four bands beside each other: the order of the service. */
async function readAll(url: string, windows: readonly PixelWindow[]): Promise<Bands> {
  const around = windows.map((window) => withMargin(coarserWindow(window, 2), SCL_MARGIN_PIXELS));
  const scl = await readFile(`${url}/scl.tif`, around);
  const names = ['red', 'green', 'blue', 'nir'];
  const read = await Promise.all(names.map((name) => readFile(`${url}/${name}.tif`, windows)));
  return { scl, ...Object.fromEntries(names.map((name, index) => [name, read[index] ?? []])) };
}

const digestOf = (windows: readonly Pixels[]): string => {
  const hash = createHash('sha256');
  for (const { data } of windows) hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return hash.digest('hex');
};

/** One field on one date: its pixels of every band. */
function sceneOf(bands: Bands, index: number, field: Uint8Array): FieldScene | undefined {
  const [scl, red] = [bands['scl']?.[index], bands['red']?.[index]];
  if (scl === undefined || red === undefined) return undefined;
  const classification = { classes: scl.data as Uint8Array, width: scl.width, height: scl.height };
  const clear = clearPixels(classification);
  const visibility = visibilityOf(classification, field, clear);
  if (LAYER_NAMES.some((layer) => skipReason(layer, visibility) !== undefined)) return undefined;
  const pixelsOf = (name: string): Uint16Array => bands[name]?.[index]?.data as Uint16Array;
  const four = { red: pixelsOf('red'), green: pixelsOf('green'), blue: pixelsOf('blue'), nir: pixelsOf('nir') };
  return { width: red.width, height: red.height, field, clear, bands: four, offsetDn: 0 };
}

async function writeLayers(folder: string, scene: FieldScene, window: PixelWindow): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of LAYER_NAMES) {
    const layer = renderLayer(name, scene);
    if (layer === undefined) continue;
    const bytes = await encodeCog({
      ...layer,
      grid: windowGrid(TILE, window),
      metadata: { ...layer.metadata, fieldId: folder },
    });
    createHash('sha256').update(bytes).digest('hex');
    await writeFile(join(folder, `${name}.tiff`), bytes);
  }
}

async function writeAll(
  out: string,
  bands: Bands,
  fields: readonly PlanarPart[],
  windows: readonly PixelWindow[],
): Promise<void> {
  const writing = limiter(8);
  await Promise.all(
    windows.map((window, index) =>
      writing(async () => {
        const mask = fieldMask([fields[index] ?? []], windowGrid(TILE, window));
        const scene = sceneOf(bands, index, mask);
        if (scene !== undefined) await writeLayers(join(out, String(index)), scene, window);
      }),
    ),
  );
}

/** The operating system's own figure: `maxRSS` would count what the parent process held before the start. */
function peakMemoryMb(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

/** Twice in one process: a service does its first job once. What the first asked of the server isn't counted. */
export async function measureOursTwice(order: Order): Promise<Measurement> {
  const first = await measureOurs(order);
  await fetch(`${order.url}/tally`);
  return { ...(await measureOurs(order)), firstWallMs: first.wallMs };
}

/** Reads all fields of a scene, and makes and writes their layers when asked to. */
async function measureOurs({ url, placement, out }: Order): Promise<Measurement> {
  const fields = fieldsOf(placement);
  const windows = fields.map((field) => windowOfParts(TILE, [field], 2));
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  const bands = await readAll(url, windows);
  if (out !== undefined) await writeAll(out, bands, fields, windows);
  const used = process.cpuUsage(cpu);
  return {
    wallMs: performance.now() - wall,
    cpuMs: (used.user + used.system) / 1000,
    peakMb: peakMemoryMb(),
    digests: Object.fromEntries(Object.entries(bands).map(([name, read]) => [name, digestOf(read)])),
  };
}
