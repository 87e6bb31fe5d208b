import { LATE_SCENE_DAYS } from '../../enrollments/enrollment.js';
import type { Clock } from '../../clock.js';
import { addDays } from '../../validation/calendar.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { Interest } from '../interest/interest.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { askBackfill } from './backfill.js';
import { commonDays, type Period } from './searchPeriods.js';

export interface SearchTilePorts {
  readonly interest: Pick<InterestStore, 'listTile'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Has days looked through for the fields that an enrollment has in a tile. @returns how many pieces of work that are */
function searchAround(ports: SearchTilePorts, entries: readonly Interest[], days: Period): Promise<number> {
  const [first] = entries;
  if (first === undefined) return Promise.resolve(0);
  const { customer, enrollmentId, firstDate, lastDate } = first;
  const fieldIds = entries.flatMap(({ fields }) => fields.map(({ fieldId }) => fieldId)).sort();
  const period = commonDays(days, { from: firstDate, to: lastDate });
  return askBackfill(ports.enqueuer, { customer, enrollmentId, fieldIds, ...period, why: 'hole' });
}

/**
 * Has days of a tile searched for by the places of its fields, one enrollment after the other: where the catalogue has
 * nothing of the tile itself, or nothing that can be used, a neighbouring tile may show them, and else the search records
 * why there is no image. Doing it again is harmless.
 *
 * @returns how many pieces of work that are
 */
export const searchTile =
  (ports: SearchTilePorts) =>
  async (tile: string, days: Period): Promise<number> => {
    const today = ports.clock.now().toISOString().slice(0, 10);
    const isOpen = ({ lastDate }: Interest): boolean => today <= addDays(lastDate, LATE_SCENE_DAYS);
    const byEnrollment = new Map<string, Interest[]>();
    for (const entry of (await ports.interest.listTile(tile)).filter(isOpen)) {
      const key = `${entry.customer}|${entry.enrollmentId}`;
      byEnrollment.set(key, [...(byEnrollment.get(key) ?? []), entry]);
    }
    let count = 0;
    for (const entries of byEnrollment.values()) count += await searchAround(ports, entries, days);
    return count;
  };
