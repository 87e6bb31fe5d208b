import type { Clock } from '../clock.js';
import type { CustomerStore } from './customerPorts.js';
import { CustomerRefusal } from './manageCustomers.js';

/** One kind of thing that belongs to customers. */
export interface Belongings {
  /** For people, such as `images`. */
  readonly name: string;
  readonly count: (customer: string) => Promise<number>;
  /** Deletes all of them; can be repeated. @returns how many */
  readonly removeAll: (customer: string) => Promise<number>;
}

export interface PurgeCustomerPorts {
  readonly customers: CustomerStore;
  readonly belongings: readonly Belongings[];
}

/** What there is of a customer, by kind. */
export type PurgePlan = Readonly<Record<string, number>>;

/** What a purge would delete. @throws CustomerRefusal when there is nothing of such a customer */
export const planPurge =
  ({ customers, belongings }: PurgeCustomerPorts) =>
  async (customer: string): Promise<PurgePlan> => {
    const keys = await customers.listKeys(customer);
    const counts = await Promise.all(
      belongings.map(async ({ name, count }): Promise<[string, number]> => [name, await count(customer)]),
    );
    const plan = { keys: keys.length, ...Object.fromEntries(counts) };
    const isKnown = (await customers.find(customer)) !== undefined;
    if (!isKnown && Object.values(plan).every((count) => count === 0)) {
      throw new CustomerRefusal(`There is nothing of a customer ${customer}; list shows the customers.`);
    }
    return plan;
  };

/** Work under way when the purge begins may still write something after its rows are gone. */
const PAUSE_MS = 5_000;
const MOST_PASSES = 60;

/**
 * Deletes everything of a customer: first nothing new may begin, then the keys, then what they gave access to, again
 * until nothing more turns up, at last the customer itself. When it is interrupted, the next purge goes on.
 *
 * A storage access token fetched before goes on until its end, but finds nothing.
 *
 * @throws CustomerRefusal when things keep turning up for five minutes
 */
export const purgeCustomer =
  ({ customers, belongings, clock }: PurgeCustomerPorts & { readonly clock: Clock }) =>
  async (customer: string): Promise<PurgePlan> => {
    await customers.change(customer, { isPurging: true });
    const keys = await customers.listKeys(customer);
    for (const key of keys) await customers.removeKey(key);
    const removed: Record<string, number> = { keys: keys.length };
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      let found = 0;
      for (const { name, removeAll } of belongings) {
        const count = await removeAll(customer);
        removed[name] = (removed[name] ?? 0) + count;
        found += count;
      }
      if (found === 0) {
        await customers.remove(customer);
        return removed;
      }
      await clock.sleep(PAUSE_MS);
    }
    throw new CustomerRefusal(`Work of ${customer} keeps writing; run the purge again in some minutes.`);
  };
