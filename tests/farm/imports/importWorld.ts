import type { Clock } from '../../../shared/kit/clock.js';
import { FarmWorkStore } from '../../../shared/farm/upkeep/farmWorkStore.js';
import { featureSpans } from '../../../shared/farm/files/featureSpans.js';
import { ImportFileStore } from '../../../shared/farm/upkeep/importFileStore.js';
import type { ImportJob, ImportOptions } from '../../../shared/farm/imports/importJob.js';
import { IMPORT } from '../../../shared/farm/imports/importJob.js';
import { importKind, type ImportPorts } from '../../../shared/farm/imports/importKind.js';
import type { PackedShape } from '../../../shared/farm/land/land.js';
import { compareLand, prepareFeatures } from '../../../shared/farm/imports/importTasks.js';
import { importView } from '../../../shared/farm/imports/importView.js';
import { getImport, startImport } from '../../../shared/farm/imports/startImport.js';
import { limiter } from '../../../shared/kit/limiter.js';
import type { TableName } from '../../../shared/storage/names.js';
import { FarmWorld, LEASE_MS, type Process } from '../farmWorld.js';
import { TENANT } from '../landInMemory.js';
import { immortal, type Mortal } from '../mortal.js';

/** A process that imports too; while it keeps the pace, time passes by itself. */
export function importProcess(world: FarmWorld, mortal: Mortal = immortal(), own: Partial<ImportPorts> = {}) {
  const process: Process = world.process(mortal);
  const rows = (name: TableName) => mortal.uses(world.rows(name));
  const clock: Clock = {
    now: () => world.clock.now(),
    every: (milliseconds, action) => world.clock.every(milliseconds, action),
    sleep: (milliseconds) => {
      world.clock.jump(milliseconds);
      return Promise.resolve();
    },
  };
  const ports = {
    ...process,
    clock,
    imports: new FarmWorkStore<ImportJob>(rows('work')),
    importFiles: new ImportFileStore(mortal.uses(world.blobs)),
    openWork: process.kernel.store,
    featureSpans: (bytes: Uint8Array) => Promise.resolve(featureSpans(bytes)),
    isSameLand: (one: PackedShape, other: PackedShape) => compareLand([one, other]),
    prepareFeatures: (input: Parameters<typeof prepareFeatures>[0]) => Promise.resolve(prepareFeatures(input)),
    inTurn: limiter(1),
    isHeld: (tenant: string) => process.kernel.isHeld(tenant),
    ...own,
  };
  process.kinds.set(IMPORT, importKind(ports, LEASE_MS));
  const start = startImport(ports);
  return {
    ...process,
    import: async (
      file: string | Uint8Array,
      options: Partial<ImportOptions> = {},
      { idempotencyKey, tenant = TENANT }: { idempotencyKey?: string; tenant?: string } = {},
    ) => {
      const bytes = new Uint8Array(Buffer.from(file));
      // An export names its parties itself.
      const party = options.type === 'application/x-ndjson' ? {} : { partyId: 'party' };
      const all = { type: 'application/geo+json', mode: 'merge', ...party, ...options } as const;
      return importView(await start({ tenant, by: 'importer', bytes, options: all, idempotencyKey }));
    },
    look: async (importId: string, tenant = TENANT) => importView(await getImport(ports)(tenant, importId)),
  };
}

export type ImportProcess = ReturnType<typeof importProcess>;

/** A small square, the next one farther east. */
export const geometryAt = (index: number) => {
  const [x, y] = [9 + index / 100, 55];
  const ring = [[x, y], [x + 0.005, y], [x + 0.005, y + 0.005], [x, y + 0.005], [x, y]]; // prettier-ignore
  return { type: 'Polygon', coordinates: [ring] };
};

export const featureAt = (index: number, properties: object = { field_id: `f-${index}`, name: `Field ${index}` }) => ({
  type: 'Feature',
  properties,
  geometry: geometryAt(index),
});

export const collectionOf = (features: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features });

export const someFeatures = (count: number): string =>
  collectionOf(Array.from({ length: count }, (_, index) => featureAt(index)));
