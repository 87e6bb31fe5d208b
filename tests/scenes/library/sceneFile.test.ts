import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileOfPath, pathOfFile, sceneImages, type CutFile } from '../../../shared/scenes/library/sceneFile.js';
import { tries } from '../../support/fullRun.js';

const degrees = fc.double({ min: -180, max: 180, noNaN: true });
const aFile: fc.Arbitrary<CutFile> = fc.record({
  collection: fc.string(),
  id: fc.string({ unit: 'grapheme' }),
  image: fc.constantFrom(...sceneImages),
  box: fc.tuple(degrees, degrees, degrees, degrees),
});

describe('the name of a scene file', () => {
  test('tells all that is needed to read the file, and is safe in an address', () => {
    fc.assert(
      fc.property(aFile, (file) => {
        const path = pathOfFile(file);
        expect(path).toMatch(/^[\w-]+$/);
        // JSON knows no −0.
        expect(fileOfPath(path)).toEqual(JSON.parse(JSON.stringify(file)));
      }),
      { numRuns: tries(300) },
    );
  });

  const valid = { collection: 'c', id: 'i', image: 'B02', box: [1, 2, 3, 4] };
  test.each([
    ['a text that is no JSON', 'not ours'],
    ['nothing', ''],
    ['a file without a box', { ...valid, box: undefined }],
    ['a box of three numbers', { ...valid, box: [1, 2, 3] }],
    ['a box of texts', { ...valid, box: ['1', '2', '3', '4'] }],
    ['an image that there is not', { ...valid, image: 'B11' }],
    ['more than a file has', { ...valid, url: 'http://169.254.169.254/' }],
    ['a list', [valid]],
  ])('is no name of ours: %s', (_what, told) => {
    const text = typeof told === 'string' ? told : JSON.stringify(told);
    expect(fileOfPath(Buffer.from(text).toString('base64url'))).toBeUndefined();
    expect(fileOfPath(Buffer.from(JSON.stringify(valid)).toString('base64url'))).toEqual(valid);
  });
});
