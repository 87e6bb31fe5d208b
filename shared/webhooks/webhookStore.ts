import type { Row, Rows } from '../storage/rows.js';
import type { NoticeOwner } from '../owner.js';
import type { Webhook, WebhookKey } from './webhook.js';

export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly etag: string;
}

interface WebhookRow {
  readonly json: string;
}

/** What the RowKeys of webhooks begin with. */
export const WEBHOOK_PREFIX = 'W_';
/** The webhook of a row. */
export const webhookIn = ({ json, etag }: Row<WebhookRow>): StoredWebhook => ({
  webhook: JSON.parse(json) as Webhook,
  etag,
});
const rowOf = (webhook: Webhook): WebhookRow => ({ json: JSON.stringify(webhook) });

/** Table `webhooks`: PartitionKey is the owner, RowKey `W_<id>`. Who listens stands beside (see listenerStore.ts). */
export class WebhookStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find({ owner, id }: WebhookKey): Promise<StoredWebhook | undefined> {
    const row = await this.#rows.find<WebhookRow>(owner, `${WEBHOOK_PREFIX}${id}`);
    return row && webhookIn(row);
  }

  async list(owner: NoticeOwner): Promise<readonly StoredWebhook[]> {
    return (await this.#rows.range<WebhookRow>(owner, { prefix: WEBHOOK_PREFIX })).map(webhookIn);
  }

  /** @returns false when there is one of this id */
  async insert(webhook: Webhook): Promise<boolean> {
    const written = await this.#rows.insert(webhook.owner, `${WEBHOOK_PREFIX}${webhook.id}`, rowOf(webhook));
    return written !== undefined;
  }

  /** @returns false when somebody else has written since */
  async replace({ etag }: StoredWebhook, next: Webhook): Promise<boolean> {
    return (await this.#rows.update(next.owner, `${WEBHOOK_PREFIX}${next.id}`, rowOf(next), etag)) !== undefined;
  }

  async remove({ owner, id }: WebhookKey): Promise<void> {
    await this.#rows.delete(owner, `${WEBHOOK_PREFIX}${id}`);
  }
}
