import { createHash } from 'node:crypto';
import type { Belongings } from '../customers/purgeCustomer.js';
import type { Row, Rows } from '../storage/rows.js';
import {
  markKinds,
  type DueMarks,
  type MarkKey,
  type MarkKind,
  type MarkStore,
  type OpenMark,
  type StoredMark,
} from './openMark.js';

/** Partitions of a kind: what one of them answers in one request is enough for ten thousand customers. */
const BUCKETS = ['0', '1', '2', '3'] as const;

/** No customer's name holds this character, so the row is nobody's; it is always due. */
const TAKEN_OVER = '|';

interface MarkRow {
  readonly checkAt: string;
  readonly raisedAt: string;
}

const bucketOf = (customer: string): string =>
  BUCKETS[(createHash('sha256').update(customer).digest()[0] ?? 0) % 4] ?? '0';
const partitionOf = ({ kind, customer }: Pick<MarkKey, 'kind' | 'customer'>): string => `${kind}${bucketOf(customer)}`;

const markOf = (kind: MarkKind, { rowKey, checkAt, raisedAt }: Row<MarkRow>): OpenMark => ({
  ...{ kind, customer: rowKey },
  ...{ checkAt: Date.parse(checkAt), raisedAt: Date.parse(raisedAt) },
});

/** Table `marks`: PartitionKey `<kind><bucket>`, RowKey the customer. */
export class TableMarkStore implements MarkStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async raise(mark: OpenMark): Promise<void> {
    const [checkAt, raisedAt] = [mark.checkAt, mark.raisedAt].map((instant) => new Date(instant).toISOString());
    await this.#rows.put(partitionOf(mark), mark.customer, { checkAt, raisedAt });
  }

  async listDue(kind: MarkKind, now: number): Promise<DueMarks> {
    const where = { column: 'checkAt', atMost: new Date(now).toISOString() };
    const found = await Promise.all(
      BUCKETS.map((bucket) => this.#rows.range<MarkRow>(`${kind}${bucket}`, {}, { where })),
    );
    const rows = found.flat();
    const due = rows.filter(({ rowKey }) => rowKey !== TAKEN_OVER);
    return {
      due: due.map((row): StoredMark => ({ mark: markOf(kind, row), etag: row.etag })),
      isTakenOver: due.length < rows.length,
    };
  }

  async settle({ mark, etag }: StoredMark, checkAt: number | undefined): Promise<void> {
    const [partitionKey, rowKey] = [partitionOf(mark), mark.customer];
    if (checkAt === undefined) await this.#rows.delete(partitionKey, rowKey, etag);
    else await this.#rows.patch(partitionKey, rowKey, { checkAt: new Date(checkAt).toISOString() }, etag);
  }

  async lower(key: MarkKey): Promise<void> {
    await this.#rows.delete(partitionOf(key), key.customer);
  }

  async finishTakeOver(kind: MarkKind): Promise<void> {
    const always = new Date(0).toISOString();
    await this.#rows.put(`${kind}${BUCKETS[0]}`, TAKEN_OVER, { checkAt: always, raisedAt: always });
  }
}

/** After a restore: rows came back that have no mark, so the next sweeps mark everything that is open. */
export async function forgetTakeOver(rows: Rows): Promise<void> {
  for (const kind of markKinds) await rows.delete(`${kind}${BUCKETS[0]}`, TAKEN_OVER);
}

/** The marks of a customer, for its purge. */
export function markBelongings(name: string, rows: Rows): Belongings {
  const keysOf = async (kind: MarkKind, customer: string): Promise<string[]> => {
    const found = await rows.find(partitionOf({ kind, customer }), customer);
    return found === undefined ? [] : [customer];
  };
  return {
    name,
    count: async (customer) => (await Promise.all(markKinds.map((kind) => keysOf(kind, customer)))).flat().length,
    removeAll: async (customer) => {
      let removed = 0;
      for (const kind of markKinds) {
        const rowKeys = await keysOf(kind, customer);
        await rows.deleteMany(partitionOf({ kind, customer }), rowKeys);
        removed += rowKeys.length;
      }
      return removed;
    },
  };
}
