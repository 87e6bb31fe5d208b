import type { BackupManifest } from '../../operate/backup/backupArchive.js';
import type { KeptTombstones } from '../../operate/backup/keptTombstones.js';
import type { Clock } from '../../kit/clock.js';
import type { Config } from '../settings/config.js';
import { CustomerStore } from '../../access/customers/customerStore.js';
import type { Belongings } from '../../storage/belongings.js';
import type { Erasure } from '../../farm/erase/erasure.js';
import { FarmWorkStore } from '../../farm/upkeep/farmWorkStore.js';
import type { NewId } from '../../kit/ids.js';
import { BACKFILL } from '../../imagery/discovery/backfill.js';
import { TILES } from '../../imagery/discovery/reconcile.js';
import { PRODUCT } from '../../imagery/products/product.js';
import { UNIT } from '../../imagery/units/unit.js';
import { listUnitAttempts } from '../../imagery/units/unitAttempts.js';
import { JobStore } from '../../jobs/jobStore.js';
import { AuditStore } from '../../operate/audit/auditStore.js';
import { operateKind } from '../../operate/commands/operateKind.js';
import type { OperatedNotices, OperatePorts } from '../../operate/commands/operatePorts.js';
import { poisonQueueOf, queueNames } from '../../storage/names.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { TenantHoldStore } from '../../access/tenants/tenantHoldStore.js';
import { TenantReader } from '../../access/tenants/tenantStore.js';
import { eraseNotices } from '../../notices/managing/noticeBelongings.js';
import type { OperatedWebhooks } from '../../notices/managing/operateWebhooks.js';
import type { WorkKind } from '../../work/item/workKind.js';
import type { DataStorage } from '../clients/storageClients.js';
import type { WorkPorts } from './workServices.js';

/** What operators have done, and the audit of it. */
export interface OperateServices {
  readonly operate: OperatePorts;
}

export interface OperateSurroundings {
  /** Storage, and how work is asked for, with the limits of requests or of work. */
  readonly storage: DataStorage;
  readonly work: WorkPorts;
  /** What customers have, in the order in which it is deleted; built when it is needed. */
  readonly belongings: () => readonly Belongings[];
  /** Undefined where notices are off. */
  readonly notices: OperatedWebhooks | undefined;
  readonly duties: readonly { readonly name: string }[];
  readonly backUp: (name: string) => Promise<BackupManifest>;
  readonly keptTombstones: KeptTombstones;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** The nights make these again. */
const DROPPABLE = [PRODUCT, TILES, UNIT, BACKFILL];

/** Builds what commands of operators work with; nothing is called yet. */
export function operatePortsOf(
  config: Pick<Config, 'JOB_LEASE_SECONDS'>,
  { storage, work, belongings, notices, duties, backUp, keptTombstones, clock, newId, log }: OperateSurroundings,
): OperatePorts {
  const { store, queues, lanes, drains, ticks } = work;
  const leaseMs = config.JOB_LEASE_SECONDS * 1000;
  const customers = new CustomerStore(storage.rows('customers'));
  return {
    ...{ store, queues, work: work.work, lanes, drains, ticks, customers, clock, newId, log },
    audit: new AuditStore(storage.rows('audit')),
    purge: () => ({
      customers,
      belongings: belongings(),
      keptTombstones,
      listSharedAttempts: listUnitAttempts({ store, clock, leaseMs }),
      ...{ clock, leaseMs },
    }),
    tenants: new TenantReader(storage.rows('tenants')),
    holds: new TenantHoldStore(storage.rows('limits')),
    erasures: new FarmWorkStore<Erasure>(storage.rows('work')),
    jobs: new JobStore(storage.rows('work')),
    notices: notices && operatedNotices(storage, notices),
    droppableKinds: DROPPABLE,
    duties: duties.map(({ name }) => name),
    backUp: async (name) => Object.values((await backUp(name)).rows).reduce((sum, count) => sum + count, 0),
    deadLetters: async () => {
      const counts = queueNames.map(async (queue): Promise<[string, number]> => {
        return [queue, await storage.messages(poisonQueueOf(queue)).approximateCount()];
      });
      return Object.fromEntries(await Promise.all(counts));
    },
  };
}

/** Webhooks and logs of events as operators work with them. */
export function operatedNotices({ rows }: Pick<DataStorage, 'rows'>, notices: OperatedWebhooks): OperatedNotices {
  const tables = { work: rows('work'), webhooks: rows('webhooks'), notices: rows('notices') };
  return { ...notices, erase: (owner) => eraseNotices(tables, owner) };
}

/** The work of long commands. */
export const operateKindOf = (config: Pick<Config, 'JOB_LEASE_SECONDS'>, ports: OperatePorts): WorkKind =>
  operateKind(ports, config.JOB_LEASE_SECONDS * 1000);
