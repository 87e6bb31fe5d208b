import type { Clock } from '../clock.js';
import type { NewId } from '../ids.js';
import { errorText, type Log } from '../telemetry/telemetry.js';
import { Attempt, AttemptLost } from './attempt.js';
import { isExhausted, nextTry } from './retry.js';
import { claimed, failed, hasMessage, isClaimable, waiting, type WorkItem, type WorkKey } from './workItem.js';
import type { Outcome, WorkKind, WorkKinds } from './workKind.js';
import type { WorkQueues } from './workMessage.js';
import type { StoredWork, WorkStore } from './workStore.js';

export interface HandleWorkPorts {
  readonly store: WorkStore;
  readonly queues: WorkQueues;
  readonly clock: Clock;
  readonly newId: NewId;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  readonly log: Log;
}

/**
 * Does one attempt at the work that a message names. A message for work that is done, held by another attempt or not due
 * yet is dropped: the row is the truth, not the message.
 *
 * @throws Error for a kind that this service does not know, and ServiceError 503 while storage is away
 */
export const handleWork =
  (ports: HandleWorkPorts, kinds: WorkKinds) =>
  async (key: WorkKey): Promise<void> => {
    const kind = kinds.get(key.kind);
    if (kind === undefined) throw new Error(`This version of the service has no work of the kind ${key.kind}.`);
    const stored = await ports.store.find(key);
    if (stored === undefined || !isClaimable(stored.item, ports.clock.now().getTime())) return;
    const attempt = await begin(ports, kind, stored);
    if (attempt === undefined) return;
    try {
      await (isExhausted(stored.item, kind.retry)
        ? giveUp(ports, { kind, attempt }, stored.item.failure ?? 'Every attempt was cut short.')
        : run(ports, { kind, attempt }));
    } catch (error) {
      if (!(error instanceof AttemptLost)) throw error;
      ports.log('Work:AttemptLost', factsOf(attempt.item));
    } finally {
      attempt.stop();
    }
  };

/** One attempt and what it is at. */
interface Running {
  readonly kind: WorkKind;
  readonly attempt: Attempt;
}

const factsOf = ({ kind, id, attempts }: WorkItem) => ({ kind, id, attempt: attempts });

/** Claims the item; undefined when somebody else was quicker. */
async function begin(ports: HandleWorkPorts, { leaseMs }: WorkKind, stored: StoredWork): Promise<Attempt | undefined> {
  const claim = ports.newId();
  const leaseEnd = ports.clock.now().getTime() + leaseMs;
  const written = await ports.store.update(stored, claimed(stored.item, { claim, leaseEnd }));
  return written && new Attempt(ports, { ...written, claim }, leaseMs);
}

async function run(ports: HandleWorkPorts, running: Running): Promise<void> {
  const { kind, attempt } = running;
  try {
    // Work that was asked for again while it ran is done again, its facts read anew.
    while (!(await end(ports, running, await attempt.untilLost(kind.run(attempt)))));
  } catch (error) {
    if (error instanceof AttemptLost) throw error;
    await fail(ports, running, error);
  }
}

/** @returns false when the item could not end, because it was asked for again meanwhile */
async function end(ports: HandleWorkPorts, { attempt }: Running, outcome: Outcome): Promise<boolean> {
  if (outcome.kind === 'done') return attempt.finish();
  const now = ports.clock.now().getTime();
  // Whoever asked meanwhile must not wait for what this attempt waits for.
  await giveBack(ports, attempt, (item, isAskedAgain) => waiting(item, isAskedAgain ? now : outcome.until, now));
  return true;
}

async function fail(ports: HandleWorkPorts, running: Running, error: unknown): Promise<void> {
  const { kind, attempt } = running;
  const { item } = attempt;
  const failure = kind.failureOf(error);
  const { failureClass, reason } = failure;
  ports.log('Work:AttemptFailed', { ...factsOf(item), failureClass, cause: errorText(error) });
  const now = ports.clock.now().getTime();
  const next = nextTry(item, failure, { retry: kind.retry, now, random: ports.random() });
  if (next === undefined) return giveUp(ports, running, reason);
  const { failures, pauseMs } = next;
  const gone = { until: now + pauseMs, failures, failure: reason, failureClass };
  return giveBack(ports, attempt, (held) => failed(held, gone, now));
}

/** Ends the work as a failure. When not even that succeeds, it is tried again as often as it takes. */
async function giveUp(ports: HandleWorkPorts, running: Running, reason: string): Promise<void> {
  const { kind, attempt } = running;
  try {
    while (!(await end(ports, running, await attempt.untilLost(kind.giveUp(attempt, reason)))));
  } catch (error) {
    if (error instanceof AttemptLost) throw error;
    ports.log('Work:NotGivenUp', { ...factsOf(attempt.item), cause: errorText(error) });
    const now = ports.clock.now().getTime();
    const until = now + kind.retry.fault.maximumMs;
    const { failures } = attempt.item;
    const gone = { until, failures, failure: reason, failureClass: 'fault' } as const;
    await giveBack(ports, attempt, (held) => failed(held, gone, now));
  }
}

async function giveBack(
  { queues, clock }: HandleWorkPorts,
  attempt: Attempt,
  next: Parameters<Attempt['giveBack']>[0],
): Promise<void> {
  const { kind, id, notBefore } = await attempt.giveBack(next);
  const now = clock.now().getTime();
  if (!hasMessage(notBefore, now)) return;
  // The row is written: a message that can't be sent is sent by the sweep.
  await queues(kind)
    .send({ kind, id }, Math.max(0, notBefore - now))
    .catch(() => undefined);
}
