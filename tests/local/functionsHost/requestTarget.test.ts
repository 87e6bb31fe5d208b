import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseRequestTarget } from '../../../infra/local/functionsHost/requestTarget.js';

describe('a request target', () => {
  test.each([
    { why: 'decoded once', target: '/S%201', path: '/S 1', encodedPath: '/S%201' },
    { why: 'an encoded slash stays', target: '/a%2Fb', path: '/a%2Fb', encodedPath: '/a%252Fb' },
    { why: 'an encoded percent sign', target: '/a%252Fb', path: '/a%2Fb', encodedPath: '/a%252Fb' },
    { why: 'an encoded colon', target: '/x%3Acreate', path: '/x:create', encodedPath: '/x:create' },
    { why: 'UTF-8', target: '/%C3%A9', path: '/é', encodedPath: '/%C3%A9' },
    { why: 'bytes that are no UTF-8 stay', target: '/%FFa', path: '/%FFa', encodedPath: '/%25FFa' },
    { why: 'dot segments', target: '/a/./b/../c', path: '/a/c', encodedPath: '/a/c' },
    { why: 'encoded dot segments', target: '/a/%2e%2e/c', path: '/c', encodedPath: '/c' },
    { why: 'nothing above the root', target: '/../../c', path: '/c', encodedPath: '/c' },
    { why: 'dots at the end', target: '/a/..', path: '/', encodedPath: '/' },
    { why: 'two slashes stay', target: '//x', path: '//x', encodedPath: '//x' },
    { why: 'an absolute target', target: 'http://host:1/x', path: '/x', encodedPath: '/x' },
  ])('$why: $target', ({ target, path, encodedPath }) => {
    expect(parseRequestTarget('GET', target)).toEqual({ path, encodedPath, query: '' });
  });

  test('the query is handed on as it came', () => {
    expect(parseRequestTarget('GET', '/x?a=%2F?b')).toMatchObject({ path: '/x', query: '?a=%2F?b' });
  });

  test('a zero byte is a bad request', () => {
    expect(parseRequestTarget('GET', '/a%00b')).toBe(400);
  });

  test('a request line above 8 KB is refused', () => {
    expect(parseRequestTarget('GET', `/${'x'.repeat(8179)}`)).toBe(414);
    expect(parseRequestTarget('GET', `/${'x'.repeat(8178)}`)).toMatchObject({ query: '' });
  });

  test('any text without slashes, zero bytes and dot names comes back as it was encoded', () => {
    const segment = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
      .filter((text) => !/^\.{1,2}$|[/\0]/.test(text));
    fc.assert(
      fc.property(segment, (text) => {
        const target = parseRequestTarget('GET', `/${encodeURIComponent(text)}`);
        expect(target).toMatchObject({ path: `/${text}` });
      }),
    );
  });
});
