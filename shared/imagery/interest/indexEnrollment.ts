import type { Clock } from '../../kit/clock.js';
import type { CustomerStore } from '../../access/customers/customerStore.js';
import { LATE_SCENE_DAYS, type Enrollment, type EnrollmentKey } from '../../enrollments/record/enrollment.js';
import { allEnrollments } from '../../enrollments/lists/allEnrollments.js';
import type { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import type { FieldStore } from '../../enrollments/fields/fieldStore.js';
import type { Field } from '../../enrollments/fields/field.js';
import { isTurn } from '../../work/upkeep/nightTurn.js';
import { eachOf } from '../../kit/limiter.js';
import { errorText, type Log } from '../../kit/telemetry/telemetry.js';
import { addDays } from '../../kit/validation/calendar.js';
import { commonDays, type Period } from '../../scenes/stac/searchPeriods.js';
import { interestsOf, type IndexedEnrollment, type Interest, type InterestKey } from './interest.js';
import type { TableInterestStore } from './tableInterestStore.js';

/** The entries that an enrollment should have. */
const noticesIn = (enrollment: IndexedEnrollment, fields: readonly Field[]): readonly Interest[] => {
  const ready = fields.filter((field) => field.status === 'ready');
  return interestsOf(enrollment, ready);
};

/** Enters the fields of an enrollment, before anything is searched for them. Doing it again is harmless. */
export const indexEnrollment =
  ({ interest }: { readonly interest: Pick<TableInterestStore, 'write'> }) =>
  (enrollment: IndexedEnrollment, fields: readonly Field[]): Promise<void> =>
    interest.write(noticesIn(enrollment, fields));

const AT_ONCE = 8;

/** What taking entries out of the index needs. */
export interface LeavePorts {
  readonly interest: Pick<TableInterestStore, 'remove'>;
  /** Removes the field cards that units have stored for an entry. */
  readonly forgetNotes: (entry: InterestKey) => Promise<void>;
}

/** Takes entries out of the index; their field cards first, for only the entry leads to them. */
async function remove({ interest, forgetNotes }: LeavePorts, entries: readonly InterestKey[]): Promise<void> {
  await eachOf(entries, AT_ONCE, (entry) => forgetNotes(entry));
  await interest.remove(entries);
}

/** Takes an enrollment out of the index whose monitoring ends before its time. Doing it again is harmless. */
export const unindexEnrollment =
  (ports: LeavePorts & { readonly fields: Pick<FieldStore, 'listFields'> }) =>
  async (enrollment: IndexedEnrollment): Promise<void> =>
    remove(ports, noticesIn(enrollment, await ports.fields.listFields(enrollment)));

/** What comparing the index with the enrollments needs. */
export interface CompareInterestPorts extends LeavePorts {
  readonly customers: Pick<CustomerStore, 'list'>;
  readonly enrollments: Pick<EnrollmentStore, 'list' | 'find'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly interest: Pick<TableInterestStore, 'find' | 'write' | 'remove' | 'listEnded'>;
  /** Asks for a backfill of days that the feed could not serve while an entry was missing. */
  readonly lookThrough: (key: EnrollmentKey, days: Period) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** What a comparison has found and corrected. */
export interface InterestComparison {
  /** Enrollments compared. */
  readonly compared: number;
  /** Entries that were missing or differed. */
  readonly mended: number;
  /** Entries of enrollments that are over or were stopped. */
  readonly removed: number;
}

/** Entries stay so long after the last late scene: units may wait for days before they are done. */
const KEPT_DAYS = 7;
/** The entries of a customer are compared in one night of so many, and a backfill then looks as many days back. */
const COMPARED_EVERY_DAYS = 30;

const isCompared = ({ status, request }: Enrollment, today: string): boolean =>
  status === 'completed' && addDays(request.endDate, LATE_SCENE_DAYS + KEPT_DAYS) >= today;

const isSame = (a: Interest, b: Interest | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Corrects the entries of one enrollment. @returns how many were wrong */
async function mend(ports: CompareInterestPorts, enrollment: Enrollment, today: string): Promise<number> {
  const { fields, interest, lookThrough } = ports;
  const expected = noticesIn(enrollment, await fields.listFields(enrollment));
  const stored = await Promise.all(expected.map((entry) => interest.find(entry)));
  if (enrollment.stoppedAt !== undefined) {
    const left = expected.filter((_, index) => stored[index] !== undefined);
    await remove(ports, left);
    return left.length;
  }
  const wrong = expected.filter((entry, index) => !isSame(entry, stored[index]));
  if (wrong.length === 0) return 0;
  const { startDate, endDate } = enrollment.request;
  const sinceComparison = { from: addDays(today, -COMPARED_EVERY_DAYS), to: today };
  // The backfill first: a run that dies here finds the entries wrong again.
  await lookThrough(enrollment, commonDays(sinceComparison, { from: startDate, to: endDate }));
  await interest.write(wrong);
  // A stop may have removed the entries just before they were written.
  const now = (await ports.enrollments.find(enrollment))?.enrollment;
  if (now === undefined || now.stoppedAt !== undefined) await remove(ports, wrong);
  return wrong.length;
}

/** Compares the entries of one customer. */
async function compareCustomer(
  ports: CompareInterestPorts,
  customer: string,
  today: string,
): Promise<InterestComparison> {
  const count = { compared: 0, mended: 0, removed: 0 };
  for await (const enrollment of allEnrollments(ports.enrollments, customer)) {
    if (!isCompared(enrollment, today)) continue;
    const found = await mend(ports, enrollment, today);
    count.compared += 1;
    if (enrollment.stoppedAt === undefined) count.mended += found;
    else count.removed += found;
  }
  return count;
}

/**
 * Compares the index with the enrollments, a thirtieth of the customers each night, and corrects what differs: where an
 * entry was missing or wrong, a backfill looks through the days since the last comparison. Entries whose time is over are
 * removed. An error for one customer does not stop the others.
 *
 * @throws the first error, after all customers had their turn
 */
export const compareInterest = (ports: CompareInterestPorts) => async (): Promise<InterestComparison> => {
  const today = ports.clock.now().toISOString().slice(0, 10);
  const ended = await ports.interest.listEnded(addDays(today, -LATE_SCENE_DAYS - KEPT_DAYS));
  await remove(ports, ended);
  const count = { compared: 0, mended: 0, removed: ended.length };
  const faults: unknown[] = [];
  for (const { customer, isPurging } of await ports.customers.list()) {
    if (isPurging === true || !isTurn(customer, { day: today, everyDays: COMPARED_EVERY_DAYS })) continue;
    try {
      const found = await compareCustomer(ports, customer, today);
      count.compared += found.compared;
      count.mended += found.mended;
      count.removed += found.removed;
    } catch (error) {
      ports.log('Interest:NotCompared', { customer, cause: errorText(error) });
      faults.push(error);
    }
  }
  ports.log('Interest:Compared', { ...count });
  if (faults.length > 0) throw faults[0];
  return count;
};
