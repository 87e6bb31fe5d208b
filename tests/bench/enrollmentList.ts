/**
 * What a page of 50 and one enrollment cost with 100 and with 10,000 enrollments of the customer: storage operations,
 * which must not grow, and CPU of this process.
 *
 *   npm run bench:enrollments     (starts a service of its own for its storage, in memory)
 *
 * Azurite filters the whole table for every query, so that its own time says nothing about the platform and is not
 * shown.
 */
import { TableClient } from '@azure/data-tables';
import { randomUUID } from 'node:crypto';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { cursorKeysOf } from '../../shared/access/auth/apiKeyDigest.js';
import { systemClock } from '../../shared/kit/clock.js';
import { enrollmentRecord } from '../../shared/enrollments/lists/enrollmentView.js';
import { getEnrollment } from '../../shared/enrollments/lists/getEnrollment.js';
import { listEnrollments } from '../../shared/enrollments/lists/listEnrollments.js';
import { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { randomId } from '../../shared/kit/ids.js';
import { anEnrollment } from '../enrollments/builders.js';
import { cpuMsOf, median, startedService } from './service.js';
import { isSmoke, say, sized } from './figures.js';

const SIZES = isSmoke ? [60] : [100, 10_000];
const CALLS = sized(20);
const PARALLEL = 8;

const bench = await startedService();
let operations = 0;
const table = TableClient.fromConnectionString(bench.settings['DATA_STORAGE'] ?? '', 'enrollments', {
  additionalPolicies: [
    {
      position: 'perRetry',
      policy: {
        name: 'count',
        sendRequest: (request, next) => {
          operations += 1;
          return next(request);
        },
      },
    },
  ],
});
const enrollments = new EnrollmentStore(new AzureRows(table, randomId));
const cursorKeys = cursorKeysOf(new Map([['1', Buffer.alloc(32, 1)]]));
const list = listEnrollments({ enrollments, cursorKeys, clock: systemClock });
const customer = `bench-${randomUUID()}`;
const ids: string[] = [];

async function grow(size: number): Promise<void> {
  while (ids.length < size) {
    const batch = Array.from({ length: Math.min(PARALLEL, size - ids.length) }, () =>
      anEnrollment({ customer, createdAt: Date.now() }),
    );
    // Due in a year: the running service is not to ingest what has no inputs.
    await Promise.all(batch.map((one) => enrollments.insert(one)));
    ids.push(...batch.map(({ enrollmentId }) => enrollmentId));
  }
}

async function costOf(call: () => Promise<unknown>): Promise<string> {
  const cpuMs: number[] = [];
  operations = 0;
  for (let index = 0; index < CALLS; index += 1) {
    const before = process.cpuUsage();
    await call();
    cpuMs.push(cpuMsOf(process.cpuUsage(before)));
  }
  return `${(operations / CALLS).toFixed(1)} operations, ${median(cpuMs).toFixed(2)} ms CPU`;
}

for (const size of SIZES) {
  await grow(size);
  const first = await list(customer, {});
  const cursor = first.cursor ?? '';
  const page = async (): Promise<void> => {
    const { items } = await list(customer, { cursor });
    JSON.stringify(items.map(enrollmentRecord));
  };
  const enrollmentId = ids[Math.floor(ids.length / 2)] ?? '';
  const one = async (): Promise<void> => {
    JSON.stringify(enrollmentRecord(await getEnrollment({ enrollments })({ customer, enrollmentId })));
  };
  await page();
  await one();
  say(`${size} enrollments: page of 50: ${await costOf(page)}; one: ${await costOf(one)}`);
}
await bench.stop();
