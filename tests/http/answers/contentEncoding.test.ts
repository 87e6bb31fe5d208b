import { describe, expect, test } from '@jest/globals';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { encoded, encodedOnce, encodingFor } from '../../../shared/http/answers/contentEncoding.js';
import { entityTag, isNamed } from '../../../shared/http/answers/entityTag.js';

describe('the encoding of an answer', () => {
  test.each([
    { accept: null, expected: 'identity', why: 'nothing is asked for' },
    { accept: '', expected: 'identity', why: 'an empty list asks for nothing' },
    { accept: 'gzip', expected: 'gzip', why: 'it is named' },
    { accept: 'GZip', expected: 'gzip', why: 'letter case does not count' },
    { accept: 'x-gzip', expected: 'gzip', why: 'its old name means the same' },
    { accept: 'gzip, deflate, br', expected: 'br', why: 'of equal ones the smaller is taken' },
    { accept: 'br;q=0.5, gzip', expected: 'gzip', why: 'it is wanted more' },
    { accept: 'br ; Q=0.2 , gzip ; q=0.1', expected: 'br', why: 'spaces and letter case in weights' },
    { accept: 'gzip;q=0', expected: 'identity', why: 'it is refused' },
    { accept: 'gzip;q=0.5, identity', expected: 'identity', why: 'the bytes as they are are wanted more' },
    { accept: 'gzip;q=0.5, identity;q=0.5', expected: 'gzip', why: 'of equal ones the smaller is taken' },
    { accept: 'gzip;q=0.001', expected: 'gzip', why: 'it is named, and nothing else is' },
    { accept: '*', expected: 'gzip', why: 'everybody reads gzip, not everybody brotli' },
    { accept: '*;q=0', expected: 'identity', why: 'nothing at all is taken, and an answer must come somehow' },
    { accept: 'identity;q=0', expected: 'identity', why: 'the same' },
    { accept: 'gzip;q=0, *', expected: 'identity', why: 'what is refused by name is not let in by the star' },
    { accept: 'deflate, zstd, compress', expected: 'identity', why: 'none of these is offered' },
    { accept: 'gzip;q=x, br;q=NaN', expected: 'identity', why: 'a weight that is no number' },
    { accept: 'gzip;q=1e400', expected: 'identity', why: 'nor is one without end' },
    { accept: ','.repeat(2_000), expected: 'identity', why: 'empty choices' },
    { accept: 'gzip\u0000, br', expected: 'br', why: 'a name with something in it is another name' },
  ])('for $accept is $expected: $why', ({ accept, expected }) => {
    expect(encodingFor(accept, 5_000)).toBe(expected);
  });

  test.each([
    { accept: 'gzip', bytes: 1_024, expected: 'identity' },
    { accept: 'gzip', bytes: 1_025, expected: 'gzip' },
    { accept: 'gzip, identity;q=0', bytes: 10, expected: 'gzip' },
    { accept: 'gzip, *;q=0', bytes: 10, expected: 'gzip' },
    { accept: '*;q=0', bytes: 10, expected: 'identity' },
  ])('for $accept and $bytes bytes is $expected', ({ accept, bytes, expected }) => {
    expect(encodingFor(accept, bytes)).toBe(expected);
  });

  test('gives the same bytes back, of text and of bytes', async () => {
    const text = 'Größe 🌾 '.repeat(500);
    for (const data of [text, Buffer.from(text)]) {
      expect(gunzipSync((await encoded(data, 'gzip')) as Buffer).toString()).toBe(text);
      expect(brotliDecompressSync((await encoded(data, 'br')) as Buffer).toString()).toBe(text);
      expect(await encoded(data, 'identity')).toBe(data);
    }
  });
});

describe('what anybody may read', () => {
  test('is compressed once for all who ask at once and later, and anew when it is another', async () => {
    const text = 'the same for all '.repeat(200);
    const once = (data: string) => encodedOnce(entityTag(data, 'gzip'), data, 'gzip');
    const [first, second] = await Promise.all([once(text), once(text)]);
    expect(second).toBe(first);
    expect(await once(text)).toBe(first);
    expect(gunzipSync((await once(`${text}!`)) as Buffer).toString()).toBe(`${text}!`);
    expect(await encodedOnce('"tag"', text, 'identity')).toBe(text);
  });
});

describe('the tag of content', () => {
  const tag = entityTag('content', 'identity');

  test('is the same for the same content and another for other content or another encoding', () => {
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    expect(entityTag(Buffer.from('content'), 'identity')).toBe(tag);
    const tags = [tag, entityTag('Content', 'identity'), entityTag('content', 'gzip'), entityTag('content', 'br')];
    expect(new Set(tags).size).toBe(4);
  });

  test.each([
    { header: null, named: false, why: 'nobody asks' },
    { header: '*', named: true, why: 'whatever there is' },
    { header: ' * ', named: true, why: 'the same with spaces' },
    { header: tag, named: true, why: 'the tag' },
    { header: `W/${tag}`, named: true, why: 'a tag that a proxy has weakened' },
    { header: `"a", "b" ,W/"c",${tag}`, named: true, why: 'a list' },
    { header: `"a,b", ${tag}`, named: true, why: 'a comma in another tag' },
    { header: '"a", W/"b"', named: false, why: 'others' },
    { header: tag.slice(1, -1), named: false, why: 'without quotes it is no tag' },
    { header: `w/${tag}`, named: false, why: 'the mark of a weak tag is a capital' },
    { header: '"*"', named: false, why: 'a tag of its own' },
    { header: `*, ${'x'.repeat(20)}`, named: false, why: 'the star stands alone' },
    { header: '', named: false, why: 'nothing' },
    { header: tag.replace('"', '"W/'), named: false, why: 'the mark stands before the quotes' },
  ])('is named by $header: $named ($why)', ({ header, named }) => {
    expect(isNamed(tag, header)).toBe(named);
  });
});
