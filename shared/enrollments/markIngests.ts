import type { Clock } from '../clock.js';
import type { CustomerStore } from '../customers/customerPorts.js';
import type { MarkStore } from '../openMarks/openMark.js';
import type { EnrollmentInputStore, EnrollmentStore } from './enrollmentPorts.js';
import { ingestMark } from './ingestWork.js';

/** Older inputs were looked at before there were marks. */
const OLDEST_MS = 8 * 24 * 3_600_000;

/**
 * Marks every submission of any customer that still has to be ingested: what was open before there were marks, or came
 * back by a restore. Doing it again is harmless.
 *
 * @returns how many
 */
export const markIngests =
  ({
    customers,
    enrollments,
    marks,
    clock,
  }: {
    readonly customers: Pick<CustomerStore, 'list'>;
    readonly enrollments: Pick<EnrollmentStore, 'listWork'>;
    readonly marks: Pick<MarkStore, 'raise'>;
    readonly clock: Pick<Clock, 'now'>;
  }) =>
  async (): Promise<number> => {
    let marked = 0;
    for (const { customer } of await customers.list()) {
      for (const { work } of await enrollments.listWork(customer)) {
        await marks.raise(ingestMark(work, clock.now().getTime()));
        marked += 1;
      }
    }
    return marked;
  };

/** Marks every submission whose inputs are there, so that each is looked at once: what died before there were marks. */
export const markStoredInputs =
  ({
    inputs,
    marks,
    clock,
  }: {
    readonly inputs: Pick<EnrollmentInputStore, 'listWritten'>;
    readonly marks: Pick<MarkStore, 'raise'>;
    readonly clock: Pick<Clock, 'now'>;
  }) =>
  async (): Promise<void> => {
    const now = clock.now().getTime();
    for await (const key of inputs.listWritten(now - OLDEST_MS, now)) await marks.raise(ingestMark(key, now));
  };
