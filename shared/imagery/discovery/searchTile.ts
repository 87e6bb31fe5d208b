import { LATE_SCENE_DAYS } from '../../enrollments/enrollment.js';
import type { EnrollmentStore, FieldStore } from '../../enrollments/enrollmentPorts.js';
import type { Clock } from '../../clock.js';
import type { MarkStore } from '../../openMarks/openMark.js';
import { addDays } from '../../validation/calendar.js';
import type { Interest } from '../interest/interest.js';
import type { InterestStore } from '../interest/interestPorts.js';
import type { ImageryWorkStore } from '../imageryPorts.js';
import { fieldsAtWork, searchesOf } from './planImagery.js';
import { commonDays, searchPeriods, type Period } from './searchPeriods.js';

export interface SearchTilePorts {
  readonly interest: Pick<InterestStore, 'listTile'>;
  readonly enrollments: Pick<EnrollmentStore, 'find'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly work: Pick<ImageryWorkStore, 'add'>;
  readonly marks: Pick<MarkStore, 'raise'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Searches around the fields that an enrollment has in a tile. @returns how many */
async function searchAround(ports: SearchTilePorts, entries: readonly Interest[], days: Period): Promise<number> {
  const [first] = entries;
  if (first === undefined) return 0;
  const { customer, enrollmentId, firstDate, lastDate } = first;
  const ids = new Set(entries.flatMap(({ fields }) => fields.map(({ fieldId }) => fieldId)));
  const fields = (await fieldsAtWork(ports, { customer, enrollmentId })).filter(({ fieldId }) => ids.has(fieldId));
  const periods = searchPeriods(commonDays(days, { from: firstDate, to: lastDate }));
  const searches = searchesOf({ enrollmentId }, fields, periods);
  if (searches.length === 0) return 0;
  const now = ports.clock.now().getTime();
  await ports.marks.raise({ kind: 'imagery', customer, checkAt: now, raisedAt: now });
  await ports.work.add(customer, 'search', searches);
  return searches.length;
}

/**
 * Has days of a tile searched for by the places of its fields, one enrollment after the other: where the catalogue has
 * nothing of the tile itself, or nothing that can be used, a neighbouring tile may show them, and else the search records
 * why there is no image. Doing it again is harmless.
 *
 * @returns how many searches were left for the service
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
