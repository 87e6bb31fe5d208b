import { describe, expect, test } from '@jest/globals';
import { checkRequest, type PeriodRules } from '../../../shared/enrollments/submission/submittedRequest.js';
import { aSubmittedRequest, jsonBytes } from '../builders.js';

const rules: PeriodRules = { earliestStart: '2016-11-01', maxDays: 1096, maxYearsAhead: 2 };
const now = new Date('2026-06-15T12:00:00Z');
const check = (changes: Record<string, unknown>) => checkRequest(jsonBytes(aSubmittedRequest(changes)), rules, now);
const layer = (name: unknown) => ({ layer: name });

describe('the metadata of a submission', () => {
  test('become the monitoring asked for', () => {
    const layers = ['ndvi', 'vegetation', 'scouting', 'true-color'].map(layer);
    expect(check({ description: 'Größe: 7 ha', layers }).request).toEqual({
      imageSource: 'sentinel-2-l2a',
      startDate: '2026-04-01',
      endDate: '2026-10-31',
      description: 'Größe: 7 ha',
      layers: ['ndvi', 'vegetation', 'scouting', 'true-color'],
    });
  });

  test.each([
    ['the earliest start', { start_date: '2016-11-01', end_date: '2016-11-01' }],
    ['one day', { start_date: '2026-06-15', end_date: '2026-06-15' }],
    ['1,096 days', { start_date: '2024-01-01', end_date: '2026-12-31' }],
    ['an end two years after today at UTC+14', { start_date: '2027-01-01', end_date: '2028-06-16' }],
    ['a leap day', { start_date: '2024-02-29', end_date: '2024-03-01' }],
    ['a description of 1,000 characters', { description: 'x'.repeat(1000) }],
    ['null for a description, which is none', { description: null }],
    ['a description in any script', { description: 'Été 2026 – côté nord 🌽, حقل القمح, 北の畑' }],
    ['joiners in a description, which Persian and emoji need', { description: 'کشاورزی\u200cها 👩\u200d🌾' }],
  ])('may have %s', (_what, changes) => {
    expect(check(changes).faults).toEqual([]);
  });

  test.each([
    ['no image source', { image_source: undefined }, 'image_source', 'required'],
    ['another image source', { image_source: 'landsat' }, 'image_source', 'enum'],
    ['no start', { start_date: undefined }, 'start_date', 'required'],
    ['a day that does not exist', { start_date: '2026-02-30' }, 'start_date', 'format'],
    ['a start with a time', { start_date: '2026-04-01T00:00:00Z' }, 'start_date', 'format'],
    ['a start too early', { start_date: '2016-10-31', end_date: '2016-11-30' }, 'start_date', 'too_early'],
    ['an end before the start', { end_date: '2026-03-31' }, 'end_date', 'before_start'],
    ['1,097 days', { start_date: '2023-12-31', end_date: '2026-12-31' }, 'end_date', 'too_long'],
    ['an end too far ahead', { end_date: '2028-06-17' }, 'end_date', 'too_late'],
    ['no layers', { layers: undefined }, 'layers', 'required'],
    ['an empty list of layers', { layers: [] }, 'layers', 'min_items'],
    ['a layer twice', { layers: [layer('ndvi'), layer('ndvi')] }, 'layers', 'unique_items'],
    ['a description that is no text', { description: 7 }, 'description', 'type'],
    ['a description too long', { description: 'x'.repeat(1001) }, 'description', 'max_length'],
    ['a description with a line feed', { description: 'a\nb' }, 'description', 'pattern'],
    ['a description with NUL', { description: 'a\0b' }, 'description', 'pattern'],
    ['a description with a C1 control', { description: 'a\u0085b' }, 'description', 'pattern'],
    ['a description with a right-to-left override', { description: 'a\u202eb' }, 'description', 'pattern'],
    ['a description with a direction isolate', { description: 'a\u2066b' }, 'description', 'pattern'],
    ['a description with a left-to-right mark', { description: 'a\u200eb' }, 'description', 'pattern'],
    ['a description with an Arabic letter mark', { description: 'a\u061cb' }, 'description', 'pattern'],
    ['a description with a zero-width space', { description: 'a\u200bb' }, 'description', 'pattern'],
    ['a description with a line separator', { description: 'a\u2028b' }, 'description', 'pattern'],
    ['a description with a lone surrogate', { description: 'a\ud800' }, 'description', 'pattern'],
    ['a description with a private character', { description: 'a\ue000' }, 'description', 'pattern'],
    ['a property nobody knows', { priority: 'high' }, 'priority', 'additional_properties'],
  ])('with %s are refused', (_what, changes, property, type) => {
    const { faults } = check(changes);
    expect(faults.map((fault) => [fault.loc, fault.type])).toEqual([[['request', property], type]]);
    expect(faults[0]?.msg).toMatch(new RegExp(`^request\\.${property} `));
  });

  test('say of a description which characters it must not hold', () => {
    expect(check({ description: 'a\u202eb' }).faults).toEqual([
      expect.objectContaining({
        msg: 'request.description must not hold control, zero-width, direction or private-use characters',
      }),
    ]);
  });

  test('name the very layer that nobody knows', () => {
    const { faults } = check({ layers: [layer('ndvi'), layer('NDVI'), 'ndvi'] });
    expect(faults.map(({ loc }) => loc)).toEqual([
      ['request', 'layers', 1, 'layer'],
      ['request', 'layers', 2],
    ]);
  });

  test.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '1e400'],
  ])('that are %s are refused', (_what, text) => {
    const { faults } = checkRequest(new TextEncoder().encode(text), rules, now);
    expect(faults).toEqual([expect.objectContaining({ loc: ['request'], type: 'type' })]);
  });

  test('tell all their faults at once', () => {
    expect(check({ image_source: 'x', start_date: '2016-01-01', end_date: '2030-01-01' }).faults).toHaveLength(4);
  });
});
