import { functionTable } from '../../functions/functionTable.js';
import type { JsonObject } from '../../shared/kit/json/json.js';
import { noticeKind, type FindNotices } from '../../shared/notices/log/noticeKind.js';
import { NOTICE, noticeWork } from '../../shared/notices/log/outbox.js';
import type { NoticeOwner } from '../../shared/notices/log/noticeOwner.js';
import type { Services } from '../../shared/wiring/services.js';
import { workQueues } from '../../shared/wiring/areas/workServices.js';
import type { QueueName } from '../../shared/storage/names.js';
import type { ReceiverAnswer, ReceiverRequest } from '../../shared/notices/webhooks/webhookClient.js';
import { webhookKind } from '../../shared/notices/sending/webhookKind.js';
import type { WorkKey } from '../../shared/work/item/workItem.js';
import { aNotice } from './log/noticesUnderTest.js';
import { hostQueue } from '../support/hostQueues.js';
import type { ManualClock } from '../support/manualClock.js';
import { MemoryMessages } from '../support/memoryMessages.js';
import { WebhookWorld } from './sending/webhookWorld.js';

const QUEUES = new Set<QueueName>(['notices', 'visits']);
const LEASE_MS = 60_000;
/** What the requests to storage take for one message. */
const STORAGE_MS = 20;
const MINUTE_MS = 60_000;
const none: FindNotices = () => Promise.resolve({ entries: [] });

/** The event with this share of the values below it. */
export const p95Of = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Infinity;

/** Relays and visits on one instance whose host takes messages by its own rule, in a time that tests move. */
export class OneHost {
  readonly #queues = new Map<QueueName, MemoryMessages>();
  readonly #answers = new Map<string, Partial<ReceiverAnswer>>();
  readonly #world = new WebhookWorld((clock) =>
    workQueues({ messages: (name) => this.#queue(clock, name) }, clock, () => undefined),
  );
  #sweptAt = 0;

  constructor() {
    const { clock, ports, kernel } = this.#world;
    const call = async ({ url, method }: ReceiverRequest): Promise<ReceiverAnswer> => {
      const { durationMs = 0, ...answer } = this.#answers.get(url) ?? {};
      if (method === 'OPTIONS') return { status: 200, durationMs: 1, allowedOrigin: '*' };
      await clock.sleep(durationMs);
      return { ...answer, durationMs };
    };
    Object.assign(ports, { call });
    const relaying = {
      ...{ log: ports.log, wake: ports.wake, clock, logLine: kernel.log },
      ...{ origins: { enrollment: none, images: none, backfill: none }, listens: () => Promise.resolve(true) },
    };
    const all = [webhookKind(ports, LEASE_MS, this.#world.seats), noticeKind(relaying, LEASE_MS)];
    const kinds = new Map(all.map((kind) => [kind.kind, kind]));
    const services = {
      handleWork: async (key: WorkKey) => {
        await clock.sleep(STORAGE_MS);
        return kernel.handle(key, kinds.get(key.kind)!);
      },
      isDrained: () => Promise.resolve(false),
    } as unknown as Services;
    for (const { queue, handle } of functionTable.queues) {
      if (!QUEUES.has(queue)) continue;
      void hostQueue(clock, this.#queue(clock, queue), (text) => handle(JSON.parse(text), services));
    }
  }

  #queue(clock: ManualClock, name: QueueName): MemoryMessages {
    const queue = this.#queues.get(name) ?? new MemoryMessages(() => clock.now().getTime());
    this.#queues.set(name, queue);
    return queue;
  }

  /** Webhooks of an owner whose receivers have consented, and answer events so. */
  async listen(owner: NoticeOwner, answers: readonly Partial<ReceiverAnswer>[]): Promise<void> {
    for (const [number, answer] of answers.entries()) {
      const url = `https://${owner.slice(2)}-${number}.example/hooks`;
      this.#answers.set(url, answer);
      await this.#world.create(owner, { url });
    }
    await this.pass(MINUTE_MS);
  }

  /** Something ends: its event is to be told. */
  async tell(owner: NoticeOwner, id: string): Promise<void> {
    const notice = aNotice(id, { time: this.#world.clock.now().toISOString() });
    const facts = { notice: notice as unknown as JsonObject };
    await this.#world.kernel.enqueuer.ask({ kind: NOTICE, id: noticeWork(owner, 'event', id).id, facts });
  }

  /** Time passes, with a sweep each minute. */
  async pass(milliseconds: number): Promise<void> {
    const { clock, kernel } = this.#world;
    await clock.advance(milliseconds);
    if (clock.now().getTime() - this.#sweptAt < MINUTE_MS) return;
    this.#sweptAt = clock.now().getTime();
    await kernel.sweep();
  }

  /** How late events of an owner were, as the lines of the log say, milliseconds. */
  lags(owner: NoticeOwner, event: 'Notice:Relayed' | 'Notice:Delivered'): readonly number[] {
    const lines = this.#world.kernel.logged.filter((line) => line.event === event && line.facts['owner'] === owner);
    return lines.map(({ facts }) => Number(facts['lagMs']));
  }
}
