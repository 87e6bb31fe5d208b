import type { CustomerStore } from '../../customers/customerPorts.js';
import { limiter } from '../../raster/limiter.js';
import { errorText } from '../../telemetry/telemetry.js';
import { resent, workKinds, type WorkKey } from './imageryWork.js';
import { planCustomer, type PlanPorts } from '../discovery/planImagery.js';
import { activateNext } from './runWork.js';

export interface SweepImageryPorts extends PlanPorts {
  readonly customers: Pick<CustomerStore, 'list'>;
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

async function sweepCustomer(ports: SweepImageryPorts, customer: string): Promise<ImagerySweepCount> {
  const planned = await planCustomer(ports)(customer);
  const now = ports.clock.now().getTime();
  let count = 0;
  for (const { work, etag } of await ports.work.listActive(customer)) {
    if (work.checkAt > now || (await ports.work.replace(resent(work, now), etag)) === undefined) continue;
    await ports.queue.enqueue(work, 0);
    count += 1;
  }
  let activated = 0;
  for (const kind of workKinds) activated += await activateNext(ports)(customer, kind);
  return { planned, resent: count, activated };
}

/**
 * Looks after the imagery work of every customer: plans what is due, sends messages that got lost again, makes work
 * active where a crash left a place free. Run every minute and once a day alike; missed and doubled runs are harmless.
 */
export const sweepImagery = (ports: SweepImageryPorts) => async (): Promise<ImagerySweepCount> => {
  const total = { planned: 0, resent: 0, activated: 0 };
  const sweep = async (customer: string): Promise<void> => {
    try {
      const done = await sweepCustomer(ports, customer);
      total.planned += done.planned;
      total.resent += done.resent;
      total.activated += done.activated;
    } catch (error) {
      // One customer's trouble is not another's.
      ports.log('Imagery:SweepFailed', { customer, cause: errorText(error) });
    }
  };
  const sweeping = limiter(CUSTOMERS_AT_ONCE);
  const customers = (await ports.customers.list()).filter(({ isPurging }) => isPurging !== true);
  await Promise.all(customers.map(({ customer }) => sweeping(() => sweep(customer))));
  return total;
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
