import type { Clock } from '../../clock.js';
import type { WorkStore } from '../../work/workStore.js';
import { textOfUnit, UNIT, unitKeyOf } from './unit.js';

export interface UnitAttemptsPorts {
  readonly store: Pick<WorkStore, 'listKind'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How long an attempt holds its unit; it is renewed three times in that. */
  readonly leaseMs: number;
}

/**
 * The attempts at units that are under way, each by a name of its own. One that could not renew its hold for a whole lease
 * after its end is dead, and counts no more where nobody takes the unit up.
 */
export const listUnitAttempts =
  ({ store, clock, leaseMs }: UnitAttemptsPorts) =>
  async (): Promise<readonly string[]> => {
    const now = clock.now().getTime();
    const units = await store.listKind(UNIT);
    return units.flatMap(({ claim, notBefore, ...unit }) =>
      claim !== undefined && now < notBefore + leaseMs ? [`${textOfUnit(unitKeyOf(unit))} ${claim}`] : [],
    );
  };
