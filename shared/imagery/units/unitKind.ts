import { asSharedWork } from '../../kit/telemetry/trace.js';
import type { Attempt } from '../../work/item/attempt.js';
import type { WorkItem } from '../../work/item/workItem.js';
import type { Step, WorkKind } from '../../work/item/workKind.js';
import { failureOfScenes, retryOfScenes } from '../../scenes/stac/sceneFailure.js';
import { UnitAttempt, type RunUnitPorts } from './runUnit.js';
import { askOf, UNIT } from './unit.js';

/**
 * The kind of work that makes the images of a unit: the slices of all customers one after the other. Each slice has its own
 * records and files; only the blocks of the scenes are shared. Slices that failed are retried without the others.
 */
export function unitKind(ports: RunUnitPorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> => {
    const unit = new UnitAttempt(ports, item);
    return Promise.resolve({
      retry: retryOfScenes,
      run: (attempt: Attempt) => asSharedWork(UNIT, askOf(attempt.item).origins ?? [], () => unit.run(attempt)),
      giveUp: (attempt: Attempt, reason: string) => unit.giveUp(attempt, reason),
      failureOf: (error) => ({ ...failureOfScenes(error), place: unit.parts.place }),
    });
  };
  return { kind: UNIT, leaseMs, begin };
}
