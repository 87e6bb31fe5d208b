import { createHash } from 'node:crypto';
import { encodeCog } from '../../raster/write/encodeCog.js';
import type { Grid } from '../../geo/grid/grid.js';
import { sampleTypeOf } from '../../raster/tiff/pixels.js';
import type { BandScale, FieldScene, LayerName } from './layers.js';
import { renderLayer } from './renderLayer.js';
import type { BandStatistics } from './layerStatistics.js';

/** One field on one day, and the tags of its files. */
export interface LayersToMake {
  readonly scene: FieldScene;
  readonly grid: Grid;
  readonly layers: readonly LayerName[];
  /** Tags of every file (GDAL's metadata); `name` is added. */
  readonly tags: Readonly<Record<string, string>>;
  /** Tags of the file of one layer. */
  readonly layerTags: Readonly<Partial<Record<LayerName, Readonly<Record<string, string>>>>>;
  readonly software: string;
  /** Instant of the acquisition, ISO 8601. */
  readonly takenAt: string;
}

/** A finished file, and the facts about it for the day's document. */
export interface LayerFile {
  readonly layer: LayerName;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, lower-case hex. */
  readonly sha256: string;
  readonly dataType: 'uint8' | 'float32';
  readonly nodata: number;
  readonly scales: readonly BandScale[];
  /** Per band. */
  readonly statistics: readonly BandStatistics[];
}

async function layerFile(name: LayerName, order: LayersToMake): Promise<LayerFile | undefined> {
  const made = renderLayer(name, order.scene);
  if (made === undefined) return undefined;
  const { pixels, nodata, palette, scales } = made;
  const bytes = await encodeCog({
    pixels,
    nodata,
    grid: order.grid,
    ...(palette === undefined ? {} : { palette }),
    metadata: { ...order.tags, ...order.layerTags[name], ...made.metadata, name },
    software: order.software,
    takenAt: new Date(order.takenAt),
  });
  return {
    layer: name,
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    dataType: sampleTypeOf(pixels.data) === 'float32' ? 'float32' : 'uint8',
    nodata,
    scales: scales ?? [],
    statistics: made.statistics,
  };
}

/** Makes the layers of one field on one day; a layer without a single pixel of data is left out. */
export async function makeLayers(order: LayersToMake): Promise<readonly LayerFile[]> {
  const files: LayerFile[] = [];
  for (const name of order.layers) {
    const file = await layerFile(name, order);
    if (file !== undefined) files.push(file);
  }
  return files;
}
