import { odata, type TableClient } from '@azure/data-tables';
import { fromStorage, unlessStatus } from '../../storage/storageErrors.js';
import { listRows } from '../../storage/tableRows.js';
import type { Retry, RetryStore } from '../imageryPorts.js';

const PREFIX = 'R_';
const rowKeyOf = ({ enrollmentId, date }: Retry): string => `${PREFIX}${date}_${enrollmentId}`;

/** Days to search again: rows of table `fieldDates`. PartitionKey is the customer, RowKey `R_<date>_<enrollment>`. */
export class TableRetryStore implements RetryStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async put(customer: string, retry: Retry): Promise<void> {
    const row = { partitionKey: customer, rowKey: rowKeyOf(retry), ...retry };
    await fromStorage(() => this.#table.upsertEntity(row, 'Replace'));
  }

  async listDue(customer: string, today: string): Promise<readonly Retry[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${PREFIX} and RowKey lt ${'R`'} and dueDate le ${today}`;
    const rows = await listRows<Retry>(this.#table, filter);
    return rows.map(({ enrollmentId, date, dueDate }) => ({ enrollmentId, date, dueDate }));
  }

  async remove(customer: string, retry: Retry): Promise<void> {
    await unlessStatus([404], () => this.#table.deleteEntity(customer, rowKeyOf(retry)));
  }
}
