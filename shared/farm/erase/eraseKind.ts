import type { Clock } from '../../kit/clock.js';
import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Attempt } from '../../work/item/attempt.js';
import type { WorkItem } from '../../work/item/workItem.js';
import { done, type Outcome, type WorkKind } from '../../work/item/workKind.js';
import { WRITER_MS } from '../cascade/sweepUp.js';
import { ERASE, type ErasureScope } from '../upkeep/erasureScope.js';
import type { FarmWorkStore } from '../upkeep/farmWorkStore.js';
import {
  failedErasure,
  NOTHING_ERASED,
  placeOfErasure,
  progressOfErasure,
  scopeOf,
  succeededErasure,
  withMore,
  type Erasure,
  type ErasureCounts,
  type ErasureProgress,
} from './erasure.js';
import type { TombstoneStore } from './tombstoneStore.js';

/** What a part of an erasure has found: what it has deleted, and what can be deleted only later. */
export interface ErasedSome extends Partial<ErasureCounts> {
  readonly kept?: number;
}

/**
 * One kind of data that belongs to parties and tenants. Deletes what there is, a little at a time; begun again it does what
 * is left.
 */
export type ErasurePart = (scope: ErasureScope) => AsyncIterable<ErasedSome>;

/** Keeps a party from being written while it is erased. */
export interface ErasureMark {
  readonly set: (scope: ErasureScope) => Promise<void>;
  /** Of a party that was created after the instant nothing is removed. */
  readonly remove: (scope: ErasureScope, erasedAt: number) => Promise<void>;
}

export interface EraseKindPorts {
  readonly erasures: FarmWorkStore<Erasure>;
  readonly tombstones: TombstoneStore;
  /** Beside the exports, for the restore of one of before. */
  readonly keptTombstones: { readonly keepErasure: (scope: ErasureScope, erasedAt: number) => Promise<void> };
  readonly mark: ErasureMark;
  /** In this order. */
  readonly parts: readonly ErasurePart[];
  readonly clock: Clock;
  readonly log: Log;
}

/** So long an attempt goes on, well below the longest: then the next one takes over. */
const SLICE_MS = 8 * 60_000;

/**
 * The work of erasures. First the tombstone, for a restore in the middle; then passes over all parts until one finds
 * nothing that begins when nobody who has seen what was found can still write. Any part of it may be done twice.
 */
export function eraseKind(ports: EraseKindPorts, leaseMs: number): WorkKind {
  return {
    kind: ERASE,
    leaseMs,
    begin: (begun) => {
      let held: Pick<Attempt, 'item'> = { item: begun };
      const run = (attempt: Attempt): Promise<Outcome> => {
        held = attempt;
        return runErasure(ports, attempt);
      };
      return Promise.resolve({
        retry: retryOfStorage,
        run,
        giveUp: ({ item }) => giveUp(ports, item),
        // Begun anew, an attempt would erase what has come under the same id since.
        failureOf: (error) => ({ ...failureOf(error), place: held.item.place }),
      });
    },
  };
}

async function runErasure(ports: EraseKindPorts, attempt: Attempt): Promise<Outcome> {
  const scope = scopeOf(attempt.item);
  const progress = progressOfErasure(attempt.item.place);
  const now = nowOf(ports);
  if (progress === undefined) {
    const erasedAt = now + WRITER_MS;
    await ports.tombstones.bury(scope, { erasedAt, isOpen: true });
    await ports.keptTombstones.keepErasure(scope, erasedAt);
    await ports.mark.set(scope);
    await tell(ports, attempt.item, (erasure) => ({ ...erasure, status: 'Running' }));
    return waitFor({ counts: NOTHING_ERASED, foundAt: nowOf(ports) }, nowOf(ports) + WRITER_MS);
  }
  const tombstone = await ports.tombstones.find(scope);
  // An attempt died at the very end: what has come since under the same ids is new.
  if (tombstone?.isOpen === false) return end(ports, attempt.item, { counts: progress.counts, ...tombstone });
  await ports.mark.set(scope);
  const passed = await pass(ports, attempt, progress);
  if (passed.foundAt > progress.foundAt) return waitFor(passed, passed.until);
  if (now < progress.foundAt + WRITER_MS) return waitFor(progress, progress.foundAt + WRITER_MS);
  await attempt.hold();
  const erasedAt = nowOf(ports);
  await ports.tombstones.bury(scope, { erasedAt, isOpen: false });
  return end(ports, attempt.item, { counts: progress.counts, erasedAt });
}

/** One pass over all parts, as far as it comes. @returns when something was found last, and when to go on */
async function pass(
  ports: EraseKindPorts,
  attempt: Attempt,
  { counts, foundAt }: ErasureProgress,
): Promise<ErasureProgress & { readonly until: number }> {
  const end = nowOf(ports) + SLICE_MS;
  let [sum, at] = [counts, foundAt];
  for (const part of ports.parts) {
    for await (const found of part(scopeOf(attempt.item))) {
      await attempt.hold();
      if (Object.values(found).every((count) => count === 0)) continue;
      sum = withMore(sum, found);
      at = Math.max(nowOf(ports), foundAt + 1);
      await attempt.save(placeOfErasure({ counts: sum, foundAt: at }));
      if (nowOf(ports) > end) return { counts: sum, foundAt: at, until: nowOf(ports) };
    }
  }
  return { counts: sum, foundAt: at, until: at + WRITER_MS };
}

async function end(
  ports: EraseKindPorts,
  item: WorkItem,
  { counts, erasedAt }: { readonly counts: ErasureCounts; readonly erasedAt: number },
): Promise<Outcome> {
  const scope = scopeOf(item);
  await ports.mark.remove(scope, erasedAt);
  await tell(ports, item, (erasure) => succeededErasure(erasure, counts, nowOf(ports)));
  const after = (): void => {
    ports.log('Farm:Erased', { tenant: scope.tenant, isTenant: scope.partyId === undefined, ...counts });
  };
  return { ...done, after };
}

async function giveUp(ports: EraseKindPorts, item: WorkItem): Promise<Outcome> {
  await tell(ports, item, (erasure) => failedErasure(erasure, nowOf(ports)));
  ports.log('Farm:NotErased', { tenant: scopeOf(item).tenant });
  return done;
}

async function tell({ erasures }: EraseKindPorts, item: WorkItem, next: (erasure: Erasure) => Erasure): Promise<void> {
  const stored = await erasures.find(item);
  if (stored !== undefined) await erasures.update(item, stored, next(stored.value));
}

const waitFor = ({ counts, foundAt }: ErasureProgress, until: number): Outcome => ({
  ...{ kind: 'wait', until, hasProgress: true },
  place: placeOfErasure({ counts, foundAt }),
});

const nowOf = ({ clock }: EraseKindPorts): number => clock.now().getTime();
