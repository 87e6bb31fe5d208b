import type { Clock } from '../../kit/clock.js';
import type { NewId } from '../../kit/ids.js';
import type { ListenerStore } from '../log/listenerStore.js';
import type { NoticeLogStore } from '../log/noticeLogStore.js';
import type { NoticeOwner } from '../log/noticeOwner.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { DeliveryStore } from './deliveryStore.js';
import type { ReceiverRule } from './receiverRule.js';
import type { SecretBox } from '../secrets/secretBox.js';
import type { CallReceiver } from './webhookClient.js';
import type { WebhookStore } from './webhookStore.js';

/** What webhooks are kept, asked and sent with. */
export interface WebhookPorts {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly log: NoticeLogStore;
  readonly listeners: ListenerStore;
  readonly work: Pick<Enqueuer, 'ask'>;
  readonly box: SecretBox;
  readonly rule: ReceiverRule;
  readonly call: CallReceiver;
  /** Address of the service, the source of its events. */
  readonly origin: string;
  readonly clock: Clock;
  readonly newId: NewId;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  readonly logLine: Log;
  /** Has whoever is sent the log of an owner look into it. */
  readonly wake: (owner: NoticeOwner, types: readonly string[]) => Promise<void>;
}
