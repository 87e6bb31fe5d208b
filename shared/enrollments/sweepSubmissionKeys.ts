import type { Clock } from '../clock.js';
import type { CustomerStore } from '../customers/customerPorts.js';
import { limiter } from '../raster/limiter.js';
import type { EnrollmentStore } from './enrollmentPorts.js';

/** Deletions under way at once. */
const PARALLEL = 16;

/** Forgets the keys of submissions whose time is over. @returns how many */
export const sweepSubmissionKeys =
  ({
    customers,
    enrollments,
    clock,
  }: {
    readonly customers: Pick<CustomerStore, 'list'>;
    readonly enrollments: Pick<EnrollmentStore, 'listExpiredSubmissions' | 'forgetSubmission'>;
    readonly clock: Clock;
  }) =>
  async (): Promise<number> => {
    const forgetting = limiter(PARALLEL);
    let forgotten = 0;
    for (const { customer } of await customers.list()) {
      const expired = await enrollments.listExpiredSubmissions(customer, clock.now().getTime());
      await Promise.all(expired.map((stored) => forgetting(() => enrollments.forgetSubmission(stored))));
      forgotten += expired.length;
    }
    return forgotten;
  };
