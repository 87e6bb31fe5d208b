import { DefaultAzureCredential } from '@azure/identity';
import { systemClock, type Clock } from '../../../shared/kit/clock.js';
import { settings } from '../../../shared/wiring/settings/config.js';
import type { Erasure } from '../../../shared/farm/erase/erasure.js';
import { FarmWorkStore } from '../../../shared/farm/upkeep/farmWorkStore.js';
import { FarmInsightStore } from '../../../shared/farm/insights/insightStore.js';
import { LandStore } from '../../../shared/farm/land/landStore.js';
import { dataStorage } from '../../../shared/wiring/clients/storageClients.js';
import { workLimits } from '../../../shared/storage/timeLimits.js';
import type { Rows } from '../../../shared/storage/rows.js';
import type { TableName } from '../../../shared/storage/names.js';
import { TenantReader } from '../../../shared/access/tenants/tenantStore.js';
import { neededSettings } from '../neededSettings.js';
import type { EraseCommandPorts } from './eraseCommand.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** What the commands on farm data work with. */
export interface FarmOperator extends EraseCommandPorts {
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
  readonly tenants: Pick<TenantReader, 'list'>;
}

const needed = ['DATA_STORAGE__tableServiceUri', 'DATA_STORAGE__blobServiceUri'] as const;

/** The tables and blobs that the environment names, seen with the operator's identity. */
export function farmOperator(environment: Variables): FarmOperator {
  const textOf = neededSettings(environment, needed);
  const uri = (name: (typeof needed)[number]): string => settings[name].parse(textOf(name));
  const tableServiceUri = uri('DATA_STORAGE__tableServiceUri');
  const uris = {
    DATA_STORAGE__tableServiceUri: tableServiceUri,
    // No message is sent from here.
    DATA_STORAGE__queueServiceUri: tableServiceUri,
    DATA_STORAGE__blobServiceUri: uri('DATA_STORAGE__blobServiceUri'),
  };
  const storage = dataStorage(uris, new DefaultAzureCredential(), workLimits);
  return {
    ...erasurePorts(storage.rows, systemClock),
    land: new LandStore(storage.rows, storage.blobs('farm-data')),
    insights: new FarmInsightStore(storage.rows('farmInsights'), storage.blobs('farm-data')),
    tenants: new TenantReader(storage.rows('tenants')),
  };
}

/** What an erasure is asked for and followed with. */
export function erasurePorts(rows: (name: TableName) => Rows, clock: Clock): EraseCommandPorts {
  return {
    erasures: new FarmWorkStore<Erasure>(rows('work')),
    // No message is sent: the next sweep of the service does.
    work: { send: () => Promise.resolve() },
    clock,
    say: (line) => {
      process.stderr.write(`${line}\n`);
    },
  };
}
