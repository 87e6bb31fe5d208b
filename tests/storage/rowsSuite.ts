import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { RowTooLarge, type Action, type Rows } from '../../shared/storage/rows.js';

interface Crop {
  readonly name: string;
  readonly lowerC?: number;
  readonly isPerennial?: boolean;
}

const corn: Crop = { name: 'corn', lowerC: 10 };
const rye: Crop = { name: 'rye', lowerC: 4.5, isPerennial: false };

async function collected<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** What every implementation of `Rows` does. @param open the same table again and again; each test has its own partition */
export function describeRows(where: string, open: () => Rows): void {
  describe(`rows ${where}`, () => {
    const rows = open();
    let partition = '';
    beforeEach(() => {
      partition = randomUUID();
    });
    const keysOf = async (...span: Parameters<Rows['range']> extends [string, ...infer Rest] ? Rest : never) =>
      (await rows.range(partition, ...span)).map(({ rowKey }) => rowKey);

    describe('one row', () => {
      test('is found as it was written, with its keys and its ETag', async () => {
        const etag = await rows.insert(partition, 'a|1', rye);
        expect(await rows.find<Crop>(partition, 'a|1')).toEqual({
          ...rye,
          partitionKey: partition,
          rowKey: 'a|1',
          etag,
        });
      });

      test('that nobody wrote is undefined', async () => {
        expect(await rows.find(partition, 'a')).toBeUndefined();
      });

      test('is inserted only where there is none', async () => {
        expect(await rows.insert(partition, 'a', corn)).toEqual(expect.any(String));
        expect(await rows.insert(partition, 'a', rye)).toBeUndefined();
        expect(await rows.find<Crop>(partition, 'a')).toMatchObject(corn);
      });

      test('is updated only as it was read, and loses the columns that the new value lacks', async () => {
        const first = await rows.put(partition, 'a', rye);
        const second = await rows.update(partition, 'a', { name: 'oats' }, first);
        expect(second).toEqual(expect.any(String));
        expect(await rows.update(partition, 'a', corn, first)).toBeUndefined();
        expect(await rows.find(partition, 'a')).toEqual({
          name: 'oats',
          partitionKey: partition,
          rowKey: 'a',
          etag: second,
        });
      });

      test('is not updated when it is gone', async () => {
        const etag = await rows.put(partition, 'a', corn);
        await rows.delete(partition, 'a');
        expect(await rows.update(partition, 'a', rye, etag)).toBeUndefined();
        expect(await rows.patch(partition, 'a', rye, etag)).toBeUndefined();
        expect(await rows.merge(partition, 'a', rye)).toBeUndefined();
        expect(await rows.find(partition, 'a')).toBeUndefined();
      });

      test('keeps the columns that a patch does not name', async () => {
        const etag = await rows.put(partition, 'a', rye);
        const patched = await rows.patch(partition, 'a', { lowerC: 5 }, etag);
        expect(await rows.find<Crop>(partition, 'a')).toMatchObject({ ...rye, lowerC: 5, etag: patched });
        expect(await rows.patch(partition, 'a', { lowerC: 6 }, etag)).toBeUndefined();
        await rows.merge(partition, 'a', { name: 'winter rye' });
        expect(await rows.find<Crop>(partition, 'a')).toMatchObject({ ...rye, name: 'winter rye', lowerC: 5 });
      });

      test('may have a fraction in a column that held a whole number, and the other way round', async () => {
        await rows.put(partition, 'a', { lowerC: 10 });
        await rows.put(partition, 'a', { lowerC: 10.5 });
        expect(await rows.find(partition, 'a')).toMatchObject({ lowerC: 10.5 });
        await rows.put(partition, 'a', { lowerC: 10 });
        expect(await rows.find(partition, 'a')).toMatchObject({ lowerC: 10 });
      });

      test('that is deleted is gone, and deleting it again is no fault', async () => {
        await rows.put(partition, 'a', corn);
        expect(await rows.delete(partition, 'a')).toBe(true);
        expect(await rows.find(partition, 'a')).toBeUndefined();
        expect(await rows.delete(partition, 'a')).toBe(true);
        expect(await rows.delete(partition, 'a', 'W/"of-before"')).toBe(true);
      });

      test('is deleted by ETag only as it was read', async () => {
        const first = await rows.put(partition, 'a', corn);
        const second = await rows.put(partition, 'a', rye);
        expect(await rows.delete(partition, 'a', first)).toBe(false);
        expect(await rows.find<Crop>(partition, 'a')).toMatchObject(rye);
        expect(await rows.delete(partition, 'a', second)).toBe(true);
      });
    });

    describe.each([
      { why: 'a slash', key: 'a/b' },
      { why: 'a backslash', key: 'a\\b' },
      { why: 'a number sign', key: 'a#b' },
      { why: 'a question mark', key: 'a?b' },
      { why: 'a control character', key: 'a\u0085b' },
      { why: '513 characters', key: 'a'.repeat(513) },
    ])('a key with $why, which the platform can have no row of,', ({ key }) => {
      test('finds nothing, and deleting it is no fault', async () => {
        expect(await rows.find(partition, key)).toBeUndefined();
        expect(await rows.find(key, 'a')).toBeUndefined();
        expect(await rows.findMany(partition, [key])).toEqual([]);
        expect(await rows.delete(partition, key)).toBe(true);
        await rows.deleteMany(partition, [key]);
      });

      test('is refused as the fault of whoever chose it, and nothing is written', async () => {
        const refused = { fault: { status: 400 } };
        const writes: (() => Promise<unknown>)[] = [
          () => rows.insert(partition, key, corn),
          () => rows.put(key, 'a', corn),
          () => rows.merge(partition, key, corn),
          () => rows.update(partition, key, corn, 'W/"1"'),
          async () =>
            rows.transact(partition, [
              { insert: 'b', value: corn },
              { put: key, value: corn },
            ]),
        ];
        for (const write of writes) await expect((async () => write())()).rejects.toMatchObject(refused);
        expect(await keysOf()).toEqual([]);
      });
    });

    describe('long texts', () => {
      test('are cut between characters, never within one', async () => {
        const text = `${'x'.repeat(29_999)}${'😀'.repeat(2_000)}`;
        await rows.put(partition, 'long', { text, name: 'x' });
        expect((await rows.find<{ text: string }>(partition, 'long'))?.text === text).toBe(true);
      });

      test('that become short leave nothing behind', async () => {
        const etag = await rows.put(partition, 'long', { text: 'y'.repeat(70_000) });
        await rows.patch(partition, 'long', { text: 'short' }, etag);
        expect(await rows.find(partition, 'long')).toMatchObject({ text: 'short' });
        await rows.put(partition, 'long', {});
        expect(await rows.find(partition, 'long')).not.toHaveProperty('text');
      });

      test('of a row above the limit are refused before they are sent', async () => {
        const write = async () => rows.put(partition, 'long', { text: 'z'.repeat(450_000) });
        await expect(write()).rejects.toThrow(RowTooLarge);
        expect(await rows.find(partition, 'long')).toBeUndefined();
      });

      test('cannot be patched, nor may a column be named like a part of one', async () => {
        const etag = await rows.put(partition, 'long', { text: 'a' });
        await expect((async () => rows.patch(partition, 'long', { text: 'y'.repeat(70_000) }, etag))()).rejects.toThrow(
          'only be written with the whole row',
        );
        await expect((async () => rows.put(partition, 'long', { text_0: 'a' }))()).rejects.toThrow("can't be named");
      });
    });

    describe('a range', () => {
      beforeEach(async () => {
        for (const rowKey of ['a|1', 'a|2', 'a}', 'b|1', 'b|2']) {
          await rows.put(partition, rowKey, { checkAt: `2026-0${rowKey.length}`, isOpen: rowKey.endsWith('2') });
        }
      });

      test.each([
        { why: 'all of a partition', span: {}, found: ['a|1', 'a|2', 'a}', 'b|1', 'b|2'] },
        { why: 'a prefix', span: { prefix: 'a|' }, found: ['a|1', 'a|2'] },
        { why: 'from a key on', span: { from: 'a}' }, found: ['a}', 'b|1', 'b|2'] },
        { why: 'behind a key', span: { above: 'a}' }, found: ['b|1', 'b|2'] },
        { why: 'before a key', span: { below: 'a}' }, found: ['a|1', 'a|2'] },
        { why: 'up to a key', span: { through: 'a}' }, found: ['a|1', 'a|2', 'a}'] },
        { why: 'a prefix behind a key', span: { prefix: 'b', above: 'b|1' }, found: ['b|2'] },
      ])('of $why has its rows in the order of their keys', async ({ span, found }) => {
        expect(await keysOf(span)).toEqual(found);
      });

      test('stops at the most rows asked for', async () => {
        expect(await keysOf({}, { most: 2 })).toEqual(['a|1', 'a|2']);
        expect(await keysOf({ above: 'a|2' }, { most: 9 })).toEqual(['a}', 'b|1', 'b|2']);
      });

      test('leaves out what does not meet the condition', async () => {
        expect(await keysOf({}, { where: { column: 'checkAt', atMost: '2026-02' } })).toEqual(['a}']);
        expect(await keysOf({}, { where: { column: 'isOpen', equals: true } })).toEqual(['a|2', 'b|2']);
        expect(await keysOf({}, { where: { column: 'checkAt', equals: "2026'03" } })).toEqual([]);
        expect(await keysOf({}, { where: { column: 'nothing', atMost: 'z' } })).toEqual([]);
        const both = [
          { column: 'isOpen', equals: true },
          { column: 'checkAt', atMost: '2026-03' },
        ];
        expect(await keysOf({ above: 'a|2' }, { where: both })).toEqual(['b|2']);
      });

      test('compares numbers by their value, whole ones and fractions', async () => {
        const values = { n1: -180, n2: -0.0000001, n3: 0, n4: 12.5, n5: 1_780_000_000_000 };
        for (const [rowKey, at] of Object.entries(values)) await rows.put(partition, rowKey, { at });
        const found = (where: { readonly atMost?: number; readonly atLeast?: number }) =>
          keysOf({ prefix: 'n' }, { where: { column: 'at', ...where } });
        expect(await found({ atMost: -0.0000001 })).toEqual(['n1', 'n2']);
        expect(await found({ atLeast: 12.5 })).toEqual(['n4', 'n5']);
        expect(await found({ atLeast: 0, atMost: 1_780_000_000_000 })).toEqual(['n3', 'n4', 'n5']);
        expect(await found({ atLeast: 1_780_000_000_001 })).toEqual([]);
      });

      test('reads only the columns asked for, the keys in any case', async () => {
        const [row] = await rows.range(partition, { prefix: 'a}' }, { select: ['isOpen'] });
        expect(row).toMatchObject({ partitionKey: partition, rowKey: 'a}', isOpen: false });
        expect(row).not.toHaveProperty('checkAt');
      });

      test('of 1,050 rows comes whole, though the platform answers 1,000 at a time', async () => {
        const wide = Array.from({ length: 1_050 }, (_, index) => `w${String(index).padStart(4, '0')}`);
        for (let start = 0; start < wide.length; start += 100) {
          const batch = wide.slice(start, start + 100);
          await rows.transact(
            partition,
            batch.map((put): Action => ({ put, value: {} })),
          );
        }
        expect(await keysOf({ prefix: 'w' })).toEqual(wide);
      });

      test('over all partitions says in which partition a row lies', async () => {
        const other = randomUUID();
        await rows.put(other, `only-${partition}`, corn);
        await rows.put(partition, `only-${partition}`, rye);
        const found = await collected(rows.scan<Crop>({ prefix: `only-${partition}` }));
        const one = await collected(rows.scan({ prefix: `only-${partition}` }, { most: 1 }));
        expect(one).toHaveLength(1);
        expect(new Map(found.map((row) => [row.partitionKey, row.name]))).toEqual(
          new Map([
            [other, 'corn'],
            [partition, 'rye'],
          ]),
        );
      });

      test('over the partitions of a prefix leaves out the others', async () => {
        for (const suffix of ['-a', '-b', '']) await rows.put(partition + suffix, 'row', corn);
        await rows.put(`x${partition}`, 'row', corn);
        const found = await collected(rows.scan({ prefix: 'row' }, { partitionPrefix: `${partition}-` }));
        expect(found.map((row) => row.partitionKey)).toEqual([`${partition}-a`, `${partition}-b`]);
      });

      test('goes on behind a partition', async () => {
        for (const suffix of ['-a', '-b', '-c']) await rows.put(partition + suffix, 'row', corn);
        const behind = { partitionPrefix: `${partition}-`, partitionAbove: `${partition}-a` };
        const found = await collected(rows.scan({}, behind));
        expect(found.map((row) => row.partitionKey)).toEqual([`${partition}-b`, `${partition}-c`]);
      });
    });

    test('rows by their keys come in the order of the keys, without those that are not there', async () => {
      await rows.put(partition, 'a', corn);
      await rows.put(partition, 'b', rye);
      const found = await rows.findMany<Crop>(partition, ['b', 'nobody', 'a']);
      expect(found.map(({ name }) => name)).toEqual(['rye', 'corn']);
    });

    describe('a transaction', () => {
      test('writes all of its rows and answers their ETags', async () => {
        const [changed, patched] = [await rows.put(partition, 'a|a', corn), await rows.put(partition, 'a|b', corn)];
        await rows.put(partition, 'a|c', corn);
        const etags = await rows.transact(partition, [
          { delete: 'a|c' },
          { insert: 'a|d', value: rye },
          { update: 'a|a', value: { name: 'oats' }, etag: changed },
          { patch: 'a|b', value: { isPerennial: true }, etag: patched },
          { put: 'a|e', value: rye },
        ]);
        const found = await rows.range<Crop>(partition);
        expect(found.map(({ rowKey, name }) => `${rowKey} ${name}`)).toEqual([
          'a|a oats',
          'a|b corn',
          'a|d rye',
          'a|e rye',
        ]);
        expect(etags).toEqual(new Map(['a|d', 'a|a', 'a|b', 'a|e'].map((key) => [key, expect.any(String)])));
        expect(new Map(found.map(({ rowKey, etag }) => [rowKey, etag]))).toEqual(new Map(etags));
      });

      test.each<{ why: string; refused: (etag: string) => Action }>([
        { why: 'an insert of a row that is there', refused: () => ({ insert: 'a', value: corn }) },
        { why: 'an update of a row that was written since', refused: (etag) => ({ update: 'a', value: corn, etag }) },
        { why: 'a patch of a row that was written since', refused: (etag) => ({ patch: 'a', value: corn, etag }) },
        { why: 'an update of a row that is gone', refused: (etag) => ({ update: 'gone', value: corn, etag }) },
      ])('writes nothing when it has $why', async ({ refused }) => {
        const before = await rows.put(partition, 'a', corn);
        await rows.put(partition, 'a', rye);
        await rows.put(partition, 'there', rye);
        const actions: Action[] = [{ put: 'new', value: corn }, refused(before), { delete: 'there' }];
        expect(await rows.transact(partition, actions)).toBeUndefined();
        expect(await keysOf()).toEqual(['a', 'there']);
        expect(await rows.find<Crop>(partition, 'a')).toMatchObject(rye);
      });

      test('is not held up by a deletion of a row that is gone', async () => {
        await rows.put(partition, 'there', rye);
        const etags = await rows.transact(partition, [
          { delete: 'gone' },
          { insert: 'new', value: corn },
          { delete: 'there' },
        ]);
        expect(etags?.get('new')).toEqual(expect.any(String));
        expect(await keysOf()).toEqual(['new']);
      });

      test('takes a row only where it is there', async () => {
        await rows.put(partition, 'there', rye);
        const take: Action = { take: 'there' };
        const first = await rows.transact(partition, [{ insert: 'first', value: corn }, take]);
        expect(first?.get('first')).toEqual(expect.any(String));
        expect(await rows.transact(partition, [{ insert: 'second', value: corn }, take])).toBeUndefined();
        expect(
          await rows.transact(partition, [
            take,
            { delete: 'gone' },
            { put: 'first', value: rye },
            { insert: 'third', value: {} },
          ]),
        ).toBeUndefined();
        expect(await keysOf()).toEqual(['first']);
        expect(await rows.find<Crop>(partition, 'first')).toMatchObject(corn);
      });

      test.each<{ why: string; actions: readonly Action[]; told: string }>([
        {
          why: 'takes alone: nothing guards it',
          actions: [{ take: 'a' }],
          told: 'needs a write that is guarded',
        },
        {
          why: 'deletes alone: nothing guards them',
          actions: [{ delete: 'a' }],
          told: 'needs a write that is guarded',
        },
        {
          why: 'deletes beside a write that nothing guards',
          actions: [{ delete: 'a' }, { put: 'b', value: {} }],
          told: 'needs a write that is guarded',
        },
        { why: 'has no write', actions: [], told: '1 to 100 writes, not 0' },
        {
          why: 'has more than 100 writes',
          actions: Array.from({ length: 101 }, (_, index): Action => ({ put: String(index), value: {} })),
          told: '1 to 100 writes, not 101',
        },
        {
          why: 'writes a row twice',
          actions: [
            { put: 'a', value: {} },
            { put: 'a', value: corn },
          ],
          told: 'only once',
        },
        {
          why: 'is larger than what the platform takes',
          actions: Array.from({ length: 5 }, (_, index): Action => ({
            put: String(index),
            value: { text: '農'.repeat(420_000) },
          })),
          told: 'at most 3500000',
        },
      ])('that $why is refused before it is sent', async ({ actions, told }) => {
        await expect((async () => rows.transact(partition, actions))()).rejects.toThrow(told);
      });
    });

    test('many rows are deleted whether or not they are there', async () => {
      const keys = Array.from({ length: 130 }, (_, index) => String(index).padStart(3, '0'));
      await rows.transact(
        partition,
        keys.slice(0, 90).map((put): Action => ({ put, value: {} })),
      );
      await rows.deleteMany(partition, [...keys, ...keys]);
      await rows.deleteMany(partition, []);
      expect(await keysOf()).toEqual([]);
    });
  });
}
