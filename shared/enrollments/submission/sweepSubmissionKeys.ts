import type { Clock } from '../../kit/clock.js';
import type { CustomerStore } from '../../access/customers/customerStore.js';
import { isTurn } from '../../work/upkeep/nightTurn.js';
import { limiter } from '../../kit/limiter.js';
import type { EnrollmentStore } from '../record/enrollmentStore.js';

/** Deletions under way at once. */
const PARALLEL = 16;

/** Nights from one sweep of a customer to the next: an expired key has no effect, it only takes space. */
const SWEPT_EVERY_DAYS = 30;

/** Deletes the expired keys of submissions, of a thirtieth of the customers each night. @returns how many */
export const sweepSubmissionKeys =
  (
    {
      customers,
      enrollments,
      clock,
    }: {
      readonly customers: Pick<CustomerStore, 'list'>;
      readonly enrollments: Pick<EnrollmentStore, 'listExpiredSubmissions' | 'forgetSubmission'>;
      readonly clock: Clock;
    },
    everyDays = SWEPT_EVERY_DAYS,
  ) =>
  async (): Promise<number> => {
    const forgetting = limiter(PARALLEL);
    let forgotten = 0;
    const day = clock.now().toISOString().slice(0, 10);
    for (const { customer } of await customers.list()) {
      if (!isTurn(customer, { day, everyDays })) continue;
      const expired = await enrollments.listExpiredSubmissions(customer, clock.now().getTime());
      await Promise.all(expired.map((stored) => forgetting(() => enrollments.forgetSubmission(stored))));
      forgotten += expired.length;
    }
    return forgotten;
  };
