import { createHash } from 'node:crypto';
import type { Action, Rows } from '../../storage/rows.js';

/** The fields whose files of one date were made on one day. */
export interface Making {
  /** UTC day. */
  readonly madeOn: string;
  readonly date: string;
  readonly fieldIds: readonly string[];
}

/** What the use cases need of `TableMakingStore`. */
export type MakingStore = Pick<TableMakingStore, keyof TableMakingStore>;

const PREFIX = 'M_';

function rowKeyOf({ madeOn, date, fieldIds }: Making): string {
  const fields = createHash('sha256').update(JSON.stringify(fieldIds)).digest('hex').slice(0, 32);
  return `${PREFIX}${madeOn}_${date}_${fields}`;
}

interface MakingRow {
  readonly json: string;
}

/** Writes the row of a making; repeating it changes nothing. */
export const makingAction = (making: Making): Action => ({
  put: rowKeyOf(making),
  value: { json: JSON.stringify(making) } satisfies MakingRow,
});

/**
 * Which files were made on which day, to find those whose retention is over: rows of table `fieldDates`. PartitionKey is
 * the customer, RowKey `M_<day made>_<date>_<hash of the field ids>`. `TableFieldDateStore` writes the rows, together with
 * the records of the days.
 */
export class TableMakingStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Up to `most` makings of days before `day`, the oldest first. */
  async listBefore(customer: string, day: string, most: number): Promise<readonly Making[]> {
    const before = { prefix: PREFIX, below: `${PREFIX}${day}` };
    const rows = await this.#rows.range<MakingRow>(customer, before, { most });
    return rows.map(({ json }) => JSON.parse(json) as Making);
  }

  /** Removing twice is harmless. */
  async remove(customer: string, making: Making): Promise<void> {
    await this.#rows.delete(customer, rowKeyOf(making));
  }
}
