import type { Clock } from '../../kit/clock.js';
import type { Config } from '../settings/config.js';
import { INGEST } from '../../enrollments/ingest/ingestEnrollment.js';
import { LEAVE } from '../../enrollments/submission/stopEnrollment.js';
import { GRID } from '../../notices/eventGrid/gridKind.js';
import { CASCADE } from '../../farm/cascade/cascadeJob.js';
import { IMPORT } from '../../farm/imports/importJob.js';
import { ERASE } from '../../farm/upkeep/erasureScope.js';
import { NOTICE } from '../../notices/log/outbox.js';
import type { NewId } from '../../kit/ids.js';
import { OPERATE } from '../../operate/commands/operateCommand.js';
import { PRODUCT } from '../../imagery/products/product.js';
import { TILES } from '../../imagery/discovery/reconcile.js';
import { BACKFILL, isAwaited, PLAN } from '../../imagery/discovery/backfill.js';
import { askOf, UNIT } from '../../imagery/units/unit.js';
import { MessageQueue } from '../../storage/messageQueue.js';
import type { Messages } from '../../storage/messages.js';
import { queueNames, type QueueName } from '../../storage/names.js';
import { jsonLog } from '../../kit/telemetry/telemetry.js';
import { currentTraceparent, processLine } from '../../kit/telemetry/trace.js';
import { holdWatch } from '../../access/tenants/holdWatch.js';
import { TenantHoldStore } from '../../access/tenants/tenantHoldStore.js';
import type { Tenants } from '../../access/tenants/tenantPorts.js';
import { WEBHOOK } from '../../notices/webhooks/webhook.js';
import { drainDeadLetters, type DeadLetterPorts } from '../../work/upkeep/deadLetters.js';
import { DrainStore, drainWatch } from '../../work/upkeep/drain.js';
import { DUTY } from '../../work/upkeep/duty.js';
import { enqueuer, type EnqueuePorts, type Enqueuer } from '../../work/enqueue.js';
import { handleWork } from '../../work/handleWork.js';
import { laneKindOf, ownerOfLane, type LaneKind } from '../../work/lanes/lane.js';
import { lanesOf, type Lanes } from '../../work/lanes/lanes.js';
import { LaneStore } from '../../work/lanes/laneStore.js';
import { sweepLanes } from '../../work/upkeep/sweepLanes.js';
import { resendDeadLetter, sweepWork, type SweepCount } from '../../work/upkeep/sweepWork.js';
import { tick, TickStore } from '../../work/upkeep/tick.js';
import type { WorkKey, WorkOrder } from '../../work/item/workItem.js';
import type { WorkKind } from '../../work/item/workKind.js';
import { WorkMessage, type WorkQueue, type WorkQueues } from '../../work/item/workMessage.js';
import { WorkStore } from '../../work/item/workStore.js';
import type { DataStorage } from '../clients/storageClients.js';

/** What runs the work of every kind. */
export interface WorkServices {
  /** One attempt at the work that a message names. */
  readonly handleWork: (key: WorkKey) => Promise<void>;
  /** One tick: a sweep, unless the service is drained, and a row that tells when. */
  readonly sweepWork: () => Promise<Partial<SweepCount> & { readonly lanes?: number; readonly left?: number }>;
  /** Whether no work may begin now. */
  readonly isDrained: () => Promise<boolean>;
  /** Goes on with the work whose messages the host has given up. @returns how many messages */
  readonly drainDeadLetters: () => Promise<number>;
}

export interface WorkSurroundings {
  readonly storage: DataStorage;
  readonly tenants: Tenants;
  readonly clock: Clock;
}

/** The queue of each kind. */
const queueOf: Readonly<Record<string, (work: WorkOrder) => QueueName>> = {
  gdd: () => 'jobs-gdd',
  smartBoundary: () => 'jobs-boundary',
  [INGEST]: () => 'ingest',
  [PLAN]: () => 'ingest',
  [LEAVE]: () => 'ingest',
  [CASCADE]: () => 'ingest',
  [IMPORT]: () => 'ingest',
  [ERASE]: () => 'ingest',
  [PRODUCT]: () => 'discovery',
  [TILES]: () => 'discovery',
  [DUTY]: () => 'discovery',
  [NOTICE]: () => 'notices',
  [WEBHOOK]: () => 'visits',
  [GRID]: () => 'visits',
  [OPERATE]: () => 'discovery',
  [UNIT]: (work) => (askOf(work).lane === 'late' ? 'imagery-late' : 'imagery-live'),
  [BACKFILL]: (work) => (isAwaited(work) ? 'imagery-live' : 'imagery-late'),
};

/** Slots of lanes that have as many everywhere; of jobs and backfills settings say how many. */
const FIXED_SLOTS: Readonly<Partial<Record<LaneKind, number>>> = {
  farm: 1,
  // Receivers that are away or slow, called at the same time; and owners whose events wait for Event Grid.
  slow: 4,
};

/** Work of a released tenant that goes on at the same time: what else it needs a slot for it has, or waits for. */
const HELD_AT_ONCE = 1_000;

/** The queues of all work. @param traceparent of what the messages are sent for */
export function workQueues(
  storage: { readonly messages: (name: QueueName) => Pick<Messages, 'send' | 'head'> },
  clock: Pick<Clock, 'now'>,
  traceparent: () => string | undefined,
): WorkQueues {
  const queues = new Map<QueueName, WorkQueue>();
  return (work) => {
    const name = queueOf[work.kind]?.(work);
    if (name === undefined) throw new Error(`No queue is named for work of the kind ${work.kind}.`);
    const queue = queues.get(name) ?? new MessageQueue(storage.messages(name), WorkMessage, { clock, traceparent });
    queues.set(name, queue);
    return queue;
  };
}

/** Where work is kept, how it comes up, and who may work now. */
export interface WorkPorts extends EnqueuePorts {
  readonly work: Enqueuer;
  readonly lanes: Lanes;
  readonly laneStore: LaneStore;
  readonly drains: DrainStore;
  readonly ticks: TickStore;
  /** Whether operators hold a tenant. */
  readonly isHeld: (tenant: string) => Promise<boolean>;
  /** When they released it last. */
  readonly releasedAt: (tenant: string) => Promise<number | undefined>;
}

export function workPortsOf(
  config: Pick<Config, 'JOBS_AT_WORK' | 'IMAGERY_RENDERS_PER_CUSTOMER'>,
  { storage, tenants, clock }: WorkSurroundings,
): WorkPorts {
  const rows = storage.rows('work');
  const ports = { store: new WorkStore(rows), queues: workQueues(storage, clock, currentTraceparent), clock };
  const laneStore = new LaneStore(rows);
  const limits = storage.rows('limits');
  const holds = new TenantHoldStore(limits);
  const slotsOf = async (lane: string): Promise<number> => {
    const kind = laneKindOf(lane);
    const fixed = { ...FIXED_SLOTS, backfills: config.IMAGERY_RENDERS_PER_CUSTOMER }[kind];
    if (fixed !== undefined) return fixed;
    const owner = ownerOfLane(lane) ?? '';
    if (kind === 'held') return (await holds.find(owner)) === undefined ? HELD_AT_ONCE : 0;
    // Whoever isn't served gets its turn too: the attempt says why nothing can be done.
    const tenant = await tenants.find(owner).catch(() => undefined);
    return tenant?.jobsAtWork ?? config.JOBS_AT_WORK;
  };
  const queues = workQueues(storage, clock, () => undefined);
  const lanes = lanesOf({ laneStore, queues, clock, log: jsonLog(processLine), slotsOf });
  const [drains, ticks] = [new DrainStore(limits), new TickStore(limits)];
  const isHeld = holdWatch({ holds, clock });
  const releasedAt = (tenant: string): Promise<number | undefined> => holds.releasedAt(tenant);
  return { ...ports, work: enqueuer({ ...ports, lanes }), lanes, laneStore, drains, ticks, isHeld, releasedAt };
}

/** Builds what runs work of these kinds; nothing is called yet. */
export function workServices(
  kinds: readonly WorkKind[],
  ports: WorkPorts,
  surroundings: Pick<DeadLetterPorts, 'messages' | 'putBack' | 'log'> & {
    readonly clock: Clock;
    readonly newId: NewId;
  },
): WorkServices {
  const { clock, newId, messages, putBack, log } = surroundings;
  const known = new Map(kinds.map((kind) => [kind.kind, kind]));
  const sweeping = { ...ports, log };
  const isDrained = drainWatch(ports);
  const sweep = async () => ({ ...(await sweepWork(sweeping)()), ...(await sweepLanes(sweeping)()) });
  return {
    handleWork: handleWork({ ...ports, clock, newId, random: Math.random, log }, known),
    sweepWork: tick({ ticks: ports.ticks, isDrained, sweep, clock }),
    isDrained,
    drainDeadLetters: drainDeadLetters({
      queues: queueNames,
      messages,
      resend: resendDeadLetter(sweeping),
      putBack,
      log,
    }),
  };
}
