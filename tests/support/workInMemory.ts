import type { Clock } from '../../shared/kit/clock.js';
import { MessageQueue } from '../../shared/storage/messageQueue.js';
import { enqueuer } from '../../shared/work/enqueue.js';
import { handleWork } from '../../shared/work/handleWork.js';
import { lanesOf, type Lanes } from '../../shared/work/lanes/lanes.js';
import { nameOf, type Ticket } from '../../shared/work/lanes/lane.js';
import { LaneStore } from '../../shared/work/lanes/laneStore.js';
import { sweepLanes } from '../../shared/work/upkeep/sweepLanes.js';
import { resendDeadLetter, sweepWork } from '../../shared/work/upkeep/sweepWork.js';
import type { WorkItem, WorkKey } from '../../shared/work/item/workItem.js';
import type { WorkKind } from '../../shared/work/item/workKind.js';
import { WorkMessage, type WorkQueues } from '../../shared/work/item/workMessage.js';
import { WorkStore } from '../../shared/work/item/workStore.js';
import { MemoryMessages } from './memoryMessages.js';
import { MemoryRows } from './memoryRows.js';

/** A message as a queue of work holds it. */
export interface SentWork extends WorkKey {
  /** Milliseconds since 1970 UTC. */
  readonly dueAt: number;
}

/** A line of the log. */
export interface LoggedEvent {
  readonly event: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Storage of a test's own, slower or less faithful than what is there otherwise. */
export interface MemoryStorage {
  readonly rows?: MemoryRows;
  readonly messages?: MemoryMessages;
  /** One queue for all kinds when absent. */
  readonly queues?: WorkQueues;
}

/** The kernel of work on rows and messages in memory. */
export class WorkInMemory {
  readonly rows: MemoryRows;
  readonly store: WorkStore;
  readonly laneStore: LaneStore;
  readonly messages: MemoryMessages;
  /** The one for all kinds. */
  readonly queue: MessageQueue<typeof WorkMessage>;
  readonly queues: WorkQueues;
  readonly lanes: Lanes;
  /** 0 ≤ random < 1, as the next pause draws it. */
  random = 1;
  /** Slots of each lane; by default so many that nothing ever waits. */
  slotsOf: (lane: string) => number = () => 1_000;
  /** Whether operators hold a tenant. */
  isHeld: (tenant: string) => Promise<boolean> = () => Promise.resolve(false);
  /** When operators released a tenant last. */
  releasedAt: (tenant: string) => Promise<number | undefined> = () => Promise.resolve(undefined);
  readonly logged: LoggedEvent[] = [];
  readonly log = (event: string, facts: object = {}): void => void this.logged.push({ event, facts: { ...facts } });
  readonly #clock: () => Clock;
  #claims = 0;

  constructor(clock: () => Clock, { rows = new MemoryRows(), messages, queues }: MemoryStorage = {}) {
    this.#clock = clock;
    this.rows = rows;
    this.store = new WorkStore(rows);
    this.laneStore = new LaneStore(rows);
    this.messages = messages ?? new MemoryMessages(() => clock().now().getTime());
    const options = { clock: this.clock, traceparent: () => undefined };
    this.queue = new MessageQueue(this.messages, WorkMessage, options);
    this.queues = queues ?? (() => this.queue);
    const slotsOf = (lane: string): Promise<number> => Promise.resolve(this.slotsOf(lane));
    const { laneStore, log } = this;
    this.lanes = lanesOf({ laneStore, queues: this.queues, clock: this.clock, log, slotsOf });
  }

  /** The clock as it is then: a test may put another one in its place. */
  get clock(): Clock {
    const clock = this.#clock;
    return {
      now: () => clock().now(),
      sleep: (milliseconds, signal) => clock().sleep(milliseconds, signal),
      every: (milliseconds, action) => clock().every(milliseconds, action),
    };
  }

  /** Names of what was logged. */
  get events(): readonly string[] {
    return this.logged.map(({ event }) => event);
  }

  /** The messages that were sent and not taken, in the order of sending. */
  get sent(): readonly SentWork[] {
    return this.messages.sent.map(({ text }) => JSON.parse(text) as SentWork);
  }

  /** Takes the message that is due first, whenever that is; undefined when there is none. */
  takeNext(): SentWork | undefined {
    const next = [...this.sent].sort((a, b) => a.dueAt - b.dueAt)[0];
    const at = this.sent.findIndex((sent) => sent.id === next?.id && sent.dueAt === next.dueAt);
    if (next !== undefined) this.messages.sent.splice(at, 1);
    return next;
  }

  get enqueuer() {
    return enqueuer(this);
  }

  async find(key: WorkKey): Promise<WorkItem | undefined> {
    return (await this.store.find(key))?.item;
  }

  /** One attempt, as a message of the work brings it about. */
  handle(key: WorkKey, kind: WorkKind, log = this.log, store = this.store): Promise<void> {
    const newId = (): string => `claim-${(this.#claims += 1)}`;
    const { queues, lanes, clock } = this;
    return handleWork(
      {
        store,
        queues,
        lanes,
        clock,
        newId,
        random: () => this.random,
        log,
        isHeld: this.isHeld,
        releasedAt: this.releasedAt,
      },
      new Map([[kind.kind, kind]]),
    )(key);
  }

  /** What the timer does every minute. */
  async sweep() {
    return { ...(await sweepWork(this)()), ...(await sweepLanes(this)()) };
  }

  /** Leaves an item's ticket and gives free slots; the item itself needs no message. @returns whether it has a slot */
  async takeSlot(lane: string, ticket: Ticket): Promise<boolean> {
    const before = new Set(this.messages.sent);
    await this.laneStore.ask(lane, ticket);
    await this.lanes.fill(lane);
    const isOwn = (text: string): boolean => nameOf(JSON.parse(text) as SentWork) === nameOf(ticket);
    const kept = this.messages.sent.filter((sent) => before.has(sent) || !isOwn(sent.text));
    this.messages.sent.splice(0, Infinity, ...kept);
    return (await this.laneStore.read(lane, 1)).state.holders.some((holder) => nameOf(holder) === nameOf(ticket));
  }

  /** How many tickets wait in all lanes. */
  async waitingTickets(): Promise<number> {
    let count = 0;
    for await (const page of this.rows.scan({ prefix: 'T|' }, { partitionPrefix: 'lane|' })) count += page.length;
    return count;
  }

  resendDeadLetter(key: WorkKey): Promise<void> {
    return resendDeadLetter(this)(key);
  }
}
