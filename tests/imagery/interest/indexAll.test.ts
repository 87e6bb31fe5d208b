import { beforeEach, describe, expect, test } from '@jest/globals';
import { runImageryCommand } from '../../../infra/local/customers/imageryCommands.js';
import type { OperatorServices } from '../../../infra/local/customers/operatorServices.js';
import type { IndexProgress } from '../../../shared/imagery/interest/indexAll.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

const field = { fieldId: 'north', box: [13.14, 48.29, 13.145, 48.294] } as const;

let service: ImageryUnderTest;
let progress: IndexProgress | undefined;
const enrol = (customer: string, endDate = '2026-10-31') =>
  service.enrol({ customer, enrollmentId: `of-${customer}`, fields: [field], request: { endDate } });
const index = (): Promise<unknown> => {
  const indexProgress = {
    findProgress: () => Promise.resolve(progress),
    putProgress: (next: IndexProgress) => Promise.resolve(void (progress = next)),
  };
  const services = { ...service.ports, customers: service.customers, indexProgress };
  return runImageryCommand(['index'], () => services as unknown as OperatorServices);
};
const indexed = () => [...service.interest.rows.values()].map(({ customer }) => customer);

beforeEach(() => {
  service = new ImageryUnderTest('2026-06-20T12:00:00Z');
});

describe('npm run imagery -- index', () => {
  test('enters everything under monitoring, with its tiles, and says when all was done', async () => {
    for (const customer of ['b', 'a']) await enrol(customer);
    await enrol('over', '2026-06-09');
    await expect(index()).resolves.toEqual({ customers: 3, enrollments: 2 });
    expect(indexed()).toEqual(['a', 'b']);
    expect(await service.interest.listTiles()).toEqual(['33UUP']);
    expect(progress).toEqual({ completedAt: '2026-06-20T12:00:00.000Z' });
  });

  test('goes on behind the last customer that a run had done, and does all again after one that was completed', async () => {
    for (const customer of ['a', 'b', 'c']) await enrol(customer);
    const write = service.interest.write.bind(service.interest);
    service.interest.write = (interests) =>
      interests[0]?.customer === 'b' ? Promise.reject(new Error('storage is away')) : write(interests);
    await expect(index()).rejects.toThrow('storage is away');
    expect([indexed(), progress]).toEqual([['a'], { after: 'a' }]);
    service.interest.write = write;
    await expect(index()).resolves.toEqual({ customers: 2, enrollments: 2 });
    expect(indexed()).toEqual(['a', 'b', 'c']);
    await expect(index()).resolves.toEqual({ customers: 3, enrollments: 3 });
  });
});
