import type { Action, Row, Rows } from '../../storage/rows.js';
import type { NoticeOwner } from '../log/noticeOwner.js';
import type { Webhook, WebhookKey } from './webhook.js';

export interface StoredWebhook {
  readonly webhook: Webhook;
  readonly etag: string;
}

interface WebhookRow {
  readonly json: string;
}

/** What an owner has, as it was read at one moment: a webhook more is written only while no other has come since. */
export interface HeldWebhooks {
  readonly webhooks: readonly StoredWebhook[];
  readonly creates: Row<CreatesRow> | undefined;
}

/** Beside the webhooks of an owner: how many were ever created, so that of two creates at once one is refused. */
interface CreatesRow {
  readonly count: number;
}
const CREATES = 'creates';

/** What the RowKeys of webhooks begin with. */
export const WEBHOOK_PREFIX = 'W_';
/** The webhook of a row. */
export const webhookIn = ({ json, etag }: Row<WebhookRow>): StoredWebhook => ({
  webhook: JSON.parse(json) as Webhook,
  etag,
});
const rowOf = (webhook: Webhook): WebhookRow => ({ json: JSON.stringify(webhook) });

/** Table `webhooks`: PartitionKey is the owner, RowKey `W_<id>`, and `creates` for their count. Who listens stands beside (see listenerStore.ts). */
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

  /** All of an owner, for a create that has to know how many there are. */
  async held(owner: NoticeOwner): Promise<HeldWebhooks> {
    const rows = await this.#rows.range<WebhookRow & CreatesRow>(owner);
    const creates = rows.find(({ rowKey }) => rowKey === CREATES);
    return { webhooks: rows.filter(({ rowKey }) => rowKey.startsWith(WEBHOOK_PREFIX)).map(webhookIn), creates };
  }

  /** @returns false when another was created since they were read, and nothing was written */
  async insert(webhook: Webhook, { creates }: HeldWebhooks): Promise<boolean> {
    const value: CreatesRow = { count: (creates?.count ?? 0) + 1 };
    const counted: Action =
      creates === undefined ? { insert: CREATES, value } : { update: CREATES, value, etag: creates.etag };
    const added: Action = { insert: `${WEBHOOK_PREFIX}${webhook.id}`, value: rowOf(webhook) };
    return (await this.#rows.transact(webhook.owner, [counted, added])) !== undefined;
  }

  /** @returns false when somebody else has written since */
  async replace({ etag }: StoredWebhook, next: Webhook): Promise<boolean> {
    return (await this.#rows.update(next.owner, `${WEBHOOK_PREFIX}${next.id}`, rowOf(next), etag)) !== undefined;
  }

  /** Forgets how many an owner without webhooks has created; a create at the same moment begins anew. */
  async forget(owner: NoticeOwner): Promise<void> {
    await this.#rows.delete(owner, CREATES);
  }

  async remove({ owner, id }: WebhookKey): Promise<void> {
    await this.#rows.delete(owner, `${WEBHOOK_PREFIX}${id}`);
  }
}
