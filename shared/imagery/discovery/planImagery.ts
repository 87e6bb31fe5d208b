import type { Enrollment, EnrollmentKey } from '../../enrollments/enrollment.js';
import type { EnrollmentStore, FieldStore, ScheduleStore } from '../../enrollments/enrollmentPorts.js';
import type { ReadyField } from '../../enrollments/field.js';
import type { ScheduledEnrollment } from '../../enrollments/schedule.js';
import type { Clock } from '../../clock.js';
import { limiter } from '../../raster/limiter.js';
import { errorText, type Log } from '../../telemetry/telemetry.js';
import { isHeldOn } from '../records/fieldDate.js';
import { fieldGroups } from './fieldGroups.js';
import type { ImageryWorkStore, PendingWork, Retry, RetryStore } from '../imageryPorts.js';
import { newestFirst } from '../work/imageryWork.js';
import { activateNext, type RunWorkPorts } from '../work/runWork.js';
import { indexEnrollment, unindexEnrollment } from '../interest/indexEnrollment.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { periodsDue, workBeginsAt, workDay, type Period } from './searchPeriods.js';

/** What a search of one place and period is about. */
export interface SearchDocument extends Period {
  readonly enrollmentId: string;
  /** Id of the group of fields. */
  readonly group: string;
  /** Whether what is recorded as made is held against the files that are there. */
  readonly comparesFiles?: true;
  /** Whether days are made again whose files have had their time. */
  readonly isRemake?: true;
  /** Whether it is for a failure of before, which must not be forgotten with the search. */
  readonly isRetry?: true;
}

export interface PlanPorts extends Pick<RunWorkPorts, 'queue' | 'activeLimits'> {
  readonly enrollments: Pick<EnrollmentStore, 'find'>;
  readonly schedule: ScheduleStore;
  readonly fields: Pick<FieldStore, 'listFields' | 'listHolders'>;
  readonly work: ImageryWorkStore;
  readonly retries: RetryStore;
  readonly interest: Pick<InterestStore, 'write' | 'remove'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Id of a search: newest period first. */
export const searchId = ({ to, from, enrollmentId, group }: SearchDocument): string =>
  `${newestFirst(to)}_${enrollmentId}_${group}_${from}_${to}`;

export function searchesOf(
  { enrollmentId }: Pick<ScheduledEnrollment, 'enrollmentId'>,
  fields: readonly ReadyField[],
  periods: readonly Period[],
  more: Pick<SearchDocument, 'comparesFiles' | 'isRemake' | 'isRetry'> = {},
): readonly PendingWork[] {
  const groups = fieldGroups(fields);
  return periods.flatMap((period) =>
    groups.map(({ id }) => {
      const document: SearchDocument = { enrollmentId, group: id, ...period, ...more };
      return { id: searchId(document), document };
    }),
  );
}

/** An enrollment that is at work and in the index; undefined when it was stopped. */
async function entered(ports: PlanPorts, key: EnrollmentKey): Promise<Enrollment | undefined> {
  const enrollment = (await ports.enrollments.find(key))?.enrollment;
  if (enrollment === undefined || enrollment.stoppedAt !== undefined) return undefined;
  await indexEnrollment(ports)(enrollment, await ports.fields.listFields(key));
  const now = (await ports.enrollments.find(key))?.enrollment;
  if (now !== undefined && now.stoppedAt === undefined) return now;
  // A stop that came meanwhile may have taken it out before it was in.
  await unindexEnrollment(ports)(enrollment);
  return undefined;
}

/**
 * Plans one enrollment: it enters the index, then its searches are stored, then it is planned no more. Whatever the
 * catalogue showed before it was in the index, its searches find; whatever comes later, the feed. So the searches reach
 * to the present day, and a crash between the steps repeats them. One whose days were searched by earlier versions is
 * taken over in the same way, at its next day.
 */
async function planOne(ports: PlanPorts, due: ScheduledEnrollment): Promise<void> {
  const enrollment = await entered(ports, due);
  if (enrollment !== undefined) {
    const fields = (await ports.fields.listFields(due)).filter((field) => field.status === 'ready');
    const { request } = enrollment;
    const today = ports.clock.now().toISOString().slice(0, 10);
    // A new enrollment of a field that was enrolled before: files of then may be gone.
    const isNew = due.nextDate === request.startDate;
    const searches = searchesOf(due, fields, periodsDue(due, request, today), isNew ? { comparesFiles: true } : {});
    await ports.work.add(due.customer, 'search', searches);
  }
  await ports.schedule.remove(due);
}

type PlanReads = Pick<PlanPorts, 'enrollments'> & { readonly fields: Pick<FieldStore, 'listFields'> };

/** The fields of an enrollment; none of one that was stopped. */
export async function fieldsAtWork(
  { enrollments, fields }: PlanReads,
  key: EnrollmentKey,
): Promise<readonly ReadyField[]> {
  const stored = await enrollments.find(key);
  if (stored === undefined || stored.enrollment.stoppedAt !== undefined) return [];
  return (await fields.listFields(key)).filter((field) => field.status === 'ready');
}

const HOLDERS_AT_ONCE = 8;

/** The fields of an enrollment that was stopped as others have them who still monitor them on a day, by enrollment. */
async function fieldsOfOthers(
  ports: Pick<PlanPorts, 'enrollments' | 'fields'>,
  key: EnrollmentKey,
  date: string,
): Promise<ReadonlyMap<string, readonly ReadyField[]>> {
  const { customer } = key;
  const reading = limiter(HOLDERS_AT_ONCE);
  const own = (await ports.fields.listFields(key)).filter((field) => field.status === 'ready');
  const holders = await Promise.all(
    own.map(({ fieldId, shape }) =>
      reading(async () =>
        (await ports.fields.listHolders(customer, fieldId)).filter((holder) => isHeldOn(holder, shape, date)),
      ),
    ),
  );
  const fieldIds = new Set(holders.flat().map(({ fieldId }) => fieldId));
  const byEnrollment = new Map<string, readonly ReadyField[]>();
  for (const enrollmentId of new Set(holders.flat().map((holder) => holder.enrollmentId))) {
    const theirs = await fieldsAtWork(ports, { customer, enrollmentId });
    byEnrollment.set(
      enrollmentId,
      theirs.filter(({ fieldId }) => fieldIds.has(fieldId)),
    );
  }
  return byEnrollment;
}

/**
 * Searches a day once more on which something failed: a failure belongs to the field, so that others who hold it go on
 * with it when the enrollment of the work was stopped. A crash before the end repeats it.
 */
async function planRetry(ports: PlanPorts, customer: string, retry: Retry): Promise<void> {
  const { enrollmentId, date } = retry;
  const key = { customer, enrollmentId };
  const own = await fieldsAtWork(ports, key);
  const byEnrollment = own.length > 0 ? new Map([[enrollmentId, own]]) : await fieldsOfOthers(ports, key, date);
  for (const [id, fields] of byEnrollment) {
    const searches = searchesOf({ enrollmentId: id }, fields, [{ from: date, to: date }], { isRetry: true });
    await ports.work.add(customer, 'search', searches);
  }
  await ports.retries.remove(customer, retry);
}

/**
 * Plans what is due of one customer: each new enrollment, once its period has begun, and days on which something failed.
 * Planning twice is harmless.
 *
 * @returns how many enrollments were planned
 */
export const planCustomer =
  (ports: PlanPorts) =>
  async (customer: string): Promise<number> => {
    const today = workDay(ports.clock.now().getTime());
    const due = await ports.schedule.listDue(customer, today);
    let planned = 0;
    for (const enrollment of due) {
      try {
        await planOne(ports, enrollment);
        planned += 1;
      } catch (error) {
        // One enrollment that can't be planned must not keep the others; it stays due.
        const { enrollmentId } = enrollment;
        ports.log('Imagery:PlanFailed', { customer, enrollmentId, cause: errorText(error) });
      }
    }
    const retries = await ports.retries.listDue(customer, today);
    for (const retry of retries) await planRetry(ports, customer, retry);
    if (due.length + retries.length > 0) await activateNext(ports)(customer, 'search');
    return planned;
  };

const LAST_DAY = '9999-12-31';

/** When there will be something to plan of a customer; undefined when never. */
export async function nextPlanAt(
  { schedule, retries }: Pick<PlanPorts, 'schedule' | 'retries'>,
  customer: string,
): Promise<number | undefined> {
  const [scheduled, failed] = await Promise.all([
    schedule.listDue(customer, LAST_DAY),
    retries.listDue(customer, LAST_DAY),
  ]);
  const days = [...scheduled.map(({ nextDate }) => nextDate), ...failed.map(({ dueDate }) => dueDate)];
  const [first] = days.sort();
  return first === undefined ? undefined : workBeginsAt(first);
}
