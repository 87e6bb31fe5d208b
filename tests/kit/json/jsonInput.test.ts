import { describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { readJsonInput } from '../../../shared/kit/json/jsonInput.js';
import { requestBudget } from '../../../shared/kit/json/structureBudget.js';

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
    { why: 'UTF-16', bytes: new Uint8Array(Buffer.from('{"a":1}', 'utf16le')), type: 'encoding' },
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
    expect(read(text('{"secret": canary}')).fault?.msg).toBe('request is not JSON at line 1, column 12 (byte 11)');
  });

  const utf16 = Buffer.from('{"a":1}', 'utf16le');
  test.each([
    { what: 'gzip', bytes: gzipSync('{}'), says: 'is compressed with gzip; send it unpacked' },
    {
      what: 'a ZIP archive',
      bytes: Buffer.from('PK\u0003\u0004rest'),
      says: /^request is a ZIP archive; send the file/,
    },
    {
      what: 'UTF-16, little end first',
      bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      says: 'is UTF-16; save it as UTF-8',
    },
    {
      what: 'UTF-16, big end first',
      bytes: Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
      says: 'is UTF-16; save it as UTF-8',
    },
    { what: 'UTF-16 without a mark', bytes: utf16, says: 'is UTF-16; save it as UTF-8' },
    { what: 'the same the other way round', bytes: Buffer.from(utf16).swap16(), says: 'is UTF-16; save it as UTF-8' },
    { what: 'Latin-1', bytes: Buffer.from('{"a":"é"}', 'latin1'), says: 'is not UTF-8' },
    { what: 'nothing', bytes: Buffer.alloc(0), says: 'is empty' },
    { what: 'white space', bytes: Buffer.from(' \r\n\t'), says: 'is empty' },
    {
      what: 'half of it',
      bytes: Buffer.from('{"a":\n1'),
      says: 'ends before its JSON is whole, at line 2, column 2 (byte 7)',
    },
    { what: 'two texts', bytes: Buffer.from('{"type":"Feature"}\n{"type":"Feature"}\n'), says: /GeoJSONSeq/ },
    { what: 'two texts on one line', bytes: Buffer.from('{} {}'), says: /GeoJSONSeq/ },
    { what: 'texts behind marks', bytes: Buffer.from('\u001e{}\n\u001e{}\n'), says: /GeoJSONSeq/ },
    { what: 'one text behind a mark', bytes: Buffer.from('\u001e{}\n'), says: /GeoJSONSeq/ },
    { what: 'a comma behind it', bytes: Buffer.from('{},'), says: 'is not JSON at line 1, column 3 (byte 2)' },
  ])('is called $what when it is', ({ bytes, says }) => {
    const { fault } = read(new Uint8Array(bytes));
    expect(fault?.msg).toEqual(typeof says === 'string' ? `request ${says}` : expect.stringMatching(says));
  });

  test('says where in a large one, whatever stands before', () => {
    const lines = '["0123456789"],\n'.repeat(50);
    expect(read(text(`[${lines}x]`)).fault?.msg).toContain('line 51, column 1 (byte 801)');
  });
});
