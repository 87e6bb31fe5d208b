import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonFault, JsonScanner } from '../../../shared/kit/json/jsonScanner.js';
import type { StructureBudget } from '../../../shared/kit/json/structureBudget.js';

const budget: StructureBudget = { depth: 3, brackets: 5, separators: 6, stringBytes: 4 };

/** Why a text has too much structure; undefined when it has not. */
function faultOf(text: string, limits = budget): string | undefined {
  try {
    const scanner = new JsonScanner(new TextEncoder().encode(text), limits);
    scanner.skipValue();
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonFault) || error.type !== 'too_complex') throw error;
    return error.message;
  }
}

describe('the structure of JSON bytes', () => {
  test.each([
    { why: 'exactly the depth', text: '[[[]]]' },
    { why: 'exactly the brackets', text: '[[],[],[],[]]' },
    { why: 'exactly the separators', text: '[1,2,3,4,5,6,7]' },
    { why: 'a text of exactly the bytes', text: '"abcd"' },
    { why: 'brackets and separators inside a text', text: '"[[[["' },
    { why: 'an escaped quote inside a text', text: '"\\"[["' },
  ])('is fine with $why', ({ text }) => {
    expect(faultOf(text)).toBeUndefined();
  });

  test.each([
    { why: 'one level too deep', text: '[[[{}]]]', fault: /more than 3 levels/ },
    { why: 'one bracket too many', text: '[[],[],[],[],[]]', fault: /more than 5 arrays/ },
    { why: 'one value too many', text: '[1,2,3,4,5,6,7,8]', fault: /more than 6 values/ },
    { why: 'a text that is too long', text: '"abcde"', fault: /text of more than 4 bytes/ },
    { why: 'a text without an end', text: '"abcdefgh', fault: /text of more than 4 bytes/ },
    { why: 'depth behind a text that ends with an escaped backslash', text: '["\\\\",[[[]]]]', fault: /levels/ },
  ])('is too much with $why', ({ text, fault }) => {
    expect(faultOf(text)).toMatch(fault);
  });

  test('is counted as JSON.parse would find it', () => {
    const wide: StructureBudget = { depth: 1e6, brackets: 1e6, separators: 1e6, stringBytes: 1e6 };
    const countBrackets = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Object.values(value).reduce((sum: number, item) => sum + countBrackets(item), 0)
        : 0;
    fc.assert(
      fc.property(fc.json(), (text) => {
        const brackets = countBrackets(JSON.parse(text));
        expect(faultOf(text, { ...wide, brackets })).toBeUndefined();
        if (brackets > 0) expect(faultOf(text, { ...wide, brackets: brackets - 1 })).toMatch(/arrays/);
      }),
    );
  });
});
