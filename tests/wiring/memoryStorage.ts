import type { TableClient, TransactionAction } from '@azure/data-tables';
import type { ContainerClient } from '@azure/storage-blob';
import type { QueueClient } from '@azure/storage-queue';
import { randomId } from '../../shared/kit/ids.js';
import { AzureBlobs } from '../../shared/storage/azure/azureBlobs.js';
import { AzureMessages } from '../../shared/storage/azure/azureMessages.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import type { DataStorage } from '../../shared/wiring/clients/storageClients.js';

/** Rows of one answer at most, as the platform gives them. */
const PAGE = 1_000;

type Row = Readonly<Record<string, unknown>> & { readonly partitionKey: string; readonly rowKey: string };
type Stored = Row & { readonly etag: string; readonly timestamp: string };

class RestError extends Error {
  override readonly name = 'RestError';
  readonly statusCode: number;

  constructor(statusCode: number) {
    super(`The storage in memory answered ${statusCode}.`);
    this.statusCode = statusCode;
  }
}

const COMPARISONS: Readonly<Record<string, (a: string | number, b: string | number) => boolean>> = {
  eq: (a, b) => a === b,
  ge: (a, b) => a >= b,
  gt: (a, b) => a > b,
  le: (a, b) => a <= b,
  lt: (a, b) => a < b,
};
const PROPERTIES: Readonly<Record<string, string>> = {
  PartitionKey: 'partitionKey',
  RowKey: 'rowKey',
  Timestamp: 'timestamp',
};

/** A filter of comparisons joined by `and`, which is all that the service uses. */
function filterOf(text: string): { readonly partition: string | undefined; readonly isMet: (row: Stored) => boolean } {
  const parts = [...text.matchAll(/(\w+) (eq|ge|gt|le|lt) (?:datetime)?('(?:[^']|'')*'|[\d.]+)(?: and |$)/g)];
  if (parts.map(([part]) => part).join('') !== text) throw new Error(`The storage in memory has no filter "${text}".`);
  const tests = parts.map(([, name = '', operator = '', literal = '']) => {
    const value = literal.startsWith("'") ? literal.slice(1, -1).replaceAll("''", "'") : Number(literal);
    return { name: PROPERTIES[name] ?? name, compare: COMPARISONS[operator]!, value, isEqual: operator === 'eq' };
  });
  const partition = tests.find(({ name, isEqual }) => name === 'partitionKey' && isEqual)?.value;
  const isMet = (row: Stored): boolean =>
    tests.every(({ name, compare, value }) => {
      const own = row[name] as string | number | undefined;
      return own !== undefined && compare(own, value);
    });
  return { partition: partition?.toString(), isMet };
}

/** The columns of a row without the kinds that a write names beside their values. */
const plainCells = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, cell]) => [
      name,
      typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : cell,
    ]),
  ) as Row;

/** A table in memory that is asked as the client of the real one is. */
class MemoryTable {
  readonly #partitions = new Map<string, Map<string, Stored>>();
  readonly #count: () => void;
  #writes = 0;

  constructor(count: () => void) {
    this.#count = count;
  }

  async getEntity(partitionKey: string, rowKey: string): Promise<Stored> {
    this.#count();
    return Promise.resolve(this.#get(partitionKey, rowKey));
  }

  async createEntity(row: Row): Promise<object> {
    return this.submitTransaction([['create', row]]);
  }

  async upsertEntity(row: Row, mode: 'Merge' | 'Replace' = 'Merge'): Promise<object> {
    return this.submitTransaction([['upsert', row, mode]]);
  }

  async updateEntity(row: Row, mode: 'Merge' | 'Replace' = 'Merge', options?: { etag?: string }): Promise<object> {
    return this.submitTransaction([['update', row, mode, options ?? {}]]);
  }

  async deleteEntity(partitionKey: string, rowKey: string, { etag = '*' } = {}): Promise<object> {
    if (etag !== '*' && this.#partitions.get(partitionKey)?.get(rowKey)?.etag !== etag) {
      this.#count();
      throw new RestError(412);
    }
    return this.submitTransaction([['delete', { partitionKey, rowKey }]]);
  }

  async submitTransaction(actions: readonly TransactionAction[]): Promise<object> {
    this.#count();
    for (const action of actions) this.#check(action as never);
    const etags = actions.map((action) => this.#do(action as never));
    const answer = { subResponses: etags.map((etag) => ({ etag })), getResponseForEntity: () => ({ etag: etags[0] }) };
    return Promise.resolve({ ...answer, etag: etags[0] });
  }

  listEntities({ queryOptions = {} }: { queryOptions?: { filter?: string } } = {}) {
    const pages = (size: number) => this.#pages(queryOptions.filter ?? '', size);
    return {
      async *[Symbol.asyncIterator]() {
        for await (const page of pages(PAGE)) yield* page;
      },
      byPage: ({ maxPageSize = PAGE } = {}) => pages(maxPageSize),
    };
  }

  async *#pages(filter: string, size: number): AsyncGenerator<readonly Stored[]> {
    const { partition, isMet } = filterOf(filter);
    const partitions = partition === undefined ? [...this.#partitions.values()] : [this.#partitions.get(partition)];
    const rows = partitions.flatMap((found) => [...(found?.values() ?? [])]).filter(isMet);
    rows.sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
    for (let start = 0; start === 0 || start < rows.length; start += size) {
      this.#count();
      yield await Promise.resolve(rows.slice(start, start + size));
    }
  }

  #get(partitionKey: string, rowKey: string): Stored {
    const row = this.#partitions.get(partitionKey)?.get(rowKey);
    if (row === undefined) throw new RestError(404);
    return row;
  }

  /** @throws RestError as the platform answers an action that can't be done */
  #check([kind, row, , options]: [string, Row, string?, { etag?: string }?]): void {
    const there = this.#partitions.get(row.partitionKey)?.get(row.rowKey);
    if (kind === 'upsert') return;
    if (kind === 'create') {
      if (there !== undefined) throw new RestError(409);
      return;
    }
    if (there === undefined) throw new RestError(404);
    const etag = options?.etag ?? '*';
    if (etag !== '*' && there.etag !== etag) throw new RestError(412);
  }

  #do([kind, row, mode]: [string, Row, string?]): string {
    const partition = this.#partitions.get(row.partitionKey) ?? new Map<string, Stored>();
    this.#partitions.set(row.partitionKey, partition);
    const etag = String((this.#writes += 1));
    if (kind === 'delete') partition.delete(row.rowKey);
    else {
      const kept = mode === 'Merge' ? partition.get(row.rowKey) : undefined;
      partition.set(row.rowKey, { ...kept, ...plainCells(row), etag, timestamp: new Date(0).toISOString() });
    }
    return etag;
  }
}

/**
 * The storage of the service in memory: each call counts as the requests that the real clients would make for it. It knows
 * what the service asks while nothing is to be done, no blobs among that.
 */
export class MemoryStorage {
  /** So far. */
  requests = 0;
  readonly #tables = new Map<string, MemoryTable>();
  readonly #messages = new Map<string, string[]>();

  readonly data: DataStorage = {
    table: (name) => this.#table(name) as unknown as TableClient,
    rows: (name) => new AzureRows(this.#table(name) as unknown as TableClient, randomId),
    queue: (name) => this.#queue(name) as unknown as QueueClient,
    messages: (name) => new AzureMessages(this.#queue(name) as unknown as QueueClient),
    container: () => this.#container as unknown as ContainerClient,
    blobs: () => new AzureBlobs(this.#container as unknown as ContainerClient),
  };

  /** Takes all messages of a queue. */
  take(queue: string): Promise<readonly string[]> {
    return Promise.resolve(this.#messages.get(queue)?.splice(0) ?? []);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  #count(): void {
    this.requests += 1;
  }

  #table(name: string): MemoryTable {
    const table =
      this.#tables.get(name) ??
      new MemoryTable(() => {
        this.#count();
      });
    this.#tables.set(name, table);
    return table;
  }

  #queue(name: string) {
    const messages = this.#messages.get(name) ?? [];
    this.#messages.set(name, messages);
    return {
      sendMessage: (text: string) => {
        this.#count();
        messages.push(text);
        return Promise.resolve();
      },
      // The host has given up nothing.
      receiveMessages: () => {
        this.#count();
        return Promise.resolve({ receivedMessageItems: [] });
      },
    };
  }

  readonly #container = {
    listBlobsFlat: () => {
      this.#count();
      return [];
    },
  };
}
