import type { Clock } from '../../clock.js';
import { measureEvent } from '../../telemetry/metrics.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays, daysBetween } from '../../validation/calendar.js';
import type { FieldDate } from './fieldDate.js';
import type { FieldDateStore, Making, Settle } from './recordPorts.js';
import { settled } from './judgement.js';

export interface RecordPorts {
  readonly fieldDates: Pick<FieldDateStore, 'merge'>;
  /** Has a day on which something failed looked through again. */
  readonly askRetry: (retry: Retry) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** A day of an enrollment on which something failed that may pass. */
export interface Retry {
  readonly customer: string;
  readonly enrollmentId: string;
  readonly date: string;
  /** UTC day from which on it is looked through again. */
  readonly dueDate: string;
}

/** Days between two tries of a failure at most. */
const LONGEST_PAUSE_DAYS = 64;
/** Days after which a failure that may pass is one that people should know of. */
const STAYS_AFTER_DAYS = 3;

/** The day on which a failure is tried again: after as many days as it has lasted, so ever more seldom. */
function nextTry(failedSince: string, today: string): string {
  const lasted = daysBetween(failedSince, today);
  return addDays(today, Math.min(Math.max(1, lasted), LONGEST_PAUSE_DAYS));
}

function groupedByDate(records: readonly FieldDate[]): ReadonlyMap<string, readonly FieldDate[]> {
  const dates = new Set(records.map(({ date }) => date));
  return new Map([...dates].map((date) => [date, records.filter((record) => record.date === date)]));
}

/** Those whose files were made now, by the day; those of before were noted then. */
function makingsOf(records: readonly FieldDate[], today: string): readonly Making[] {
  // Work that began before midnight made them yesterday.
  return [addDays(today, -1), today].flatMap((madeOn) => {
    const made = groupedByDate(records.filter((record) => record.madeOn === madeOn));
    return [...made].map(([date, days]) => ({ madeOn, date, fieldIds: days.map(({ fieldId }) => fieldId).sort() }));
  });
}

/** Whether nobody should wait for a failure to pass by itself. */
const stays = ({ outcome, isToBeTriedAgain, failedSince }: FieldDate, today: string): boolean =>
  outcome === 'failed' && (isToBeTriedAgain !== true || daysBetween(failedSince ?? today, today) >= STAYS_AFTER_DAYS);

/** How records are put beside what is stored of the same days. */
export interface Recording {
  readonly settle?: Settle;
  /** Records of days of which nothing was stored when they were looked at. */
  readonly fresh?: ReadonlySet<FieldDate>;
}

/** Days that are new are written without reading them; what was made goes with the first that are written. */
async function merge(
  { fieldDates }: Pick<RecordPorts, 'fieldDates'>,
  customer: string,
  {
    records,
    makings,
    settle = settled,
    fresh,
  }: Recording & { readonly records: readonly FieldDate[]; readonly makings: readonly Making[] },
): Promise<readonly FieldDate[]> {
  const isFresh = (record: FieldDate): boolean => fresh?.has(record) === true;
  const merged: FieldDate[] = [];
  for (const isNew of [true, false]) {
    const some = records.filter((record) => isFresh(record) === isNew);
    const options = { isNew, makings: merged.length === 0 ? makings : [] };
    if (some.length > 0) merged.push(...(await fieldDates.merge(customer, some, settle, options)));
  }
  return merged;
}

/**
 * Stores what became of fields on days, then counts it by outcome. What others have recorded meanwhile on a better basis
 * stays. A record that is written again, because a late scene changed it or an attempt was repeated, counts again.
 *
 * Failures that may pass are noted for another try first, and what was made for the end of its time with the first of the
 * records: whatever dies in between, none is forgotten.
 *
 * @returns what is stored of these days now
 */
export const recordFieldDates =
  (ports: RecordPorts) =>
  async (
    customer: string,
    enrollmentId: string,
    records: readonly FieldDate[],
    recording: Recording = {},
  ): Promise<readonly FieldDate[]> => {
    const { askRetry, clock, log } = ports;
    const today = clock.now().toISOString().slice(0, 10);
    const passing = records.filter(({ isToBeTriedAgain }) => isToBeTriedAgain === true);
    for (const [date, failures] of groupedByDate(passing)) {
      const days = failures.map(({ failedSince }) => nextTry(failedSince ?? today, today)).sort();
      await askRetry({ customer, enrollmentId, date, dueDate: days[0] ?? today });
    }
    const makings = makingsOf(records, today);
    const merged = await merge(ports, customer, { ...recording, records, makings });
    for (const { outcome } of records) measureEvent('FieldDate:Recorded', { outcome });
    for (const [date, staying] of groupedByDate(records.filter((record) => stays(record, today)))) {
      const facts = { customer, enrollmentId, date, fields: staying.length };
      log('FieldDate:StaysFailed', { ...facts, failedSince: staying[0]?.failedSince, reason: staying[0]?.reason });
    }
    return merged;
  };
