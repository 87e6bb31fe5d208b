import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { MakingStore } from '../../../shared/imagery/imageryPorts.js';

/** What every store of what was made when does, whatever it is made of. */
export function describeMakingStore(name: string, make: () => MakingStore): void {
  describe(`the store of what was made when ${name}`, () => {
    const making = (madeOn: string, ...fieldIds: readonly string[]) => ({ madeOn, date: '2026-05-01', fieldIds });

    test('gives what is older than a day, the oldest first, the same once', async () => {
      const [store, customer] = [make(), `customer-${randomUUID()}`];
      const fieldIds = Array.from({ length: 250 }, (_, index) => `Feld "${index}" ${'ü'.repeat(50)}`);
      await store.put(customer, making('2026-06-02', 'south'));
      await store.put(customer, making('2026-06-01', ...fieldIds));
      await store.put(customer, making('2026-06-01', ...fieldIds));
      await store.put(customer, making('2026-06-03', 'north'));
      await store.put(`${customer}-other`, making('2026-06-01', 'north'));
      expect(await store.listBefore(customer, '2026-06-01', 10)).toEqual([]);
      const past = [making('2026-06-01', ...fieldIds), making('2026-06-02', 'south')];
      expect(await store.listBefore(customer, '2026-06-03', 10)).toEqual(past);
      expect(await store.listBefore(customer, '2026-06-03', 1)).toEqual(past.slice(0, 1));
    });

    test('forgets what is removed, twice as well as once', async () => {
      const [store, customer] = [make(), `customer-${randomUUID()}`];
      await store.put(customer, making('2026-06-01', 'north'));
      await store.put(customer, making('2026-06-01', 'south'));
      await store.remove(customer, making('2026-06-01', 'north'));
      await store.remove(customer, making('2026-06-01', 'north'));
      expect(await store.listBefore(customer, '2026-12-31', 10)).toEqual([making('2026-06-01', 'south')]);
    });
  });
}
