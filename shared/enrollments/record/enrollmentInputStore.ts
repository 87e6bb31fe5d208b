import type { Blobs } from '../../storage/blobs.js';
import type { EnrollmentKey } from './enrollment.js';
import type { Submission } from './submissionKey.js';

const folderOf = ({ customer, enrollmentId }: EnrollmentKey): string => `${customer}/enrollments/${enrollmentId}/`;
const geoJsonName = (key: EnrollmentKey): string => `${folderOf(key)}fields.geojson`;
const geometryName = (customer: string, geometryHash: string): string => `${customer}/geometries/${geometryHash}.json`;
const INPUT = /^([^/]+)\/enrollments\/([^/]+)\/fields\.geojson$/;
const requestName = (key: EnrollmentKey): string => `${folderOf(key)}request.json`;

/**
 * Container `enrollment-inputs`: `{customer}/enrollments/{id}/fields.geojson` and `request.json` as submitted,
 * `{customer}/geometries/{hash}.json` as ingest cleaned them, one blob for each different geometry.
 */
export class EnrollmentInputStore {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async put(key: EnrollmentKey, { request, geojson }: Submission): Promise<void> {
    await this.#blobs.write(geoJsonName(key), geojson, { type: 'application/geo+json' });
    await this.#blobs.write(requestName(key), request, { type: 'application/json' });
  }

  /** @throws Error when the inputs are absent */
  async readGeoJson(key: EnrollmentKey): Promise<Uint8Array> {
    const blob = await this.#blobs.read(geoJsonName(key));
    if (blob === undefined) throw new Error('The boundaries that were submitted are gone.');
    return blob.bytes;
  }

  async putGeometry(customer: string, geometryHash: string, geometry: Uint8Array): Promise<void> {
    await this.#blobs.write(geometryName(customer, geometryHash), geometry, { type: 'application/json' });
  }

  /** JSON of a MultiPolygon. */
  async findGeometry(customer: string, geometryHash: string): Promise<Uint8Array | undefined> {
    return (await this.#blobs.read(geometryName(customer, geometryHash)))?.bytes;
  }

  /** Every submission whose inputs were written since then; lists the whole container. */
  async listWritten(since: number): Promise<readonly EnrollmentKey[]> {
    const keys: EnrollmentKey[] = [];
    for (const { name, writtenAt } of await this.#blobs.list('')) {
      const [, customer, enrollmentId] = INPUT.exec(name) ?? [];
      if (customer === undefined || enrollmentId === undefined || writtenAt < since) continue;
      keys.push({ customer, enrollmentId });
    }
    return keys;
  }

  async remove(key: EnrollmentKey): Promise<void> {
    for (const { name } of await this.#blobs.list(folderOf(key))) await this.#blobs.delete(name);
  }
}
