import { describe, expect, test } from '@jest/globals';
import { csvText } from '../shared/csvText.js';

describe('a table for spreadsheets', () => {
  test.each([
    { why: 'a formula is a text', value: '=HYPERLINK("http://evil")', cell: `"'=HYPERLINK(""http://evil"")"` },
    { why: 'so is what begins with plus, minus or at', value: '@SUM(1)', cell: "'@SUM(1)" },
    { why: 'in wide letters too', value: '＝1+1', cell: "'＝1+1" },
    {
      why: 'what parts cells elsewhere is quoted, so that no formula comes after it',
      value: 'a;=1+1',
      cell: '"a;=1+1"',
    },
    { why: 'a negative number stays a number', value: -1.5, cell: '-1.5' },
    { why: 'commas and line breaks are quoted', value: 'a,\nb', cell: '"a,\nb"' },
    { why: 'nothing is nothing', value: null, cell: '' },
  ])('$why', ({ value, cell }) => {
    expect(csvText([['x', value]])).toBe(`x,${cell}\r\n`);
  });
});
