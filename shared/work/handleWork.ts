import type { Clock } from '../kit/clock.js';
import type { NewId } from '../kit/ids.js';
import { errorText, type Log } from '../kit/telemetry/telemetry.js';
import { Attempt, AttemptLost } from './item/attempt.js';
import { heldLaneOf, ownerOfLane } from './lanes/lane.js';
import type { Lanes } from './lanes/lanes.js';
import { isExhausted, nextTry, type Failure } from './item/retry.js';
import {
  claimed,
  failed,
  held,
  isClaimable,
  messageDueAt,
  namesOf,
  ownerOf,
  waiting,
  type GivenBack,
  type WorkItem,
  type WorkKey,
} from './item/workItem.js';
import type { Outcome, Step, WorkKind, WorkKinds } from './item/workKind.js';
import type { WorkQueues } from './item/workMessage.js';
import type { StoredWork, WorkStore } from './item/workStore.js';

export interface HandleWorkPorts {
  readonly store: WorkStore;
  readonly queues: WorkQueues;
  readonly lanes: Pick<Lanes, 'leave' | 'leaveAll' | 'wait' | 'comeAgain'>;
  readonly clock: Clock;
  readonly newId: NewId;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  readonly log: Log;
  /** Whether operators hold a tenant. */
  readonly isHeld: (tenant: string) => Promise<boolean>;
  /** When they released it last, milliseconds since 1970 UTC; absent where nobody holds any. */
  readonly releasedAt?: (tenant: string) => Promise<number | undefined>;
}

/** Whoever waits as long as this after a failure, or longer, gives up its slot in its tenant's lane. */
const LONG_PAUSE_MS = 2 * 60_000;
/** The shortest that a queue can hide a message. */
const NO_SEAT_PAUSE_MS = 1_000;

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
    const leave = kind.seats === undefined ? noSeat : kind.seats.take(stored.item);
    if (leave === undefined) return ports.queues(stored.item).send({ kind: key.kind, id: key.id }, NO_SEAT_PAUSE_MS);
    try {
      await tryOnce(ports, kind, stored);
    } finally {
      leave();
    }
  };

const noSeat = (): void => undefined;

async function tryOnce(ports: HandleWorkPorts, kind: WorkKind, stored: StoredWork): Promise<void> {
  const step = await kind.begin(stored.item);
  if (step.waitsWhileHeld === true && (await ports.isHeld(ownerOf(stored.item)))) return holdBack(ports, stored);
  const attempt = await claim(ports, { kind, step }, stored);
  if (attempt === undefined) return;
  try {
    await (isExhausted(stored.item, step.retry)
      ? giveUp(ports, { step, attempt }, stored.item.failure ?? 'Every attempt was cut short.')
      : run(ports, { step, attempt }));
  } catch (error) {
    if (!(error instanceof AttemptLost)) throw error;
    ports.log('Work:AttemptLost', factsOf(attempt.item));
    await step.lost?.();
  } finally {
    attempt.stop();
  }
}

/** Has an item wait for the release of its tenant: no attempt, and no slot that others could use. */
async function holdBack({ store, lanes, clock }: HandleWorkPorts, stored: StoredWork): Promise<void> {
  const { kind, id, lanes: stoodIn = [] } = stored.item;
  const now = clock.now().getTime();
  const ticket = { lane: heldLaneOf(ownerOf(stored.item)), askedAt: now };
  if ((await store.update(stored, held(stored.item, ticket, now))) === undefined) return;
  // Of a former release it may still have a slot there, and a ticket of its own would be thrown away.
  await lanes.leave(ticket.lane, stored.item);
  await lanes.wait(ticket.lane, { kind, id, askedAt: now });
  for (const lane of stoodIn) if (ownerOfLane(lane) === undefined) await lanes.leave(lane, stored.item);
}

/** One attempt and what it is at. */
interface Running {
  readonly step: Step;
  readonly attempt: Attempt;
}

const factsOf = (item: WorkItem) => ({
  ...namesOf(item),
  attempt: item.attempts,
  ...(item.place === undefined ? {} : { step: item.place.step }),
});

/** Claims the item; undefined when somebody else was quicker. */
async function claim(
  ports: HandleWorkPorts,
  { kind, step }: { readonly kind: WorkKind; readonly step: Step },
  stored: StoredWork,
): Promise<Attempt | undefined> {
  const id = ports.newId();
  const now = ports.clock.now().getTime();
  const item = claimed(stored.item, { claim: id, leaseEnd: now + kind.leaseMs, now });
  const written = await ports.store.update(stored, item, step.claim?.(item));
  return written && new Attempt(ports, { ...written, claim: id }, kind);
}

async function run(ports: HandleWorkPorts, running: Running): Promise<void> {
  const { step, attempt } = running;
  try {
    // Work that was asked for again while it ran is done again, its facts read anew.
    while (!(await end(ports, running, await attempt.untilLost(step.run(attempt)))));
  } catch (error) {
    if (error instanceof AttemptLost) throw error;
    await fail(ports, running, error);
  }
}

/** @returns false when the item could not end, because it was asked for again meanwhile */
async function end(ports: HandleWorkPorts, { attempt }: Running, outcome: Outcome): Promise<boolean> {
  const before = attempt.item;
  if (!(await write(ports, attempt, outcome))) return false;
  await outcome.after?.();
  if (outcome.kind === 'done' || outcome.leaving !== undefined) {
    ports.lanes.leaveAll(before);
    if (outcome.kind === 'wait') await ports.lanes.comeAgain(attempt.item);
  }
  return true;
}

async function write(ports: HandleWorkPorts, attempt: Attempt, outcome: Outcome): Promise<boolean> {
  if (outcome.kind === 'done') return attempt.finish(outcome.beside);
  const now = ports.clock.now().getTime();
  const beside = outcome.beside && (() => outcome.beside ?? []);
  // Whoever asked meanwhile must not wait for what this attempt waits for.
  const wait = (item: WorkItem, isAskedAgain: boolean): WorkItem =>
    waiting(item, isAskedAgain ? { ...outcome, until: now } : outcome, now);
  await sendMessage(ports, await attempt.giveBack(wait, beside));
  return true;
}

async function fail(ports: HandleWorkPorts, running: Running, error: unknown): Promise<void> {
  const { step, attempt } = running;
  const { item } = attempt;
  const met = step.failureOf(error);
  const { failureClass, code, reason } = met;
  const cause = errorText(error);
  const goesOn = met.place === undefined ? {} : { next: met.place.step };
  ports.log('Work:AttemptFailed', { ...factsOf(item), ...goesOn, failureClass, code, failure: reason, cause });
  const now = ports.clock.now().getTime();
  const { failure, again } = await decide(ports, running, met);
  if (again === undefined) return giveUp(ports, running, reason);
  const { failures, pauseMs } = again;
  const leaving = leavingOf(item, pauseMs);
  const back = { until: now + pauseMs, place: failure.place, leaving, failures, failure: reason, failureClass };
  const beside = (written: WorkItem) => step.tell?.(attempt, written, failure) ?? [];
  // Whoever asked meanwhile must not wait for what this attempt has met.
  const next = (held: WorkItem, isAskedAgain: boolean): WorkItem =>
    failed(held, isAskedAgain && leaving === undefined ? { ...back, until: now } : back, now);
  await sendMessage(ports, await attempt.giveBack(next, beside));
  if (leaving !== undefined) ports.lanes.leaveAll(item);
}

/** When it is tried again. Of what refuses from outside nothing counts that was before the latest release of the tenant. */
async function decide(
  ports: HandleWorkPorts,
  { step, attempt: { item } }: Running,
  failure: Failure,
): Promise<{ readonly failure: Failure; readonly again: ReturnType<typeof nextTry> }> {
  const { failureClass } = failure;
  const facts = { retry: step.retry, now: ports.clock.now().getTime(), random: ports.random() };
  const again = nextTry(item, failure, facts);
  const isOutside = failureClass === 'outage' || failureClass === 'refusal';
  if (again !== undefined || !isOutside || step.waitsWhileHeld !== true) return { failure, again };
  const releasedAt = await ports.releasedAt?.(ownerOf(item));
  const { maximumElapsedMs } = step.retry[failureClass];
  if (releasedAt === undefined || maximumElapsedMs === undefined) return { failure, again };
  const anew = { ...failure, until: releasedAt + maximumElapsedMs };
  return { failure: anew, again: nextTry({ ...item, failures: {} }, anew, facts) };
}

/** The lane that an item leaves which pauses for long. */
function leavingOf({ lanes }: WorkItem, pauseMs: number): GivenBack['leaving'] {
  const lane = pauseMs < LONG_PAUSE_MS ? undefined : lanes?.find((name) => ownerOfLane(name) !== undefined);
  return lane === undefined ? undefined : { askAgainIn: lane };
}

/** Ends the work as a failure. When not even that succeeds, it is tried again as often as it takes. */
async function giveUp(ports: HandleWorkPorts, running: Running, reason: string): Promise<void> {
  const { step, attempt } = running;
  try {
    if (await end(ports, running, await attempt.untilLost(step.giveUp(attempt, reason)))) return;
    // Whoever asked meanwhile has asked for something that was never tried.
    const now = ports.clock.now().getTime();
    const anew = (held: WorkItem): WorkItem => waiting(held, { until: now, place: held.place, hasProgress: true }, now);
    await sendMessage(ports, await attempt.giveBack(anew));
  } catch (error) {
    if (error instanceof AttemptLost) throw error;
    ports.log('Work:NotGivenUp', { ...factsOf(attempt.item), cause: errorText(error) });
    const now = ports.clock.now().getTime();
    const { failures, place } = attempt.item;
    const pauseMs = step.retry.fault.maximumMs;
    const leaving = leavingOf(attempt.item, pauseMs);
    const back = { until: now + pauseMs, place, leaving, failures, failure: reason, failureClass: 'fault' } as const;
    const { item } = attempt;
    await sendMessage(ports, await attempt.giveBack((held) => failed(held, back, now)));
    if (leaving !== undefined) ports.lanes.leaveAll(item);
  }
}

/** The row is written: a message that can't be sent is sent by the sweep. */
async function sendMessage({ queues, clock }: HandleWorkPorts, item: WorkItem): Promise<void> {
  const dueAt = messageDueAt(item);
  if (dueAt === undefined) return;
  const { kind, id } = item;
  await queues(item)
    .send({ kind, id }, Math.max(0, dueAt - clock.now().getTime()))
    .catch(() => undefined);
}
