import type { EnrollmentKey } from '../../enrollments/record/enrollment.js';
import type { WorkStore } from '../../work/item/workStore.js';
import type { Period } from '../../scenes/stac/searchPeriods.js';
import { BACKFILL, isOfNewEnrollment, periodOfBackfill, planOf } from './backfill.js';

/** The searches with which the monitoring of an enrollment begins, as far as they are open. */
export interface OpenSearches {
  /** Whether they are still to be asked for. */
  readonly isPlanned: boolean;
  /** Days of the searches that are open, none twice. */
  readonly periods: readonly Period[];
}

/** Nine requests of storage: one for the plan, one for each partition of the work. */
export const openSearches =
  (store: Pick<WorkStore, 'idsOf' | 'find'>) =>
  async (key: EnrollmentKey): Promise<OpenSearches> => {
    // The plan first: it is there until all searches are asked for, so none is missed.
    const isPlanned = (await store.find(planOf(key))) !== undefined;
    const ids = await store.idsOf(BACKFILL, `${key.customer}|${key.enrollmentId}|`);
    return { isPlanned, periods: ids.filter(isOfNewEnrollment).map(periodOfBackfill) };
  };
