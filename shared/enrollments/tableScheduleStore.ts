import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { unlessStatus } from '../storage/storageErrors.js';
import { listRows } from '../storage/tableRows.js';
import type { ScheduleStore } from './enrollmentPorts.js';
import { scheduledOf, schedulePrefix, scheduleRow, scheduleRowKey, type ScheduleRow } from './enrollmentRows.js';
import { randomId, type NewId } from '../ids.js';
import type { ScheduledEnrollment } from './schedule.js';

/** The `D_` rows of table `enrollments`: what is due until a day is one range of a customer's partition. */
export class TableScheduleStore implements ScheduleStore {
  readonly #table: TableClient;
  readonly #newId: NewId;

  constructor(table: TableClient, newId: NewId = randomId) {
    this.#table = table;
    this.#newId = newId;
  }

  async listDue(customer: string, day: string): Promise<readonly ScheduledEnrollment[]> {
    const filter = odata`PartitionKey eq ${customer} and RowKey ge ${schedulePrefix} and RowKey lt ${`${schedulePrefix}${day}\``}`;
    const rows = await listRows<ScheduleRow>(this.#table, filter);
    return rows.map((row) => scheduledOf(customer, row.rowKey, row));
  }

  async advance(due: ScheduledEnrollment, nextDate: string | undefined): Promise<boolean> {
    const next = nextDate === undefined ? undefined : { ...due, nextDate };
    const revision = this.#newId();
    const actions: TransactionAction[] = [['delete', { partitionKey: due.customer, rowKey: scheduleRowKey(due) }]];
    if (next !== undefined) actions.push(['create', scheduleRow(next, revision)]);
    const answer = await unlessStatus([404, 409], () => this.#table.submitTransaction(actions));
    if (answer !== undefined || next === undefined) return answer !== undefined;
    // The answer of our own move may have been lost: the revision tells it from another's to the same day.
    const rowKey = scheduleRowKey(next);
    const row = await unlessStatus([404], () => this.#table.getEntity<ScheduleRow>(due.customer, rowKey));
    if (row?.revision === revision) return true;
    // A later schedule of the same enrollment stands there already: a row that somebody has brought back would be due,
    // and refused, every minute for ever. The later one goes on.
    if (row !== undefined) await unlessStatus([404], () => this.#table.deleteEntity(due.customer, scheduleRowKey(due)));
    return false;
  }
}
