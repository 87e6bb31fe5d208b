import { expect, test } from '@jest/globals';
import type { ScheduleStore } from '../../../shared/enrollments/enrollmentPorts.js';
import { sweepImagery } from '../../../shared/imagery/work/sweepImagery.js';
import { countingAtOnce } from '../../support/atOnce.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

const many = Array.from({ length: 50 }, (_, index) => ({ customer: `c${index}`, fieldLimit: 250, createdAt: 0 }));
const customers = { list: () => Promise.resolve(many) };

test('a sweep asks for several customers at a time: thousands one after the other would outlast its minute', async () => {
  const { run, most } = countingAtOnce([]);
  const schedule = { listDue: run } as unknown as ScheduleStore;
  await sweepImagery({ ...new ImageryUnderTest().ports, customers, schedule })();
  expect(most()).toBe(8);
});

test('the trouble of one customer is told and keeps no other', async () => {
  const { ports, log } = new ImageryUnderTest();
  const listDue = (customer: string) => (customer === 'c7' ? Promise.reject(new Error('away')) : Promise.resolve([]));
  const schedule = { listDue } as unknown as ScheduleStore;
  await expect(sweepImagery({ ...ports, customers, schedule })()).resolves.toEqual({
    planned: 0,
    resent: 0,
    activated: 0,
  });
  expect(log.map(({ event, facts }) => `${event} ${String(facts['customer'])}`)).toEqual(['Imagery:SweepFailed c7']);
});
