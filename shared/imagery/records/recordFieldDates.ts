import type { Clock } from '../../kit/clock.js';
import { measureEvent } from '../../kit/telemetry/metrics.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { addDays, daysBetween } from '../../kit/validation/calendar.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';
import type { FieldDateStore, Settle } from './tableFieldDateStore.js';
import type { Making } from './tableMakingStore.js';
import { settled } from './judgement.js';

export interface RecordPorts {
  readonly fieldDates: Pick<FieldDateStore, 'merge'>;
  /** Asks for another search of a day on which something failed. */
  readonly askRetry: (retry: Retry) => Promise<void>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** A day of an enrollment on which a field failed for a reason that may pass. */
export interface Retry {
  readonly customer: string;
  readonly enrollmentId: string;
  readonly date: string;
  /** UTC day of the next search. */
  readonly dueDate: string;
}

/** The longest pause between two tries. */
const LONGEST_PAUSE_DAYS = 64;
/** Days after which people are told of a failure that may pass. */
const STAYS_AFTER_DAYS = 3;

/** The day of the next try: the pause is as long as the failure has lasted. */
function nextTry(failedSince: string, today: string): string {
  const lasted = daysBetween(failedSince, today);
  return addDays(today, Math.min(Math.max(1, lasted), LONGEST_PAUSE_DAYS));
}

function groupedByDate(records: readonly FieldDate[]): ReadonlyMap<string, readonly FieldDate[]> {
  const dates = new Set(records.map(({ date }) => date));
  return new Map([...dates].map((date) => [date, records.filter((record) => record.date === date)]));
}

/** The makings of records whose files were made now; earlier files have theirs already. */
function makingsOf(records: readonly FieldDate[], today: string): readonly Making[] {
  // Work that began before midnight recorded yesterday.
  return [addDays(today, -1), today].flatMap((madeOn) => {
    const made = groupedByDate(records.filter((record) => record.madeOn === madeOn));
    return [...made].map(([date, days]) => ({ madeOn, date, fieldIds: days.map(({ fieldId }) => fieldId).sort() }));
  });
}

/** Whether people are to be told of a failure. */
const stays = ({ outcome, isToBeTriedAgain, failedSince }: FieldDate, today: string): boolean =>
  outcome === 'failed' && (isToBeTriedAgain !== true || daysBetween(failedSince ?? today, today) >= STAYS_AFTER_DAYS);

/** How records are merged with those that are stored of the same days. */
export interface Recording {
  readonly settle?: Settle;
  /** Records of days of which nothing was stored before the work began. */
  readonly fresh?: ReadonlySet<FieldDate>;
}

/** Fresh records are written without reading; the makings go with the first records. */
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
 * Stores records of fields and days, then counts them by outcome. Records that others have written meanwhile on a better
 * basis stay. A record that is written again, because of a late scene or a repeated attempt, counts again.
 *
 * Another try of failures is asked for before the records are stored, and makings are stored with the first records, so
 * that a crash in between loses neither.
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
