import { beforeEach, describe, expect, test } from '@jest/globals';
import { tombstonesInMemory } from '../support/keptTombstones.js';
import { MemoryRows } from '../support/memoryRows.js';
import { demoKey } from '../../infra/local/demoCustomer.js';
import { purgeCustomer } from '../../shared/access/customers/purgeCustomer.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { CustomerStore } from '../../shared/access/customers/customerStore.js';

const clock = new ManualClock();
const peppers = new Map([['1', Buffer.alloc(32, 1)]]);
let customers: CustomerStore;
beforeEach(() => {
  customers = new CustomerStore(new MemoryRows());
});
const key = () => demoKey({ customers, peppers, clock }, 'demo');

describe('the demo customer of a start', () => {
  test('is made by the first and gets a further key by the next', async () => {
    const [first, second] = [await key(), await key()];
    expect([first.customer, second.customer]).toEqual(['demo', 'demo']);
    expect(await customers.listKeys('demo')).toHaveLength(2);
  });

  test('is another one after it was purged, and so on', async () => {
    for (const customer of ['demo', 'demo-2']) {
      expect((await key()).customer).toBe(customer);
      const listSharedAttempts = (): Promise<readonly string[]> => Promise.resolve([]);
      const purge = purgeCustomer({
        keptTombstones: tombstonesInMemory(),
        customers,
        belongings: [],
        clock,
        leaseMs: 60_000,
        listSharedAttempts,
      })(customer);
      await settle();
      // Not even a purge that is under way, or was interrupted, keeps the local environment from starting.
      await expect(key()).resolves.not.toMatchObject({ customer });
      await clock.advance(180_000);
      await purge;
    }
    expect((await key()).customer).toBe('demo-3');
  });
});
