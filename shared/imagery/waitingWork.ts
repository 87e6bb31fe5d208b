import { ownerOf, type WorkItem } from '../work/workItem.js';
import type { WorkStore } from '../work/workStore.js';
import { BACKFILL, backfillOf } from './discovery/backfill.js';
import { UNIT, unitOf } from './units/unit.js';
import type { WaitingWork } from './watchImagery.js';

/** Failures in a row: work that waited for something else so often has done so for hours. */
const MANY_FAILURES = 10;

/** A unit of a new scene waits since the first publication, whatever came meanwhile; a late one since it was asked for. */
function waitingUnit(item: WorkItem): WaitingWork {
  const { date, lane, publishedAt } = unitOf(item);
  return { date, since: lane === 'live' ? Math.min(publishedAt, item.createdAt) : item.createdAt };
}

/** A backfill waits since it was asked for; one that looks a day through again since that was due, or was begun. */
function waitingBackfill(item: WorkItem): WaitingWork {
  const { to, why } = backfillOf(item);
  const begun = why === 'retry' ? item.epoch : 0;
  return { date: to, since: Math.max(item.createdAt, item.parked?.askedAt ?? begun), customer: ownerOf(item) };
}

/**
 * Reads the work on images that is open since long, or that something outside keeps waiting again and again. One query of
 * each kind for each partition of table `work`, however many customers there are.
 */
export const waitingWork =
  (store: Pick<WorkStore, 'listKind'>) =>
  async (before: number): Promise<readonly WaitingWork[]> => {
    const [units, backfills] = await Promise.all([store.listKind(UNIT), store.listKind(BACKFILL)]);
    const isPatient = ({ failures }: WorkItem): boolean =>
      Object.values(failures).some(({ count }) => count >= MANY_FAILURES);
    const waiting = [
      ...units.map((item) => ({ item, work: waitingUnit(item) })),
      ...backfills.map((item) => ({ item, work: waitingBackfill(item) })),
    ];
    return waiting.filter(({ item, work }) => work.since <= before || isPatient(item)).map(({ work }) => work);
  };
