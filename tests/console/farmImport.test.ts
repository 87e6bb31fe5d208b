import { describe, expect, test } from '@jest/globals';
import { refusalOf, typeOf, type FarmImport } from '../../console/api/farmImport.js';
import { faultName, importOutcome, importSteps } from '../../console/views/farms/importWords.js';

const state = (change: Partial<FarmImport> = {}): FarmImport => ({
  id: 'i',
  status: 'Running',
  total: 12,
  written: 4,
  failed: 1,
  errors: [],
  ...change,
});

describe('a file that is not even sent', () => {
  test.each([
    { name: 'fields.geojson', size: 50 * 1024 * 1024, refusal: undefined },
    { name: 'fields.geojson', size: 51 * 1024 * 1024, refusal: /^The file has 51 MB; at most 50 MB/ },
    { name: 'Fields.SHP', size: 10, refusal: /pack its \.shp, \.dbf and \.prj into one zip file/ },
    { name: 'fields.zip', size: 10, refusal: undefined },
  ])('$name of $size bytes', ({ name, size, refusal }) => {
    if (refusal === undefined) expect(refusalOf({ name, size })).toBeUndefined();
    else expect(refusalOf({ name, size })).toMatch(refusal);
  });
});

test.each([
  { name: 'fields.json', type: 'application/geo+json' },
  { name: 'fields.zip', type: 'application/zip' },
  { name: 'Fields.KML', type: 'application/vnd.google-earth.kml+xml' },
  { name: 'fields.kmz', type: 'application/vnd.google-earth.kmz' },
])('$name is sent as $type', ({ name, type }) => {
  expect(typeOf(name)).toBe(type);
});

describe('the steps of an import', () => {
  test.each([
    { why: 'on its way', shown: { isBusy: true }, steps: ['now', 'open'], note: undefined },
    { why: 'never arrived', shown: { isBusy: false, error: new Error('away') }, steps: ['failed', 'open'] },
    {
      why: 'not yet read',
      shown: { isBusy: true, state: state({ status: 'Waiting', total: 0, written: 0, failed: 0 }) },
      steps: ['done', 'now'],
      note: '',
    },
    { why: 'at work', shown: { isBusy: true, state: state() }, steps: ['done', 'now'], note: '5 of 12' },
    {
      why: 'done',
      shown: { isBusy: false, state: state({ status: 'Succeeded', written: 11 }) },
      steps: ['done', 'done'],
      note: '12 of 12',
    },
    {
      why: 'failed as a whole',
      shown: { isBusy: false, state: state({ status: 'Failed' }) },
      steps: ['done', 'failed'],
      note: '5 of 12',
    },
    {
      why: 'lost from sight',
      shown: { isBusy: false, state: state(), error: 1 },
      steps: ['done', 'open'],
      note: '5 of 12',
    },
  ])('of a file that is $why', ({ shown, steps, note }) => {
    const found = importSteps(shown);
    expect(found.map((step) => step.state)).toEqual(steps);
    expect(found[1]?.note).toBe(note);
  });
});

test('the end of an import is told in a sentence', () => {
  expect(importOutcome(state({ written: 1, failed: 0 }))).toBe('1 field imported.');
  expect(importOutcome(state({ written: 11, failed: 1 }))).toMatch(/^11 fields imported, 1 not: see why below\./);
});

test('features are counted from 1, as people do', () => {
  expect(faultName({ index: 0, code: 'InvalidRequest', message: '' })).toBe('Feature 1');
  expect(faultName({ index: 2, id: 'north', code: 'InvalidRequest', message: '' })).toBe('Feature 3, north');
});
