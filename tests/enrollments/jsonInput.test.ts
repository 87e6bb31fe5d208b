import { describe, expect, test } from '@jest/globals';
import { readJsonInput } from '../../shared/enrollments/jsonInput.js';
import { requestBudget } from '../../shared/enrollments/structureBudget.js';

const read = (bytes: Uint8Array) => readJsonInput('request', bytes, requestBudget);
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe('a part that must be JSON', () => {
  test.each([
    { why: 'plain', bytes: text('{"a":1}'), value: { a: 1 } },
    { why: 'behind a byte order mark', bytes: text('\uFEFF{"a":1}'), value: { a: 1 } },
    { why: 'with characters of every width', bytes: text('"aß€🌾"'), value: 'aß€🌾' },
    { why: 'with a key twice, of which the last counts', bytes: text('{"a":1,"a":2}'), value: { a: 2 } },
  ])('is read $why', ({ bytes, value }) => {
    expect(read(bytes)).toEqual({ value });
  });

  test.each([
    { why: 'UTF-16', bytes: new Uint8Array(Buffer.from('{"a":1}', 'utf16le')), type: 'json' },
    { why: 'UTF-16 with a mark', bytes: Uint8Array.of(0xff, 0xfe, 0x7b, 0), type: 'encoding' },
    { why: 'Latin-1', bytes: new Uint8Array(Buffer.from('"é"', 'latin1')), type: 'encoding' },
    { why: 'an overlong form', bytes: Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), type: 'encoding' },
    { why: 'a lone surrogate', bytes: Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), type: 'encoding' },
    { why: 'empty', bytes: text(''), type: 'json' },
    { why: 'cut off', bytes: text('{"a":'), type: 'json' },
    { why: 'not JSON', bytes: text('image_source=x'), type: 'json' },
    { why: 'nested 30 deep', bytes: text(`${'['.repeat(30)}${']'.repeat(30)}`), type: 'too_complex' },
  ])('is refused when it is $why', ({ bytes, type }) => {
    expect(read(bytes).fault).toMatchObject({ loc: ['request'], type });
  });

  test('is refused without a word of its content', () => {
    expect(read(text('{"secret": canary}')).fault?.msg).toMatch(/^request is not JSON(: look at character \d+)?$/);
  });
});
