import { odata, type TableClient } from '@azure/data-tables';
import { firstRows } from '../../storage/tableRows.js';
import type { WaitingWork } from './watchImagery.js';

/** More of them tell an operator no more. */
const MOST = 1_000;
/** Attempts that waited for something else so often have done so for hours. */
const MANY_WAITS = 10;

interface WorkRow {
  readonly timestamp?: string;
}

/** The latest day in the key of a piece of work: a search ends with its last day, a unit with its day and its part. */
const dateOf = (rowKey: string): string => /_(\d{4}-\d\d-\d\d)(?:_\d+)?$/.exec(rowKey)?.[1] ?? '';

/** Reads the work rows of table `fieldDates` that nobody has touched for long. */
export const tableWaitingWorkReader =
  (table: TableClient) =>
  async (customer: string, before: number): Promise<readonly WaitingWork[]> => {
    const instant = new Date(before);
    const pending = odata`PartitionKey eq ${customer} and RowKey ge 'P_' and RowKey lt 'P\`' and Timestamp le ${instant}`;
    const active = odata`PartitionKey eq ${customer} and RowKey ge 'A_' and RowKey lt 'A\`' and waits ge ${MANY_WAITS}`;
    const rows = [
      ...(await firstRows<WorkRow>(table, pending, MOST)),
      ...(await firstRows<WorkRow>(table, active, MOST)),
    ];
    return rows.map(({ rowKey, timestamp = '' }) => ({ date: dateOf(rowKey), since: Date.parse(timestamp) }));
  };
