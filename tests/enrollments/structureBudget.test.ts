import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { structureFault, type StructureBudget } from '../../shared/enrollments/structureBudget.js';

const budget: StructureBudget = { depth: 3, brackets: 5, separators: 6, stringBytes: 4 };
const faultOf = (text: string): string | undefined => structureFault(new TextEncoder().encode(text), budget);

describe('the structure of JSON bytes', () => {
  test.each([
    { why: 'exactly the depth', text: '[[[]]]' },
    { why: 'exactly the brackets', text: '[[],[],[],[]]' },
    { why: 'exactly the separators', text: '[1,2,3,4,5,6,7]' },
    { why: 'a text of exactly the bytes', text: '"abcd"' },
    { why: 'brackets and separators inside a text', text: '"[[[["' },
    { why: 'an escaped quote inside a text', text: '"\\"[["' },
    { why: 'no bytes at all', text: '' },
  ])('is fine with $why', ({ text }) => {
    expect(faultOf(text)).toBeUndefined();
  });

  test.each([
    { why: 'one level too deep', text: '[[[{', fault: /more than 3 levels/ },
    { why: 'one bracket too many', text: '[[],[],[],[],[', fault: /more than 5 arrays/ },
    { why: 'one value too many', text: '[1,2,3,4,5,6,7,', fault: /more than 6 values/ },
    { why: 'a text that is too long', text: '"abcde"', fault: /text of more than 4 bytes/ },
    { why: 'a text without an end', text: '"abcdefgh', fault: /text of more than 4 bytes/ },
    { why: 'depth behind a text that ends with an escaped backslash', text: '"\\\\"[[[[', fault: /levels/ },
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
        const bytes = new TextEncoder().encode(text);
        const brackets = countBrackets(JSON.parse(text));
        expect(structureFault(bytes, { ...wide, brackets })).toBeUndefined();
        if (brackets > 0) expect(structureFault(bytes, { ...wide, brackets: brackets - 1 })).toMatch(/arrays/);
      }),
    );
  });
});
