import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import { textOfProperties, textProperties } from '../../enrollments/rowText.js';
import { unlessStatus } from '../../storage/storageErrors.js';
import { listRows } from '../../storage/tableRows.js';
import type { FieldDate } from './fieldDate.js';
import type { FieldDateStore, Settle } from '../imageryPorts.js';

/** A field id may hold characters that mean something in a key. */
const fieldMark = (fieldId: string): string => createHash('sha256').update(fieldId, 'utf8').digest('hex').slice(0, 32);
/** Rows that one query can name: a filter holds 15 comparisons at most, and the partition is one. */
const ROWS_PER_WRITE = 14;
/** Others that write the same rows are units of the same field and day: a handful. */
const MOST_TRIES = 20;
const rowKeyOf = (fieldId: string, date: string): string => `O_${fieldMark(fieldId)}_${date}`;

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

  async merge(customer: string, fieldDates: readonly FieldDate[], settle: Settle): Promise<void> {
    // A transaction takes a row once.
    const days = new Map<string, FieldDate>();
    for (const found of fieldDates) {
      const rowKey = rowKeyOf(found.fieldId, found.date);
      const other = days.get(rowKey);
      days.set(rowKey, other === undefined ? found : settle(found, other));
    }
    const distinct = [...days.values()];
    for (let start = 0; start < distinct.length; start += ROWS_PER_WRITE) {
      await this.#mergeSome(customer, distinct.slice(start, start + ROWS_PER_WRITE), settle);
    }
  }

  async #mergeSome(customer: string, fieldDates: readonly FieldDate[], settle: Settle): Promise<void> {
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const stored = await this.#stored(customer, fieldDates);
      const actions = fieldDates.map((found): TransactionAction => {
        const rowKey = rowKeyOf(found.fieldId, found.date);
        const before = stored.get(rowKey);
        const text = JSON.stringify(settle(found, before?.fieldDate));
        const row = { partitionKey: customer, rowKey, ...textProperties(text) };
        return before === undefined ? ['create', row] : ['update', row, 'Replace', { etag: before.etag }];
      });
      const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions));
      if (answer !== undefined) return;
    }
    throw new Error('The records of fields and days are changed faster than they can be written.');
  }

  /** What is stored of these fields and days, by row key. */
  async #stored(customer: string, fieldDates: readonly FieldDate[]) {
    const keys = fieldDates.map(({ fieldId, date }) => odata`RowKey eq ${rowKeyOf(fieldId, date)}`);
    const rows = await listRows<Record<string, unknown>>(
      this.#table,
      `${odata`PartitionKey eq ${customer}`} and (${keys.join(' or ')})`,
    );
    return new Map(
      rows.map((row) => {
        const fieldDate = JSON.parse(textOfProperties(row)) as FieldDate;
        return [row.rowKey, { fieldDate, etag: row.etag }];
      }),
    );
  }
}
