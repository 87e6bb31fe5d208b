import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import type { CascadeJob } from '../farm/cascade/cascadeJob.js';
import { cascadeKind } from '../farm/cascade/cascadeKind.js';
import type { StartCascadePorts } from '../farm/cascade/startCascade.js';
import { sweepUp } from '../farm/cascade/sweepUp.js';
import { FarmWorkStore } from '../farm/farmWorkStore.js';
import { ImportFault } from '../farm/files/importFault.js';
import { ImportFileStore } from '../farm/imports/importFileStore.js';
import type { ImportJob } from '../farm/imports/importJob.js';
import { importKind } from '../farm/imports/importKind.js';
import type { FeaturesToPrepare } from '../farm/imports/importTasks.js';
import type { GetImportPorts, StartImportPorts } from '../farm/imports/startImport.js';
import { FarmInsightStore } from '../farm/insightStore.js';
import { LandStore } from '../farm/landStore.js';
import type { PutLandPorts } from '../farm/putLand.js';
import type { RemoveLandPorts } from '../farm/removeLand.js';
import type { NewId } from '../ids.js';
import { limiter } from '../raster/limiter.js';
import type { Log } from '../telemetry/telemetry.js';
import type { WorkKind } from '../work/workKind.js';
import { TaskExhausted } from '../worker/taskProcess.js';
import type { RunTask } from '../worker/tasks.js';
import type { DataStorage } from './storageClients.js';
import type { WorkPorts } from './workServices.js';

/** What the use cases of farm data work with. */
export interface FarmServices
  extends PutLandPorts, RemoveLandPorts, StartCascadePorts, StartImportPorts, GetImportPorts {
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
  readonly imports: FarmWorkStore<ImportJob>;
  readonly clock: Clock;
}

export interface FarmSurroundings {
  readonly forRequests: DataStorage;
  readonly forWork: DataStorage;
  /** Asks for work with the limits of requests. */
  readonly work: Pick<WorkPorts, 'work' | 'lanes' | 'store'>;
  /** Runs a task beside the event loop. */
  readonly runTask: RunTask;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

const storesOf = (storage: DataStorage) => ({
  land: new LandStore((table) => storage.rows(table)),
  insights: new FarmInsightStore(storage.rows('farmInsights'), storage.blobs('farm-data')),
  cascades: new FarmWorkStore<CascadeJob>(storage.rows('work')),
  imports: new FarmWorkStore<ImportJob>(storage.rows('work')),
  importFiles: new ImportFileStore(storage.blobs('farm-data')),
});

/** Imports of one process at the same time, each with its file in memory. */
const IMPORTS_AT_ONCE = 2;

/** No quota is set. */
const checkQuota: PutLandPorts['checkQuota'] = () => Promise.resolve();

/** Builds the stores and use cases of farm data; nothing is called yet. */
export function farmServices({ forRequests, work, clock, newId }: FarmSurroundings): FarmServices {
  return {
    ...storesOf(forRequests),
    lanes: work.lanes,
    sweepUp: sweepUp({ work: work.work, clock, newId }),
    checkQuota,
    openWork: work.store,
    clock,
    newId,
  };
}

/** The work on farm data. */
export function farmKinds(
  { JOB_LEASE_SECONDS }: Pick<Config, 'JOB_LEASE_SECONDS'>,
  { forRequests, forWork, runTask, clock, log }: FarmSurroundings,
): readonly WorkKind[] {
  const leaseMs = JOB_LEASE_SECONDS * 1000;
  const stores = storesOf(forWork);
  const imports = {
    ...stores,
    // What an import has checked must still hold when it writes.
    land: storesOf(forRequests).land,
    checkQuota,
    inTurn: limiter(IMPORTS_AT_ONCE),
    featureSpans: (bytes: Uint8Array) => readable(runTask('featureSpans', bytes)),
    prepareFeatures: (input: FeaturesToPrepare) => readable(runTask('prepareFeatures', input)),
    clock,
    log,
  };
  return [cascadeKind({ ...stores, clock, log }, leaseMs), importKind(imports, leaseMs)];
}

/** What came of a task. @throws ImportFault when the file takes too much memory or time */
async function readable<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    if (!(error instanceof TaskExhausted)) throw error;
    const text = 'The file takes too much memory or time to be read. Simplify the geometries, or split it.';
    throw new ImportFault(text, { cause: error });
  }
}
