import { KEY_MEMORY_MS } from '../auth/apiKeyCheck.js';
import type { Clock } from '../../kit/clock.js';
import type { Belongings } from '../../storage/belongings.js';
import type { CustomerStore } from './customerStore.js';
import { CustomerRefusal } from './manageCustomers.js';

export interface PurgeCustomerPorts {
  readonly customers: CustomerStore;
  readonly belongings: readonly Belongings[];
}

/** How many things there are of a customer, by kind. */
export type PurgePlan = Readonly<Record<string, number>>;

/** Counts what a purge would delete. @throws CustomerRefusal when there is nothing of the customer */
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

/** Between two passes. */
const PAUSE_MS = 5_000;
/** Most passes that find something after the time at which every writer should have ended. */
const MOST_LATE_PASSES = 60;
/** `functionTimeout` of host.json: the longest run of an attempt. */
const FUNCTION_MS = 30 * 60_000;

/** Time after the beginning of a purge in which requests and attempts may still write for the customer. */
export const untilQuietMs = (leaseMs: number): number => leaseMs + KEY_MEMORY_MS;

/**
 * Longest time for which an attempt is listed as under way: its own run, and, when its process dies at the very end, one
 * lease until the work is free and another until the list notices.
 */
export const longestAttemptMs = (leaseMs: number): number => FUNCTION_MS + 2 * leaseMs;

export interface PurgePorts extends PurgeCustomerPorts {
  readonly clock: Clock;
  /** Length of a lease of work. */
  readonly leaseMs: number;
  /** Beside the exports, for the restore of one of before. */
  readonly keptTombstones: { readonly keepPurge: (customer: string, purgedAt: number) => Promise<void> };
  /** Names of the attempts under way at work of several customers. */
  readonly listSharedAttempts: () => Promise<readonly string[]>;
}

/**
 * Deletes everything of a customer and uses its id up. The purge marks the customer, so that nothing new begins, deletes
 * the keys, then deletes the belongings in passes until nobody can still write and a pass finds nothing, and last the
 * customer. An interrupted purge is completed by the next.
 *
 * Three kinds of writers may still be active when it begins:
 *
 * - requests whose key is remembered, for `KEY_MEMORY_MS`;
 * - attempts at work of this customer, for one lease, since the rows of that work are deleted too;
 * - attempts at work of several customers. Those that begin after a pass that found nothing have nothing to do for this
 *   customer; the purge waits for the end of those that began before, at most `longestAttemptMs`.
 *
 * A storage access token that was fetched before stays valid until its end, but finds nothing.
 *
 * @throws CustomerRefusal when passes still find something five minutes after the last writer must have ended, or when an
 *   attempt lasts longer than is possible
 */
export const purgeCustomer =
  ({ customers, belongings, keptTombstones, clock, leaseMs, listSharedAttempts }: PurgePorts) =>
  async (customer: string): Promise<PurgePlan> => {
    const purgedAt = clock.now().getTime();
    // Where that is refused nothing has begun.
    await keptTombstones.keepPurge(customer, purgedAt);
    await customers.change(customer, { isPurging: true });
    await customers.bury(customer, purgedAt);
    const keys = await customers.listKeys(customer);
    for (const key of keys) await customers.removeKey(key);
    const removed = new Map([['keys', keys.length]]);
    const quietAt = clock.now().getTime() + untilQuietMs(leaseMs);
    const attempts = new AttemptsUnderWay({ clock, leaseMs, listSharedAttempts });
    for (let latePasses = 0; latePasses < MOST_LATE_PASSES;) {
      const now = clock.now().getTime();
      // Asked before the pass, so that the pass finds what the attempts wrote until their end.
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

/** The attempts at work of several customers that were under way at an instant and have not ended since. */
class AttemptsUnderWay {
  readonly #ports: Pick<PurgePorts, 'clock' | 'leaseMs' | 'listSharedAttempts'>;
  #left: readonly string[] | undefined;
  #listedAt = 0;

  constructor(ports: Pick<PurgePorts, 'clock' | 'leaseMs' | 'listSharedAttempts'>) {
    this.#ports = ports;
  }

  /** Lists the attempts anew, unless the pass found nothing: attempts that begin after it do nothing for the customer. */
  async afterPass(found: number): Promise<void> {
    if (found === 0 && this.#left !== undefined) return;
    this.#left = await this.#ports.listSharedAttempts();
    this.#listedAt = this.#ports.clock.now().getTime();
  }

  /**
   * Whether all of them have ended; false before the first listing.
   *
   * @throws CustomerRefusal when one lasts longer than is possible
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

const stillUnderWay = (attempts: readonly string[], limitMs: number): CustomerRefusal =>
  new CustomerRefusal(
    `Nothing more was found, but ${attempts.length} attempts at units of several customers have gone on for ` +
      `${limitMs / 60_000} minutes, longer than an attempt can (functionTimeout and two leases): ${attempts[0]}. ` +
      'See that JOB_LEASE_SECONDS and functionTimeout are those of the service, and run the purge again.',
  );

/** One pass: deletes all belongings and adds to the counts. @returns how many things were deleted */
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
