import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, dayOf } from '../../../shared/kit/validation/calendar.js';
import { smartBoundaryFaults } from '../../../shared/boundary/form/smartBoundaryRules.js';

const NOON = new Date('2026-06-15T12:00:00Z');
const faultsOf = (parameters: object, now = NOON): string[] =>
  smartBoundaryFaults({ partnerRequestBody: parameters }, now).map(({ type }) => type);
const dates = (imageStartDate: string, imageEndDate: string) => ({ imageStartDate, imageEndDate });

describe('the dates of a Smart Boundary job', () => {
  test.each([
    { why: 'one day', ...dates('2026-06-01', '2026-06-01'), expected: [] },
    { why: '14 days apart', ...dates('2026-06-01', '2026-06-15'), expected: [] },
    { why: '15 days apart', ...dates('2026-05-31', '2026-06-15'), expected: ['too_long'] },
    { why: '14 days apart over a leap day', ...dates('2024-02-20', '2024-03-05'), expected: [] },
    { why: '15 days apart over a leap day', ...dates('2024-02-20', '2024-03-06'), expected: ['too_long'] },
    { why: 'the end first', ...dates('2026-06-02', '2026-06-01'), expected: ['before_start'] },
    { why: 'tomorrow, where it has begun in the far east', ...dates('2026-06-10', '2026-06-16'), expected: [] },
    { why: 'a day that has begun nowhere', ...dates('2026-06-10', '2026-06-17'), expected: ['in_future'] },
    { why: 'the day Sentinel-2 was launched', ...dates('2015-06-23', '2015-07-01'), expected: [] },
    { why: 'a day before that', ...dates('2015-06-22', '2015-07-01'), expected: ['too_early'] },
    { why: 'a period before that', ...dates('2013-06-01', '2013-06-10'), expected: ['too_early', 'too_early'] },
    {
      why: 'an end before that, after its start',
      ...dates('2016-01-01', '2013-06-10'),
      expected: ['before_start', 'too_early'],
    },
    { why: 'a day that does not exist is for the schema', ...dates('2026-02-30', '2026-06-01'), expected: [] },
  ])('$why: $expected', ({ imageStartDate, imageEndDate, expected }) => {
    expect(faultsOf({ imageStartDate, imageEndDate })).toEqual(expected);
  });

  test('are right exactly when the end is 0 to 14 days after the start and not in the future', () => {
    const offset = fc.integer({ min: -40, max: 40 });
    fc.assert(
      fc.property(fc.integer({ min: 18_000, max: 20_600 }), offset, (start, days) => {
        const [from, to] = [dayOf(start), dayOf(start + days)];
        const isRight = days >= 0 && days <= 14 && to <= addDays('2026-06-15', 1);
        expect(faultsOf(dates(from, to)).length === 0).toBe(isRight);
      }),
    );
  });
});

describe('the point', () => {
  test.each([
    [83, []],
    [-83, []],
    [83.01, ['not_covered']],
    [-89.9, ['not_covered']],
    [90.5, []], // off the globe is for the schema
    ['41', []],
  ])('at latitude %p: %j', (latitude, expected) => {
    expect(faultsOf({ pointOnSurface: { longitude: 0, latitude } })).toEqual(expected);
  });
});

test.each([null, 7, 'x', [], {}, { partnerRequestBody: null }, { partnerRequestBody: { pointOnSurface: null } }])(
  'a body of any form is coped with: %j',
  (body) => {
    expect(smartBoundaryFaults(body, NOON)).toEqual([]);
  },
);
