import type { Clock } from '../clock.js';
import type { CustomerStore } from '../customers/customerPorts.js';
import { limiter } from '../raster/limiter.js';
import type { Log } from '../telemetry/telemetry.js';
import type { EnrollmentKey } from './enrollment.js';
import type { EnrollmentStore, FieldStore, IngestQueue, StoredWork } from './enrollmentPorts.js';
import { giveUp } from './ingestEnrollment.js';
import { claimDecision, resent } from './ingestWork.js';

export interface SweepEnrollmentsPorts {
  readonly customers: Pick<CustomerStore, 'list'>;
  readonly enrollments: EnrollmentStore;
  readonly fields: FieldStore;
  readonly ingestQueue: IngestQueue;
  readonly clock: Clock;
  readonly log: Log;
}

export type IngestRevival = 'enqueued' | 'failed' | 'not due';

/** One after the other, thousands of customers would take longer than the minute until the next sweep. */
const CUSTOMERS_AT_ONCE = 8;

/** Looks at the overdue ingest of every customer: one range of the customer's partition each. */
export const sweepEnrollments =
  (ports: SweepEnrollmentsPorts) => async (): Promise<Readonly<Record<IngestRevival, number>>> => {
    const count = { enqueued: 0, failed: 0, 'not due': 0 };
    const sweep = async (customer: string): Promise<void> => {
      for (const stored of await ports.enrollments.listOverdueWork(customer, ports.clock.now().getTime())) {
        count[await revive(ports, stored)] += 1;
      }
    };
    const sweeping = limiter(CUSTOMERS_AT_ONCE);
    await Promise.all((await ports.customers.list()).map(({ customer }) => sweeping(() => sweep(customer))));
    return count;
  };

/** The same for one enrollment, whose message ended in the poison queue. */
export const reviveIngest =
  (ports: SweepEnrollmentsPorts) =>
  async (key: EnrollmentKey): Promise<void> => {
    const stored = await ports.enrollments.findWork(key);
    if (stored !== undefined) await revive(ports, stored);
  };

/** Sends a lost message again, once for all who look; ends an enrollment whose attempts are used up. */
async function revive(ports: SweepEnrollmentsPorts, stored: StoredWork): Promise<IngestRevival> {
  const now = ports.clock.now().getTime();
  const decision = claimDecision(stored.work, now);
  if (decision === 'wait') return 'not due';
  if (decision === 'exhausted') {
    return (await giveUp(ports, stored.work, stored.work.failure)) ? 'failed' : 'not due';
  }
  const marked = await ports.enrollments.replaceWork(stored, resent(stored.work, now));
  if (marked === undefined) return 'not due';
  await ports.ingestQueue.enqueue(stored.work, 0);
  return 'enqueued';
}
