import type { Rows } from '../../storage/rows.js';
import { OPEN_UNITS, UNIT_PARTITIONS } from '../units/tableUnitStore.js';
import type { UnitRow } from '../units/unitRows.js';
import type { WaitingWork } from './watchImagery.js';

/** More of them tell an operator no more. */
const MOST = 1_000;
/** Attempts that waited for something else so often have done so for hours. */
const MANY_WAITS = 10;

interface WorkRow {
  readonly writtenAt: string;
  /** Of active work alone. */
  readonly waits?: number;
}

/** The latest day in the key of a piece of work: a search ends with its last day, a unit with its day and its part. */
const dateOf = (rowKey: string): string => /_(\d{4}-\d\d-\d\d)(?:_\d+)?$/.exec(rowKey)?.[1] ?? '';

type WaitingUnitRow = Pick<UnitRow, 'lane' | 'publishedAt' | 'waits' | 'writtenAt'>;
const UNIT_COLUMNS = ['lane', 'publishedAt', 'waits', 'writtenAt'];

/**
 * Reads the rows of table `imageryUnits` that are open since long: those of new scenes since their publication, whatever
 * was tried meanwhile; those of the late lane when nobody has touched them for as long, or when they wait for others again
 * and again. One query for each of the sixteen partitions, however many customers there are.
 */
export const tableWaitingUnitsReader =
  (rows: Rows) =>
  async (before: number): Promise<readonly WaitingWork[]> => {
    const open = (partition: string) => rows.range<WaitingUnitRow>(partition, OPEN_UNITS, { select: UNIT_COLUMNS });
    const found = (await Promise.all(UNIT_PARTITIONS.map(open))).flat();
    return found.flatMap(({ rowKey, lane, publishedAt, waits, writtenAt }): WaitingWork[] => {
      const since = Date.parse(lane === 'live' ? publishedAt : writtenAt);
      const date = /\|(\d{4}-\d\d-\d\d)\|/.exec(rowKey)?.[1] ?? '';
      return since <= before || waits >= MANY_WAITS ? [{ date, since }] : [];
    });
  };

/** Reads the work rows of table `fieldDates` that nobody has touched for long. */
export const tableWaitingWorkReader =
  (rows: Rows) =>
  async (customer: string, before: number): Promise<readonly WaitingWork[]> => {
    const where = { column: 'writtenAt', atMost: new Date(before).toISOString() };
    const select = ['writtenAt', 'waits'];
    const pending = await rows.range<WorkRow>(customer, { prefix: 'P_' }, { where, select, most: MOST });
    const active = await rows.range<WorkRow>(customer, { prefix: 'A_' }, { select });
    const patient = active.filter(({ waits = 0 }) => waits >= MANY_WAITS).slice(0, MOST);
    return [...pending, ...patient].map(({ rowKey, writtenAt }) => {
      return { date: dateOf(rowKey), since: Date.parse(writtenAt) };
    });
  };
