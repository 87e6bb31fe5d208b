import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryRows } from '../support/memoryRows.js';
import type { EnrollmentStore } from '../../shared/enrollments/enrollmentPorts.js';
import { ingestMark, newWork } from '../../shared/enrollments/ingestWork.js';
import { sweepEnrollments, type SweepEnrollmentsPorts } from '../../shared/enrollments/sweepEnrollments.js';
import { countingAtOnce } from '../support/atOnce.js';
import { ManualClock } from '../support/manualClock.js';
import { TableCustomerStore } from '../../shared/customers/tableCustomerStore.js';
import { TableEnrollmentStore } from '../../shared/enrollments/tableEnrollmentStore.js';
import { TableFieldStore } from '../../shared/enrollments/tableFieldStore.js';
import { MemoryIngestQueue, MemoryInputStore } from '../support/memoryEnrollmentStores.js';
import { MarksInMemory } from '../support/imageryInMemory.js';
import { anEnrollment } from './builders.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function surroundings() {
  const clock = new ManualClock();
  return {
    clock,
    customers: new TableCustomerStore(new MemoryRows()),
    marks: new MarksInMemory('ingest'),
    enrollments: new TableEnrollmentStore(new MemoryRows()),
    fields: new TableFieldStore(new MemoryRows()),
    inputs: new MemoryInputStore(() => clock.now().getTime()),
    ingestQueue: new MemoryIngestQueue(),
    log: () => undefined,
  };
}
let ports: ReturnType<typeof surroundings>;
beforeEach(() => {
  ports = surroundings();
});

const sweep = (changes: Partial<SweepEnrollmentsPorts> = {}) => sweepEnrollments({ ...ports, ...changes })();
const now = (): number => ports.clock.now().getTime();

/** A submission as far as it came before its request died. */
async function submitted({ isMarked = true, hasRows = true } = {}) {
  const enrollment = anEnrollment();
  const { customer } = enrollment;
  await ports.customers.insert({ customer, fieldLimit: 250, createdAt: 0 });
  if (isMarked) await ports.marks.raise(ingestMark(enrollment, now()));
  await ports.inputs.put(enrollment, { geojson: new Uint8Array() });
  if (hasRows) await ports.enrollments.insert(enrollment, newWork(enrollment, now()));
  return enrollment;
}

describe('the sweep of submissions', () => {
  test('asks no customer of whom nothing is open', async () => {
    await ports.customers.insert({ customer: 'idle', fieldLimit: 250, createdAt: 0 });
    const unasked = new Proxy({} as EnrollmentStore, {
      get: () => () => Promise.reject(new Error('asked for')),
    });
    await expect(sweep({ enrollments: unasked })).resolves.toMatchObject({ enqueued: 0 });
  });

  test('looks at several at a time: thousands one after the other would outlast its minute', async () => {
    for (let number = 0; number < 50; number += 1) await submitted();
    const { run, most } = countingAtOnce(undefined);
    const enrollments = Object.assign(new TableEnrollmentStore(new MemoryRows()), { findWork: run }) as EnrollmentStore;
    ports.clock.jump(2 * MINUTE_MS);
    await sweep({ enrollments });
    expect(most()).toBe(8);
  });

  test('sends a lost message again, once, and looks again two minutes later', async () => {
    const { customer, enrollmentId } = await submitted();
    await expect(sweep()).resolves.toMatchObject({ enqueued: 0 });
    ports.clock.jump(2 * MINUTE_MS);
    await expect(sweep()).resolves.toMatchObject({ enqueued: 1 });
    await expect(sweep()).resolves.toMatchObject({ enqueued: 0, 'not due': 0 });
    expect(ports.ingestQueue.sent).toEqual([{ key: { customer, enrollmentId }, delayMs: 0 }]);
    ports.clock.jump(2 * MINUTE_MS);
    await expect(sweep()).resolves.toMatchObject({ enqueued: 1 });
  });

  test('leaves work that an attempt holds, and looks again when its lease ends', async () => {
    const enrollment = await submitted();
    const stored = (await ports.enrollments.findWork(enrollment))!;
    const leaseEnd = now() + 10 * MINUTE_MS;
    await ports.enrollments.replaceWork(stored, { ...stored.work, notBefore: leaseEnd, checkAt: leaseEnd });
    ports.clock.jump(2 * MINUTE_MS);
    await expect(sweep()).resolves.toMatchObject({ 'not due': 1 });
    await expect(sweep()).resolves.toMatchObject({ 'not due': 0 });
    ports.clock.jump(8 * MINUTE_MS);
    await expect(sweep()).resolves.toMatchObject({ enqueued: 1 });
  });

  test('keeps the mark of a submission whose rows come between its two looks', async () => {
    await submitted();
    ports.clock.jump(2 * MINUTE_MS);
    // As it looked before the rows were written: there is no work yet, and a moment later there is an enrollment.
    const enrollments = Object.assign(Object.create(ports.enrollments) as EnrollmentStore, {
      findWork: () => Promise.resolve(undefined),
      find: ports.enrollments.find.bind(ports.enrollments),
    });
    await sweep({ enrollments });
    expect(ports.marks.kinds).toHaveLength(1);
    ports.clock.jump(10 * MINUTE_MS);
    await expect(sweep()).resolves.toMatchObject({ enqueued: 1 });
  });

  test('takes a mark away that was left over by an ingest that is done', async () => {
    const enrollment = await submitted();
    const stored = (await ports.enrollments.find(enrollment))!;
    await ports.enrollments.endIngest(stored, { ...enrollment, status: 'completed' }, undefined);
    ports.clock.jump(2 * MINUTE_MS);
    await sweep();
    expect(ports.marks.kinds).toHaveLength(0);
    expect(ports.inputs.files.size).toBe(1);
  });

  test('finds a submission whose rows came after a look that saw none', async () => {
    const { customer, enrollmentId, ...rest } = await submitted({ hasRows: false });
    await expect(sweep()).resolves.toMatchObject({ 'not due': 1 });
    const enrollment = { customer, enrollmentId, ...rest };
    await ports.enrollments.insert(enrollment, newWork(enrollment, now()));
    ports.clock.jump(2 * MINUTE_MS);
    await expect(sweep()).resolves.toMatchObject({ enqueued: 1 });
  });

  test('looks at inputs without an enrollment a dozen times in their day, not every minute', async () => {
    await submitted({ hasRows: false });
    let looks = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      looks += (await sweep())['not due'];
      ports.clock.jump(MINUTE_MS);
    }
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThan(13);
    await expect(sweep()).resolves.toMatchObject({ orphans: 1 });
  });

  test('deletes inputs without an enrollment a day after they were submitted, others never', async () => {
    const accepted = await submitted();
    await submitted({ hasRows: false });
    ports.clock.jump(2 * HOUR_MS);
    const fresh = await submitted({ hasRows: false });
    await expect(sweep()).resolves.toMatchObject({ orphans: 0 });
    ports.clock.jump(22 * HOUR_MS);
    await expect(sweep()).resolves.toMatchObject({ orphans: 1 });
    expect([...ports.inputs.files.values()].map(({ key }) => key.enrollmentId).sort()).toEqual(
      [accepted.enrollmentId, fresh.enrollmentId].sort(),
    );
    ports.clock.jump(2 * HOUR_MS);
    await expect(sweep()).resolves.toMatchObject({ orphans: 1 });
  });

  test('takes over, the first time, what was open before there were marks', async () => {
    const before = { isMarked: false };
    await submitted(before);
    await submitted({ ...before, hasRows: false });
    ports.marks = new MarksInMemory();
    ports.clock.jump(HOUR_MS);
    await sweep();
    ports.clock.jump(2 * MINUTE_MS);
    await expect(sweep()).resolves.toMatchObject({ enqueued: 1 });
    ports.clock.jump(24 * HOUR_MS);
    await expect(sweep()).resolves.toMatchObject({ orphans: 1 });
  });
});
