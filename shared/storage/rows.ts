/** What one cell of a row can hold. Undefined is left out, and reads as absent. */
export type ColumnValue = string | number | boolean | undefined;

/** The columns of a row, an interface or a type of any name; each must be a `ColumnValue`, else the write throws. */
export type Columns<T> = { readonly [K in keyof T]: ColumnValue };

/** A mark of one state of one row or blob; it is another one after each write. */
export type Etag = string;

/** A row as read: its columns, where it lies, and its ETag. */
export type Row<T> = T & { readonly partitionKey: string; readonly rowKey: string; readonly etag: Etag };

/** A run of row keys, in the order of their UTF-16 units; without a bound it is open on that side. */
export interface Span {
  /** Keys that begin so; not empty. */
  readonly prefix?: string;
  /** This key and those behind it. */
  readonly from?: string;
  /** Keys behind this one. */
  readonly above?: string;
  /** Keys before this one. */
  readonly below?: string;
  /** This key and those before it. */
  readonly through?: string;
}

/** A condition that storage itself applies, so that rows which don't meet it are never sent. */
export interface Condition {
  readonly column: string;
  /** The column is this text or flag. */
  readonly equals?: string | boolean;
  /** The column is this text or one that sorts before it, or a number that is no greater. */
  readonly atMost?: string | number;
  /** The column is a number that is no less. */
  readonly atLeast?: number;
}

export interface RangeOptions {
  /** Of several all must be met. */
  readonly where?: Condition | readonly Condition[];
  /** Columns to read; all when absent. Of a long text its parts are selected: `name_0`, `name_1` and so on. */
  readonly select?: readonly string[];
  /** Most rows to read. */
  readonly most?: number;
}

/**
 * One write of a transaction. A deletion carries no ETag: the client library leaves the ETag of a deletion in a
 * transaction out, so nobody may count on it. `take` deletes a row that must be there, whatever it holds: when it is gone,
 * the transaction is refused.
 */
export type Action =
  | { readonly insert: string; readonly value: object }
  | { readonly update: string; readonly value: object; readonly etag: Etag }
  | { readonly patch: string; readonly value: object; readonly etag: Etag }
  | { readonly put: string; readonly value: object }
  | { readonly delete: string }
  | { readonly take: string };

/** Most writes of one transaction on the platform. */
export const TRANSACTION_LIMIT = 100;

export interface ScanOptions extends RangeOptions {
  /** Partitions whose keys begin so; all when absent. */
  readonly partitionPrefix?: string;
  /** Partitions behind this one. */
  readonly partitionAbove?: string;
}

/**
 * One table. Every written row carries a fresh `revision`, so a write whose answer was lost, and whose repetition by the
 * client was refused, is recognised as our own: a caller sees "refused" only where somebody else wrote.
 *
 * Each method throws `ServiceError` 503 when storage can't be reached, and `RowTooLarge` before a row is sent that the
 * platform would refuse. A row of a key that the platform can't have (see `isKey`) is never there; to write one is refused
 * with `ServiceError` 400.
 */
export interface Rows {
  /** One row; undefined when there is none. */
  find<T>(partitionKey: string, rowKey: string): Promise<Row<T> | undefined>;
  /** The rows of these keys that are there, in the order of the keys; a read each, 16 at a time. */
  findMany<T>(partitionKey: string, rowKeys: readonly string[]): Promise<Row<T>[]>;
  /** Rows of one partition in the order of their keys, read whole before they are returned. */
  range<T>(partitionKey: string, span?: Span, options?: RangeOptions): Promise<Row<T>[]>;
  /** Rows of all partitions, page by page: goes through the whole table, so for operators and nights alone. */
  scan<T>(span?: Span, options?: ScanOptions): AsyncIterable<Row<T>[]>;
  /** Writes a row that isn't there. @returns its ETag, undefined when somebody else's row is there */
  insert<T extends Columns<T>>(partitionKey: string, rowKey: string, value: T): Promise<Etag | undefined>;
  /** Replaces a row as it was read. @returns its new ETag, undefined when somebody else wrote or deleted it since */
  update<T extends Columns<T>>(partitionKey: string, rowKey: string, value: T, etag: Etag): Promise<Etag | undefined>;
  /** Writes some columns of a row as it was read. @returns as `update` */
  patch<T extends Columns<T>>(partitionKey: string, rowKey: string, part: T, etag: Etag): Promise<Etag | undefined>;
  /** Writes some columns of a row that is there, whatever it holds. @returns undefined when there is none */
  merge<T extends Columns<T>>(partitionKey: string, rowKey: string, part: T): Promise<Etag | undefined>;
  /** Writes a row, whatever is there. */
  put<T extends Columns<T>>(partitionKey: string, rowKey: string, value: T): Promise<Etag>;
  /** Deletes a row; one that is gone counts as deleted. @returns false when it isn't as it was read any more */
  delete(partitionKey: string, rowKey: string, etag?: Etag): Promise<boolean>;
  /**
   * All of these writes or none. Where something is deleted, at least one of the others must be guarded: an insert, or
   * an update or patch by ETag. A `delete` of a row that is gone holds up nothing.
   *
   * @returns the ETags of the written rows by row key, undefined when somebody else wrote
   */
  transact(partitionKey: string, actions: readonly Action[]): Promise<ReadonlyMap<string, Etag> | undefined>;
  /** Deletes rows of one partition whatever they hold: for purges and clean-ups. */
  deleteMany(partitionKey: string, rowKeys: readonly string[]): Promise<void>;
}

/** A row above the size that the platform takes. */
export class RowTooLarge extends Error {
  override readonly name = 'RowTooLarge';

  constructor(rowKey: string, bytes: number) {
    super(`The row ${rowKey} has ${bytes} bytes; at most ${MOST_ROW_BYTES} are stored.`);
  }
}

/** The platform takes 1 MiB, keys, names and what it adds included. */
export const MOST_ROW_BYTES = 900_000;
