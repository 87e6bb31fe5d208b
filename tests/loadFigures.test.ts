import { describe, expect, test } from '@jest/globals';
import { coresOf } from './load/machine.js';
import { countRequests, totalOf } from './load/requestLog.js';
import { markdownTable, withSection } from './load/writeSection.js';

describe('storage requests are counted as what they are billed as', () => {
  test.each([
    { line: 'GET /fielddata/work(row)', kind: 'tableReads' },
    { line: 'GET /fielddata/enrollments()', kind: 'tableReads' },
    { line: 'PUT /fielddata/work(row)', kind: 'tableWrites' },
    { line: 'POST /fielddata/$batch', kind: 'tableWrites' },
    { line: 'POST /fielddata/jobs-gdd/messages', kind: 'queue' },
    { line: 'DELETE /fielddata/jobs-gdd/messages/id', kind: 'queue' },
    { line: 'GET /fielddata/jobs-gdd/messages', kind: 'looks' },
    { line: 'HEAD /fielddata/weather-cache/blob', kind: 'blobReads' },
    { line: 'PUT /fieldimagery/imagery/blob', kind: 'blobWrites' },
    { line: 'GET /fielddata/enrollment-inputs/blob', kind: 'blobReads' },
  ])('$line: $kind', ({ line, kind }) => {
    expect(countRequests([line])).toMatchObject({ [kind]: 1 });
    expect(totalOf(countRequests([line]))).toBe(kind === 'looks' ? 0 : 1);
  });
});

describe('a section of the page', () => {
  const page = '# Page\n\n<!-- begin: load -->\n\nold\n\n<!-- end: load -->\n\nafter\n';
  test('is replaced, and nothing around it', () => {
    expect(withSection(page, 'load', 'new\n')).toBe(page.replace('old', 'new'));
  });
  test('that the page does not have is a fault', () => {
    expect(() => withSection(page, 'other', 'new')).toThrow(/no section other/);
  });
  test('holds tables as the formatter writes them', () => {
    expect(markdownTable(['a', 'long'], [['12345', 'b']])).toBe(
      ['| a     | long |', '| ----- | ---- |', '| 12345 | b    |'].join('\n'),
    );
  });
});

(process.platform === 'linux' ? test : test.skip).each([
  { count: 1, cores: undefined, why: 'one core is everybody’s' },
  { count: 2, cores: { host: '0', others: '1' }, why: 'the host has its own' },
  { count: 8, cores: { host: '0', others: '1-7' }, why: 'the others share the rest' },
])('$count cores: $why', ({ count, cores }) => {
  expect(coresOf(count)).toEqual(cores);
});
