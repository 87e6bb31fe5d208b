import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import { textOfProperties, textProperties } from '../enrollments/rowText.js';
import { fromStorage } from '../storage/storageErrors.js';
import { listRows, TRANSACTION_LIMIT } from '../storage/tableRows.js';
import type { FieldDate } from './fieldDate.js';
import type { FieldDateStore } from './imageryPorts.js';

/** A field id may hold characters that mean something in a key. */
const fieldMark = (fieldId: string): string => createHash('sha256').update(fieldId, 'utf8').digest('hex').slice(0, 32);
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

  async put(customer: string, fieldDates: readonly FieldDate[]): Promise<void> {
    for (let start = 0; start < fieldDates.length; start += TRANSACTION_LIMIT) {
      const actions = fieldDates.slice(start, start + TRANSACTION_LIMIT).map((fieldDate): TransactionAction => {
        const rowKey = rowKeyOf(fieldDate.fieldId, fieldDate.date);
        const row = { partitionKey: customer, rowKey, ...textProperties(JSON.stringify(fieldDate)) };
        return ['upsert', row, 'Replace'];
      });
      await fromStorage(() => this.#table.submitTransaction(actions));
    }
  }
}
