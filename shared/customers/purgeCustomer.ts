import { KEY_MEMORY_MS } from '../auth/apiKeyCheck.js';
import type { Clock } from '../clock.js';
import type { CustomerStore } from './customerStore.js';
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
    if (isKnown || Object.values(plan).some((count) => count > 0)) return plan;
    const purgedAt = await customers.findTombstone(customer);
    throw new CustomerRefusal(
      purgedAt === undefined
        ? `There is nothing of a customer ${customer}; list shows the customers.`
        : `There is nothing left of the customer ${customer}, who was purged on ${new Date(purgedAt).toISOString().slice(0, 10)}.`,
    );
  };

/** Between two looks at what is there. */
const PAUSE_MS = 5_000;
/** Looks at which something was found although everybody should have stopped. */
const MOST_LATE_PASSES = 60;
/** `functionTimeout` of host.json: no attempt goes on for longer. */
const FUNCTION_MS = 30 * 60_000;

/** How long after its beginning a purge expects that something is written for its customer. */
export const untilQuietMs = (leaseMs: number): number => leaseMs + KEY_MEMORY_MS;

/**
 * How long an attempt that was under way may count as such. One whose process dies in its last moment holds its work for a
 * lease, and counts for one more.
 */
export const longestAttemptMs = (leaseMs: number): number => FUNCTION_MS + 2 * leaseMs;

export interface PurgePorts extends PurgeCustomerPorts {
  readonly clock: Clock;
  /** Longest time that an attempt holds its work without renewing it. */
  readonly leaseMs: number;
  /** The attempts at work of several customers that are under way, each by a name of its own. */
  readonly listSharedAttempts: () => Promise<readonly string[]>;
}

/**
 * Deletes everything of a customer and uses its id up: first nothing new may begin, then the keys go, then what they
 * gave access to, again and again until nobody can still write and nothing more turns up, at last the customer itself.
 * When it is interrupted, the next purge goes on.
 *
 * Three may still write when it begins: a request whose key is remembered, an attempt that holds work of the customer,
 * and one at work of several customers. Rows of the customer's work are deleted with the rest, so no attempt can hold on
 * for longer than its lease. Work of several goes on; what of it began when there was nothing left of the customer finds
 * nothing to do for it, and for the end of what began before the purge waits, as long as an attempt can take.
 *
 * A storage access token fetched before goes on until its end, but finds nothing.
 *
 * @throws CustomerRefusal when things still turn up five minutes after the last who can write has ended, or when an attempt
 *   goes on for longer than any can
 */
export const purgeCustomer =
  ({ customers, belongings, clock, leaseMs, listSharedAttempts }: PurgePorts) =>
  async (customer: string): Promise<PurgePlan> => {
    await customers.change(customer, { isPurging: true });
    await customers.bury(customer, clock.now().getTime());
    const keys = await customers.listKeys(customer);
    for (const key of keys) await customers.removeKey(key);
    const removed = new Map([['keys', keys.length]]);
    const quietAt = clock.now().getTime() + untilQuietMs(leaseMs);
    const attempts = new AttemptsUnderWay({ clock, leaseMs, listSharedAttempts });
    for (let latePasses = 0; latePasses < MOST_LATE_PASSES;) {
      const now = clock.now().getTime();
      // Before the pass: what they have written by their end is found by it.
      const areOver = await attempts.areOver();
      const found = await removeAll(belongings, customer, removed);
      if (now >= quietAt && found === 0 && areOver) {
        await customers.remove(customer);
        return Object.fromEntries(removed);
      }
      const lastWriteAt = areOver ? quietAt : quietAt + longestAttemptMs(leaseMs);
      if (found > 0 && now >= lastWriteAt) latePasses += 1;
      await attempts.afterPass(found);
      await clock.sleep(PAUSE_MS);
    }
    throw new CustomerRefusal(`Work of ${customer} keeps writing; run the purge again in some minutes.`);
  };

/** Attempts at work of several customers that were under way at an instant, as far as they have not ended since. */
class AttemptsUnderWay {
  readonly #ports: Pick<PurgePorts, 'clock' | 'leaseMs' | 'listSharedAttempts'>;
  #left: readonly string[] | undefined;
  #listedAt = 0;

  constructor(ports: Pick<PurgePorts, 'clock' | 'leaseMs' | 'listSharedAttempts'>) {
    this.#ports = ports;
  }

  /** Whoever begins after a pass that found nothing has read nothing of the customer. */
  async afterPass(found: number): Promise<void> {
    if (found === 0 && this.#left !== undefined) return;
    this.#left = await this.#ports.listSharedAttempts();
    this.#listedAt = this.#ports.clock.now().getTime();
  }

  /**
   * Whether all of them have ended; before they were listed, nobody knows.
   *
   * @throws CustomerRefusal when one goes on for longer than any can
   */
  async areOver(): Promise<boolean> {
    if (this.#left === undefined) return false;
    if (this.#left.length === 0) return true;
    const present = new Set(await this.#ports.listSharedAttempts());
    this.#left = this.#left.filter((attempt) => present.has(attempt));
    const limitMs = longestAttemptMs(this.#ports.leaseMs);
    const isLeft = this.#left.length > 0;
    if (isLeft && this.#ports.clock.now().getTime() - this.#listedAt > limitMs)
      throw stillUnderWay(this.#left, limitMs);
    return !isLeft;
  }
}

/** Not the customer's doing: nothing of it was found for all that time. */
const stillUnderWay = (attempts: readonly string[], limitMs: number): CustomerRefusal =>
  new CustomerRefusal(
    `Nothing more was found, but ${attempts.length} attempts at units of several customers have gone on for ` +
      `${limitMs / 60_000} minutes, longer than an attempt can (functionTimeout and two leases): ${attempts[0]}. ` +
      'See that JOB_LEASE_SECONDS and functionTimeout are those of the service, and run the purge again.',
  );

/** One pass over everything, counted by kind. @returns how much there was */
async function removeAll(
  belongings: readonly Belongings[],
  customer: string,
  removed: Map<string, number>,
): Promise<number> {
  let found = 0;
  for (const { name, removeAll: remove } of belongings) {
    const count = await remove(customer);
    removed.set(name, (removed.get(name) ?? 0) + count);
    found += count;
  }
  return found;
}
