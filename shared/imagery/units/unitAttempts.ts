import type { Clock } from '../../kit/clock.js';
import type { WorkStore } from '../../work/item/workStore.js';
import { textOfUnit, UNIT, unitKeyOf } from './unit.js';

/** What `listUnitAttempts` needs. */
export interface UnitAttemptsPorts {
  readonly store: Pick<WorkStore, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The lease of an attempt, which is renewed three times within that time. */
  readonly leaseMs: number;
}

/**
 * The running attempts at units, as unique names. An attempt that has not renewed its lease for a whole lease after the
 * lease's end is dead and is left out.
 */
export const listUnitAttempts =
  ({ store, clock, leaseMs }: UnitAttemptsPorts) =>
  async (): Promise<readonly string[]> => {
    const now = clock.now().getTime();
    const units = await store.list(UNIT);
    return units.flatMap(({ claim, notBefore, ...unit }) =>
      claim !== undefined && now < notBefore + leaseMs ? [`${textOfUnit(unitKeyOf(unit))} ${claim}`] : [],
    );
  };
