/** The only place that builds clients: what the functions and use cases need, made once per process from the settings. */
import { ManagedIdentityCredential, type TokenCredential } from '@azure/identity';
import { TableClient } from '@azure/data-tables';
import { BlobServiceClient, type ContainerClient } from '@azure/storage-blob';
import { QueueServiceClient, type QueueClient } from '@azure/storage-queue';
import { JwksClient } from './auth/jwksClient.js';
import { verifyToken } from './auth/verifyToken.js';
import { systemClock, type Clock } from './clock.js';
import type { Config } from './config.js';
import { randomId, type NewId } from './ids.js';
import { BlobInsightStore } from './insights/blobInsightStore.js';
import type { InsightStore } from './insights/insightPorts.js';
import { publishInsight } from './insights/publishInsight.js';
import type { JobKey, SolutionId } from './jobs/job.js';
import type { JobQueues, JobStore } from './jobs/jobPorts.js';
import { gddSolution } from './jobs/gddSolution.js';
import { runJob, type RunJobOptions } from './jobs/runJob.js';
import { StorageJobQueue } from './jobs/storageJobQueue.js';
import { TableJobStore } from './jobs/tableJobStore.js';
import { readiness, type Probe, type Readiness } from './readiness.js';
import { requestLimits, workLimits, type TimeLimits } from './storage/limits.js';
import type { DataContainerName, QueueName, TableName } from './storage/names.js';
import { jsonLog, type Log } from './telemetry.js';
import { currentTraceparent, writeLine } from './trace.js';

export interface Services {
  readonly config: Config;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** The tenant an `Authorization` header speaks for. */
  readonly verifyToken: (authorization: string | null) => Promise<string>;
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly insights: InsightStore;
  /** One attempt at a job, by solution. */
  readonly runJobs: Readonly<Record<SolutionId, (key: JobKey) => Promise<void>>>;
  /** Sends a message back to its queue, hidden for a minute. */
  readonly putBack: (queue: string, message: unknown) => Promise<void>;
  readonly readiness: () => Promise<Readiness>;
}

/** Clients of the data account, with how long their calls may take. */
function storageOf(config: Config, credential: TokenCredential, { tryMs, tries }: TimeLimits) {
  const retryOptions = { maxTries: tries, tryTimeoutInMs: tryMs, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 };
  const queues = new QueueServiceClient(config.DATA_STORAGE__queueServiceUri, credential, { retryOptions });
  const blobs = new BlobServiceClient(config.DATA_STORAGE__blobServiceUri, credential, { retryOptions });
  return {
    table: (name: TableName): TableClient =>
      new TableClient(config.DATA_STORAGE__tableServiceUri, name, credential, {
        retryOptions: { maxRetries: tries - 1, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
        additionalPolicies: [
          {
            position: 'perRetry',
            policy: {
              name: 'tryTimeout',
              sendRequest: (request, next) => {
                request.timeout = tryMs;
                return next(request);
              },
            },
          },
        ],
      }),
    queue: (name: QueueName | string): QueueClient => queues.getQueueClient(name),
    container: (name: DataContainerName): ContainerClient => blobs.getContainerClient(name),
  };
}

function jobPortsOf(storage: ReturnType<typeof storageOf>, newId: NewId) {
  const jobQueues: JobQueues = {
    'partnerAgPowered.gdd': new StorageJobQueue(storage.queue('gdd-jobs'), currentTraceparent),
    'partnerAgPowered.smartBoundary': new StorageJobQueue(storage.queue('boundary-jobs'), currentTraceparent),
  };
  return {
    jobs: new TableJobStore(storage.table('jobs'), newId),
    jobQueues,
    insights: new BlobInsightStore(storage.container('insights')),
  };
}

/** Builds every client of the process; nothing is called yet. */
export function createServices(config: Config): Services {
  const clock = systemClock;
  const newId = randomId;
  const log = jsonLog(writeLine);
  const clientId = config.AZURE_CLIENT_ID;
  const credential =
    clientId === undefined ? new ManagedIdentityCredential() : new ManagedIdentityCredential({ clientId });
  const forRequests = storageOf(config, credential, requestLimits);
  const forWork = storageOf(config, credential, workLimits);
  const requestPorts = jobPortsOf(forRequests, newId);
  const workPorts = jobPortsOf(forWork, newId);
  const signingKeys = new JwksClient({ uri: config.JWKS_URI, clock });
  const rules = {
    issuers: config.JWT_ISSUERS,
    audience: config.JWT_AUDIENCE,
    isTenant: (tid: string) => config.TENANTS.has(tid),
  };
  return {
    config,
    clock,
    newId,
    log,
    verifyToken: verifyToken({ signingKeys, clock }, rules),
    ...requestPorts,
    runJobs: {} as never,
    putBack: async (queue, message) => {
      const text = Buffer.from(JSON.stringify(message), 'utf8').toString('base64');
      await forWork.queue(queue).sendMessage(text, { visibilityTimeout: 60 });
    },
    readiness: readiness(probesOf(forRequests, signingKeys), clock),
  };
}

/** What a request cannot be answered without. */
function probesOf(storage: ReturnType<typeof storageOf>, signingKeys: JwksClient): Record<string, Probe> {
  return {
    tables: (abortSignal) =>
      storage
        .table('jobs')
        .listEntities({ queryOptions: { filter: "PartitionKey eq 'ready'" } })
        .next(),
    queues: (abortSignal) => storage.queue('gdd-jobs').getProperties({ abortSignal }),
    blobs: (abortSignal) => storage.container('insights').exists({ abortSignal }),
    tokenIssuer: () => signingKeys.find('ready'),
  };
}
