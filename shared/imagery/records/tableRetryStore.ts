import type { Rows } from '../../storage/rows.js';
import type { Retry, RetryStore } from '../imageryPorts.js';

const PREFIX = 'R_';
const rowKeyOf = ({ enrollmentId, date }: Retry): string => `${PREFIX}${date}_${enrollmentId}`;

/** Days to search again: rows of table `fieldDates`. PartitionKey is the customer, RowKey `R_<date>_<enrollment>`. */
export class TableRetryStore implements RetryStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async put(customer: string, { enrollmentId, date, dueDate }: Retry): Promise<void> {
    const retry: Retry = { enrollmentId, date, dueDate };
    await this.#rows.put(customer, rowKeyOf(retry), retry);
  }

  async listDue(customer: string, today: string): Promise<readonly Retry[]> {
    const where = { column: 'dueDate', atMost: today };
    const rows = await this.#rows.range<Retry>(customer, { prefix: PREFIX }, { where });
    return rows.map(({ enrollmentId, date, dueDate }) => ({ enrollmentId, date, dueDate }));
  }

  async remove(customer: string, retry: Retry): Promise<void> {
    await this.#rows.delete(customer, rowKeyOf(retry));
  }
}
