import type { Row, Rows } from '../storage/rows.js';
import type { NoticeOwner } from '../notices/notice.js';
import type { Webhook, WebhookKey } from './webhook.js';

export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly etag: string;
}

interface WebhookRow {
  readonly json: string;
}

const PREFIX = 'W_';
const storedOf = ({ json, etag }: Row<WebhookRow>): StoredWebhook => ({ webhook: JSON.parse(json) as Webhook, etag });
const rowOf = (webhook: Webhook): WebhookRow => ({ json: JSON.stringify(webhook) });

/** Table `webhooks`: PartitionKey is the owner, RowKey `W_<id>`. Who listens stands beside (see listenerStore.ts). */
export class WebhookStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find({ owner, id }: WebhookKey): Promise<StoredWebhook | undefined> {
    const row = await this.#rows.find<WebhookRow>(owner, `${PREFIX}${id}`);
    return row && storedOf(row);
  }

  async list(owner: NoticeOwner): Promise<readonly StoredWebhook[]> {
    return (await this.#rows.range<WebhookRow>(owner, { prefix: PREFIX })).map(storedOf);
  }

  /** @returns false when there is one of this id */
  async insert(webhook: Webhook): Promise<boolean> {
    const written = await this.#rows.insert(webhook.owner, `${PREFIX}${webhook.id}`, rowOf(webhook));
    return written !== undefined;
  }

  /** @returns false when somebody else has written since */
  async replace({ etag }: StoredWebhook, next: Webhook): Promise<boolean> {
    return (await this.#rows.update(next.owner, `${PREFIX}${next.id}`, rowOf(next), etag)) !== undefined;
  }

  async remove({ owner, id }: WebhookKey): Promise<void> {
    await this.#rows.delete(owner, `${PREFIX}${id}`);
  }
}
