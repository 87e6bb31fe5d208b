import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ScheduleStore } from '../../../shared/enrollments/enrollmentPorts.js';
import { sweepAllImagery, sweepImagery } from '../../../shared/imagery/work/sweepImagery.js';
import { countingAtOnce } from '../../support/atOnce.js';
import { MarksInMemory } from '../../support/imageryInMemory.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

const nothing = { planned: 0, resent: 0, activated: 0 };
const asCustomer = (customer: string) => ({ customer, fieldLimit: 250, createdAt: 0 });
const many = Array.from({ length: 50 }, (_, index) => asCustomer(`c${index}`));
const customers = {
  list: () => Promise.resolve(many),
  find: (customer: string) => Promise.resolve(asCustomer(customer)),
};
const HOUR_MS = 3_600_000;

let service: ImageryUnderTest;
const now = (): number => service.clock.now().getTime();
const markAll = async (): Promise<void> => {
  for (const { customer } of many)
    await service.marks.raise({ kind: 'imagery', customer, checkAt: now(), raisedAt: now() });
};
const dueMarks = async (): Promise<number> => (await service.marks.listDue('imagery', now())).due.length;

beforeEach(() => {
  service = new ImageryUnderTest();
});

describe('a sweep', () => {
  test('asks for several customers at a time: thousands one after the other would outlast its minute', async () => {
    await markAll();
    const { run, most } = countingAtOnce([]);
    const schedule = { listDue: run } as unknown as ScheduleStore;
    await sweepImagery({ ...service.ports, customers, schedule })();
    expect(most()).toBe(8);
  });

  test('asks for nobody of whom nothing is due', async () => {
    const schedule = { listDue: () => Promise.reject(new Error('asked for')) } as unknown as ScheduleStore;
    await expect(sweepImagery({ ...service.ports, customers, schedule })()).resolves.toEqual(nothing);
    expect(service.log).toEqual([]);
  });

  test('tells the trouble of one customer, which keeps no other and is looked at again by the next', async () => {
    await markAll();
    const { ports, log } = service;
    const listDue = (customer: string) => (customer === 'c7' ? Promise.reject(new Error('away')) : Promise.resolve([]));
    const schedule = { listDue } as unknown as ScheduleStore;
    await expect(sweepImagery({ ...ports, customers, schedule })()).resolves.toEqual(nothing);
    expect(log.map(({ event, facts }) => `${event} ${String(facts['customer'])}`)).toEqual(['Imagery:SweepFailed c7']);
    await expect(dueMarks()).resolves.toBe(1);
  });

  test('moves the mark of a customer to the first day of the next enrollment, which begins at 05:30 UTC', async () => {
    const box = [13, 48, 13.01, 48.01] as const;
    const fields = [{ fieldId: 'north', box }];
    await service.enrol({ customer: 'contoso', enrollmentId: 'e', fields });
    await service.enrol({ customer: 'contoso', enrollmentId: 'next', fields, request: { startDate: '2026-06-16' } });
    await expect(service.sweep()).resolves.toMatchObject({ planned: 1 });
    await service.drain();
    service.clock.jump(2 * HOUR_MS);
    await expect(service.sweep()).resolves.toEqual(nothing);
    service.clock.jump(Date.parse('2026-06-16T05:29:00Z') - now());
    await expect(dueMarks()).resolves.toBe(0);
    service.clock.jump(60_000);
    await expect(service.sweep()).resolves.toMatchObject({ planned: 1 });
  });

  test('looks at active work again when its message would be lost, or its lease ends', async () => {
    await service.marks.raise({ kind: 'imagery', customer: 'c1', checkAt: now(), raisedAt: now() });
    await service.work.add('c1', 'search', [{ id: 'one', document: {} }]);
    const ports = { ...service.ports, customers };
    await expect(sweepImagery(ports)()).resolves.toEqual({ ...nothing, activated: 1 });
    await expect(dueMarks()).resolves.toBe(0);
    service.clock.jump(2 * 60_000);
    await expect(sweepImagery(ports)()).resolves.toEqual({ ...nothing, resent: 1 });
  });

  test('keeps a mark an hour although nothing is there yet: the work may still be being written', async () => {
    const raise = () => service.marks.raise({ kind: 'imagery', customer: 'c1', checkAt: now(), raisedAt: now() });
    await raise();
    await sweepImagery({ ...service.ports, customers })();
    expect(service.marks.kinds).toHaveLength(1);
    service.clock.jump(HOUR_MS);
    await sweepImagery({ ...service.ports, customers })();
    expect(service.marks.kinds).toHaveLength(0);
  });

  test('takes away the mark of a customer who is gone or being purged', async () => {
    await markAll();
    const find = (customer: string) =>
      Promise.resolve(customer === 'c1' ? undefined : { ...asCustomer(customer), isPurging: true as const });
    const schedule = { listDue: () => Promise.reject(new Error('asked for')) } as unknown as ScheduleStore;
    await expect(sweepImagery({ ...service.ports, schedule, customers: { ...customers, find } })()).resolves.toEqual(
      nothing,
    );
    expect(service.marks.kinds).toHaveLength(0);
  });
});

describe('customers without a mark', () => {
  test('get one from the first sweep of all, and from the sweep of every day', async () => {
    const marks = new MarksInMemory();
    const ports = { ...service.ports, customers, marks };
    await sweepImagery(ports)();
    expect(marks.kinds).toHaveLength(50);
    service.clock.jump(2 * HOUR_MS);
    await sweepImagery(ports)();
    service.clock.jump(2 * HOUR_MS);
    await sweepImagery(ports)();
    expect(marks.kinds).toHaveLength(0);
    await service.work.add('c1', 'search', [{ id: 'one', document: {} }]);
    await expect(sweepAllImagery(ports)()).resolves.toEqual({ ...nothing, activated: 1 });
  });

  test('who are being purged get none', async () => {
    const list = () => Promise.resolve(many.map((customer) => ({ ...customer, isPurging: true as const })));
    await sweepAllImagery({ ...service.ports, customers: { ...customers, list } })();
    expect(service.marks.kinds).toHaveLength(0);
  });
});
