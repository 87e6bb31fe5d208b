import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fieldIdFault, foldedFieldId } from '../../../shared/enrollments/upload/fieldId.js';
import { tries } from '../../support/fullRun.js';

describe('a field id', () => {
  test.each([
    'a',
    'North 7',
    "O'Brien & sons, (west)",
    'Äcker-Süd',
    '北の畑',
    'поле_1',
    'a.b..c',
    '🌾',
    'x'.repeat(128),
    '~$=+;@!',
  ])('%s is accepted', (fieldId) => {
    expect(fieldIdFault(fieldId)).toBeUndefined();
  });

  test.each([
    ['nothing', '', /1 to 128/],
    ['129 characters', 'x'.repeat(129), /1 to 128/],
    ['a slash', 'a/b', /must not hold any of/],
    ['a backslash', 'a\\b', /must not hold any of/],
    ['a percent sign', '%2e%2e', /must not hold any of/],
    ['a question mark', 'a?b', /must not hold any of/],
    ['a colon', 'a:b', /must not hold any of/],
    ['a quote', 'a"b', /must not hold any of/],
    ['a leading dot', '.a', /begin or end/],
    ['dots alone', '..', /begin or end/],
    ['a dot at the end', 'a.', /begin or end/],
    ['a space at the end', 'a ', /begin or end/],
    ['a no-break space at the beginning', '\u00a0a', /begin or end/],
    ['a line feed', 'a\nb', /control/],
    ['NUL', 'a\0b', /control/],
    ['a C1 control', 'a\u0085b', /control/],
    ['a zero-width space', 'a\u200bb', /zero-width/],
    ['a byte order mark', '\ufeffa', /zero-width/],
    ['a right-to-left override', 'a\u202eb', /direction/],
    ['a lone surrogate', 'a\ud800', /private-use/],
    ['a private character', 'a\ue000', /private-use/],
    ['a noncharacter', 'a\uffff', /private-use/],
    ['a line separator', 'a\u2028b', /control/],
    ['a decomposed letter', 'u\u0308', /NFC/],
  ])('with %s is refused', (_what, fieldId, fault) => {
    expect(fieldIdFault(fieldId)).toMatch(fault);
  });

  test('that is accepted survives a URL path as it stands', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (fieldId) => {
        fc.pre(fieldIdFault(fieldId) === undefined);
        const url = new URL(`https://account.example/imagery/c/field-imagery/${encodeURIComponent(fieldId)}/x.tiff`);
        expect(url.pathname.split('/').map(decodeURIComponent)[4]).toBe(fieldId);
        expect(url.pathname.split('/')).toHaveLength(6);
      }),
      { numRuns: tries(10_000) },
    );
  });

  test.each([
    ['North', 'NORTH'],
    ['straße', 'STRASSE'],
    ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ])('%s is the same as %s to a file system without cases', (one, other) => {
    expect(foldedFieldId(one)).toBe(foldedFieldId(other));
  });
});
