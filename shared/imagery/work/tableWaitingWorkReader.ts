import type { Rows } from '../../storage/rows.js';
import type { WorkStore } from '../../work/workStore.js';
import { UNIT, unitOf } from '../units/unit.js';
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

/**
 * Reads the units that are open since long: those of new scenes since their publication, whatever was tried meanwhile;
 * those of the late lane since they were asked for; and those that something outside keeps waiting again and again. One
 * query for each partition of table `work`, however many customers there are.
 */
export const waitingUnitsReader =
  (store: Pick<WorkStore, 'listKind'>) =>
  async (before: number): Promise<readonly WaitingWork[]> => {
    const units = await store.listKind(UNIT);
    return units.flatMap((item): WaitingWork[] => {
      const { date, lane, publishedAt } = unitOf(item);
      const since = lane === 'live' ? publishedAt : item.createdAt;
      const isPatient = Object.values(item.failures).some(({ count }) => count >= MANY_WAITS);
      return since <= before || isPatient ? [{ date, since }] : [];
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
