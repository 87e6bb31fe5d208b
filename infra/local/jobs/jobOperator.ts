import { DefaultAzureCredential } from '@azure/identity';
import { systemClock, type Clock } from '../../../shared/kit/clock.js';
import { settings } from '../../../shared/wiring/settings/config.js';
import { JobStore } from '../../../shared/jobs/jobStore.js';
import { dataStorage } from '../../../shared/wiring/clients/storageClients.js';
import { workLimits } from '../../../shared/storage/timeLimits.js';
import { jsonLog, type Log } from '../../../shared/kit/telemetry/telemetry.js';
import type { Enqueuer } from '../../../shared/work/enqueue.js';
import { neededSettings } from '../neededSettings.js';
import { operatorEnqueuer } from '../operatorEnqueuer.js';
import { whoHolds } from '../operatorName.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** What the commands on jobs work with. */
export interface JobOperator {
  readonly jobs: JobStore;
  readonly work: Enqueuer;
  readonly clock: Clock;
  readonly log: Log;
  /** Who the operator is, for the log. */
  readonly whoAsks: () => Promise<string>;
}

const needed = ['DATA_STORAGE__tableServiceUri', 'DATA_STORAGE__queueServiceUri'] as const;

/** The table and the queues that the environment names, seen with the operator's identity. */
export function jobOperator(environment: Variables): JobOperator {
  const textOf = neededSettings(environment, needed);
  const uri = (name: (typeof needed)[number]): string => settings[name].parse(textOf(name));
  const credential = new DefaultAzureCredential();
  const tableServiceUri = uri('DATA_STORAGE__tableServiceUri');
  const uris = {
    DATA_STORAGE__tableServiceUri: tableServiceUri,
    DATA_STORAGE__queueServiceUri: uri('DATA_STORAGE__queueServiceUri'),
    // Nothing here asks for a blob.
    DATA_STORAGE__blobServiceUri: tableServiceUri,
  };
  const storage = dataStorage(uris, credential, workLimits);
  return {
    jobs: new JobStore(storage.rows('work')),
    work: operatorEnqueuer(storage),
    clock: systemClock,
    log: jsonLog((line) => process.stderr.write(`${line}\n`)),
    whoAsks: () => whoHolds(credential),
  };
}
