import type { TableClient, TransactionAction } from '@azure/data-tables';
import type { NewId } from '../../kit/ids.js';
import { limiter } from '../../kit/limiter.js';
import { behindPrefix, isKey, requireKeys, storedActions, storedColumns } from '../rowFormat.js';
import { storedPart, valueOf, type StoredAction } from '../rowFormat.js';
import { TRANSACTION_LIMIT, type Action, type Etag, type RangeOptions } from '../rows.js';
import type { Row, Rows, ScanOptions, Span } from '../rows.js';
import { fromStorage, storageStatus, unlessStatus } from '../storageErrors.js';

/** Rows of one partition that are read at once by their keys. */
const READS_AT_ONCE = 16;
/** Rows of one answer at most on the platform. */
const PAGE = 1_000;
/** Of no row: where an answer names no ETag, the next write by it is refused. */
const NO_ETAG = 'W/"0"';
/** Answers that say: the row is not as it was thought to be. */
const REFUSALS = [404, 409, 412];

interface Keys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

type Send = (keys: Keys & { readonly revision: string }) => Promise<{ readonly etag?: string }>;

/** A table of the data account. */
export class AzureRows implements Rows {
  readonly #table: TableClient;
  readonly #newId: NewId;

  /** @param newId the `revision` of each write */
  constructor(table: TableClient, newId: NewId) {
    this.#table = table;
    this.#newId = newId;
  }

  async find<T>(partitionKey: string, rowKey: string): Promise<Row<T> | undefined> {
    const row = await this.#read(partitionKey, rowKey);
    return row === undefined ? undefined : (valueOf(row) as Row<T>);
  }

  async findMany<T>(partitionKey: string, rowKeys: readonly string[]): Promise<Row<T>[]> {
    // For keys joined by `or` the platform goes through the whole partition, a thousand rows and one operation a page.
    const reading = limiter(READS_AT_ONCE);
    const rows = await Promise.all(rowKeys.map((rowKey) => reading(() => this.find<T>(partitionKey, rowKey))));
    return rows.filter((row) => row !== undefined);
  }

  async range<T>(partitionKey: string, span: Span = {}, options: RangeOptions = {}): Promise<Row<T>[]> {
    const filter = [`PartitionKey eq ${literal(partitionKey)}`, ...filtersOf(span, options.where)].join(' and ');
    const rows: Row<T>[] = [];
    for await (const page of pagesOf<T>(this.#table, filter, options)) rows.push(...page);
    return rows;
  }

  scan<T>(span: Span = {}, options: ScanOptions = {}): AsyncIterable<Row<T>[]> {
    const { partitionPrefix: prefix, partitionAbove: above, where } = options;
    const partitions = boundsOf('PartitionKey', { ...(prefix && { prefix }), ...(above && { above }) });
    return pagesOf<T>(this.#table, [...partitions, ...filtersOf(span, where)].join(' and '), options);
  }

  insert(partitionKey: string, rowKey: string, value: object): Promise<Etag | undefined> {
    const columns = storedColumns(rowKey, value);
    return this.#write({ partitionKey, rowKey }, (keys) => this.#table.createEntity({ ...columns, ...keys }));
  }

  update(partitionKey: string, rowKey: string, value: object, etag: Etag): Promise<Etag | undefined> {
    const columns = storedColumns(rowKey, value);
    const send: Send = (keys) => this.#table.updateEntity({ ...columns, ...keys }, 'Replace', { etag });
    return this.#write({ partitionKey, rowKey }, send);
  }

  patch(partitionKey: string, rowKey: string, part: object, etag: Etag): Promise<Etag | undefined> {
    const columns = storedPart(rowKey, part);
    const send: Send = (keys) => this.#table.updateEntity({ ...columns, ...keys }, 'Merge', { etag });
    return this.#write({ partitionKey, rowKey }, send);
  }

  merge(partitionKey: string, rowKey: string, part: object): Promise<Etag | undefined> {
    const columns = storedPart(rowKey, part);
    return this.#write({ partitionKey, rowKey }, (keys) => this.#table.updateEntity({ ...columns, ...keys }, 'Merge'));
  }

  async put(partitionKey: string, rowKey: string, value: object): Promise<Etag> {
    requireKeys(partitionKey, rowKey);
    const row = { ...storedColumns(rowKey, value), partitionKey, rowKey, revision: this.#newId() };
    const { etag } = await fromStorage(() => this.#table.upsertEntity(row, 'Replace'));
    return etag ?? NO_ETAG;
  }

  async delete(partitionKey: string, rowKey: string, etag?: Etag): Promise<boolean> {
    if (!isKey(partitionKey) || !isKey(rowKey)) return true;
    try {
      const options = etag === undefined ? {} : { etag };
      await unlessStatus([404], () => this.#table.deleteEntity(partitionKey, rowKey, options));
      return true;
    } catch (error) {
      if (storageStatus(error) === 412) return false;
      throw error;
    }
  }

  async transact(partitionKey: string, actions: readonly Action[]): Promise<ReadonlyMap<string, Etag> | undefined> {
    const stored = storedActions(partitionKey, actions);
    const revision = this.#newId();
    const etags = await this.#submit(partitionKey, stored, revision);
    if (etags !== undefined || !stored.some(isDeletion)) return etags;
    const kept = await this.#withoutGone(partitionKey, stored);
    return kept.length === stored.length ? undefined : this.#submit(partitionKey, kept, revision);
  }

  deleteMany(partitionKey: string, rowKeys: readonly string[]): Promise<void> {
    return isKey(partitionKey) ? deleteMany(this.#table, partitionKey, rowKeys.filter(isKey)) : Promise.resolve();
  }

  async #read(partitionKey: string, rowKey: string): Promise<object | undefined> {
    if (!isKey(partitionKey) || !isKey(rowKey)) return undefined;
    return unlessStatus([404], () => this.#table.getEntity<object>(partitionKey, rowKey));
  }

  /** One guarded write; undefined when somebody else's row or write stands in the way. */
  async #write(keys: Keys, send: Send): Promise<Etag | undefined> {
    requireKeys(keys.partitionKey, keys.rowKey);
    const revision = this.#newId();
    const answer = await unlessStatus(REFUSALS, () => send({ ...keys, revision }));
    return answer === undefined ? this.#ownLost(keys, revision) : (answer.etag ?? NO_ETAG);
  }

  /** After a refusal: the ETag of our own write, whose answer was lost and whose repetition was refused. */
  async #ownLost({ partitionKey, rowKey }: Keys, revision: string): Promise<Etag | undefined> {
    const row = await this.#read(partitionKey, rowKey);
    const { revision: found, etag } = (row ?? {}) as { readonly revision?: string; readonly etag?: Etag };
    return found === revision ? etag : undefined;
  }

  async #submit(
    partitionKey: string,
    actions: readonly StoredAction[],
    revision: string,
  ): Promise<ReadonlyMap<string, Etag> | undefined> {
    const sent = actions.map((action) => transactionAction(partitionKey, action, revision));
    const answer = await unlessStatus(REFUSALS, () => this.#table.submitTransaction(sent));
    const etags = new Map<string, Etag>();
    for (const [index, { rowKey, columns }] of actions.entries()) {
      if (columns === undefined) continue;
      // By its key the client finds no answer, for keys come back escaped; answers come in the order of the writes.
      const etag =
        answer === undefined
          ? await this.#ownLost({ partitionKey, rowKey }, revision)
          : (answer.subResponses[index]?.etag ?? NO_ETAG);
      if (etag === undefined) return undefined;
      etags.set(rowKey, etag);
    }
    return etags;
  }

  /** The writes without the deletions of rows that are gone: a single one makes the platform refuse them all. */
  async #withoutGone(partitionKey: string, actions: readonly StoredAction[]): Promise<readonly StoredAction[]> {
    const deleted = actions.filter(isDeletion).map(({ rowKey }) => rowKey);
    const there = new Set((await this.findMany<object>(partitionKey, deleted)).map(({ rowKey }) => rowKey));
    return actions.filter((action) => !isDeletion(action) || there.has(action.rowKey));
  }
}

async function deleteMany(table: TableClient, partitionKey: string, all: readonly string[]): Promise<void> {
  // A transaction names a row once.
  const rowKeys = [...new Set(all)];
  for (let start = 0; start < rowKeys.length; start += TRANSACTION_LIMIT) {
    const batch = rowKeys.slice(start, start + TRANSACTION_LIMIT);
    const actions = batch.map((rowKey): TransactionAction => ['delete', { partitionKey, rowKey }]);
    const answer = await unlessStatus([404], () => table.submitTransaction(actions));
    if (answer !== undefined) continue;
    // One row that is gone already makes the platform refuse them all.
    for (const rowKey of batch) await unlessStatus([404], () => table.deleteEntity(partitionKey, rowKey));
  }
}

function transactionAction(
  partitionKey: string,
  { action, rowKey, columns }: StoredAction,
  revision: string,
): TransactionAction {
  if (columns === undefined) return ['delete', { partitionKey, rowKey }];
  const row = { ...columns, partitionKey, rowKey, revision };
  if ('insert' in action) return ['create', row];
  if ('update' in action) return ['update', row, 'Replace', { etag: action.etag }];
  if ('patch' in action) return ['update', row, 'Merge', { etag: action.etag }];
  return ['upsert', row, 'Replace'];
}

/** Whether the row may be gone already; one to be taken may not. */
const isDeletion = ({ action }: StoredAction): boolean => 'delete' in action;

/** The pages of a filter that hold rows: the platform may answer an empty page that has a successor. */
async function* pagesOf<T>(
  table: TableClient,
  filter: string,
  { select, most }: RangeOptions,
): AsyncIterable<Row<T>[]> {
  const queryOptions = {
    ...(filter === '' ? {} : { filter }),
    ...(select === undefined ? {} : { select: ['partitionKey', 'rowKey', ...select] }),
  };
  const pages = table
    .listEntities<object>({ queryOptions })
    .byPage(most === undefined ? {} : { maxPageSize: Math.min(most, PAGE) });
  let read = 0;
  for (;;) {
    const page = await fromStorage(() => pages.next());
    if (page.done === true) return;
    const rows = (page.value as readonly object[]).map((row) => valueOf(row) as Row<T>);
    if (rows.length > 0) yield most === undefined ? rows : rows.slice(0, most - read);
    read += rows.length;
    if (most !== undefined && read >= most) return;
  }
}

function filtersOf(span: Span, where: RangeOptions['where'] = []): string[] {
  const conditions = [where].flat().flatMap(({ column, equals, atMost, atLeast }) =>
    comparisons([
      [`${column} eq`, equals],
      [`${column} le`, atMost],
      [`${column} ge`, atLeast],
    ]),
  );
  return [...boundsOf('RowKey', span), ...conditions];
}

const boundsOf = (key: 'PartitionKey' | 'RowKey', { prefix, from, above, below, through }: Span): string[] =>
  comparisons([
    [`${key} ge`, prefix],
    [`${key} lt`, prefix && behindPrefix(prefix)],
    [`${key} ge`, from],
    [`${key} gt`, above],
    [`${key} lt`, below],
    [`${key} le`, through],
  ]);

const comparisons = (bounds: readonly (readonly [string, string | number | boolean | undefined])[]): string[] =>
  bounds.flatMap(([comparison, value]) => (value === undefined ? [] : [`${comparison} ${literal(value)}`]));

/** A value as a filter writes it. */
function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'boolean') return String(value);
  // Numbers are stored as doubles: a literal without a point would be a whole number, one with an exponent is none.
  if (Number.isInteger(value)) return value.toFixed(1);
  return String(value).includes('e') ? value.toFixed(20) : String(value);
}
