import { randomUUID } from 'node:crypto';
import { ListenerStore } from '../../../shared/notices/log/listenerStore.js';
import { NoticeLogStore } from '../../../shared/notices/log/noticeLogStore.js';
import { DeliveryStore } from '../../../shared/notices/webhooks/deliveryStore.js';
import { changeWebhook, createWebhook } from '../../../shared/notices/managing/manageWebhooks.js';
import { SecretBox } from '../../../shared/notices/secrets/secretBox.js';
import { wakeWebhooks } from '../../../shared/notices/sending/wakeWebhooks.js';
import { webhookKind } from '../../../shared/notices/sending/webhookKind.js';
import type { CallReceiver, ReceiverAnswer, ReceiverRequest } from '../../../shared/notices/webhooks/webhookClient.js';
import type { WebhookPorts } from '../../../shared/notices/webhooks/webhookPorts.js';
import type { NewWebhook } from '../../../shared/notices/managing/webhookSchemas.js';
import { WebhookStore } from '../../../shared/notices/webhooks/webhookStore.js';
import type { Webhook } from '../../../shared/notices/webhooks/webhook.js';
import type { NoticeOwner } from '../../../shared/notices/log/noticeOwner.js';
import { Seats } from '../../../shared/work/lanes/seats.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import type { WorkQueues } from '../../../shared/work/item/workMessage.js';
import { aNotice } from '../log/noticesUnderTest.js';
import { CountedRows } from '../log/countedRows.js';
import { ManualClock } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

export const owner = 'c_demo-farm' as const;
const origin = 'https://api.partner.example';

/** A receiver that consents, and answers as the test says. */
export class ReceiverInTests {
  readonly posts: ReceiverRequest[] = [];
  readonly asks: ReceiverRequest[] = [];
  consents = true;
  /** Requests a minute that it names with its consent. */
  allowedRate: string | undefined;
  answer: (post: ReceiverRequest, count: number) => Partial<ReceiverAnswer> = () => ({ status: 204 });

  readonly call: CallReceiver = (request) => {
    if (request.method === 'OPTIONS') {
      this.asks.push(request);
      return Promise.resolve({
        status: 200,
        durationMs: 1,
        ...(this.consents ? { allowedOrigin: 'api.partner.example' } : {}),
        ...(this.allowedRate === undefined ? {} : { allowedRate: this.allowedRate }),
      });
    }
    this.posts.push(request);
    return Promise.resolve({ durationMs: 1, ...this.answer(request, this.posts.length) });
  };

  /** Ids of the events that came, in the order of arrival. */
  get ids(): readonly string[] {
    return this.posts.map(({ headers }) => headers['webhook-id'] ?? '');
  }
}

/** Webhooks over storage in memory, in a time that tests move. */
export class WebhookWorld {
  readonly clock = new ManualClock('2026-05-04T06:00:00Z');
  readonly kernel: WorkInMemory;
  readonly webhookRows = new CountedRows();
  readonly noticeRows = new CountedRows();
  readonly receivers = new Map<string, ReceiverInTests>();
  readonly ports: WebhookPorts;
  readonly seats = new Seats();

  /** @param queues over which its work goes; one for all when absent */
  constructor(queues?: (clock: ManualClock) => WorkQueues) {
    const { clock } = this;
    const kernel = new WorkInMemory(() => clock, queues === undefined ? {} : { queues: queues(clock) });
    this.kernel = kernel;
    const ports = {
      webhooks: new WebhookStore(this.webhookRows),
      deliveries: new DeliveryStore(this.noticeRows, () => clock.now().getTime()),
      log: new NoticeLogStore({ rows: this.noticeRows, clock, source: origin }),
      listeners: new ListenerStore(this.webhookRows, clock),
      work: kernel.enqueuer,
      box: new SecretBox(new Map([['1', Buffer.alloc(32, 7)]])),
      rule: { ownHost: 'api.partner.example', localHosts: [] },
      call: ((request, signal) => this.receiver(request.url).call(request, signal)) satisfies CallReceiver,
      origin,
      clock,
      newId: randomUUID,
      random: () => 0.5,
      logLine: kernel.log,
    };
    this.ports = { ...ports, wake: wakeWebhooks(ports) };
    kernel.slotsOf = () => 4;
  }

  receiver(url = 'https://farm.example/hooks'): ReceiverInTests {
    const known = this.receivers.get(url) ?? new ReceiverInTests();
    this.receivers.set(url, known);
    return known;
  }

  /** A webhook whose receiver has been asked. */
  async webhook(wanted: Partial<NewWebhook> = {}): Promise<Webhook> {
    const webhook = await this.create(owner, wanted);
    await this.work();
    return this.stored(webhook);
  }

  /** A webhook whose receiver is asked when its work is done. */
  async create(of: NoticeOwner, wanted: Partial<NewWebhook> = {}): Promise<Webhook> {
    const asked = { url: 'https://farm.example/hooks', ...wanted };
    return (await createWebhook(this.ports)(of, asked, undefined)).webhook;
  }

  async stored({ id }: Pick<Webhook, 'id'>): Promise<Webhook> {
    return (await this.ports.webhooks.find({ owner, id }))!.webhook;
  }

  change(webhook: Webhook, ...[wanted]: [Parameters<ReturnType<typeof changeWebhook>>[1]]): Promise<Webhook> {
    return changeWebhook(this.ports)(webhook, wanted);
  }

  /** Events stand in the log, and the webhooks are woken. */
  async tell(...ids: readonly string[]): Promise<void> {
    await this.ports.log.append(
      owner,
      ids.map((id) => ({ notice: aNotice(id) })),
    );
    await this.ports.wake(owner, ['partner.job.succeeded']);
  }

  /** Whatever is due now. */
  async work(): Promise<void> {
    for (let turn = 0; turn < 100; turn += 1) {
      const text = this.kernel.messages.take();
      if (text === undefined) return;
      await this.handle(JSON.parse(text) as WorkKey);
    }
  }

  handle(key: WorkKey): Promise<void> {
    return this.kernel.handle(key, webhookKind(this.ports, 60_000, this.seats));
  }

  /** So many minutes pass, with their sweeps. */
  async pass(minutes: number, step = 1): Promise<void> {
    for (let minute = 0; minute < minutes; minute += step) {
      await this.clock.advance(step * 60_000);
      await this.kernel.sweep();
      // Slots of lanes are given a moment later.
      await this.clock.advance(1_500);
      await this.work();
    }
  }
}
