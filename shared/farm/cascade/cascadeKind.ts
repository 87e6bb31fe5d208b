import type { Clock } from '../../kit/clock.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Attempt } from '../../work/item/attempt.js';
import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import type { WorkItem } from '../../work/item/workItem.js';
import { done, type Outcome, type WorkKind } from '../../work/item/workKind.js';
import type { FarmWorkStore } from '../upkeep/farmWorkStore.js';
import type { StoredLand } from '../land/landStore.js';
import { factsOf, type CascadeFacts } from './cascadeFacts.js';
import { CASCADE, failedJob, placeOfCascade, progressOfCascade, runningJob, succeededJob } from './cascadeJob.js';
import type { CascadeJob, CascadeProgress } from './cascadeJob.js';
import { added, NOTHING, stepsOf, type CascadeStepPorts } from './cascadeSteps.js';
import { WRITER_MS } from './sweepUp.js';

export interface CascadePorts extends CascadeStepPorts {
  readonly cascades: FarmWorkStore<CascadeJob>;
  readonly clock: Clock;
  readonly log: Log;
}

const beginning: CascadeProgress = { step: 0, counts: NOTHING };

/** So long an attempt goes on, well below the longest: then the next one takes over. */
const SLICE_MS = 8 * 60_000;

/**
 * The work of cascade deletes, and of what is left to be swept up when a single resource is deleted: the resource is
 * marked, then all that lies below it is deleted, a hundred rows a transaction, at last the resource. Any part of it may
 * be done twice.
 *
 * @param leaseMs length of the lease: after a crash the next attempt waits at most this long
 */
export function cascadeKind(ports: CascadePorts, leaseMs: number): WorkKind {
  return {
    kind: CASCADE,
    leaseMs,
    begin: (begun) => {
      let held: Pick<Attempt, 'item'> = { item: begun };
      const run = (attempt: Attempt): Promise<Outcome> => {
        held = attempt;
        return runCascade(ports, attempt);
      };
      return Promise.resolve({
        retry: retryOfStorage,
        run,
        giveUp: ({ item }, reason) => giveUp(ports, item, reason),
        // The next attempt goes on where this one has come to.
        failureOf: (error) => ({ ...failureOf(error), place: held.item.place }),
      });
    },
  };
}

async function runCascade(ports: CascadePorts, attempt: Attempt): Promise<Outcome> {
  const { item } = attempt;
  const progress = progressOfCascade(item.place);
  const found = await findTarget(ports, factsOf(item), progress === undefined);
  if (found === undefined) return finish(ports, item, progress);
  if (progress !== undefined) return runStep(ports, attempt, progress);
  const job = await ports.cascades.find(item);
  if (job !== undefined) await ports.cascades.update(item, job, runningJob(job.value, now(ports)));
  return waitFor(ports, beginning);
}

/** One step of the deletion, then a pause until those who have seen what is gone now have ended. */
async function runStep(ports: CascadePorts, attempt: Attempt, { step, counts }: CascadeProgress): Promise<Outcome> {
  const { target } = factsOf(attempt.item);
  const steps = stepsOf[target.kind];
  const end = now(ports) + SLICE_MS;
  let sum = counts;
  for await (const deleted of steps[step]?.(ports, target) ?? []) {
    sum = added(sum, deleted);
    const place = placeOfCascade({ step, counts: sum });
    await attempt.save(place);
    if (now(ports) > end) return { kind: 'wait', until: now(ports), place, hasProgress: true };
  }
  if (step + 1 < steps.length) return waitFor(ports, { step: step + 1, counts: sum });
  await attempt.hold();
  const found = await findTarget(ports, factsOf(attempt.item), false);
  if (found !== undefined) await ports.land.remove(target, found.etag);
  return finish(ports, attempt.item, { step, counts: sum });
}

/**
 * The resource, marked as being deleted; undefined when it is gone, was created again since, or stays.
 *
 * @param isFirst whether a caller's cascade may still have to mark it
 */
async function findTarget(
  { land }: CascadePorts,
  { target, createdAt }: CascadeFacts,
  isFirst: boolean,
): Promise<StoredLand | undefined> {
  for (;;) {
    const found = await land.find(target);
    const isAnother = createdAt !== undefined && found?.land.createdAt !== createdAt;
    if (found === undefined || isAnother) return undefined;
    if (found.land.isDeleting === true) return found;
    // A single deletion marks by itself: without a mark it has not come about.
    if (!isFirst || createdAt === undefined) return undefined;
    await land.mark(target, found.etag);
  }
}

const now = ({ clock }: CascadePorts): number => clock.now().getTime();

const waitFor = (ports: CascadePorts, progress: CascadeProgress): Outcome => ({
  kind: 'wait',
  until: now(ports) + WRITER_MS,
  place: placeOfCascade(progress),
  hasProgress: true,
});

async function finish(ports: CascadePorts, item: WorkItem, { counts } = beginning): Promise<Outcome> {
  const stored = await ports.cascades.find(item);
  if (stored !== undefined) {
    await ports.cascades.update(item, stored, succeededJob(stored.value, counts, now(ports)));
  }
  const { target } = factsOf(item);
  const after = (): void => {
    ports.log('Farm:Deleted', { tenant: target.tenant, kind: target.kind, ...counts });
  };
  return { ...done, after };
}

async function giveUp(ports: CascadePorts, item: WorkItem, reason: string): Promise<Outcome> {
  const stored = await ports.cascades.find(item);
  if (stored !== undefined) await ports.cascades.update(item, stored, failedJob(stored.value, now(ports)));
  ports.log('Farm:NotDeleted', { ...factsOf(item).target, reason });
  return done;
}
