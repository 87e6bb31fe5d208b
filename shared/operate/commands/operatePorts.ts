import type { Clock } from '../../kit/clock.js';
import type { CustomerStore } from '../../access/customers/customerStore.js';
import type { PurgePorts } from '../../access/customers/purgeCustomer.js';
import type { Erasure } from '../../farm/erase/erasure.js';
import type { FarmWorkStore } from '../../farm/upkeep/farmWorkStore.js';
import type { NewId } from '../../kit/ids.js';
import type { JobStore } from '../../jobs/jobStore.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { TenantHoldStore } from '../../access/tenants/tenantHoldStore.js';
import type { NoticeOwner } from '../../notices/log/noticeOwner.js';
import type { OperatedWebhooks } from '../../notices/managing/operateWebhooks.js';
import type { TenantReader } from '../../access/tenants/tenantStore.js';
import type { DrainStore } from '../../work/upkeep/drain.js';
import type { EnqueuePorts, Enqueuer } from '../../work/enqueue.js';
import type { Lanes } from '../../work/lanes/lanes.js';
import type { TickStore } from '../../work/upkeep/tick.js';
import type { AuditStore } from '../audit/auditStore.js';

/** What commands on webhooks and logs of events work with. */
export interface OperatedNotices extends OperatedWebhooks {
  /** Deletes webhooks, deliveries and log of an owner; can be repeated. */
  readonly erase: (owner: NoticeOwner) => Promise<void>;
}

/** What the commands of operators work with. */
export interface OperatePorts extends EnqueuePorts {
  readonly audit: AuditStore;
  readonly customers: CustomerStore;
  /** Built when it is needed. */
  readonly purge: () => PurgePorts;
  readonly tenants: Pick<TenantReader, 'list'>;
  readonly holds: TenantHoldStore;
  readonly erasures: FarmWorkStore<Erasure>;
  readonly jobs: JobStore;
  /** Webhooks and logs of events; undefined where they are off. */
  readonly notices: OperatedNotices | undefined;
  readonly work: Enqueuer;
  readonly lanes: Pick<Lanes, 'fill' | 'wait' | 'leaveAll'>;
  readonly drains: DrainStore;
  readonly ticks: TickStore;
  /** Kinds of work that come again by themselves when an item is dropped. */
  readonly droppableKinds: readonly string[];
  /** Names of the duties. */
  readonly duties: readonly string[];
  /** Exports the tables under a name. @returns how many rows */
  readonly backUp: (name: string) => Promise<number>;
  /** About how many messages lie in each poison queue, by queue. */
  readonly deadLetters: () => Promise<Readonly<Record<string, number>>>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}
