import { createHash } from 'node:crypto';
import type { Action, Rows } from '../../storage/rows.js';
import type { Making, MakingStore } from './recordPorts.js';

const PREFIX = 'M_';

function rowKeyOf({ madeOn, date, fieldIds }: Making): string {
  const fields = createHash('sha256').update(JSON.stringify(fieldIds)).digest('hex').slice(0, 32);
  return `${PREFIX}${madeOn}_${date}_${fields}`;
}

interface MakingRow {
  readonly json: string;
}

/** The write of a making. The same again is no further one. */
export const makingAction = (making: Making): Action => ({
  put: rowKeyOf(making),
  value: { json: JSON.stringify(making) } satisfies MakingRow,
});

/**
 * What was made when: rows of table `fieldDates`. PartitionKey is the customer, RowKey `M_<day>_<date>_<hash of the field
 * ids>`: what is older than a day is one range. They are written with the records of what was made.
 */
export class TableMakingStore implements MakingStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async listBefore(customer: string, day: string, most: number): Promise<readonly Making[]> {
    const before = { prefix: PREFIX, below: `${PREFIX}${day}` };
    const rows = await this.#rows.range<MakingRow>(customer, before, { most });
    return rows.map(({ json }) => JSON.parse(json) as Making);
  }

  async remove(customer: string, making: Making): Promise<void> {
    await this.#rows.delete(customer, rowKeyOf(making));
  }
}
