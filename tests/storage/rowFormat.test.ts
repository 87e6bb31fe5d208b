import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  behindPrefix,
  bytesOf,
  storedActions,
  storedColumns,
  transactionsOf,
  valueOf,
} from '../../shared/storage/rowFormat.js';

const texts = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.nat(70_000), fc.nat(9_000))
  .map(([part, plain, wide]) => `${'ä'.repeat(plain)}${part}${'😀'.repeat(wide)}`);

describe('the columns of a row', () => {
  test('give back what they were made of, however long its texts are', () => {
    fc.assert(
      fc.property(texts, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), (text, number, isOpen) => {
        const stored = storedColumns('a', { text, number, isOpen, absent: undefined });
        const read = Object.entries(stored).map(([name, cell]) => [name, typeof cell === 'object' ? cell.value : cell]);
        expect(valueOf(Object.fromEntries(read) as object)).toEqual({ text, number, isOpen });
      }),
      { numRuns: 30 },
    );
  });

  test('hold at most 30,000 units of a text each, and no half of a character at a cut', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const cell of Object.values(storedColumns('a', { text }))) {
          expect((cell as string).length).toBeLessThanOrEqual(30_000);
          expect(Buffer.from(cell as string, 'utf8').toString('utf8').length).toBe((cell as string).length);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('count two bytes for each unit of a name and a text', () => {
    const [none, some] = [bytesOf({}), bytesOf({ name: 'x'.repeat(1_000) })];
    expect(some - none).toBe(2 * (1_000 + 'name'.length) + 8);
  });

  test.each([
    { why: 'a list', value: ['a'] },
    { why: 'an object', value: { a: 1 } },
    { why: 'null', value: null },
    { why: 'what is no number', value: NaN },
    { why: 'a number without end', value: Infinity },
  ])('cannot hold $why', ({ value }) => {
    expect(() => storedColumns('a', { value })).toThrow('no text, flag or finite number');
  });

  test('that are the platform’s own are no part of the value', () => {
    expect(valueOf({ name: 'x', revision: 'r', timestamp: 't', 'odata.metadata': 'm' })).toEqual({ name: 'x' });
  });
});

describe('writes of any number and size', () => {
  const puts = (count: number, units: number) =>
    Array.from({ length: count }, (_, index) => ({ put: String(index), value: { json: '三'.repeat(units) } }));

  test.each([
    { why: 'nothing is no transaction', count: 0, units: 0, sizes: [] },
    { why: 'a hundred rows are one', count: 100, units: 10, sizes: [100] },
    { why: 'the platform takes a hundred rows of one', count: 230, units: 10, sizes: [100, 100, 30] },
    { why: 'the platform takes 4 MiB of one', count: 10, units: 250_000, sizes: [4, 4, 2] },
  ])('are as few transactions as the platform takes: $why', ({ count, units, sizes }) => {
    const actions = puts(count, units);
    const transactions = transactionsOf(actions);
    expect(transactions.map(({ length }) => length)).toEqual(sizes);
    expect(transactions.flat()).toEqual(actions);
    for (const transaction of transactions) {
      expect(storedActions('p', transaction)).toHaveLength(transaction.length);
      expect(Buffer.byteLength(JSON.stringify(transaction))).toBeLessThan(4 * 1024 * 1024);
    }
  });
});

test.each([
  ['a|', 'a}'],
  ['E_', 'E`'],
  ['x', 'y'],
])('the first key behind all that begin with %s is %s', (prefix, behind) => {
  expect(behindPrefix(prefix)).toBe(behind);
});
