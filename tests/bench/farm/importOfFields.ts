import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../shared/kit/clock.js';
import { FarmWorkStore } from '../../../shared/farm/upkeep/farmWorkStore.js';
import { featureSpans } from '../../../shared/farm/files/featureSpans.js';
import { ImportFileStore } from '../../../shared/farm/upkeep/importFileStore.js';
import { workOfImport, type ImportJob } from '../../../shared/farm/imports/importJob.js';
import { importKind } from '../../../shared/farm/imports/importKind.js';
import type { PackedShape } from '../../../shared/farm/land/land.js';
import { compareLand, prepareFeatures, type FeaturesToPrepare } from '../../../shared/farm/imports/importTasks.js';
import { getImport, startImport } from '../../../shared/farm/imports/startImport.js';
import { partyKeyOf } from '../../../shared/farm/land/land.js';
import { LandStore } from '../../../shared/farm/land/landStore.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { randomId } from '../../../shared/kit/ids.js';
import { limiter } from '../../../shared/kit/limiter.js';
import { handleWork } from '../../../shared/work/handleWork.js';
import { WorkStore } from '../../../shared/work/item/workStore.js';
import { cpuMsOf } from '../service.js';
import type { CountedStorage } from './countedStorage.js';
import { say } from '../figures.js';

const FIELDS = 1_000;
/** Corners of a field as GIS programs draw it. */
const CORNERS = 30;
const GOAL_A_SECOND = 300;

/** Imports of 1,000 fields: into an empty party, and the same file once more with one name changed in each field. */
export async function importOfFields(storage: CountedStorage): Promise<void> {
  const tenant = randomUUID();
  const ports = portsOn(storage);
  await putLand(ports)(partyKeyOf(tenant, 'party'), { body: {}, by: 'bench' });
  await measured('import of 1,000 new fields', ports, { tenant, storage, file: fileOf('new') });
  await measured('import of 1,000 fields that are there', ports, { tenant, storage, file: fileOf('changed') });
}

function portsOn(storage: CountedStorage) {
  const ignore = (): Promise<void> => Promise.resolve();
  const work = new WorkStore(storage.rows('work'));
  return {
    land: new LandStore((table) => storage.rows(table), storage.blobs('farm-data')),
    imports: new FarmWorkStore<ImportJob>(storage.rows('work')),
    importFiles: new ImportFileStore(storage.blobs('farm-data')),
    openWork: work,
    store: work,
    queues: () => ({ send: ignore, servedUntil: () => Promise.resolve(0) }),
    lanes: { wait: ignore, leave: ignore, leaveAll: ignore, parked: ignore, comeAgain: ignore },
    featureSpans: (bytes: Uint8Array) => Promise.resolve(featureSpans(bytes)),
    isSameLand: (one: PackedShape, other: PackedShape) => compareLand([one, other]),
    prepareFeatures: (input: FeaturesToPrepare) => Promise.resolve(prepareFeatures(input)),
    checkQuota: ignore,
    tombstones: { find: () => Promise.resolve(undefined) },
    inTurn: limiter(1),
    clock: systemClock,
    newId: randomId,
    random: Math.random,
    log: () => undefined,
    isHeld: () => Promise.resolve(false),
  };
}

interface Measured {
  readonly tenant: string;
  readonly storage: CountedStorage;
  readonly file: Uint8Array;
}

async function measured(what: string, ports: ReturnType<typeof portsOn>, { tenant, storage, file }: Measured) {
  storage.operations();
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const options = { type: 'application/geo+json', partyId: 'party', mode: 'merge' } as const;
  const { job } = await startImport(ports)({ tenant, by: 'bench', bytes: file, options });
  const kind = importKind(ports, 60_000);
  await handleWork(ports, new Map([[kind.kind, kind]]))(workOfImport(tenant, job.id));
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = cpuMsOf(process.cpuUsage(cpu)).toFixed(0);
  const operations = storage.operations();
  const { progress, job: ended } = await getImport(ports)(tenant, job.id);
  if (progress?.written !== FIELDS) throw new Error(`The import has not written all fields: ${JSON.stringify(ended)}`);
  const rate = Math.round(FIELDS / seconds);
  const speed = `${seconds.toFixed(1)} s, ${rate} a second (goal ${GOAL_A_SECOND}), ${cpuMs} ms of processor`;
  say(`${what}: ${operations} operations, ${speed}`);
}

function fileOf(word: string): Uint8Array {
  const features = Array.from({ length: FIELDS }, (_, index) => {
    const [x, y] = [9 + (index % 100) / 100, 55 + Math.floor(index / 100) / 100];
    const ring = Array.from({ length: CORNERS }, (_corner, corner) => {
      const angle = (2 * Math.PI * corner) / (CORNERS - 1);
      return [x + 0.004 * Math.cos(angle), y + 0.003 * Math.sin(angle)].map((value) => Number(value.toFixed(7)));
    });
    ring[CORNERS - 1] = ring[0] ?? [];
    const properties = { field_id: `field-${index}`, name: `${word} ${index}`, crop: 'corn' };
    return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
  });
  return new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
}
