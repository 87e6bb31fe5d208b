import { odata, type TableClient } from '@azure/data-tables';
import { unlessStatus } from '../storage/storageErrors.js';
import { listRows } from '../storage/tableRows.js';
import type { ScheduleStore } from './enrollmentPorts.js';
import { scheduledOf, schedulePrefix, scheduleRowKey, type ScheduleRow } from './enrollmentRows.js';
import type { ScheduledEnrollment } from './schedule.js';

/** The `D_` rows of table `enrollments`: what is due until a day is one range of a customer's partition. */
export class TableScheduleStore implements ScheduleStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async listDue(customer: string, day: string): Promise<readonly ScheduledEnrollment[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${schedulePrefix} and RowKey lt ${`${schedulePrefix}${day}\``}`;
    const rows = await listRows<ScheduleRow>(this.#table, filter);
    return rows.map((row) => scheduledOf(customer, row.rowKey, row));
  }

  async remove(due: ScheduledEnrollment): Promise<void> {
    await unlessStatus([404], () => this.#table.deleteEntity(due.customer, scheduleRowKey(due)));
  }
}
