import { odata, type TableClient } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import type { Belongings } from '../customers/purgeCustomer.js';
import { fromStorage, unlessStatus } from '../storage/storageErrors.js';
import { deleteRows, listRows, type ReadRow } from '../storage/tableRows.js';
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

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type MarkRow = { readonly checkAt: string; readonly raisedAt: string };

const bucketOf = (customer: string): string =>
  BUCKETS[(createHash('sha256').update(customer).digest()[0] ?? 0) % 4] ?? '0';
const rowKeyOf = ({ customer, enrollmentId }: MarkKey): string =>
  enrollmentId === undefined ? customer : `${customer}|${enrollmentId}`;
const keyOf = (key: MarkKey) => ({ partitionKey: `${key.kind}${bucketOf(key.customer)}`, rowKey: rowKeyOf(key) });

function markOf(kind: MarkKind, { rowKey, checkAt, raisedAt }: ReadRow<MarkRow>): OpenMark {
  const [customer = '', enrollmentId] = rowKey.split('|');
  const times = { checkAt: Date.parse(checkAt), raisedAt: Date.parse(raisedAt) };
  return { kind, customer, ...(enrollmentId === undefined ? {} : { enrollmentId }), ...times };
}

/** Table `marks`: PartitionKey `<kind><bucket>`, RowKey `<customer>` or `<customer>|<enrollment>`. */
export class TableMarkStore implements MarkStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async raise(mark: OpenMark): Promise<void> {
    const times = { checkAt: new Date(mark.checkAt).toISOString(), raisedAt: new Date(mark.raisedAt).toISOString() };
    await fromStorage(() => this.#table.upsertEntity({ ...keyOf(mark), ...times }, 'Replace'));
  }

  async listDue(kind: MarkKind, now: number): Promise<DueMarks> {
    const until = new Date(now).toISOString();
    const found = await Promise.all(
      BUCKETS.map((bucket) =>
        listRows<MarkRow>(this.#table, odata`PartitionKey eq ${`${kind}${bucket}`} and checkAt le ${until}`),
      ),
    );
    const rows = found.flat();
    const due = rows.filter(({ rowKey }) => rowKey !== TAKEN_OVER);
    return {
      due: due.map((row): StoredMark => ({ mark: markOf(kind, row), etag: row.etag })),
      isTakenOver: due.length < rows.length,
    };
  }

  async settle({ mark, etag }: StoredMark, checkAt: number | undefined): Promise<void> {
    const { partitionKey, rowKey } = keyOf(mark);
    await unlessStatus([404, 412], () =>
      checkAt === undefined
        ? this.#table.deleteEntity(partitionKey, rowKey, { etag })
        : this.#table.updateEntity({ partitionKey, rowKey, checkAt: new Date(checkAt).toISOString() }, 'Merge', {
            etag,
          }),
    );
  }

  async lower(key: MarkKey): Promise<void> {
    const { partitionKey, rowKey } = keyOf(key);
    await unlessStatus([404], () => this.#table.deleteEntity(partitionKey, rowKey));
  }

  async finishTakeOver(kind: MarkKind): Promise<void> {
    const always = new Date(0).toISOString();
    const row = { partitionKey: `${kind}${BUCKETS[0]}`, rowKey: TAKEN_OVER, checkAt: always, raisedAt: always };
    await fromStorage(() => this.#table.upsertEntity(row, 'Replace'));
  }
}

/** After a restore: rows came back that have no mark, so the next sweeps mark everything that is open. */
export async function forgetTakeOver(table: TableClient): Promise<void> {
  for (const kind of markKinds) {
    await unlessStatus([404], () => table.deleteEntity(`${kind}${BUCKETS[0]}`, TAKEN_OVER));
  }
}

/** The marks of a customer, for its purge. */
export function markBelongings(name: string, table: TableClient): Belongings {
  const keysOf = async (kind: MarkKind, customer: string): Promise<string[]> => {
    const { partitionKey } = keyOf({ kind, customer });
    // `}` is the character behind `|`.
    const own = odata`PartitionKey eq ${partitionKey} and RowKey ge ${customer} and RowKey lt ${`${customer}}`}`;
    const rows = await listRows<object>(table, own);
    return rows
      .map(({ rowKey }) => rowKey)
      .filter((rowKey) => rowKey === customer || rowKey.startsWith(`${customer}|`));
  };
  return {
    name,
    count: async (customer) => (await Promise.all(markKinds.map((kind) => keysOf(kind, customer)))).flat().length,
    removeAll: async (customer) => {
      let removed = 0;
      for (const kind of markKinds) {
        const { partitionKey } = keyOf({ kind, customer });
        removed += await deleteRows(table, partitionKey, await keysOf(kind, customer));
      }
      return removed;
    },
  };
}
