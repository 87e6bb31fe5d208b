import { describe, expect, test } from '@jest/globals';
import { csvText } from '../../shared/kit/csvText.js';

describe('a table for spreadsheets', () => {
  test.each([
    { why: 'a formula is a text', value: '=HYPERLINK("http://evil")', cell: `"'=HYPERLINK(""http://evil"")"` },
    { why: 'so is what begins with plus, minus or at', value: '@SUM(1)', cell: "'@SUM(1)" },
    { why: 'in wide letters too', value: '＝1+1', cell: "'＝1+1" },
    { why: 'a negative number stays a number', value: -1.5, cell: '-1.5' },
    { why: 'commas and line breaks are quoted', value: 'a,\nb', cell: '"a,\nb"' },
    { why: 'nothing is nothing', value: null, cell: '' },
  ])('$why', ({ value, cell }) => {
    expect(csvText([['x', value]])).toBe(`x,${cell}\r\n`);
  });

  test('for people has cells in quotes too that hold what parts cells elsewhere, so that no formula comes after it', () => {
    const rows = [['a;=1+1', 'V6; V8', 'b\t=2']];
    expect(csvText(rows, { isForPeople: true })).toBe('"a;=1+1","V6; V8","b\t=2"\r\n');
    expect(csvText(rows)).toBe('a;=1+1,V6; V8,b\t=2\r\n');
  });
});
