import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { MemoryRows } from '../../support/memoryRows.js';
import { cursorKeysOf } from '../../../shared/access/auth/apiKeyDigest.js';
import { enrollmentStatuses, inProgress } from '../../../shared/enrollments/record/enrollment.js';
import { sealCursor, openCursor } from '../../../shared/kit/listCursor.js';
import { listEnrollments } from '../../../shared/enrollments/lists/listEnrollments.js';
import { ManualClock } from '../../support/manualClock.js';
import { EnrollmentStore } from '../../../shared/enrollments/record/enrollmentStore.js';
import { anEnrollment } from '../builders.js';

const DAY_MS = 24 * 3_600_000;
const peppers = new Map([['1', Buffer.alloc(32, 1)]]);
const cursorKeys = cursorKeysOf(peppers);

let clock: ManualClock;
let enrollments: EnrollmentStore;
beforeEach(() => {
  clock = new ManualClock();
  enrollments = new EnrollmentStore(new MemoryRows());
});
const list = (customer: string, request: Parameters<ReturnType<typeof listEnrollments>>[1] = {}) =>
  listEnrollments({ enrollments, cursorKeys, clock })(customer, request);

async function submit(customer: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const enrollment = anEnrollment({ customer, createdAt: clock.now().getTime() });
    await enrollments.insert(enrollment);
    ids.unshift(enrollment.enrollmentId);
    clock.jump(1);
  }
  return ids;
}

describe('a list of enrollments', () => {
  test('has 50 on a page unless told otherwise, and at most 200', async () => {
    await submit('c', 201);
    expect((await list('c')).items).toHaveLength(50);
    expect((await list('c', { limit: 1 })).items).toHaveLength(1);
    expect((await list('c', { limit: 1000 })).items).toHaveLength(200);
  });

  test('has no cursor on its last page, full or not', async () => {
    await submit('c', 4);
    expect((await list('c', { limit: 4 })).cursor).toBeNull();
    const { cursor } = await list('c', { limit: 3 });
    expect(cursor).not.toBeNull();
    expect((await list('c', { limit: 3, cursor: cursor! })).cursor).toBeNull();
    expect(await list('nobody')).toEqual({ items: [], cursor: null });
  });

  test.each([1, 3, 50])(
    'shows each of 120 exactly once by pages of %d while others are added and moved',
    async (limit) => {
      const before = await submit('c', 120);
      const shown: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await list('c', { limit, ...(cursor === undefined ? {} : { cursor }) });
        shown.push(...page.items.map(({ enrollmentId }) => enrollmentId));
        cursor = page.cursor;
        await submit('c', 1);
        const moved = await enrollments.find({ customer: 'c', enrollmentId: before[shown.length % 120]! });
        await enrollments.replace(moved!, inProgress(moved!.enrollment, { processed: 0, errors: [] }));
      }
      expect(shown).toEqual(before);
    },
  );

  test.each([
    ['tampered', (cursor: string) => `${cursor.slice(0, -2)}AA`],
    ['cut off', (cursor: string) => cursor.slice(0, 20)],
    ['empty', () => ''],
    ['written in another alphabet', (cursor: string) => `${cursor}=`],
    ['no cursor at all', () => 'next-page'],
  ])('refuses a cursor that is %s', async (_what, change) => {
    await submit('c', 3);
    const { cursor } = await list('c', { limit: 1 });
    await expect(list('c', { limit: 1, cursor: change(cursor!) })).rejects.toMatchObject({
      fault: { status: 422 },
      details: [{ loc: ['query', 'cursor'], type: 'cursor' }],
    });
  });

  test("refuses another customer's cursor, one of another status and one of yesterday", async () => {
    await submit('c', 3);
    await submit('d', 3);
    const cursor = (await list('c', { limit: 1 })).cursor!;
    await expect(list('d', { cursor })).rejects.toMatchObject({ fault: { status: 422 } });
    await expect(list('c', { cursor, status: 'received' })).rejects.toMatchObject({ fault: { status: 422 } });
    clock.jump(DAY_MS - 1000);
    expect((await list('c', { cursor })).items).toHaveLength(2);
    clock.jump(1000);
    await expect(list('c', { cursor })).rejects.toMatchObject({ fault: { status: 422 } });
  });
});

describe('a cursor', () => {
  const status = fc.option(fc.constantFrom(...enrollmentStatuses), { nil: undefined });
  test('opens for whom it was sealed alone', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), status, status, fc.string(), (one, other, mine, theirs, position) => {
        const cursor = sealCursor(['list', one, mine ?? null], position, { keys: cursorKeys, now: 0 });
        const opened = openCursor(cursor, ['list', other, theirs ?? null], { keys: cursorKeys, now: 1 });
        expect(opened).toBe(one === other && mine === theirs ? position : undefined);
      }),
    );
  });

  test('sealed with the old pepper opens during a rotation, and not after', () => {
    const position = randomUUID();
    const rotating = cursorKeysOf(new Map([...peppers, ['2', Buffer.alloc(32, 2)]]));
    const after = cursorKeysOf(new Map([['2', Buffer.alloc(32, 2)]]));
    const cursor = sealCursor(['list', 'c'], position, { keys: cursorKeys, now: 0 });
    const open = (keys: typeof after) => openCursor(cursor, ['list', 'c'], { keys, now: 1 });
    expect(open(rotating)).toBe(position);
    expect(open(after)).toBeUndefined();
  });
});
