/** How the keys and columns of a row are stored, and what a transaction may hold; the same for every implementation of `Rows`. */
import { commonFaults } from '../kit/errors/catalogue.js';
import { ServiceError } from '../kit/errors/serviceError.js';
import { MOST_ROW_BYTES, RowTooLarge, TRANSACTION_LIMIT, type Action, type ColumnValue } from './rows.js';

/** What is written: every number as a double, for a column that once held a whole number would refuse a fraction. */
export type StoredCell = string | boolean | { readonly type: 'Double'; readonly value: number };
export type StoredColumns = Readonly<Record<string, StoredCell>>;

/** Most UTF-16 units of one stored text: the platform takes 64 KiB, two bytes a unit. */
const CHUNK_UNITS = 30_000;
/** The platform takes 4 MiB of a transaction as it is sent; what the client writes around each row needs some of it. */
const MOST_TRANSACTION_BYTES = 3_500_000;
/** A character takes two bytes in a row and up to three on its way there, and its row is written as text in a text. */
const BATCH_BYTES = 2_400_000;
/** A column takes some bytes beside its name and value, and so does a row beside its columns. */
const BYTES_AROUND = 100;

/** A key of the platform has 1 KiB at most, two bytes a unit. */
const MOST_KEY_UNITS = 512;
/** The characters that a key of the platform may have, as a pattern for schemas too. */
export const KEY_TEXT = String.raw`^[^/\\#?\u0000-\u001f\u007f-\u009f]*$`;
const KEY = new RegExp(KEY_TEXT);

/**
 * Whether the platform can have a row of this key: a key has at most 512 UTF-16 units, none of `/ \ # ?` and no control
 * characters. A row of another key is never there, and asking the platform for it is an error, not an answer.
 *
 * @see https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
export const isKey = (text: string): boolean => text.length <= MOST_KEY_UNITS && KEY.test(text);

/** @throws ServiceError 400: nothing of ours makes such a key, so a caller's id is part of it */
export function requireKeys(...keys: readonly string[]): void {
  if (keys.every(isKey)) return;
  const text = `An id of the request is too long, or has one of / \\ # ? or a control character; use letters, digits, "-", "_" and ".".`;
  throw new ServiceError(commonFaults.badRequest, text);
}

/** Parts of a long text: `json_0`, `json_1`, … for a column `json`. No column of ours ends so. */
const PART = /^(.+)_(\d+)$/;

/** Columns that are ours or the platform's and no part of the value. */
const NOT_VALUE = new Set(['revision', 'timestamp', 'odata.metadata']);

/**
 * The columns of a value as they are stored: texts above 30,000 units cut into parts, numbers as doubles.
 *
 * @throws RowTooLarge, and TypeError for a value that is no `Cell`
 */
export function storedColumns(rowKey: string, value: object): StoredColumns {
  const columns: Record<string, StoredCell> = {};
  for (const [name, cell] of Object.entries(value) as [string, ColumnValue][]) {
    if (cell === undefined) continue;
    if (typeof cell === 'string') Object.assign(columns, textColumns(name, cell));
    else if (Number.isFinite(cell)) columns[name] = { type: 'Double', value: cell as number };
    else if (typeof cell === 'boolean') columns[name] = cell;
    else throw new TypeError(`The column ${name} of row ${rowKey} is no text, flag or finite number.`);
  }
  const bytes = bytesOf(columns);
  if (bytes > MOST_ROW_BYTES) throw new RowTooLarge(rowKey, bytes);
  return columns;
}

/** As `storedColumns`, for a write of some columns: a long text would leave parts of the one before behind. */
export function storedPart(rowKey: string, part: object): StoredColumns {
  const columns = storedColumns(rowKey, part);
  const long = Object.keys(columns).find((name) => PART.test(name));
  if (long !== undefined) throw new TypeError(`A long text of row ${rowKey} can only be written with the whole row.`);
  return columns;
}

function textColumns(name: string, text: string): Record<string, string> {
  if (PART.test(name)) throw new TypeError(`A column can't be named ${name}: parts of long texts are.`);
  if (text.length <= CHUNK_UNITS) return { [name]: text };
  const columns: Record<string, string> = {};
  for (let start = 0, count = 0; start < text.length; count += 1) {
    let end = Math.min(text.length, start + CHUNK_UNITS);
    // A cut between the two halves of a character would lose it on the way through UTF-8.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    columns[`${name}_${count}`] = text.slice(start, end);
    start = end;
  }
  return columns;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** What `storedColumns` was given, of what was read. A short text that was written over a long one wins over its parts. */
export function valueOf(stored: object): object {
  const value: Record<string, unknown> = {};
  const parts = new Map<string, string[]>();
  for (const [column, cell] of Object.entries(stored)) {
    if (NOT_VALUE.has(column) || cell === undefined || cell === null) continue;
    const [, name, index] = PART.exec(column) ?? [];
    if (name === undefined) value[column] = cell;
    else parts.set(name, Object.assign(parts.get(name) ?? [], { [Number(index)]: cell as string }));
  }
  for (const [name, texts] of parts) value[name] ??= texts.join('');
  return value;
}

/** Bytes that the platform counts for columns: two for each unit of a name or text. */
export function bytesOf(columns: StoredColumns): number {
  let bytes = BYTES_AROUND;
  for (const [name, cell] of Object.entries(columns)) {
    bytes += 8 + 2 * name.length + (typeof cell === 'string' ? 2 * cell.length : 8);
  }
  return bytes;
}

/** The first key behind every key with this prefix. */
export const behindPrefix = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

/** One write of a transaction with its columns as they are stored; undefined for a deletion. */
export interface StoredAction {
  readonly action: Action;
  readonly rowKey: string;
  readonly columns: StoredColumns | undefined;
}

/**
 * The writes of a transaction, checked before they are sent.
 *
 * @throws RowTooLarge, ServiceError 400 for a key that no row can have, and RangeError for a transaction that the platform
 * would refuse or that deletes unguarded
 */
export function storedActions(partitionKey: string, actions: readonly Action[]): readonly StoredAction[] {
  if (actions.length === 0 || actions.length > TRANSACTION_LIMIT) {
    throw new RangeError(`A transaction has 1 to ${TRANSACTION_LIMIT} writes, not ${actions.length}.`);
  }
  const deletes = actions.some((action) => 'delete' in action || 'take' in action);
  const isGuarded = actions.some((action) => 'insert' in action || 'etag' in action);
  if (deletes && !isGuarded) throw new RangeError('A transaction that deletes needs a write that is guarded.');
  const stored = actions.map(storedAction);
  requireKeys(partitionKey, ...stored.map(({ rowKey }) => rowKey));
  if (new Set(stored.map(({ rowKey }) => rowKey)).size < stored.length) {
    throw new RangeError('A transaction writes a row only once.');
  }
  const bytes = stored.reduce((sum, { columns }) => sum + Buffer.byteLength(JSON.stringify(columns ?? {})), 0);
  if (bytes > MOST_TRANSACTION_BYTES) {
    throw new RangeError(`A transaction has ${bytes} bytes; at most ${MOST_TRANSACTION_BYTES} are sent.`);
  }
  return stored;
}

/**
 * Writes in as few transactions as the platform takes, in their order. Each of them is all or nothing, not all together.
 *
 * @throws RowTooLarge
 */
export function transactionsOf(actions: readonly Action[]): readonly (readonly Action[])[] {
  const transactions: Action[][] = [];
  let bytes = 0;
  for (const action of actions) {
    const { columns } = storedAction(action);
    const size = columns === undefined ? 0 : bytesOf(columns);
    const last = transactions.at(-1);
    const isFull = last === undefined || last.length >= TRANSACTION_LIMIT || bytes + size > BATCH_BYTES;
    if (isFull) transactions.push([action]);
    else last.push(action);
    bytes = isFull ? size : bytes + size;
  }
  return transactions;
}

function storedAction(action: Action): StoredAction {
  if ('delete' in action) return { action, rowKey: action.delete, columns: undefined };
  if ('take' in action) return { action, rowKey: action.take, columns: undefined };
  if ('patch' in action) return { action, rowKey: action.patch, columns: storedPart(action.patch, action.value) };
  const rowKey = 'insert' in action ? action.insert : 'update' in action ? action.update : action.put;
  return { action, rowKey, columns: storedColumns(rowKey, action.value) };
}
