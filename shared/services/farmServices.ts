import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import type { CascadeJob } from '../farm/cascade/cascadeJob.js';
import { cascadeKind } from '../farm/cascade/cascadeKind.js';
import type { StartCascadePorts } from '../farm/cascade/startCascade.js';
import { sweepUp } from '../farm/cascade/sweepUp.js';
import { FarmWorkStore } from '../farm/farmWorkStore.js';
import { FarmInsightStore } from '../farm/insightStore.js';
import { LandStore } from '../farm/landStore.js';
import type { PutLandPorts } from '../farm/putLand.js';
import type { RemoveLandPorts } from '../farm/removeLand.js';
import type { NewId } from '../ids.js';
import type { Log } from '../telemetry/telemetry.js';
import type { WorkKind } from '../work/workKind.js';
import type { DataStorage } from './storageClients.js';
import type { WorkPorts } from './workServices.js';

/** What the use cases of farm data work with. */
export interface FarmServices extends PutLandPorts, RemoveLandPorts, StartCascadePorts {
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
  readonly clock: Clock;
}

export interface FarmSurroundings {
  readonly forRequests: DataStorage;
  readonly forWork: DataStorage;
  /** Asks for work with the limits of requests. */
  readonly work: Pick<WorkPorts, 'work' | 'lanes'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

const storesOf = (storage: DataStorage) => ({
  land: new LandStore((table) => storage.rows(table), storage.blobs('farm-data')),
  insights: new FarmInsightStore(storage.rows('farmInsights'), storage.blobs('farm-data')),
  cascades: new FarmWorkStore<CascadeJob>(storage.rows('work')),
});

/** Builds the stores and use cases of farm data; nothing is called yet. */
export function farmServices({ forRequests, work, clock, newId }: FarmSurroundings): FarmServices {
  return {
    ...storesOf(forRequests),
    lanes: work.lanes,
    sweepUp: sweepUp({ work: work.work, clock, newId }),
    checkQuota: () => Promise.resolve(),
    clock,
    newId,
  };
}

/** The work on farm data. */
export function farmKinds(
  { JOB_LEASE_SECONDS }: Pick<Config, 'JOB_LEASE_SECONDS'>,
  { forWork, clock, log }: FarmSurroundings,
): readonly WorkKind[] {
  return [cascadeKind({ ...storesOf(forWork), clock, log }, JOB_LEASE_SECONDS * 1000)];
}
