import { beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { tombstonesInMemory } from '../../support/keptTombstones.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { CustomerRefusal } from '../../../shared/access/customers/manageCustomers.js';
import { longestAttemptMs, purgeCustomer } from '../../../shared/access/customers/purgeCustomer.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';

const MINUTE_MS = 60_000;
const leaseMs = 60_000;

describe('a purge beside an attempt at shared work that goes on for long', () => {
  let customers: CustomerStore;
  let clock: ManualClock;
  /** Attempts that are under way. */
  let attempts: readonly string[];

  beforeEach(async () => {
    customers = new CustomerStore(new MemoryRows());
    clock = new ManualClock();
    attempts = [];
    await customers.insert({ customer: 'contoso', fieldLimit: 250, createdAt: 0 });
  });

  /** @param images how many each customer has */
  const purging = (images: Map<string, number>) => {
    const removeAll = (customer: string): Promise<number> => {
      const count = images.get(customer) ?? 0;
      images.delete(customer);
      return Promise.resolve(count);
    };
    const belongings = [{ name: 'images', count: () => Promise.resolve(0), removeAll }];
    const listSharedAttempts = () => Promise.resolve(attempts);
    // Caught at once: it may be refused before anybody waits for it.
    return purgeCustomer({
      keptTombstones: tombstonesInMemory(),
      customers,
      clock,
      leaseMs,
      listSharedAttempts,
      belongings,
    })('contoso').then(
      (removed) => ({ removed }),
      (error: unknown) => ({ error }),
    );
  };

  test.each([
    { what: 'writes nothing more', writes: 0 },
    { what: 'writes again and again', writes: 200 },
  ])('waits as long as an attempt can take, while others begin and end: it $what', async ({ writes }) => {
    const images = new Map([['contoso', 7]]);
    attempts = ['long'];
    const ended = purging(images);
    await settle();
    for (let second = 0; second < 29 * 60; second += 5) {
      if (second / 5 < writes) images.set('contoso', 1);
      attempts = ['long', `short ${second}`];
      await clock.advance(5_000);
    }
    expect(await customers.find('contoso')).toMatchObject({ isPurging: true });
    attempts = ['another'];
    await clock.advance(MINUTE_MS);
    expect(await ended).toEqual({ removed: { keys: 0, images: 7 + writes } });
  });

  test('says that it is the attempt when that goes on for longer, and that the purge is to be run again', async () => {
    attempts = ['33UUP|2026-06-17|07|0 a', '33UUP|2026-06-17|08|0 b'];
    const ended = purging(new Map());
    await settle();
    await clock.advance(31 * MINUTE_MS);
    expect(await customers.find('contoso')).toMatchObject({ isPurging: true });
    await clock.advance(2 * MINUTE_MS);
    const { error } = (await ended) as { error: Error };
    expect(error).toBeInstanceOf(CustomerRefusal);
    expect(error.message).toMatch(/2 attempts at units of several customers .*32 minutes.*33UUP.*run the purge again/);
    expect(error.message).not.toContain('contoso');
  });

  test('gives up on work that keeps writing after the end of all that were under way, whoever else is at work', async () => {
    const images = new Map<string, number>();
    attempts = ['others'];
    const ended = purging(images);
    for (let second = 0; second < 40 * 60; second += 5) {
      images.set('contoso', 1);
      await clock.advance(5_000);
    }
    const { error } = (await ended) as { error: Error };
    expect(error.message).toBe('Work of contoso keeps writing; run the purge again in some minutes.');
  });

  test('takes the longest that a function may run from host.json', () => {
    const { functionTimeout } = JSON.parse(readFileSync('host.json', 'utf8')) as { functionTimeout: string };
    const [hours = 0, minutes = 0, seconds = 0] = functionTimeout.split(':').map(Number);
    expect(longestAttemptMs(leaseMs)).toBe(((hours * 60 + minutes) * 60 + seconds) * 1_000 + 2 * leaseMs);
  });
});
