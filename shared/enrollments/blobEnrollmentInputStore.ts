import type { ContainerClient } from '@azure/storage-blob';
import { fromStorage } from '../storage/storageErrors.js';
import type { EnrollmentKey } from './enrollment.js';
import type { EnrollmentInputStore } from './enrollmentPorts.js';

const MIB = 1024 * 1024;
/** Blocks small enough to come through within the time limit of a try. */
const UPLOAD = { blockSize: 4 * MIB, maxSingleShotSize: 4 * MIB, concurrency: 2 };
const DOWNLOAD = { blockSize: 4 * MIB, concurrency: 4, maxRetryRequestsPerBlock: 3 };

const folderOf = ({ customer, enrollmentId }: EnrollmentKey): string => `${customer}/enrollments/${enrollmentId}/`;
const geoJsonName = (key: EnrollmentKey): string => `${folderOf(key)}fields.geojson`;
const requestName = (key: EnrollmentKey): string => `${folderOf(key)}request.json`;
const INPUT = /^([^/]+)\/enrollments\/([^/]+)\//;

/**
 * Container `enrollment-inputs`: `{customer}/enrollments/{id}/fields.geojson` and `request.json` as submitted,
 * `{customer}/geometries/{hash}.json` as ingest cleaned them, one blob for each different geometry.
 */
export class BlobEnrollmentInputStore implements EnrollmentInputStore {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  async put(
    key: EnrollmentKey,
    { request, geojson }: { readonly request: Uint8Array; readonly geojson: Uint8Array },
  ): Promise<void> {
    await this.#write(geoJsonName(key), geojson, 'application/geo+json');
    await this.#write(requestName(key), request, 'application/json');
  }

  async readGeoJson(key: EnrollmentKey): Promise<Uint8Array> {
    const blob = this.#container.getBlockBlobClient(geoJsonName(key));
    return fromStorage(() => blob.downloadToBuffer(0, undefined, DOWNLOAD));
  }

  async putGeometry(customer: string, geometryHash: string, geometry: Uint8Array): Promise<void> {
    await this.#write(`${customer}/geometries/${geometryHash}.json`, geometry, 'application/json');
  }

  async *listWritten(from: number, to: number): AsyncIterable<EnrollmentKey> {
    const seen = new Set<string>();
    for (const { name, writtenAt } of await this.#list('')) {
      const [folder, customer, enrollmentId] = INPUT.exec(name) ?? [];
      if (folder === undefined || customer === undefined || enrollmentId === undefined) continue;
      if (writtenAt < from || writtenAt >= to || seen.has(folder)) continue;
      seen.add(folder);
      yield { customer, enrollmentId };
    }
  }

  async remove(key: EnrollmentKey): Promise<void> {
    for (const { name } of await this.#list(folderOf(key))) {
      await fromStorage(() => this.#container.getBlobClient(name).deleteIfExists());
    }
  }

  async #list(prefix: string): Promise<{ readonly name: string; readonly writtenAt: number }[]> {
    return fromStorage(async () => {
      const blobs: { readonly name: string; readonly writtenAt: number }[] = [];
      for await (const { name, properties } of this.#container.listBlobsFlat({ prefix })) {
        blobs.push({ name, writtenAt: properties.lastModified.getTime() });
      }
      return blobs;
    });
  }

  async #write(name: string, data: Uint8Array, blobContentType: string): Promise<void> {
    const blob = this.#container.getBlockBlobClient(name);
    await fromStorage(() => blob.uploadData(data, { ...UPLOAD, blobHTTPHeaders: { blobContentType } }));
  }
}
