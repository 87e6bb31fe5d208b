import { beforeEach, describe, expect, test } from '@jest/globals';
import { cursorKeysOf } from '../../../shared/access/auth/apiKeyDigest.js';
import { listFields } from '../../../shared/enrollments/lists/listFields.js';
import { aScene } from '../../imagery/builders.js';
import { ImageryUnderTest } from '../../imagery/imageryUnderTest.js';

const CUSTOMER = 'contoso';
const BOX = [13.14, 48.29, 13.1436, 48.2925] as const;
const cursorKeys = cursorKeysOf(new Map([['1', Buffer.alloc(32, 1)]]));
const DAYS = ['2026-04-10', '2026-04-20'] as const;

let service: ImageryUnderTest;
const list = async (customer = CUSTOMER, cursor?: string) =>
  listFields({ ...service.ports, fields: service.fields, clock: service.clock, cursorKeys })(customer, {
    limit: 1,
    ...(cursor === undefined ? {} : { cursor }),
  });
const newest = async () => {
  const [field] = (await list()).items;
  return [field?.newest?.date, field?.newest?.outcome, field?.newestPicture];
};
async function work(): Promise<void> {
  await service.sweep();
  await service.drain();
}

beforeEach(async () => {
  service = new ImageryUnderTest('2026-06-20T12:00:00Z');
  await service.enrol({
    customer: CUSTOMER,
    enrollmentId: 'e1',
    fields: [{ fieldId: 'north', box: BOX }],
    request: { startDate: '2026-04-01', endDate: '2026-04-30', layers: ['ndvi'] },
  });
});
function show(date: string, cloudPercent = 0): void {
  service.catalogue.add(
    aScene({ id: `scene-${date}`, takenAt: `${date}T10:00:00.000Z`, datatake: date, cloudPercent }),
  );
}

describe('the list of fields', () => {
  test('tells the newest day and the newest picture as they come', async () => {
    expect(await newest()).toEqual([undefined, undefined, null]);
    show(DAYS[0]);
    show(DAYS[1], 100);
    await work();
    await work();
    expect(await newest()).toEqual([DAYS[1], 'cloud', DAYS[0]]);
  });

  test('takes a picture back that has had its time', async () => {
    for (const day of DAYS) show(day);
    await work();
    await work();
    expect(await newest()).toEqual([DAYS[1], 'done', DAYS[1]]);
    service.clock.jump((service.retentionDays + 1) * 86_400_000);
    await service.expire();
    expect(await newest()).toEqual([DAYS[1], 'expired', null]);
  });

  test('is whole after another has written the field at the same time', async () => {
    for (const day of DAYS) show(day);
    const { fields } = service;
    const put = fields.putDays.bind(fields);
    let isDisturbed = false;
    fields.putDays = async (customer, days) => {
      const [first] = days;
      if (!isDisturbed && first !== undefined) await put(customer, [{ ...first, newestPicture: '2020-01-01' }]);
      isDisturbed = true;
      return put(customer, days);
    };
    await work();
    await work();
    expect(await newest()).toEqual([DAYS[1], 'done', DAYS[1]]);
  });

  test("refuses another customer's cursor", async () => {
    await service.enrol({
      customer: CUSTOMER,
      enrollmentId: 'e2',
      fields: [{ fieldId: 'south', box: BOX }],
      request: { startDate: '2026-04-01', endDate: '2026-04-30', layers: ['ndvi'] },
    });
    const { items, cursor } = await list();
    const others = (await list(CUSTOMER, cursor ?? '')).items;
    expect([...items, ...others].map(({ fieldId }) => fieldId).sort()).toEqual(['north', 'south']);
    await expect(list('fabrikam', cursor ?? '')).rejects.toMatchObject({ fault: { status: 422 } });
  });
});

describe('the list of the fields of a group', () => {
  const COUNT = 30_500;
  const nameOf = (index: number): string => String(index).padStart(5, '0');
  /** Fields of which the last alone has the group. */
  const rare = (reads: number[]): Parameters<typeof listFields>[0] => ({
    fields: {
      listFieldsOf: () => Promise.reject(new Error('The whole of the fields was read.')),
      listGroups: (_customer, { after = '-1', limit }) => {
        reads.push(limit);
        const first = Number(after) + 1;
        const indices = Array.from({ length: Math.min(limit, COUNT - first) }, (_, index) => first + index);
        return Promise.resolve(
          indices.map((index) => ({
            item: { fieldId: nameOf(index), group: index === COUNT - 1 ? 'Hill Farm' : '' },
            at: nameOf(index),
          })),
        );
      },
      findListed: (customer, ids) => service.fields.findListed(customer, ids),
    },
    enrollments: service.ports.enrollments,
    clock: service.clock,
    cursorKeys,
  });

  test('reads 30 times at most, and goes on behind that', async () => {
    await service.enrol({
      customer: CUSTOMER,
      enrollmentId: 'e3',
      fields: [{ fieldId: nameOf(COUNT - 1), box: BOX }],
      request: { startDate: '2026-04-01', endDate: '2026-04-30', layers: ['ndvi'] },
    });
    const reads: number[] = [];
    const group = 'Hill Farm';
    const first = await listFields(rare(reads))(CUSTOMER, { group });
    expect([first.items, reads.length]).toEqual([[], 30]);
    const second = await listFields(rare(reads))(CUSTOMER, { group, cursor: first.cursor ?? '' });
    expect(second.items.map(({ fieldId, enrollments }) => [fieldId, enrollments.length])).toEqual([['30499', 1]]);
    expect([second.cursor, reads.length]).toEqual([null, 33]);
  });
});
