import type { Rows } from '../storage/rows.js';
import type { ScheduleStore } from './enrollmentPorts.js';
import { scheduledOf, schedulePrefix, scheduleRowKey, type ScheduleRow } from './enrollmentRows.js';
import type { ScheduledEnrollment } from './schedule.js';

/** The `D_` rows of table `enrollments`: what is due until a day is one range of a customer's partition. */
export class TableScheduleStore implements ScheduleStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async listDue(customer: string, day: string): Promise<readonly ScheduledEnrollment[]> {
    // `}` lies behind the `_` with which the day of a key ends.
    const due = { prefix: schedulePrefix, below: `${schedulePrefix}${day}}` };
    const rows = await this.#rows.range<ScheduleRow>(customer, due);
    return rows.map((row) => scheduledOf(customer, row.rowKey, row));
  }

  async remove(due: ScheduledEnrollment): Promise<void> {
    await this.#rows.delete(due.customer, scheduleRowKey(due));
  }
}
