import type { Clock } from '../../kit/clock.js';
import type { CustomerStore } from '../../access/customers/customerStore.js';
import { isTurn } from '../../work/upkeep/nightTurn.js';
import { limiter } from '../../kit/limiter.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { addDays } from '../../kit/validation/calendar.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';
import type { ImageryStore } from './blobImageryStore.js';
import type { FieldDateStore } from '../records/tableFieldDateStore.js';
import type { Making, MakingStore } from '../records/tableMakingStore.js';
import { keepNewest, type KeepNewestPorts } from './keepNewest.js';
import type { NewestDays } from '../../enrollments/fields/newestDays.js';
import { expiredRecord, isPast } from '../records/judgement.js';
import { updateDays } from './updateIndex.js';

/** What `expireImagery` needs. */
export interface ExpirePorts {
  readonly customers: Pick<CustomerStore, 'list'>;
  readonly makings: Pick<MakingStore, 'listBefore' | 'remove'>;
  readonly fields: KeepNewestPorts['fields'];
  readonly fieldDates: FieldDateStore;
  readonly imagery: ImageryStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Nights between two turns of a customer. */
const EXPIRED_EVERY_DAYS = 7;
const CUSTOMERS_AT_ONCE = 4;
const FIELDS_AT_ONCE = 8;
/** Makings handled together, of some 20 fields each: few enough for the memory. */
const MAKINGS_AT_ONCE = 50;

/** The records of these makings whose retention is over; days that were made again since are left out. */
async function pastOf(
  { fieldDates }: ExpirePorts,
  customer: string,
  { makings, keptFrom }: { readonly makings: readonly Making[]; readonly keptFrom: string },
): Promise<readonly FieldDate[]> {
  const reading = limiter(FIELDS_AT_ONCE);
  const found = makings.flatMap(({ fieldIds, date }) =>
    fieldIds.map((fieldId) => reading(() => fieldDates.list(customer, fieldId, { from: date, to: date }))),
  );
  return (await Promise.all(found)).flat().filter((fieldDate) => isPast(fieldDate, keptFrom));
}

/**
 * Expires these days: first their records, then the index, then the files. `madeOn` of the records goes last, so that an
 * expiry that is cut short is repeated.
 */
async function expireDays(
  ports: ExpirePorts,
  customer: string,
  { past, keptFrom }: { readonly past: readonly FieldDate[]; readonly keptFrom: string },
): Promise<void> {
  const { fieldDates, imagery, clock } = ports;
  const midnight = new Date(Math.floor(clock.now().getTime() / 86_400_000) * 86_400_000);
  await fieldDates.merge(customer, past, (found, stored = found) =>
    isPast(stored, keptFrom) ? expiredRecord(stored) : stored,
  );
  const fieldIds = [...new Set(past.map(({ fieldId }) => fieldId))];
  const listed = await ports.fields.findDays(customer, fieldIds);
  const newest = new Map<string, NewestDays>();
  const clearing = limiter(FIELDS_AT_ONCE);
  const clear = async (fieldId: string): Promise<void> => {
    newest.set(fieldId, await updateDays({ fieldDates, imagery })(customer, fieldId));
    const days = past.filter((day) => day.fieldId === fieldId);
    // Files that were written today were made again since.
    for (const { date } of days) await imagery.removeDay({ customer, fieldId, date }, midnight);
  };
  await Promise.all(fieldIds.map((fieldId) => clearing(() => clear(fieldId))));
  await keepNewest(ports)(customer, { listed, newest });
  await fieldDates.merge(customer, past, (found, stored = found) => {
    const { madeOn, ...rest } = stored;
    return stored.outcome === 'expired' && madeOn !== undefined ? rest : stored;
  });
}

async function expireCustomer(ports: ExpirePorts, customer: string, keptFrom: string): Promise<number> {
  let count = 0;
  for (;;) {
    const makings = await ports.makings.listBefore(customer, keptFrom, MAKINGS_AT_ONCE);
    const past = await pastOf(ports, customer, { makings, keptFrom });
    if (past.length > 0) await expireDays(ports, customer, { past, keptFrom });
    for (const making of makings) await ports.makings.remove(customer, making);
    count += past.length;
    if (makings.length < MAKINGS_AT_ONCE) break;
  }
  if (count > 0) ports.log('Imagery:Expired', { customer, fieldDates: count, keptFrom });
  return count;
}

/**
 * Expires the days whose files were made more than `retentionDays` ago, of a seventh of the customers each night. A run that
 * is interrupted or missed is completed by the customer's next turn.
 *
 * @param everyDays nights between two turns of a customer: files stay up to six days longer than their retention
 * @returns how many fields and days expired
 * @throws when a customer's turn failed, after all other customers had theirs
 */
export const expireImagery =
  (ports: ExpirePorts, retentionDays: number, everyDays = EXPIRED_EVERY_DAYS) =>
  async (): Promise<number> => {
    const today = ports.clock.now().toISOString().slice(0, 10);
    const keptFrom = addDays(today, -retentionDays);
    const expiring = limiter(CUSTOMERS_AT_ONCE);
    const isDue = ({ customer }: { readonly customer: string }): boolean => isTurn(customer, { day: today, everyDays });
    const present = (await ports.customers.list()).filter((customer) => customer.isPurging !== true && isDue(customer));
    const ends = await Promise.allSettled(
      present.map(({ customer }) => expiring(() => expireCustomer(ports, customer, keptFrom))),
    );
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return ends.reduce((sum, end) => sum + (end.status === 'fulfilled' ? end.value : 0), 0);
  };
