import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newApiKey } from '../../../shared/access/auth/apiKeyFormat.js';
import type { StoredKey } from '../../../shared/access/auth/storedKey.js';
import type { CustomerStore } from '../../../shared/access/customers/customerStore.js';

const START = Date.parse('2026-06-15T12:00:00.123Z');

const aCustomer = () => ({ customer: `c-${randomUUID()}`, fieldLimit: 250, createdAt: START });
const aKey = (customer: string): StoredKey => ({
  keyId: newApiKey().keyId,
  customer,
  digest: Buffer.alloc(32, 7).toString('base64'),
  pepper: '1',
  createdAt: START,
});

/** What every store of customers does, whatever it is made of. */
export function describeCustomerStore(name: string, make: () => Promise<CustomerStore>): void {
  describe(`the customer store ${name}`, () => {
    let store: CustomerStore;
    beforeAll(async () => {
      store = await make();
    });

    test('gives back a customer, and lists it', async () => {
      const customer = aCustomer();
      await expect(store.insert(customer)).resolves.toBe('created');
      await expect(store.insert(customer)).resolves.toBe('exists');
      await expect(store.find(customer.customer)).resolves.toEqual(customer);
      await expect(store.list()).resolves.toContainEqual(customer);
      await expect(store.find('nobody')).resolves.toBeUndefined();
    });

    test('takes one of ten inserts of an id at the same time', async () => {
      const customer = aCustomer();
      const inserted = await Promise.all(Array.from({ length: 10 }, () => store.insert(customer)));
      expect(inserted.filter((outcome) => outcome === 'created')).toHaveLength(1);
    });

    test('changes what it is given and leaves the rest', async () => {
      const customer = aCustomer();
      await store.insert(customer);
      await expect(store.change(customer.customer, { fieldLimit: 7 })).resolves.toBe(true);
      await expect(store.change(customer.customer, { isPurging: true })).resolves.toBe(true);
      await expect(store.find(customer.customer)).resolves.toEqual({ ...customer, fieldLimit: 7, isPurging: true });
      await expect(store.change('nobody', { fieldLimit: 7 })).resolves.toBe(false);
      await expect(store.find('nobody')).resolves.toBeUndefined();
    });

    test('removes a customer, twice without harm', async () => {
      const customer = aCustomer();
      await store.insert(customer);
      await store.remove(customer.customer);
      await store.remove(customer.customer);
      await expect(store.find(customer.customer)).resolves.toBeUndefined();
    });

    test('never gives an id again that was used up, and says since when', async () => {
      const { customer, ...rest } = aCustomer();
      await store.insert({ customer, ...rest });
      await expect(store.findTombstone(customer)).resolves.toBeUndefined();
      await store.bury(customer, START);
      await store.bury(customer, START + 5);
      await expect(store.findTombstone(customer)).resolves.toBe(START);
      // Until it is removed the customer is still to be found: a purge that broke off goes on.
      await expect(store.find(customer)).resolves.toEqual({ customer, ...rest });
      await store.remove(customer);
      await expect(store.insert({ customer, ...rest })).resolves.toBe('purged');
      await expect(store.find(customer)).resolves.toBeUndefined();
      expect((await store.list()).map((listed) => listed.customer)).not.toContain(customer);
    });

    test('finds a key by its id, in its very casing, and the keys of a customer', async () => {
      const [mine, other] = [aCustomer().customer, aCustomer().customer];
      const key = { ...aKey(mine), expiresAt: START + 1000 };
      const foreign = aKey(other);
      for (const one of [key, foreign]) await store.insertKey(one);
      await expect(store.findKey(key.keyId)).resolves.toEqual(key);
      await expect(store.listKeys(mine)).resolves.toEqual([key]);
      const swapped = key.keyId.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
      if (swapped !== key.keyId) await expect(store.findKey(swapped)).resolves.toBeUndefined();
    });

    test('ends a key without touching the rest of it', async () => {
      const key = aKey(aCustomer().customer);
      await store.insertKey(key);
      await expect(store.changeKey(key.keyId, { revokedAt: START + 5 })).resolves.toBe(true);
      await expect(store.changeKey(key.keyId, { expiresAt: START + 9 })).resolves.toBe(true);
      await expect(store.findKey(key.keyId)).resolves.toEqual({ ...key, revokedAt: START + 5, expiresAt: START + 9 });
      await expect(store.changeKey(newApiKey().keyId, { revokedAt: START })).resolves.toBe(false);
    });

    test('removes a key from both places, twice without harm', async () => {
      const key = aKey(aCustomer().customer);
      await store.insertKey(key);
      await store.removeKey(key);
      await store.removeKey(key);
      await expect(store.findKey(key.keyId)).resolves.toBeUndefined();
      await expect(store.listKeys(key.customer)).resolves.toEqual([]);
    });
  });
}
