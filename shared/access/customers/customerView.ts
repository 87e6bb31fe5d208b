import { isLive } from '../auth/storedKey.js';
import type { Clock } from '../../kit/clock.js';
import { fingerprint } from '../../kit/telemetry/telemetry.js';
import type { Customer } from './customer.js';
import type { CustomerStore } from './customerStore.js';

/** A customer for operators, with the ids of its keys. */
export async function customerView(
  { customers, clock }: { readonly customers: Pick<CustomerStore, 'listKeys'>; readonly clock: Pick<Clock, 'now'> },
  { customer, fieldLimit, createdAt, isPurging }: Customer,
) {
  const now = clock.now().getTime();
  const keys = await customers.listKeys(customer);
  return {
    customer,
    fingerprint: fingerprint(customer),
    fieldLimit,
    created: dayOf(createdAt),
    ...(isPurging === true ? { isPurging } : {}),
    keys: keys.map((key) => ({
      keyId: key.keyId,
      created: dayOf(key.createdAt),
      state: isLive(key, now) ? ('live' as const) : ('ended' as const),
      ...(key.expiresAt === undefined ? {} : { expires: new Date(key.expiresAt).toISOString() }),
    })),
  };
}

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
