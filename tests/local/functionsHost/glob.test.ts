import { describe, expect, test } from '@jest/globals';
import { findFiles, globExpression } from '../../../infra/local/functionsHost/glob.js';

describe('the main of an app', () => {
  test.each([
    { pattern: 'dist/main.mjs', path: 'dist/main.mjs', fits: true },
    { pattern: 'dist/main.mjs', path: 'dist/mainxmjs', fits: false },
    { pattern: 'dist/*.js', path: 'dist/a/b.js', fits: false },
    { pattern: 'dist/**/*.js', path: 'dist/a/b/c.js', fits: true },
    { pattern: 'dist/**/*.js', path: 'dist/c.js', fits: true },
    { pattern: 'dist/{a,b}.js', path: 'dist/b.js', fits: true },
    { pattern: 'dist/?.js', path: 'dist/ab.js', fits: false },
  ])('"$pattern" and $path: $fits', ({ pattern, path, fits }) => {
    expect(globExpression(pattern).test(path)).toBe(fits);
  });

  test('names files in sorted order', () => {
    const found = findFiles('tests/local/functionsHost', 'apps/{streaming,plain}/main.mjs');
    expect(found).toEqual(['apps/plain/main.mjs', 'apps/streaming/main.mjs']);
  });

  test('names nothing in a folder that is not there', () => {
    expect(findFiles('tests/local/functionsHost', 'missing/*.mjs')).toEqual([]);
  });
});
