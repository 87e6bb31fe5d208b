import type { Clock } from '../../clock.js';
import type { UnitStore } from './unitPorts.js';
import { textOfUnit } from './unitWork.js';

export interface UnitAttemptsPorts {
  readonly units: Pick<UnitStore, 'buckets' | 'listOpen'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How long an attempt holds its unit; it is renewed three times in that. */
  readonly leaseMs: number;
}

/**
 * The attempts at units that are under way, each by a name of its own. One that could not renew its hold for a whole lease
 * after its end is dead, and counts no more where nobody takes the unit up.
 */
export const listUnitAttempts =
  ({ units, clock, leaseMs }: UnitAttemptsPorts) =>
  async (): Promise<readonly string[]> => {
    const now = clock.now().getTime();
    const buckets = await Promise.all(Array.from({ length: units.buckets }, (_, bucket) => units.listOpen(bucket)));
    return buckets
      .flatMap(({ open }) => open.map(({ unit }) => unit))
      .filter(({ claim, notBefore }) => claim !== '' && now < notBefore + leaseMs)
      .map((unit) => `${textOfUnit(unit)} ${unit.claim}`);
  };
