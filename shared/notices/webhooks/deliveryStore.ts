/**
 * What became of events at webhooks: rows of table `notices` beside the log of their owner. RowKeys:
 *
 * - `S_<webhook>`: how far the webhook has come, and how its receiver is
 * - `R_<webhook>_<due>_<place>`: an event that is to be sent once more
 * - `A_<webhook>_<inverse place>`: an event with its tries, the newest first
 */
import type { Action, Row, Rows } from '../../storage/rows.js';
import { sequenceText } from '../log/cloudEvent.js';
import type { NoticeOwner } from '../log/noticeOwner.js';
import type { WebhookKey } from './webhook.js';

/** How a webhook stands. Instants are milliseconds since 1970 UTC. */
export interface WebhookState {
  /** Place of the latest event that needs no look any more. */
  readonly cursor: number;
  readonly lastSuccessAt?: number;
  /** Of the first failure since the latest success. */
  readonly failingSince?: number;
  /** Failures in a row. */
  readonly failures: number;
  /** Events in a row that were given up. */
  readonly givenUp: number;
  /** While its receiver counts as away: failed probes, and the next one. */
  readonly breaker?: { readonly probes: number; readonly probeAt: number };
  /** Its receiver has asked for a pause until then. */
  readonly waitUntil?: number;
  /** Its answers take so long that it must not hold up others. */
  readonly isSlow?: boolean;
}

export interface Try {
  readonly at: number;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

/** An event at a webhook. */
export interface Delivery {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly status: 'delivered' | 'retrying' | 'failed';
  /** The latest ten. */
  readonly tries: readonly Try[];
  /** Tries so far. */
  readonly count: number;
  readonly nextAt?: number;
}

export interface DueRetry {
  readonly rowKey: string;
  readonly delivery: Delivery;
}

export interface StoredState {
  readonly state: WebhookState;
  /** Absent while none is stored. */
  readonly etag: string | undefined;
}

interface JsonRow {
  readonly json: string;
}
interface DeliveryRow extends JsonRow {
  readonly status: string;
  /** Of the latest write, for the nightly deletion. */
  readonly at: number;
}

const LAST_SEQUENCE = 9_999_999_999_999;
const stateKey = (id: string): string => `S_${id}`;
const deliveryPrefix = (id: string): string => `A_${id}_`;
const inverseOf = (sequence: number): string => sequenceText(LAST_SEQUENCE - sequence);
const deliveryKey = (id: string, sequence: number): string => `${deliveryPrefix(id)}${inverseOf(sequence)}`;
const retryPrefix = (id: string): string => `R_${id}_`;
const retryKey = (id: string, due: number, sequence: number): string =>
  `${retryPrefix(id)}${new Date(due).toISOString()}_${sequenceText(sequence)}`;
const stateOf = ({ json }: JsonRow): WebhookState => JSON.parse(json) as WebhookState;
const deliveryOf = ({ json }: JsonRow): Delivery => JSON.parse(json) as Delivery;

/** What one visit has found out, for one transaction. */
export interface VisitResult {
  readonly state: WebhookState;
  readonly deliveries: readonly Delivery[];
  /** Retries that were made now. */
  readonly done: readonly DueRetry[];
}

export class DeliveryStore {
  readonly #rows: Rows;
  readonly #now: () => number;

  /** @param rows table `notices` */
  constructor(rows: Rows, now: () => number) {
    this.#rows = rows;
    this.#now = now;
  }

  async findState({ owner, id }: WebhookKey, startsAfter: number): Promise<StoredState> {
    const row = await this.#rows.find<JsonRow>(owner, stateKey(id));
    if (row === undefined) return { state: { cursor: startsAfter, failures: 0, givenUp: 0 }, etag: undefined };
    return { state: stateOf(row), etag: row.etag };
  }

  /** The states of all webhooks of an owner, by id. */
  async states(owner: NoticeOwner): Promise<ReadonlyMap<string, WebhookState>> {
    const rows = await this.#rows.range<JsonRow>(owner, { prefix: 'S_' });
    return new Map(rows.map((row) => [row.rowKey.slice(2), stateOf(row)]));
  }

  /** Events that are due once more, and when the next one is. */
  async retries({ owner, id }: WebhookKey, most: number): Promise<readonly (DueRetry & { readonly dueAt: number })[]> {
    const rows = await this.#rows.range<JsonRow>(owner, { prefix: retryPrefix(id) }, { most });
    return rows.map((row) => ({ rowKey: row.rowKey, delivery: deliveryOf(row), dueAt: dueOf(row, id) }));
  }

  /** @returns the state as it is then; undefined when somebody else has written it since, and nothing was written */
  async write({ owner, id }: WebhookKey, stored: StoredState, result: VisitResult): Promise<StoredState | undefined> {
    const value: JsonRow = { json: JSON.stringify(result.state) };
    const key = stateKey(id);
    const state: Action =
      stored.etag === undefined ? { insert: key, value } : { update: key, value, etag: stored.etag };
    const etags = await this.#rows.transact(owner, [state, ...this.#changes(id, result)]);
    return etags && { state: result.state, etag: etags.get(key) };
  }

  #changes(id: string, { deliveries: all, done }: VisitResult): readonly Action[] {
    // An event that was to be sent once more may be due for another reason, too: its row is written once.
    const deliveries = [...new Map(all.map((one) => [one.sequence, one])).values()];
    const next = deliveries.flatMap((delivery): Action[] =>
      delivery.nextAt === undefined
        ? []
        : [{ put: retryKey(id, delivery.nextAt, delivery.sequence), value: { json: JSON.stringify(delivery) } }],
    );
    const kept = new Set(next.map((action) => ('put' in action ? action.put : '')));
    const gone = done.filter(({ rowKey }) => !kept.has(rowKey)).map(({ rowKey }): Action => ({ delete: rowKey }));
    const shown = deliveries.map((delivery): Action => ({
      put: deliveryKey(id, delivery.sequence),
      value: this.#rowOf(delivery),
    }));
    return [...shown, ...next, ...gone];
  }

  /** Has an event sent once more, whatever became of it. */
  async redeliver({ owner, id }: WebhookKey, delivery: Delivery): Promise<void> {
    const nextAt = this.#now();
    const again: Delivery = { ...delivery, status: 'retrying', count: 0, nextAt };
    await this.#rows.put<JsonRow>(owner, retryKey(id, nextAt, delivery.sequence), { json: JSON.stringify(again) });
    await this.#rows.put<DeliveryRow>(owner, deliveryKey(id, delivery.sequence), this.#rowOf(again));
  }

  #rowOf(delivery: Delivery): DeliveryRow {
    return { json: JSON.stringify(delivery), status: delivery.status, at: this.#now() };
  }

  /** Newest events first. @param after position of the last of the page before */
  async list(
    { owner, id }: WebhookKey,
    {
      status,
      after = '',
      most,
    }: { readonly status?: string | undefined; readonly after?: string | undefined; readonly most: number },
  ): Promise<readonly { readonly delivery: Delivery; readonly position: string }[]> {
    const prefix = deliveryPrefix(id);
    const where = status === undefined ? {} : { where: { column: 'status', equals: status } };
    const rows = await this.#rows.range<DeliveryRow>(owner, { prefix, above: `${prefix}${after}` }, { ...where, most });
    return rows.map((row) => ({ delivery: deliveryOf(row), position: row.rowKey.slice(prefix.length) }));
  }

  /** Deletes all of a webhook; can be repeated. */
  async removeAll({ owner, id }: WebhookKey): Promise<void> {
    for (const prefix of [deliveryPrefix(id), retryPrefix(id)]) {
      const rows = await this.#rows.range(owner, { prefix }, { select: [] });
      await this.#rows.deleteMany(
        owner,
        rows.map(({ rowKey }) => rowKey),
      );
    }
    await this.#rows.delete(owner, stateKey(id));
  }

  /** Deletes deliveries older than an instant. */
  async expire(owner: NoticeOwner, before: number): Promise<void> {
    const where = { column: 'at', atMost: before };
    const rows = await this.#rows.range(owner, { prefix: 'A_' }, { where, select: [] });
    await this.#rows.deleteMany(
      owner,
      rows.map(({ rowKey }) => rowKey),
    );
  }
}

const dueOf = ({ rowKey }: Row<JsonRow>, id: string): number =>
  Date.parse(rowKey.slice(retryPrefix(id).length).split('_')[0] ?? '');
