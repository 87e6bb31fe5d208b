import { renderScene } from '../../infra/local/scenes/renderScene.js';
import type { Render } from '../../infra/local/standIns/dataManager/scenes/syntheticScenes.js';
import { type DataManagerStandIn, startDataManager } from '../../infra/local/standIns/dataManager.js';
import { DataManagerClient } from '../../shared/dataManager/dataManagerClient.js';
import { boundaryFaults, boundaryJobFaults } from '../../shared/errors/catalogue.js';
import type { Insight } from '../../shared/insights/insight.js';
import { insightIdOf } from '../../shared/insights/insightId.js';
import { publishInsight } from '../../shared/insights/publishInsight.js';
import { cancelJob } from '../../shared/jobs/cancelJob.js';
import { createJob } from '../../shared/jobs/createJob.js';
import type { Job, JobKey } from '../../shared/jobs/job.js';
import type { JsonObject } from '../../shared/json.js';
import { runJob } from '../../shared/jobs/runJob.js';
import { sweepJobs } from '../../shared/jobs/sweepJobs.js';
import type { ImageryLicence } from '../../shared/licence/imageryLicence.js';
import { BoundaryRecord } from '../../shared/smartBoundary/boundaryRecord.js';
import { faultsOf } from '../../shared/validation/validator.js';
import { findField, type FieldFinding, type FieldSearch } from '../../shared/smartBoundary/findField.js';
import { runSmartBoundaryJob, type SmartBoundaryJobPorts } from '../../shared/smartBoundary/runSmartBoundaryJob.js';
import { shippedModel } from '../boundary/fixtures.js';
import { drawnOnce } from '../support/drawnScenes.js';
import { ManualClock } from '../support/manualClock.js';
import { BlobInsightStore } from '../../shared/insights/blobInsightStore.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { MemoryJobQueue } from '../support/memoryJobQueue.js';
import { MemoryRows } from '../support/memoryRows.js';
import { memoryLines, type LinesUnderTest } from '../support/memoryLines.js';

const TOKEN = 'canary.token-that.must-not-leak';
const LEASE_MS = 60_000;
/** The line before the data manager's five ingests. */
export const INGEST_LINE = 'ingest|the data manager';
export const LICENCE: ImageryLicence = {
  clientId: 'client-of-the-tenant',
  clientSecret: { keyVaultUri: 'https://vault.example', keyName: 'imagery-client-secret', keyVersion: 'v7' },
};
const model = shippedModel();

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
  readonly lines: LinesUnderTest['lines'];
  readonly events: string[];
  /** What the search for a field was given. */
  readonly searches: FieldSearch[];
  readonly withdrawn: string[];
  readonly published: Insight[];
  readonly create: (jobId?: string, changes?: JsonObject) => Promise<JobKey>;
  /** Does what the next message asks for, at its time; false when there is none. */
  readonly step: () => Promise<boolean>;
  /** Every message until none is left; says how many there were. */
  readonly drain: () => Promise<number>;
  /** Minute by minute a sweep and every message it sends, for so long. */
  readonly sweepFor: (minutes: number) => Promise<void>;
  readonly job: (jobId?: string) => Promise<Job>;
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
  readonly licence?: () => Promise<ImageryLicence>;
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
  const jobs = new TableJobStore(new MemoryRows());
  const queue = new MemoryJobQueue(clock);
  const jobQueues = { 'partnerAgPowered.gdd': queue, 'partnerAgPowered.smartBoundary': queue };
  const { lines } = memoryLines({ jobQueues, clock }, (line) => (line === INGEST_LINE ? 5 : 1_000));
  const [events, searches, withdrawn, published]: [string[], FieldSearch[], string[], Insight[]] = [[], [], [], []];
  const look = options.findField ?? ((search: FieldSearch) => findField(search, model));
  const ports: SmartBoundaryJobPorts = {
    dataManagerFor: () =>
      Promise.resolve({
        dataManager: client,
        ...(options.partyIds === undefined ? {} : { partyIds: options.partyIds }),
      }),
    licences: { get: options.licence ?? (() => Promise.resolve(LICENCE)) },
    lines,
    ingestLineOf: () => Promise.resolve(INGEST_LINE),
    findField: (search) => {
      searches.push(search);
      return look(search);
    },
    clock: impatient,
  };
  const insights = new BlobInsightStore(new MemoryBlobs());
  const inDataManager = publishInsight({
    insights,
    dataManagerFor: () => Promise.resolve({ dataManager: client }),
  });
  let ids = 0;
  const instance = {
    jobs,
    jobQueues,
    lines,
    clock: impatient,
    newId: () => `id-${(ids += 1)}`,
    random: () => 0.5,
    log: (event: string, facts: object) => void events.push(`${event} ${JSON.stringify(facts)}`),
    publishInsight: {
      publish: async (job: Job, insight: Insight, signal: AbortSignal) => {
        published.push(insight);
        await inDataManager.publish(job, insight, signal);
      },
      findKept: () => Promise.resolve(undefined),
      publishKept: (job: Job, insightId: string, signal: AbortSignal) =>
        inDataManager.publishKept(job, insightId, signal),
      abandon: (job: Job, insightId: string) => inDataManager.abandon(job, insightId),
      withdraw: async (job: Job, insightId: string, isWanted: () => Promise<boolean>) => {
        withdrawn.push(insightId);
        await inDataManager.withdraw(job, insightId, isWanted);
      },
    },
  };
  const work = { work: runSmartBoundaryJob(ports), faults: boundaryJobFaults, leaseMs: LEASE_MS, patienceHours: 24 };
  const keyOf = (jobId: string): JobKey => ({ tenant: 'tenant-a', solution: 'partnerAgPowered.smartBoundary', jobId });
  const step = async (): Promise<boolean> => {
    queue.sent.sort((a, b) => a.delayMs - b.delayMs);
    const message = queue.sent.shift();
    if (message === undefined) return false;
    clock.jump(message.delayMs);
    for (const other of queue.sent.splice(0)) {
      queue.sent.push({ ...other, delayMs: Math.max(0, other.delayMs - message.delayMs) });
    }
    await runJob(instance, work)(message.key);
    return true;
  };
  const { partyId, farmId, pointOnSurface } = dataManager.seed;
  const drain = async (): Promise<number> => {
    let count = 0;
    while (await step()) count += 1;
    return count;
  };
  return {
    clock,
    dataManager,
    lines,
    events,
    searches,
    withdrawn,
    published,
    create: async (jobId = 'north-field', changes = {}) => {
      const parameters = {
        imageStartDate: '2026-06-01',
        imageEndDate: '2026-06-12',
        partyId,
        pointOnSurface,
        resourceType: 'FARM',
        resourceId: farmId,
        ...changes,
      };
      await createJob(instance)({ key: keyOf(jobId), parameters, exists: boundaryFaults.jobExists });
      return keyOf(jobId);
    },
    step,
    drain,
    sweepFor: async (minutes) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        clock.jump(60_000);
        await sweepJobs(instance)();
        await drain();
      }
    },
    job: async (jobId = 'north-field') => (await jobs.find(keyOf(jobId)))!.job,
    cancel: (jobId = 'north-field') =>
      cancelJob(instance, { unknown: boundaryFaults.unknownJob, notCancellable: boundaryFaults.notCancellable })(
        keyOf(jobId),
      ),
    deletesAt,
    isKept: async (jobId = 'north-field') => {
      const { job } = (await jobs.find(keyOf(jobId)))!;
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
