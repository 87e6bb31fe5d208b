import type { Clock } from '../clock.js';
import type { EnrollmentInputStore, EnrollmentStore } from './enrollmentPorts.js';

const DAY_MS = 24 * 3_600_000;
/** A submission takes minutes; inputs without a row after a day are nobody's. */
const YOUNGEST_MS = DAY_MS;
/** Older inputs were looked at in earlier nights; a week allows for nights that were missed. */
const OLDEST_MS = 8 * DAY_MS;

/** Deletes inputs of submissions that died before their enrollment came to be. @returns how many submissions */
export const sweepOrphans =
  ({
    inputs,
    enrollments,
    clock,
  }: {
    readonly inputs: EnrollmentInputStore;
    readonly enrollments: Pick<EnrollmentStore, 'find'>;
    readonly clock: Clock;
  }) =>
  async (): Promise<number> => {
    const now = clock.now().getTime();
    let removed = 0;
    for await (const key of inputs.listWritten(now - OLDEST_MS, now - YOUNGEST_MS)) {
      if ((await enrollments.find(key)) !== undefined) continue;
      await inputs.remove(key);
      removed += 1;
    }
    return removed;
  };
