import type { MultiPolygon } from '../../geo/shapes/geoJson.js';
import type { Blobs } from '../../storage/blobs.js';
import type { FieldGeometrySource } from './pixelPorts.js';

/** Size of the cache in memory; a geometry with 100,000 positions takes about 10 MB. */
const MOST_KEPT_BYTES = 64 * 1024 * 1024;
/** Bytes of memory that a parsed geometry takes for each byte of its JSON. */
const MEMORY_FACTOR = 4;

interface Kept {
  readonly geometry: MultiPolygon;
  readonly bytes: number;
}

/**
 * Geometries of fields: `{customer}/geometries/{hash}.json` of container `enrollment-inputs`. The hash is of the content,
 * so a cached geometry never becomes stale.
 */
export class BlobFieldGeometrySource implements FieldGeometrySource {
  readonly #blobs: Blobs;
  readonly #kept = new Map<string, Kept>();
  #keptBytes = 0;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async read(customer: string, geometryHash: string): Promise<MultiPolygon> {
    const name = `${customer}/geometries/${geometryHash}.json`;
    const known = this.#kept.get(name);
    if (known !== undefined) return known.geometry;
    const blob = await this.#blobs.read(name);
    if (blob === undefined) throw new Error(`There is no geometry ${name}.`);
    const geometry = JSON.parse(blob.bytes.toString('utf8')) as MultiPolygon;
    this.#keep(name, { geometry, bytes: blob.bytes.length * MEMORY_FACTOR });
    return geometry;
  }

  #keep(name: string, kept: Kept): void {
    if (!this.#kept.has(name)) this.#keptBytes += kept.bytes;
    this.#kept.set(name, kept);
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#keptBytes <= MOST_KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= bytes;
    }
  }
}
