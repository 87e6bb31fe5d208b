import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import { textOfProperties, textProperties } from '../../enrollments/rowText.js';
import { unlessStatus } from '../../storage/storageErrors.js';
import { listRows, readRows, TRANSACTION_LIMIT } from '../../storage/tableRows.js';
import type { FieldDate } from './fieldDate.js';
import type { FieldDateStore, Making, MergeOptions, Settle } from '../imageryPorts.js';
import { makingRow } from './tableMakingStore.js';

/** A field id may hold characters that mean something in a key. */
const fieldMark = (fieldId: string): string => createHash('sha256').update(fieldId, 'utf8').digest('hex').slice(0, 32);
/** Others that write the same rows are units of the same field and day: a handful. */
const MOST_TRIES = 20;
const rowKeyOf = (fieldId: string, date: string): string => `O_${fieldMark(fieldId)}_${date}`;

const rowOf = (partitionKey: string, fieldDate: FieldDate) => ({
  partitionKey,
  rowKey: rowKeyOf(fieldDate.fieldId, fieldDate.date),
  ...textProperties(JSON.stringify(fieldDate)),
});

const makingsOf = (customer: string, makings: readonly Making[]): TransactionAction[] =>
  makings.map((making) => ['upsert', makingRow(customer, making), 'Replace']);

/** How records are put together, and what is written with the first of them. */
interface Merging {
  readonly settle: Settle;
  readonly beside: TransactionAction[];
}

/**
 * What became of fields on days: rows of table `fieldDates`. PartitionKey is the customer, RowKey
 * `O_<hash of the field id>_<date>`: all days of a field are one range.
 */
export class TableFieldDateStore implements FieldDateStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async list(
    customer: string,
    fieldId: string,
    { from, to }: { readonly from: string; readonly to: string } = { from: '0000', to: '9999-99-99' },
  ): Promise<readonly FieldDate[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${rowKeyOf(fieldId, from)} and RowKey le ${rowKeyOf(fieldId, to)}`;
    const rows = await listRows<Record<string, unknown>>(this.#table, filter);
    return rows.map((row) => JSON.parse(textOfProperties(row)) as FieldDate);
  }

  async merge(
    customer: string,
    fieldDates: readonly FieldDate[],
    settle: Settle,
    { isNew = false, makings = [] }: MergeOptions = {},
  ): Promise<readonly FieldDate[]> {
    // A transaction takes a row once.
    const days = new Map<string, FieldDate>();
    for (const found of fieldDates) {
      const rowKey = rowKeyOf(found.fieldId, found.date);
      const other = days.get(rowKey);
      days.set(rowKey, other === undefined ? found : settle(found, other));
    }
    const distinct = [...days.values()];
    const merged: FieldDate[] = [];
    let beside = makingsOf(customer, makings);
    while (merged.length < distinct.length) {
      const some = distinct.slice(merged.length, merged.length + TRANSACTION_LIMIT - beside.length);
      const isWritten = isNew && (await this.#create(customer, some, beside));
      merged.push(...(isWritten ? some : await this.#mergeSome(customer, some, { settle, beside })));
      beside = [];
    }
    return merged;
  }

  /** @returns false when something is stored of one of the days: then nothing was written */
  async #create(customer: string, fieldDates: readonly FieldDate[], beside: TransactionAction[]): Promise<boolean> {
    const actions = fieldDates.map((found): TransactionAction => ['create', rowOf(customer, found)]);
    return (await unlessStatus([409], () => this.#table.submitTransaction([...beside, ...actions]))) !== undefined;
  }

  async #mergeSome(
    customer: string,
    fieldDates: readonly FieldDate[],
    { settle, beside }: Merging,
  ): Promise<readonly FieldDate[]> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const stored = await this.#stored(customer, fieldDates);
      const merged = fieldDates.map((found) => {
        const before = stored.get(rowKeyOf(found.fieldId, found.date));
        return { before, fieldDate: settle(found, before?.fieldDate) };
      });
      const actions = merged.map(({ before, fieldDate }): TransactionAction => {
        const row = rowOf(customer, fieldDate);
        return before === undefined ? ['create', row] : ['update', row, 'Replace', { etag: before.etag }];
      });
      const all = [...beside, ...actions];
      const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(all));
      if (answer !== undefined) return merged.map(({ fieldDate }) => fieldDate);
    }
    throw new Error('The records of fields and days are changed faster than they can be written.');
  }

  /** What is stored of these fields and days, by row key. */
  async #stored(customer: string, fieldDates: readonly FieldDate[]) {
    const rowKeys = fieldDates.map(({ fieldId, date }) => rowKeyOf(fieldId, date));
    const rows = await readRows<Record<string, unknown>>(this.#table, customer, rowKeys);
    return new Map(
      rows.map((row) => {
        const fieldDate = JSON.parse(textOfProperties(row)) as FieldDate;
        return [row.rowKey, { fieldDate, etag: row.etag }];
      }),
    );
  }
}
