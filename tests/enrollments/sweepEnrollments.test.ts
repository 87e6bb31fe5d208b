import { expect, test } from '@jest/globals';
import type { EnrollmentStore, FieldStore } from '../../shared/enrollments/enrollmentPorts.js';
import { sweepEnrollments } from '../../shared/enrollments/sweepEnrollments.js';
import { countingAtOnce } from '../support/atOnce.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryCustomerStore } from '../support/memoryCustomerStore.js';
import { MemoryEnrollmentStore, MemoryFieldStore, MemoryIngestQueue } from '../support/memoryEnrollmentStores.js';

test('a sweep asks for several customers at a time: thousands one after the other would outlast its minute', async () => {
  const customers = new MemoryCustomerStore();
  for (let number = 0; number < 50; number += 1) {
    await customers.insert({ customer: `customer-${number}`, fieldLimit: 250, createdAt: 0 });
  }
  const { run, most } = countingAtOnce([]);
  const enrollments = Object.assign(new MemoryEnrollmentStore(), { listOverdueWork: run }) as EnrollmentStore;
  const fields: FieldStore = new MemoryFieldStore();
  const ports = { customers, enrollments, fields, ingestQueue: new MemoryIngestQueue(), log: () => undefined };
  await sweepEnrollments({ ...ports, clock: new ManualClock() })();
  expect(most()).toBe(8);
});
