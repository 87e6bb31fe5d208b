import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { instantOf } from '../../../shared/scenes/item/instant.js';

describe('an instant of a catalogue', () => {
  test.each([
    { why: 'as Earth Search writes it', text: '2026-06-17T10:05:59.024Z', expected: '2026-06-17T10:05:59.024Z' },
    { why: 'to the microsecond', text: '2026-06-17T10:05:59.024999Z', expected: '2026-06-17T10:05:59.024Z' },
    { why: 'without a fraction', text: '2026-06-17T10:05:59Z', expected: '2026-06-17T10:05:59.000Z' },
    { why: 'of another zone', text: '2026-06-17T12:05:59+02:00', expected: '2026-06-17T10:05:59.000Z' },
    { why: 'with a space and a small z', text: '2026-06-17 10:05:59z', expected: '2026-06-17T10:05:59.000Z' },
    { why: 'of a leap second', text: '2016-12-31T23:59:60Z', expected: '2016-12-31T23:59:59.000Z' },
    { why: 'of a leap second elsewhere', text: '2017-01-01T00:59:60+01:00', expected: '2016-12-31T23:59:59.000Z' },
    { why: 'of a leap day', text: '2024-02-29T00:00:00Z', expected: '2024-02-29T00:00:00.000Z' },
  ])('$why is read', ({ text, expected }) => {
    expect(instantOf(text)).toBe(expected);
  });

  test.each([
    { why: 'a day that doesn’t exist', value: '2026-02-30T10:05:59Z' },
    { why: 'a month 13', value: '2026-13-01T10:05:59Z' },
    { why: 'the hour 24', value: '2026-06-17T24:00:00Z' },
    { why: 'a minute 60', value: '2026-06-17T10:60:00Z' },
    { why: 'a leap second in the morning', value: '2026-06-17T10:05:60Z' },
    { why: 'no zone', value: '2026-06-17T10:05:59' },
    { why: 'a zone of 99 hours', value: '2026-06-17T10:05:59+99:00' },
    { why: 'the year 10000 by its zone', value: '9999-12-31T23:59:59-01:00' },
    { why: 'a day alone', value: '2026-06-17' },
    { why: 'a number', value: 1_781_690_759 },
    { why: 'nothing', value: null },
    { why: 'an empty text', value: '' },
  ])('with $why is none', ({ value }) => {
    expect(instantOf(value)).toBeUndefined();
  });

  test('comes back as it went out, whatever it is', () => {
    const dates = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(fc.property(dates, (date) => instantOf(date.toISOString()) === date.toISOString()));
  });
});
