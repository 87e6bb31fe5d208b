import type { EnrollmentKey } from '../../shared/enrollments/record/enrollment.js';
import type { EnrollmentInputStore } from '../../shared/enrollments/record/enrollmentInputStore.js';

const textOf = ({ customer, enrollmentId }: EnrollmentKey): string => `${customer}|${enrollmentId}`;

/** Deletes what is kept under keys that begin with the customer. @returns how much */
export function removeOf(customer: string, ...maps: readonly Map<string, unknown>[]): number {
  let removed = 0;
  for (const map of maps) {
    for (const key of [...map.keys()].filter((text) => text.split(/[|/]/)[0] === customer)) {
      map.delete(key);
      removed += 1;
    }
  }
  return removed;
}

/** Submitted files in memory. */
export class MemoryInputStore implements Pick<
  EnrollmentInputStore,
  'put' | 'readGeoJson' | 'putGeometry' | 'findGeometry' | 'remove'
> {
  readonly files = new Map<string, { readonly key: EnrollmentKey; readonly geojson: Uint8Array }>();
  readonly geometries = new Map<string, Uint8Array>();
  put(key: EnrollmentKey, { geojson }: { readonly geojson: Uint8Array }): Promise<void> {
    const { customer, enrollmentId } = key;
    this.files.set(textOf(key), { key: { customer, enrollmentId }, geojson });
    return Promise.resolve();
  }

  readGeoJson(key: EnrollmentKey): Promise<Uint8Array> {
    const file = this.files.get(textOf(key));
    return file === undefined ? Promise.reject(new Error('The inputs are gone.')) : Promise.resolve(file.geojson);
  }

  putGeometry(customer: string, geometryHash: string, geometry: Uint8Array): Promise<void> {
    this.geometries.set(`${customer}|${geometryHash}`, geometry);
    return Promise.resolve();
  }

  findGeometry(customer: string, geometryHash: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.geometries.get(`${customer}|${geometryHash}`));
  }

  remove(key: EnrollmentKey): Promise<void> {
    this.files.delete(textOf(key));
    return Promise.resolve();
  }
}
