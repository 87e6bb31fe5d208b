import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeMessage, encodeMessage, outputMessages } from '../../../infra/local/functionsHost/queueMessage.js';

describe('the text of a queue message', () => {
  test('that is not base64 is none', () => {
    expect(['{"id":1}', 'abc', 'ab=c', 'Y Q=='].map((text) => decodeMessage(text, 'base64'))).toEqual([
      undefined,
      undefined,
      undefined,
      'a',
    ]);
  });

  test('is itself without an encoding', () => {
    expect(decodeMessage('{"id":1}', 'none')).toBe('{"id":1}');
  });

  test('comes back as it was encoded', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('base64' as const, 'none' as const),
        (text, encoding) => {
          expect(decodeMessage(encodeMessage(text, encoding), encoding)).toBe(text);
        },
      ),
    );
  });
});

describe('the value of a queue output', () => {
  test.each([
    { why: 'a text is one message', data: { string: 'hello' }, messages: ['hello'] },
    { why: 'an object is indented', data: { json: '{"a":1}' }, messages: ['{\n  "a": 1\n}'] },
    { why: 'an array is one message an element', data: { json: '["a",{"b":1}]' }, messages: ['a', '{\n  "b": 1\n}'] },
    { why: 'a text that holds an array is split too', data: { string: '["a","b"]' }, messages: ['a', 'b'] },
    { why: 'an empty array is no message', data: { json: '[]' }, messages: [] },
    { why: 'a text that only begins like one stays whole', data: { string: '[a' }, messages: ['[a'] },
    { why: 'a number is its text', data: { int: 7 }, messages: ['7'] },
  ])('$why', ({ data, messages }) => {
    expect(outputMessages(data)).toEqual(messages);
  });
});
