import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exactText, parseExact } from '../../../shared/kit/json/exactJson.js';
import { oddJson } from '../../enrollments/jsonTexts.js';
import { tries } from '../../support/fullRun.js';

describe('a number of a member', () => {
  test.each([
    { why: 'more digits than a double holds', written: '2305843009223239036', read: '2305843009223239036' },
    { why: 'the first integer that a double misses', written: '9007199254740993', read: '9007199254740993' },
    { why: 'less than nothing', written: '-9007199254740993', read: '-9007199254740993' },
    { why: 'without its empty decimals', written: '12345678901234567890.00', read: '12345678901234567890' },
    { why: 'with its decimals', written: '12345678901234567890.5', read: '12345678901234567890.5' },
    { why: 'longer than doubles are written', written: '1000000000000000000000', read: '1000000000000000000000' },
    { why: 'larger than every double', written: '1e400', read: '1e400' },
  ])('is its text where a double loses digits: $why', ({ written, read }) => {
    expect(parseExact(`{"id":${written}}`)).toEqual({ id: read });
    expect(parseExact(`[{"a": {"id" :\n ${written} },"b":1}]`)).toEqual([{ a: { id: read }, b: 1 }]);
  });

  test.each([
    ['9007199254740991', 2 ** 53 - 1],
    ['9007199254740992', 2 ** 53],
    ['10000000000000000000', 1e19],
    ['-3.40282346638528859811704183484516925440e+38', -3.4028234663852886e38],
    ['1e-400', 0],
    ['0.12345678901234567890', 0.12345678901234568],
    ['-92.98765432109876543', -92.98765432109876],
  ])('%s is a number: a double says enough of it', (written, number) => {
    expect(parseExact(`{"id":${written}}`)).toEqual({ id: number });
  });

  test.each([
    ['of an array, as coordinates are', '[[12345678901234567890,1e400]]', [[12345678901234567000, Infinity]]],
    ['in a text', String.raw`{"a":"\": 12345678901234567890, \\"}`, { a: '": 12345678901234567890, \\' }],
    ['in a name', '{": 12345678901234567890":1}', { ': 12345678901234567890': 1 }],
  ])('is left alone %s', (_where, text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  test('has its digits, whatever stands around it', () => {
    fc.assert(
      fc.property(oddJson, oddJson, fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (before, behind, id) => {
        const read = parseExact(`{"before":${before},"id":${String(id)} ,"behind":${behind}}`) as {
          id: string | number;
        };
        expect(BigInt(read.id)).toBe(id);
      }),
      { numRuns: tries(2_000) },
    );
  });
});

/** Whether a value is what `JSON.parse` gives, but for texts of numbers above 2^53. */
function agree(exact: unknown, plain: unknown): boolean {
  if (typeof plain === 'number' && typeof exact === 'string')
    return Math.abs(plain) > 2 ** 53 - 1 && Number(exact) === plain;
  if (typeof plain !== 'object' || plain === null) return Object.is(exact, plain);
  const [ours, theirs] = [Object.entries(exact as object), Object.entries(plain)];
  return (
    ours.length === theirs.length &&
    theirs.every(([key, value], at) => ours[at]?.[0] === key && agree(ours[at][1], value))
  );
}

test('any other JSON is read as JSON.parse reads it, and what is no JSON is refused as it refuses it', () => {
  fc.assert(
    fc.property(oddJson, (text) => agree(parseExact(text), JSON.parse(text))),
    { numRuns: tries(2_000) },
  );
  for (const text of [
    '',
    '{"id":12345678901234567890.}',
    '{"id":-012345678901234567890}',
    '{"a":"b: 12345678901234567890}',
  ]) {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  }
});

test('a text without such numbers is not written anew', () => {
  const text = '{"id": 12345, "area": 1.5e3, "hash": "1234567890123456789"}';
  expect(exactText(text)).toBe(text);
});
