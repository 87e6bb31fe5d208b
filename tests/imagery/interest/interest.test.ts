import { beforeEach, describe, expect, test } from '@jest/globals';
import { backfillOf } from '../../../shared/imagery/discovery/backfill.js';
import { LEAVE } from '../../../shared/enrollments/submission/stopEnrollment.js';
import { compareInterest, indexEnrollment } from '../../../shared/imagery/interest/indexEnrollment.js';
import { interestsOf, type Interest } from '../../../shared/imagery/interest/interest.js';
import { isTurn } from '../../../shared/work/upkeep/nightTurn.js';
import type { EnrollmentRequest } from '../../../shared/enrollments/record/enrollment.js';
import type { ReadyField } from '../../../shared/enrollments/fields/field.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { anEnrollment } from '../../enrollments/builders.js';
import { boxPolygon } from '../builders.js';
import { ImageryUnderTest, type FieldToEnrol } from '../imageryUnderTest.js';

const CUSTOMER = 'contoso';
/** About 400 m, some kilometres apart, all in one cell; the one in the east lies in another tile. */
const north: FieldToEnrol = { fieldId: 'north', box: [13.14, 48.29, 13.145, 48.294] };
const south: FieldToEnrol = { fieldId: 'south', box: [13.15, 48.28, 13.155, 48.284] };
const east: FieldToEnrol = { fieldId: 'east', box: [14.5, 48.29, 14.505, 48.294] };
const endDate = '2026-10-31';

let service: ImageryUnderTest;
const enrol = async (
  enrollmentId: string,
  fields: readonly FieldToEnrol[],
  period: Partial<EnrollmentRequest> = { endDate },
) => {
  const key = { customer: CUSTOMER, enrollmentId };
  await service.enrol({ ...key, fields, request: period });
  return (await service.enrollments.find(key))!.enrollment;
};
const fieldsOf = async (enrollmentId: string): Promise<readonly ReadyField[]> =>
  (await service.fields.listFields({ customer: CUSTOMER, enrollmentId })).filter((field) => field.status === 'ready');
const entered = async (enrollmentId: string, fields: readonly FieldToEnrol[]): Promise<readonly Interest[]> =>
  interestsOf(await enrol(enrollmentId, fields), await fieldsOf(enrollmentId));

beforeEach(() => {
  service = new ImageryUnderTest();
});

describe('the entries of an enrollment', () => {
  test('have the fields of a cell together, with what is wanted of them and until when', async () => {
    const entries = await entered('e', [north, south, east]);
    expect(entries.map(({ tile, fields }) => [tile, fields.map(({ fieldId }) => fieldId)])).toEqual([
      ['33UUP', ['north', 'south']],
      ['33UVP', ['east']],
    ]);
    expect(entries[0]).toMatchObject({
      customer: CUSTOMER,
      enrollmentId: 'e',
      part: 0,
      layers: ['ndvi'],
      lastDate: endDate,
    });
    expect(entries[0]?.bbox).toEqual([13.14, 48.28, 13.155, 48.294]);
  });

  test('hold a hundred fields each, every field once', async () => {
    const enrollment = anEnrollment();
    await enrol('e', [north]);
    const [field] = await fieldsOf('e');
    const fields = Array.from({ length: 250 }, (_, index) => ({ ...field!, index, fieldId: `field ${index}` }));
    const entries = interestsOf(enrollment, fields);
    expect(entries.map(({ part, fields: held }) => [part, held.length])).toEqual([
      [0, 100],
      [1, 100],
      [2, 50],
    ]);
    expect(new Set(entries.flatMap(({ fields: held }) => held.map(({ fieldId }) => fieldId))).size).toBe(250);
  });

  test('lie in the same places for fields of before they had a grid', async () => {
    const enrollment = await enrol('e', [north, east]);
    const fields = await fieldsOf('e');
    const old = fields.map(({ shape: { grid: _grid, ...shape }, ...field }) => ({ ...field, shape }));
    const placesOf = (of: typeof fields) =>
      interestsOf(enrollment, of).map(({ tile, cell, part, fields: held }) => [tile, cell, part, held.length]);
    expect(placesOf(old)).toEqual(placesOf(fields));
  });

  test('have a small box on the antimeridian', async () => {
    const parts = [
      [179.998, 180],
      [-180, -179.998],
    ].map(([west = 0, east = 0]) => boxPolygon([west, 10, east, 10.004]).coordinates);
    const [entry] = await entered('e', [
      { fieldId: 'west', box: [179.99, 10, 179.995, 10.004] },
      { fieldId: 'across', box: [179.998, 10, -179.998, 10.004], parts },
    ]);
    expect(entry?.bbox).toEqual([179.99, 10, -179.998, 10.004]);
  });
});

const MONTH = Array.from({ length: 30 }, (_, index) => addDays('2026-06-16', index));
/** The night in which the customer's entries are compared. */
const NIGHT = MONTH.find((day) => isTurn(CUSTOMER, { day, everyDays: 30 }))!;

describe('the comparison of every night', () => {
  const compare = (day: string) => {
    service.clock.jump(Date.parse(`${day}T05:31:00Z`) - service.clock.now().getTime());
    return compareInterest(service.ports)();
  };
  const entries = (): readonly string[] =>
    service.interest.entries.map(({ enrollmentId, fields }) => `${enrollmentId}: ${fields.length}`);

  test('enters what is missing and puts right what differs, each customer in one night of a month', async () => {
    await enrol('old', [north, south]);
    const day = NIGHT;
    await expect(compare(addDays(day, -1))).resolves.toEqual({ compared: 0, mended: 0, removed: 0 });
    await expect(compare(day)).resolves.toEqual({ compared: 1, mended: 1, removed: 0 });
    expect(entries()).toEqual(['old: 2']);
    const [entry] = service.interest.entries;
    await service.interest.write([{ ...entry!, fields: [] }]);
    await expect(compare(day)).resolves.toEqual({ compared: 1, mended: 1, removed: 0 });
    await expect(compare(day)).resolves.toEqual({ compared: 1, mended: 0, removed: 0 });
  });

  test.each([
    { why: 'that lasts', period: { startDate: '2026-01-01', endDate }, from: -30, to: 0 },
    { why: 'that began of late', period: { startDate: addDays(NIGHT, -9), endDate }, from: -9, to: 0 },
    {
      why: 'that ended of late',
      period: { startDate: '2026-01-01', endDate: addDays(NIGHT, -5) },
      from: -30,
      to: -5,
    },
  ])('has the days since the last one made of an enrollment $why, for the feed made none', async (row) => {
    await enrol('e', [north], row.period);
    const night = NIGHT;
    await compare(night);
    const asked = (await service.backfills()).map(backfillOf);
    expect(asked.map(({ why }) => why)).toEqual(asked.map(() => 'mended'));
    const days = asked.flatMap(({ from, to }) => [from, to]).sort();
    expect([days[0], days.at(-1)]).toEqual([addDays(night, row.from), addDays(night, row.to)]);
  });

  test('has no days made of an enrollment whose entries are as they should be', async () => {
    const enrollment = await enrol('e', [north]);
    await indexEnrollment(service)(enrollment, await fieldsOf('e'));
    await compare(NIGHT);
    expect(await service.backfills()).toEqual([]);
  });

  test('goes on with the others when one customer’s enrollments can’t be listed, and tells whose', async () => {
    await enrol('e', [north]);
    const others = Array.from({ length: 300 }, (_, index) => `other-${index}`);
    const other = others.find((name) => isTurn(name, { day: NIGHT, everyDays: 30 }))!;
    service.customers = {
      ...service.customers,
      list: () => Promise.resolve([other, CUSTOMER].map((customer) => ({ customer, fieldLimit: 250, createdAt: 0 }))),
    };
    const list = service.enrollments.list.bind(service.enrollments);
    service.enrollments.list = (customer, page) =>
      customer === other ? Promise.reject(new Error('away')) : list(customer, page);
    await expect(compare(NIGHT)).rejects.toThrow('away');
    expect(entries()).toEqual(['e: 1']);
    expect(service.log).toContainEqual({
      event: 'Interest:NotCompared',
      facts: { customer: other, cause: expect.stringContaining('away') },
    });
  });

  test('takes out what is over: scenes may come ten days after the last day, and their units wait for a week', async () => {
    const enrollment = await enrol('e', [north]);
    await indexEnrollment(service)(enrollment, await fieldsOf('e'));
    await compare(addDays(endDate, 17));
    expect(entries()).toEqual(['e: 1']);
    await expect(compare(addDays(endDate, 18))).resolves.toMatchObject({ removed: 1 });
    expect(entries()).toEqual([]);
  });
});

describe('the end of an enrollment that is stopped', () => {
  const KEY = { customer: CUSTOMER, enrollmentId: 'e' };
  const leave = () => service.run({ kind: LEAVE, id: `${CUSTOMER}|e` });
  const isIndexed = (): boolean => service.interest.entries.length > 0;
  beforeEach(async () => {
    const enrollment = await enrol('e', [north]);
    await indexEnrollment(service)(enrollment, await fieldsOf('e'));
  });

  test('takes it out of the index', async () => {
    await service.stop(KEY);
    expect(isIndexed()).toBe(false);
    expect(await service.kernel.store.list(LEAVE)).toEqual([]);
  });

  test('is done although the stop died after it was written', async () => {
    const release = service.fields.release.bind(service.fields);
    service.fields.release = () => Promise.reject(new Error('dead'));
    await expect(service.stop(KEY)).rejects.toThrow('dead');
    service.fields.release = release;
    await leave();
    expect(isIndexed()).toBe(false);
    expect(await service.fields.listHolders(CUSTOMER, 'north')).toEqual([]);
  });

  test('waits for a stop that is not written yet, and is about the latest of several', async () => {
    const replace = service.enrollments.replace.bind(service.enrollments);
    service.enrollments.replace = () => Promise.reject(new Error('away'));
    await expect(service.stop(KEY)).rejects.toThrow('away');
    await leave();
    expect([isIndexed(), (await service.kernel.store.list(LEAVE)).length]).toEqual([true, 1]);
    service.clock.jump(20 * 3_600_000);
    service.enrollments.replace = replace;
    await service.stop(KEY);
    expect(isIndexed()).toBe(false);
  });

  test('that comes while the index is compared is not undone by that', async () => {
    await service.interest.remove(service.interest.entries);
    const write = service.interest.write.bind(service.interest);
    service.interest.write = async (entries) => {
      await service.stop(KEY);
      await write(entries);
    };
    service.clock.jump(Date.parse(`${NIGHT}T05:11:00Z`) - service.clock.now().getTime());
    await compareInterest(service.ports)();
    expect(isIndexed()).toBe(false);
  });

  test('is given up a day after a stop that was never written', async () => {
    service.enrollments.replace = () => Promise.reject(new Error('away'));
    await expect(service.stop(KEY)).rejects.toThrow('away');
    service.clock.jump(24 * 3_600_000);
    await leave();
    expect([isIndexed(), (await service.kernel.store.list(LEAVE)).length]).toEqual([true, 0]);
  });
});
