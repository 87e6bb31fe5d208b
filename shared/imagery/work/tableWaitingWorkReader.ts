import { odata, type TableClient } from '@azure/data-tables';
import { firstRows, listRows, type ReadRow } from '../../storage/tableRows.js';
import { UNIT_PARTITIONS } from '../units/tableUnitStore.js';
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

interface UnitRow extends WorkRow {
  readonly lane: string;
  readonly publishedAt: string;
  readonly waits: number;
}
const UNIT_COLUMNS = ['rowKey', 'timestamp', 'lane', 'publishedAt', 'waits'];

/**
 * Reads the rows of table `imageryUnits` that are open since long: those of new scenes since their publication, whatever
 * was tried meanwhile; those of the late lane when nobody has touched them for as long, or when they wait for others again
 * and again. One query for each of the sixteen partitions, however many customers there are.
 */
export const tableWaitingUnitsReader =
  (table: TableClient) =>
  async (before: number): Promise<readonly WaitingWork[]> => {
    const open = (partition: string): Promise<ReadRow<UnitRow>[]> =>
      listRows<UnitRow>(table, odata`PartitionKey eq ${partition} and RowKey ge 'L|' and RowKey lt 'W}'`, UNIT_COLUMNS);
    const rows = (await Promise.all(UNIT_PARTITIONS.map(open))).flat();
    return rows.flatMap(({ rowKey, lane, publishedAt, waits, timestamp = '' }): WaitingWork[] => {
      const since = Date.parse(lane === 'live' ? publishedAt : timestamp);
      const date = /\|(\d{4}-\d\d-\d\d)\|/.exec(rowKey)?.[1] ?? '';
      return since <= before || waits >= MANY_WAITS ? [{ date, since }] : [];
    });
  };

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
