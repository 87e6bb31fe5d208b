import type { CustomerStore } from '../../customers/customerPorts.js';
import type { MarkStore, StoredMark } from '../../openMarks/openMark.js';
import { limiter } from '../../raster/limiter.js';
import { errorText } from '../../telemetry/telemetry.js';
import { resent, workKinds, type ActiveWork, type WorkKey } from './imageryWork.js';
import { nextPlanAt, planCustomer, type PlanPorts } from '../discovery/planImagery.js';
import { activateNext } from './runWork.js';

export interface SweepImageryPorts extends PlanPorts {
  readonly customers: Pick<CustomerStore, 'list' | 'find'>;
  readonly marks: MarkStore;
}

/** What one sweep has done. */
export interface ImagerySweepCount {
  /** Enrollments planned, messages sent again, pieces of work made active. */
  readonly planned: number;
  readonly resent: number;
  readonly activated: number;
}

/** One after the other, thousands of customers would take longer than the minute until the next sweep. */
const CUSTOMERS_AT_ONCE = 8;
/** What a mark was set for is written long before that: only then does finding nothing mean that there is nothing. */
const EMPTY_AFTER_MS = 3_600_000;

/** Sends the messages of active work again that were lost. @returns the work as it is now */
async function resendLost(ports: SweepImageryPorts, customer: string) {
  const now = ports.clock.now().getTime();
  const active: ActiveWork[] = [];
  let count = 0;
  for (const { work, etag } of await ports.work.listActive(customer)) {
    const again = work.checkAt > now ? work : resent(work, now);
    active.push(again);
    if (again === work || (await ports.work.replace(again, etag)) === undefined) continue;
    await ports.queue.enqueue(work, 0);
    count += 1;
  }
  return { active, resent: count };
}

/** One customer's turn. @returns what was done, and when to look again; undefined when nothing is open */
async function sweepCustomer(ports: SweepImageryPorts, customer: string) {
  const planned = await planCustomer(ports)(customer);
  const { active, resent: count } = await resendLost(ports, customer);
  let activated = 0;
  if (await ports.work.hasPending(customer)) {
    for (const kind of workKinds) activated += await activateNext(ports)(customer, kind);
  }
  // What became active here is lost when its message is not taken by then, as any other.
  const fresh = planned + activated > 0 ? [resent({ checkAt: 0 }, ports.clock.now().getTime())] : [];
  const looks = [...active, ...fresh].map(({ checkAt }) => checkAt);
  const checkAt = looks.length > 0 ? Math.min(...looks) : await nextPlanAt(ports, customer);
  return { planned, resent: count, activated, checkAt };
}

/** Looks after a customer whose mark is due, and moves the mark to the next look. */
async function lookAt(ports: SweepImageryPorts, stored: StoredMark): Promise<ImagerySweepCount> {
  const { customer, raisedAt } = stored.mark;
  const nothing = { planned: 0, resent: 0, activated: 0 };
  const found = await ports.customers.find(customer);
  // A purge takes what there is, its mark too.
  if (found === undefined || found.isPurging === true) {
    await ports.marks.settle(stored, undefined);
    return nothing;
  }
  const { checkAt, ...done } = await sweepCustomer(ports, customer);
  const emptyAt = raisedAt + EMPTY_AFTER_MS;
  await ports.marks.settle(stored, checkAt ?? (emptyAt > ports.clock.now().getTime() ? emptyAt : undefined));
  return done;
}

/** Has every customer looked at by the next sweep, whatever the marks say: what they should not miss, they cannot. */
const markCustomers = async ({ customers, marks, clock }: SweepImageryPorts): Promise<void> => {
  const now = clock.now().getTime();
  const marking = limiter(CUSTOMERS_AT_ONCE);
  const present = (await customers.list()).filter(({ isPurging }) => isPurging !== true);
  await Promise.all(
    present.map(({ customer }) =>
      marking(() => marks.raise({ kind: 'imagery', customer, checkAt: now, raisedAt: now })),
    ),
  );
};

/**
 * Looks after the imagery work of the customers whose mark is due: plans what is due, sends messages that got lost
 * again, makes work active where a crash left a place free. Missed and doubled runs are harmless; one with nothing due
 * costs the same for one customer and for thousands.
 */
export const sweepImagery = (ports: SweepImageryPorts) => async (): Promise<ImagerySweepCount> => {
  const total = { planned: 0, resent: 0, activated: 0 };
  const { due, isTakenOver } = await ports.marks.listDue('imagery', ports.clock.now().getTime());
  if (!isTakenOver) {
    await markCustomers(ports);
    await ports.marks.finishTakeOver('imagery');
  }
  const sweep = async (stored: StoredMark): Promise<void> => {
    try {
      const done = await lookAt(ports, stored);
      total.planned += done.planned;
      total.resent += done.resent;
      total.activated += done.activated;
    } catch (error) {
      // One customer's trouble is not another's; the mark stays, so the next sweep looks again.
      ports.log('Imagery:SweepFailed', { customer: stored.mark.customer, cause: errorText(error) });
    }
  };
  const sweeping = limiter(CUSTOMERS_AT_ONCE);
  await Promise.all(due.map((stored) => sweeping(() => sweep(stored))));
  return total;
};

/**
 * The sweep of every day, which looks after every customer, marked or not: what no mark was raised for, by an instance of an
 * earlier version that still worked beside this one or by a fault, waits a day at most. Nothing else rests on it.
 */
export const sweepAllImagery = (ports: SweepImageryPorts) => async (): Promise<ImagerySweepCount> => {
  await markCustomers(ports);
  return sweepImagery(ports)();
};

/**
 * Decides about work whose message the host has given up: the message is sent again. The next attempt ends work whose
 * attempts are used up. Never throws: the host would bring the message back for ever.
 */
export const revivePoisoned =
  (ports: Pick<SweepImageryPorts, 'work' | 'queue' | 'log' | 'clock'>) =>
  async (key: WorkKey): Promise<void> => {
    try {
      const stored = await ports.work.find(key);
      if (stored === undefined) return;
      const wait = Math.max(0, stored.work.notBefore - ports.clock.now().getTime());
      await ports.queue.enqueue(key, wait);
    } catch (error) {
      // The sweeper finds the work again; only the reason is worth a line.
      ports.log('Imagery:PoisonNotHandled', { ...key, cause: errorText(error) });
    }
  };
