import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { RetryStore } from '../../../shared/imagery/imageryPorts.js';

/** What every store of days to search again does, whatever it is made of. */
export function describeRetryStore(name: string, make: () => RetryStore): void {
  describe(`the store of days to search again ${name}`, () => {
    const retry = (date: string, dueDate: string, enrollmentId = 'e1') => ({ date, dueDate, enrollmentId });

    test('gives what is due, one entry for a day of an enrollment', async () => {
      const [store, customer] = [make(), `customer-${randomUUID()}`];
      await store.put(customer, retry('2026-05-01', '2026-06-01'));
      await store.put(customer, retry('2026-05-02', '2026-06-02'));
      await store.put(customer, retry('2026-05-02', '2026-06-02', 'e2'));
      await store.put(customer, retry('2026-05-03', '2026-06-03'));
      await store.put(customer, retry('2026-05-01', '2026-06-02'));
      await store.put(`${customer}-other`, retry('2026-05-01', '2026-06-01'));
      expect(await store.listDue(customer, '2026-06-01')).toEqual([]);
      const due = await store.listDue(customer, '2026-06-02');
      expect(due.map(({ date, enrollmentId }) => `${date} ${enrollmentId}`).sort()).toEqual([
        '2026-05-01 e1',
        '2026-05-02 e1',
        '2026-05-02 e2',
      ]);
    });

    test('forgets what is removed, twice as well as once', async () => {
      const [store, customer] = [make(), `customer-${randomUUID()}`];
      await store.put(customer, retry('2026-05-01', '2026-06-01'));
      await store.remove(customer, retry('2026-05-01', '2026-06-01'));
      await store.remove(customer, retry('2026-05-01', '2026-06-01'));
      expect(await store.listDue(customer, '2026-12-31')).toEqual([]);
    });
  });
}
