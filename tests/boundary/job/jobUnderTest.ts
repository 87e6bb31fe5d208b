import { renderScene } from '../../../tools/scenes/renderScene.js';
import type { Render } from '../../../infra/local/standIns/dataManager/scenes/syntheticScenes.js';
import { type DataManagerStandIn, startDataManager } from '../../../infra/local/standIns/dataManager.js';
import { DataManagerClient } from '../../../shared/jobs/dataManager/dataManagerClient.js';
import { jobFailureOf } from '../../../shared/jobs/dataManager/jobFailure.js';
import { boundaryFaults, boundaryJobFaults } from '../../../shared/kit/errors/boundaryFaults.js';
import type { Insight } from '../../../shared/jobs/insight/jobInsight.js';
import { insightIdOf } from '../../../shared/jobs/steps/insightId.js';
import { publishInsight } from '../../../shared/jobs/insight/publishInsight.js';
import { publicationOf } from '../../../shared/wiring/areas/insightKinds.js';
import { cancelJob } from '../../../shared/jobs/operations/cancelJob.js';
import type { Job, JobKey } from '../../../shared/jobs/job.js';
import type { JsonObject } from '../../../shared/kit/json/json.js';
import type { ImageryLicence } from '../../../shared/access/licence/imageryLicence.js';
import { BoundaryRecord } from '../../../shared/boundary/record/boundaryRecord.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';
import { findField, type FieldFinding, type FieldSearch } from '../../../shared/boundary/job/findField.js';
import { runSmartBoundaryJob, type SmartBoundaryJobPorts } from '../../../shared/boundary/job/runSmartBoundaryJob.js';
import { ingestsLaneOf } from '../../../shared/work/lanes/lane.js';
import type { Lanes } from '../../../shared/work/lanes/lanes.js';
import type { WorkItem } from '../../../shared/work/item/workItem.js';
import { readModelFrom } from '../../../tools/boundary-model/modelAssets.js';
import { drawnOnce } from '../../support/drawnScenes.js';
import { JobsInMemory } from '../../support/jobsInMemory.js';
import { ManualClock } from '../../support/manualClock.js';
import { BlobInsightStore } from '../../../shared/jobs/insight/blobInsightStore.js';
import { MemoryBlobs } from '../../support/memoryBlobs.js';

const TOKEN = 'canary.token-that.must-not-leak';
/** The lane of the data manager's five ingests. */
export const INGESTS_LANE = ingestsLaneOf('https://data-manager.example');
export const LICENCE: ImageryLicence = {
  clientId: 'client-of-the-tenant',
  clientSecret: { keyVaultUri: 'https://vault.example', keyName: 'imagery-client-secret', keyVersion: 'v7' },
};
const model = readModelFrom('shared/boundary/assets');

/** Real drawings, each made once for all tests. */
const drawOnce: Render = (order) => {
  const { grid, date, cloudFraction } = order;
  return Promise.resolve(drawnOnce(order, () => renderScene({ ...grid, date }, { cloudFraction })));
};
/** Pixels that nobody looks at. */
const drawFlat: Render = ({ grid: { width, height } }) => {
  const band = new Uint16Array(width * height).fill(500);
  const bands = { B02: band, B03: band, B04: band, B08: band };
  return Promise.resolve({ bands, scl: new Uint8Array(width * height).fill(4), cloudFraction: 0 });
};

/** The whole of one instance at a data manager of its own, without storage or threads. Waits take no time. */
export interface BoundaryWorld {
  readonly clock: ManualClock;
  readonly dataManager: DataManagerStandIn;
  readonly lanes: Lanes;
  /** What was logged, each with its facts as JSON. */
  readonly events: readonly string[];
  /** What the search for a field was given. */
  readonly searches: FieldSearch[];
  readonly withdrawn: string[];
  readonly published: Insight[];
  readonly create: (jobId?: string, changes?: JsonObject) => Promise<JobKey>;
  /** Does what the next message asks for, at its time; false when there is none. */
  readonly step: () => Promise<boolean>;
  /** Every message until none is left and nothing waits for the sweep; says how many there were. */
  readonly drain: () => Promise<number>;
  /** Minute by minute a sweep and every message it sends, for so long. */
  readonly sweepFor: (minutes: number) => Promise<void>;
  readonly job: (jobId?: string) => Promise<Job>;
  /** The job as it ended, with the attempts that the line about its end tells. */
  readonly ended: (jobId?: string) => Promise<Job & { readonly attempt?: unknown }>;
  /** What is left to be done about the job. */
  readonly item: (jobId?: string) => Promise<WorkItem | undefined>;
  readonly cancel: (jobId?: string) => Promise<Job>;
  /** When the data manager was asked to delete something, milliseconds since 1970 UTC. */
  readonly deletesAt: readonly number[];
  /** Whether our own record of the job's insight is there. */
  readonly isKept: (jobId?: string) => Promise<boolean>;
  readonly record: () => BoundaryRecord;
  readonly close: () => Promise<void>;
}

export interface BoundaryWorldOptions {
  readonly now?: string;
  readonly partyIds?: readonly string[];
  readonly findField?: (search: FieldSearch) => Promise<FieldFinding>;
}

export async function boundaryWorld(options: BoundaryWorldOptions = {}): Promise<BoundaryWorld> {
  const clock = new ManualClock(options.now ?? '2026-06-20T15:00:00Z');
  const dataManager = await startDataManager({
    clock,
    tokenIsValid: (token) => token === TOKEN,
    licenceIsGood: ({ clientId }) => clientId === LICENCE.clientId,
    render: options.findField === undefined ? drawOnce : drawFlat,
  });
  const impatient = { now: () => clock.now(), sleep: () => Promise.resolve(), every: clock.every.bind(clock) };
  const deletesAt: number[] = [];
  const client = new DataManagerClient({
    baseUrl: dataManager.url,
    apiVersion: '2023-11-01-preview',
    getToken: () => Promise.resolve(TOKEN),
    clock: impatient,
    random: () => 0,
    fetch: (url, init) => {
      if (init?.method === 'DELETE') deletesAt.push(clock.now().getTime());
      return fetch(url, init);
    },
  });
  const [searches, withdrawn, published]: [FieldSearch[], string[], Insight[]] = [[], [], []];
  const look = options.findField ?? ((search: FieldSearch) => findField(search, model));
  const ports: Omit<SmartBoundaryJobPorts, 'lanes'> = {
    dataManagerFor: () =>
      Promise.resolve({
        dataManager: client,
        ...(options.partyIds === undefined ? {} : { partyIds: options.partyIds }),
      }),
    licences: { get: () => Promise.resolve(LICENCE) },
    ingestsLaneOf: () => Promise.resolve(INGESTS_LANE),
    findField: (search) => {
      searches.push(search);
      return look(search);
    },
    clock: impatient,
  };
  const instance: JobsInMemory = new JobsInMemory(
    (...job) => runSmartBoundaryJob({ ...ports, lanes: instance.kernel.lanes })(...job),
    {
      clock,
      failureOf: jobFailureOf(boundaryJobFaults),
    },
  );
  instance.kernel.slotsOf = (lane) => (lane === INGESTS_LANE ? 5 : 1_000);
  const insights = new BlobInsightStore(new MemoryBlobs());
  const inDataManager = publishInsight({
    ...{ insights, publicationOf },
    dataManagerFor: () => Promise.resolve({ dataManager: client }),
  });
  instance.publishInsight = {
    ...inDataManager,
    publish: (job, insight: Insight, attempt) => {
      published.push(insight);
      return inDataManager.publish(job, insight, attempt);
    },
    withdraw: (job, insightId, isWanted) => {
      withdrawn.push(insightId);
      return inDataManager.withdraw(job, insightId, isWanted);
    },
  };
  const keyOf = (jobId = 'north-field'): JobKey => ({
    tenant: 'tenant-a',
    solution: 'partnerAgPowered.smartBoundary',
    jobId,
  });
  const { partyId, farmId, pointOnSurface } = dataManager.seed;
  return {
    clock,
    dataManager,
    lanes: instance.kernel.lanes,
    get events() {
      return instance.kernel.logged.map(({ event, facts }) => `${event} ${JSON.stringify(facts)}`);
    },
    searches,
    withdrawn,
    published,
    create: async (jobId, changes = {}) => {
      const parameters = {
        imageStartDate: '2026-06-01',
        imageEndDate: '2026-06-12',
        partyId,
        pointOnSurface,
        resourceType: 'FARM',
        resourceId: farmId,
        ...changes,
      };
      await instance.create(keyOf(jobId), { parameters, exists: boundaryFaults.jobExists });
      return keyOf(jobId);
    },
    step: () => instance.step(),
    drain: () => instance.drain(),
    sweepFor: (minutes) => instance.sweepFor(minutes),
    job: (jobId) => instance.job(keyOf(jobId)),
    ended: async (jobId) => {
      const key = keyOf(jobId);
      const isEnd = /^Job:(Succeeded|Failed|Cancelled)$/;
      const end = instance.kernel.logged.find(({ event, facts }) => isEnd.test(event) && facts['jobId'] === key.jobId);
      return { ...(await instance.job(key)), attempt: end?.facts['attempt'] };
    },
    item: (jobId) => instance.item(keyOf(jobId)),
    cancel: (jobId) =>
      cancelJob(instance.ports, {
        unknown: boundaryFaults.unknownJob,
        notCancellable: boundaryFaults.notCancellable,
      })(keyOf(jobId)),
    deletesAt,
    isKept: async (jobId) => {
      const job = await instance.job(keyOf(jobId));
      return (await insights.find(job.tenant, insightIdOf(job))) !== undefined;
    },
    record: () => {
      const { record } = published.at(-1)!;
      const undescribed = faultsOf(BoundaryRecord, record);
      if (undescribed.length > 0) throw new Error(`The record is not as published: ${JSON.stringify(undescribed)}`);
      return record as unknown as BoundaryRecord;
    },
    close: () => dataManager.close(),
  };
}
