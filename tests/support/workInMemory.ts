import type { Clock } from '../../shared/clock.js';
import { MessageQueue } from '../../shared/storage/messageQueue.js';
import { enqueuer } from '../../shared/work/enqueue.js';
import { handleWork } from '../../shared/work/handleWork.js';
import { resendDeadLetter, sweepWork } from '../../shared/work/sweepWork.js';
import type { WorkItem, WorkKey } from '../../shared/work/workItem.js';
import type { WorkKind } from '../../shared/work/workKind.js';
import { WorkMessage } from '../../shared/work/workMessage.js';
import { WorkStore } from '../../shared/work/workStore.js';
import { MemoryMessages } from './memoryMessages.js';
import { MemoryRows } from './memoryRows.js';

/** A message as a queue of work holds it. */
export interface SentWork extends WorkKey {
  /** Milliseconds since 1970 UTC. */
  readonly dueAt: number;
}

/** The kernel of work on rows and messages in memory, with one queue for all kinds. */
export class WorkInMemory {
  readonly rows = new MemoryRows();
  readonly store = new WorkStore(this.rows);
  readonly messages: MemoryMessages;
  readonly queues: () => MessageQueue<typeof WorkMessage>;
  /** 0 ≤ random < 1, as the next pause draws it. */
  random = 1;
  /** Events of sweeps and dead letters. */
  readonly events: string[] = [];
  readonly log = (event: string): void => void this.events.push(event);
  readonly #clock: () => Clock;
  #claims = 0;

  constructor(clock: () => Clock) {
    this.#clock = clock;
    this.messages = new MemoryMessages(() => clock().now().getTime());
    const options = { clock: this.clock, traceparent: () => undefined };
    const queue = new MessageQueue(this.messages, WorkMessage, options);
    this.queues = () => queue;
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

  /** The messages that were sent and not taken, in the order of sending. */
  get sent(): readonly SentWork[] {
    return this.messages.sent.map(({ text }) => JSON.parse(text) as SentWork);
  }

  get enqueuer() {
    return enqueuer(this);
  }

  async find(key: WorkKey): Promise<WorkItem | undefined> {
    return (await this.store.find(key))?.item;
  }

  /** One attempt, as a message of the work brings it about. */
  handle(key: WorkKey, kind: WorkKind, log: (event: string) => void = () => undefined): Promise<void> {
    const newId = (): string => `claim-${(this.#claims += 1)}`;
    const { store, queues, clock } = this;
    return handleWork(
      { store, queues, clock, newId, random: () => this.random, log },
      new Map([[kind.kind, kind]]),
    )(key);
  }

  sweep() {
    return sweepWork(this)();
  }

  resendDeadLetter(key: WorkKey): Promise<void> {
    return resendDeadLetter(this)(key);
  }
}
