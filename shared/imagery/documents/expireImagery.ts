import type { Clock } from '../../clock.js';
import type { CustomerStore } from '../../customers/customerStore.js';
import { isTurn } from '../../nightTurn.js';
import { limiter } from '../../raster/limiter.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import type { FieldDate } from '../records/fieldDate.js';
import type { ImageryStore } from './imageryStore.js';
import type { FieldDateStore, Making, MakingStore } from '../records/recordPorts.js';
import { keepNewest, type KeepNewestPorts } from './keepNewest.js';
import type { NewestDays } from '../records/newestDays.js';
import { expiredRecord, isPast } from '../records/judgement.js';
import { updateDays } from './updateIndex.js';

export interface ExpirePorts {
  readonly customers: Pick<CustomerStore, 'list'>;
  readonly makings: Pick<MakingStore, 'listBefore' | 'remove'>;
  readonly fields: KeepNewestPorts['fields'];
  readonly fieldDates: FieldDateStore;
  readonly imagery: ImageryStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const EXPIRED_EVERY_DAYS = 7;
const CUSTOMERS_AT_ONCE = 4;
const FIELDS_AT_ONCE = 8;
/** Handled together, some 20 fields each: as many as fit in memory with ease. */
const MAKINGS_AT_ONCE = 50;

/** What was recorded of these and has had its time; what was made again since has not. */
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
 * Ends these days. First they are recorded as expired, then they go from the index, then from the folder; a record
 * forgets when its files were made at last, so that what a death leaves is done again.
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
    // What was written today was made again since.
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
 * Ends every field and day whose files were made more than `retentionDays` ago, of a seventh of the customers each night: the
 * record says so, the index no longer links it, the files are deleted. Interrupted or missed, the next turn goes on.
 *
 * @param everyDays nights from one turn of a customer to the next: files stay up to six days above their time
 * @returns how many fields and days
 * @throws when it failed for a customer, after all others had their turn
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
