import type { Clock } from '../../clock.js';
import type { CustomerStore } from '../../customers/customerStore.js';
import { LATE_SCENE_DAYS, type Enrollment, type EnrollmentKey } from '../../enrollments/enrollment.js';
import { allEnrollments } from '../../enrollments/allEnrollments.js';
import type { EnrollmentStore } from '../../enrollments/enrollmentStore.js';
import type { FieldStore } from '../../enrollments/fieldStore.js';
import type { Field, ReadyField } from '../../enrollments/field.js';
import { isTurn } from '../../nightTurn.js';
import { eachOf } from '../../raster/limiter.js';
import { errorText, type Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import { interestsOf, type Interest, type InterestKey } from './interest.js';
import type { InterestStore } from './interestPorts.js';

const readyOf = (fields: readonly Field[]): readonly ReadyField[] => fields.filter((field) => field.status === 'ready');

type IndexedEnrollment = Pick<Enrollment, 'customer' | 'enrollmentId' | 'request'>;

/** Enters the fields of an enrollment, before anything is searched for them. Doing it again is harmless. */
export const indexEnrollment =
  ({ interest }: { readonly interest: Pick<InterestStore, 'write'> }) =>
  (enrollment: IndexedEnrollment, fields: readonly Field[]): Promise<void> =>
    interest.write(interestsOf(enrollment, readyOf(fields)));

const AT_ONCE = 8;

export interface LeavePorts {
  readonly interest: Pick<InterestStore, 'remove'>;
  /** Removes what work by place has noted of an entry. */
  readonly forgetNotes: (entry: InterestKey) => Promise<void>;
}

/** Takes entries out of the index; first what is noted of them, for nobody finds that without them. */
async function remove({ interest, forgetNotes }: LeavePorts, entries: readonly InterestKey[]): Promise<void> {
  await eachOf(entries, AT_ONCE, (entry) => forgetNotes(entry));
  await interest.remove(entries);
}

/** Takes an enrollment out whose monitoring ends before its time. Doing it again is harmless. */
export const unindexEnrollment =
  (ports: LeavePorts & { readonly fields: Pick<FieldStore, 'listFields'> }) =>
  async (enrollment: IndexedEnrollment): Promise<void> =>
    remove(ports, interestsOf(enrollment, readyOf(await ports.fields.listFields(enrollment))));

export interface CompareInterestPorts extends LeavePorts {
  readonly customers: Pick<CustomerStore, 'list'>;
  readonly enrollments: Pick<EnrollmentStore, 'list' | 'find'>;
  readonly fields: Pick<FieldStore, 'listFields'>;
  readonly interest: InterestStore;
  /** Has days looked through that the feed could not make while an entry was missing. */
  readonly lookThrough: (key: EnrollmentKey, days: { readonly from: string; readonly to: string }) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** What a comparison has found and put right. */
export interface InterestComparison {
  /** Enrollments looked at. */
  readonly compared: number;
  /** Entries that were missing or said something else. */
  readonly mended: number;
  /** Entries of enrollments that are over or were stopped. */
  readonly removed: number;
}

/** Units may wait for days before they are done: entries stay for them after nothing new is made of them. */
const KEPT_DAYS = 7;
/** A month of nights: each customer's entries are compared in one of them. */
const COMPARED_EVERY_DAYS = 30;

const isCompared = ({ status, request }: Enrollment, today: string): boolean =>
  status === 'completed' && addDays(request.endDate, LATE_SCENE_DAYS + KEPT_DAYS) >= today;

/** Days back that are looked through when an entry was missing: as often as entries are compared. */
const MENDED_DAYS = 30;

const isSame = (a: Interest, b: Interest | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Puts the entries of one enrollment right. @returns how many were not as they should be */
async function mend(ports: CompareInterestPorts, enrollment: Enrollment, today: string): Promise<number> {
  const { fields, interest, lookThrough } = ports;
  const expected = interestsOf(enrollment, readyOf(await fields.listFields(enrollment)));
  const there = await Promise.all(expected.map((entry) => interest.find(entry)));
  if (enrollment.stoppedAt !== undefined) {
    const left = expected.filter((_, index) => there[index] !== undefined);
    await remove(ports, left);
    return left.length;
  }
  const wrong = expected.filter((entry, index) => !isSame(entry, there[index]));
  if (wrong.length === 0) return 0;
  const { startDate, endDate } = enrollment.request;
  const from = addDays(today, -MENDED_DAYS);
  // First: who dies before the entries are right finds them wrong again.
  await lookThrough(enrollment, { from: from > startDate ? from : startDate, to: today < endDate ? today : endDate });
  await interest.write(wrong);
  // A stop that came meanwhile may have taken them out before.
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
 * Compares the index with the enrollments it is made of, those of a thirtieth of the customers each night, and puts right
 * what differs: where an entry was missing or said something else, the days since the last comparison are looked through.
 * Entries whose time is over go. One customer's trouble is not another's.
 *
 * @throws when it failed for a customer, after all others had their turn
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
