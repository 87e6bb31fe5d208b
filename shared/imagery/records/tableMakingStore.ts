import { odata, type TableClient } from '@azure/data-tables';
import { createHash } from 'node:crypto';
import { textOfProperties, textProperties } from '../../enrollments/rowText.js';
import { unlessStatus } from '../../storage/storageErrors.js';
import { firstRows } from '../../storage/tableRows.js';
import type { Making, MakingStore } from '../imageryPorts.js';

const PREFIX = 'M_';

function rowKeyOf({ madeOn, date, fieldIds }: Making): string {
  const fields = createHash('sha256').update(JSON.stringify(fieldIds)).digest('hex').slice(0, 32);
  return `${PREFIX}${madeOn}_${date}_${fields}`;
}

/** The row of a making. The same again is no further one. */
export const makingRow = (customer: string, making: Making) => ({
  partitionKey: customer,
  rowKey: rowKeyOf(making),
  ...textProperties(JSON.stringify(making)),
});

/**
 * What was made when: rows of table `fieldDates`. PartitionKey is the customer, RowKey `M_<day>_<date>_<hash of the field
 * ids>`: what is older than a day is one range. They are written with the records of what was made.
 */
export class TableMakingStore implements MakingStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async listBefore(customer: string, day: string, most: number): Promise<readonly Making[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${PREFIX} and RowKey lt ${`${PREFIX}${day}`}`;
    const rows = await firstRows<Record<string, unknown>>(this.#table, filter, most);
    return rows.map((row) => JSON.parse(textOfProperties(row)) as Making);
  }

  async remove(customer: string, making: Making): Promise<void> {
    await unlessStatus([404], () => this.#table.deleteEntity(customer, rowKeyOf(making)));
  }
}
