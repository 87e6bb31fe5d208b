import { usualPace } from '../../retryDelay.js';
import type { Attempt } from '../../work/attempt.js';
import type { RetryPolicies } from '../../work/retry.js';
import type { WorkItem } from '../../work/workItem.js';
import type { Step, WorkKind } from '../../work/workKind.js';
import { failureOfScenes } from '../imageryFailure.js';
import { UnitAttempt, type RunUnitPorts } from './runUnit.js';
import { UNIT } from './unit.js';

const HOUR_MS = 3_600_000;

/** An outage is borne for more than a day, a refusal with its pauses of up to four hours for two to four days. */
const retry: RetryPolicies = {
  fault: { ...usualPace, maximumAttempts: 5 },
  outage: { ...usualPace, maximumAttempts: 250 },
  refusal: { ...usualPace, maximumMs: 4 * HOUR_MS, maximumAttempts: 30 },
};

/**
 * Makes the images of a unit: the slices of all customers one after the other, each with its own records and files and
 * none of another's, the blocks of the scenes shared. Slices that failed are tried again without the others.
 */
export function unitKind(ports: RunUnitPorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> => {
    const unit = new UnitAttempt(ports, item);
    return Promise.resolve({
      retry,
      run: (attempt: Attempt) => unit.run(attempt),
      giveUp: (attempt: Attempt, reason: string) => unit.giveUp(attempt, reason),
      failureOf: (error) => ({ ...failureOfScenes(error), place: unit.parts.place }),
    });
  };
  return { kind: UNIT, leaseMs, begin };
}
