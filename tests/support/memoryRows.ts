import { requireKeys, storedActions, storedPart, valueOf } from '../../shared/storage/rowFormat.js';
import type { StoredAction, StoredColumns } from '../../shared/storage/rowFormat.js';
import type { Action, Condition, Etag, RangeOptions, Row, Rows, ScanOptions, Span } from '../../shared/storage/rows.js';

interface StoredRow {
  readonly columns: StoredColumns;
  readonly etag: Etag;
}

/** One table in memory; the same suite runs against it and against Azurite. */
export class MemoryRows implements Rows {
  readonly #partitions = new Map<string, Map<string, StoredRow>>();
  #writes = 0;

  find<T>(partitionKey: string, rowKey: string): Promise<Row<T> | undefined> {
    const stored = this.#partitions.get(partitionKey)?.get(rowKey);
    return Promise.resolve(stored && rowOf<T>(partitionKey, rowKey, stored));
  }

  async findMany<T>(partitionKey: string, rowKeys: readonly string[]): Promise<Row<T>[]> {
    const rows = await Promise.all(rowKeys.map((rowKey) => this.find<T>(partitionKey, rowKey)));
    return rows.filter((row) => row !== undefined);
  }

  range<T>(partitionKey: string, span: Span = {}, { where, select, most }: RangeOptions = {}): Promise<Row<T>[]> {
    const partition = this.#partitions.get(partitionKey) ?? new Map<string, StoredRow>();
    const rows = [...partition]
      .filter(([rowKey, { columns }]) => isWithin(rowKey, span) && meets(columns, where))
      .sort(byKey)
      .slice(0, most)
      .map(([rowKey, stored]) => rowOf<T>(partitionKey, rowKey, stored, select));
    return Promise.resolve(rows);
  }

  async *scan<T>(span: Span = {}, options: ScanOptions = {}): AsyncIterable<Row<T>[]> {
    let left = options.most ?? Infinity;
    for (const partitionKey of this.#partitionsIn(options)) {
      if (left <= 0) return;
      const rows = (await this.range<T>(partitionKey, span, options)).slice(0, left);
      left -= rows.length;
      if (rows.length > 0) yield rows;
    }
  }

  #partitionsIn({ partitionPrefix = '', partitionAbove = '' }: ScanOptions): readonly string[] {
    const keys = [...this.#partitions.keys()].sort();
    return keys.filter((key) => key.startsWith(partitionPrefix) && key > partitionAbove);
  }

  /** Every row, by its partition and key: for whoever checks what is left. */
  all<T>(): readonly Row<T>[] {
    return [...this.#partitions].sort(byKey).flatMap(([partitionKey, rows]) => {
      return [...rows].sort(byKey).map(([rowKey, stored]) => rowOf<T>(partitionKey, rowKey, stored));
    });
  }

  insert(partitionKey: string, rowKey: string, value: object): Promise<Etag | undefined> {
    return this.#one(partitionKey, { insert: rowKey, value });
  }

  update(partitionKey: string, rowKey: string, value: object, etag: Etag): Promise<Etag | undefined> {
    return this.#one(partitionKey, { update: rowKey, value, etag });
  }

  patch(partitionKey: string, rowKey: string, value: object, etag: Etag): Promise<Etag | undefined> {
    return this.#one(partitionKey, { patch: rowKey, value, etag });
  }

  async merge(partitionKey: string, rowKey: string, value: object): Promise<Etag | undefined> {
    requireKeys(partitionKey, rowKey);
    storedPart(rowKey, value);
    const row = await this.find(partitionKey, rowKey);
    return row && this.patch(partitionKey, rowKey, value, row.etag);
  }

  async put(partitionKey: string, rowKey: string, value: object): Promise<Etag> {
    return (await this.#one(partitionKey, { put: rowKey, value })) ?? '';
  }

  async delete(partitionKey: string, rowKey: string, etag?: Etag): Promise<boolean> {
    const row = await this.find(partitionKey, rowKey);
    if (row !== undefined && etag !== undefined && row.etag !== etag) return false;
    this.#partitions.get(partitionKey)?.delete(rowKey);
    return true;
  }

  transact(partitionKey: string, actions: readonly Action[]): Promise<ReadonlyMap<string, Etag> | undefined> {
    const stored = storedActions(partitionKey, actions);
    if (!stored.every((action) => this.#isAllowed(partitionKey, action))) return Promise.resolve(undefined);
    return Promise.resolve(new Map(stored.flatMap((action) => this.#write(partitionKey, action))));
  }

  deleteMany(partitionKey: string, rowKeys: readonly string[]): Promise<void> {
    for (const rowKey of rowKeys) this.#partitions.get(partitionKey)?.delete(rowKey);
    return Promise.resolve();
  }

  async #one(partitionKey: string, action: Action): Promise<Etag | undefined> {
    const etags = await this.transact(partitionKey, [action]);
    return etags && [...etags.values()][0];
  }

  #isAllowed(partitionKey: string, { action, rowKey }: StoredAction): boolean {
    const there = this.#partitions.get(partitionKey)?.get(rowKey);
    if ('take' in action) return there !== undefined;
    if ('insert' in action) return there === undefined;
    return 'etag' in action ? there?.etag === action.etag : true;
  }

  #write(partitionKey: string, { action, rowKey, columns }: StoredAction): [string, Etag][] {
    const partition = this.#partitions.get(partitionKey) ?? new Map<string, StoredRow>();
    this.#partitions.set(partitionKey, partition);
    if (columns === undefined) {
      partition.delete(rowKey);
      return [];
    }
    this.#writes += 1;
    const before = 'patch' in action ? partition.get(rowKey)?.columns : undefined;
    const etag = `W/"${this.#writes}"`;
    partition.set(rowKey, { columns: { ...before, ...columns }, etag });
    return [[rowKey, etag]];
  }
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

function rowOf<T>(
  partitionKey: string,
  rowKey: string,
  { columns, etag }: StoredRow,
  select?: readonly string[],
): Row<T> {
  const cells = Object.entries(columns)
    .filter(([name]) => select === undefined || select.includes(name))
    .map(([name, cell]) => [name, typeof cell === 'object' ? cell.value : cell] as const);
  return { ...(valueOf(Object.fromEntries(cells)) as T), partitionKey, rowKey, etag };
}

function isWithin(rowKey: string, { prefix = '', from = '', above, below, through }: Span): boolean {
  if (!rowKey.startsWith(prefix) || rowKey < from) return false;
  return (
    (above ?? '') < rowKey && (below === undefined || rowKey < below) && (through === undefined || rowKey <= through)
  );
}

function meets(columns: StoredColumns, where: RangeOptions['where'] = []): boolean {
  return [where].flat().every((condition) => meetsOne(columns, condition));
}

function meetsOne(columns: StoredColumns, { column, equals, atMost, atLeast }: Condition): boolean {
  const stored = columns[column];
  const cell = typeof stored === 'object' ? stored.value : stored;
  if (equals !== undefined && cell !== equals) return false;
  if (atLeast !== undefined && !(typeof cell === 'number' && cell >= atLeast)) return false;
  if (atMost === undefined) return true;
  // Values of different types are never compared.
  return typeof cell === typeof atMost && (cell as string | number) <= atMost;
}
