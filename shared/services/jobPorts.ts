import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import { BlobInsightStore } from '../insights/blobInsightStore.js';
import type { InsightStore } from '../insights/insightPorts.js';
import type { JobPages, JobQueues, JobStore } from '../jobs/jobPorts.js';
import { tenantOfWorkLine } from '../jobs/line.js';
import type { LineStore } from '../jobs/linePorts.js';
import { linesOf, type Lines } from '../jobs/lines.js';
import { jobQueue } from '../jobs/jobQueue.js';
import { TableJobPageReader } from '../jobs/tableJobPageReader.js';
import { TableJobStore } from '../jobs/tableJobStore.js';
import { TableLineStore } from '../jobs/tableLineStore.js';
import { jsonLog } from '../telemetry/telemetry.js';
import { currentTraceparent, processLine } from '../telemetry/trace.js';
import type { Tenants } from '../tenants/tenantPorts.js';
import type { DataStorage } from './storageClients.js';

/** Where jobs and their insights are kept, and what says who may work. */
export interface JobPorts {
  readonly jobs: JobStore;
  readonly jobPages: JobPages;
  readonly jobQueues: JobQueues;
  readonly insights: InsightStore;
  readonly lines: Lines;
  readonly lineStore: LineStore;
}

/** Ingests of scenes that a data manager runs at the same time, whoever asks. */
const INGESTS_OF_A_DATA_MANAGER = 5;

export function jobPortsOf(
  config: Pick<Config, 'JOBS_AT_WORK'>,
  storage: DataStorage,
  { tenants, clock }: { readonly tenants: Tenants; readonly clock: Clock },
): JobPorts {
  const queuesWith = (traceparent: () => string | undefined): JobQueues => ({
    'partnerAgPowered.gdd': jobQueue(storage.messages('gdd-jobs'), { clock, traceparent }),
    'partnerAgPowered.smartBoundary': jobQueue(storage.messages('boundary-jobs'), { clock, traceparent }),
  });
  const jobs = new TableJobStore(storage.rows('jobs'));
  const lineStore = new TableLineStore(storage.rows('limits'));
  return {
    jobs,
    jobPages: new TableJobPageReader(storage.rows('jobs')),
    jobQueues: queuesWith(currentTraceparent),
    insights: new BlobInsightStore(storage.blobs('insights')),
    lineStore,
    lines: linesOf({
      lineStore,
      // The next job's message is sent while another's invocation ends: it belongs to neither its trace nor its log.
      jobQueues: queuesWith(() => undefined),
      log: jsonLog(processLine),
      clock,
      placesOf: async (line) => {
        const tid = tenantOfWorkLine(line);
        if (tid === undefined) return INGESTS_OF_A_DATA_MANAGER;
        // Whoever isn't served gets its turn too: the attempt says why nothing can be done.
        const tenant = await tenants.find(tid).catch(() => undefined);
        return tenant?.jobsAtWork ?? config.JOBS_AT_WORK;
      },
    }),
  };
}
