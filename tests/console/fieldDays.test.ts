import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { withItemFigures, type IndexDay, type ListedField } from '../../console/api/fields.js';
import {
  dayLabel,
  dayStateOf,
  knownDays,
  percentText,
  reasonFor,
  stateText,
} from '../../console/views/fields/dayState.js';
import { selectionOf } from '../../console/views/fields/selection.js';
import { placeOf } from '../../console/router.js';
import { faultsByInput, signedText } from '../../console/views/gdd/season.js';

const aField = (given: Partial<ListedField> = {}): ListedField => ({
  field_id: 'North Forty',
  group: null,
  geometry: { type: 'Polygon', coordinates: [] },
  area_ha: 16,
  enrollments: [],
  errors: null,
  newest: { date: '2026-07-21', outcome: 'cloud', clear_percent: 3, layers: [] },
  newest_picture: '2026-07-16',
  ...given,
});
const aDay = (given: Partial<IndexDay> = {}): IndexDay => ({
  date: '2026-07-16',
  outcome: 'done',
  reason: null,
  clear_percent: 100,
  layers: ['ndvi'],
  scenes: [],
  ...given,
});

describe('what an address of Fields names', () => {
  test.each([
    ['a field, a day and a layer', '#/fields/North%20Forty/2026-07-01/scouting', '2026-07-01', 'scouting'],
    [
      'a field that had no day yet: the newest picture, as it comes',
      '#/fields/North%20Forty//scouting',
      '2026-07-16',
      'scouting',
    ],
    ['a field alone', '#/fields/North%20Forty', '2026-07-16', 'ndvi'],
    ['nothing', '#/fields', '2026-07-16', 'ndvi'],
  ])('%s', (_, address, date, layer) => {
    expect(selectionOf(placeOf(address), [aField()], new Map())).toMatchObject({ date, layer });
  });
});

describe('an address of Fields that names what is not there', () => {
  const selected = (address: string) => selectionOf(placeOf(address), [aField()], new Map());

  test('is of no field, rather than of another one', () => {
    expect(selected('#/fields/Sold/2026-07-01/ndvi')).toMatchObject({ field: undefined, missing: 'Sold' });
    expect(selected('#/fields')).toMatchObject({ field: aField(), missing: undefined });
  });

  test.each([
    ['moisture', 'a layer'],
    ['2026-02-30', 'a day'],
    ['vs-2026-13-01', 'a day to compare with'],
    ['@91,0,5', 'a place of the map'],
  ])('keeps %s, which is not %s', (part) => {
    expect(selected(`#/fields/North%20Forty/ndvi/${part}/2026-07-01`)).toMatchObject({
      unknown: [part],
      date: '2026-07-01',
    });
  });
});

describe('a field on a day', () => {
  test.each([
    { why: 'the list knows its newest day', date: '2026-07-21', state: 'cloud' },
    { why: 'and its newest picture', date: '2026-07-16', state: 'picture' },
    { why: 'of other days its index is waited for', date: '2026-07-01', state: 'waiting' },
  ])('$why', ({ date, state }) => {
    expect(dayStateOf(aField(), undefined, date).state).toBe(state);
  });

  test('is searched for while the service has looked at none of its days, and lacks a scene only once it has', () => {
    const unseen = aField({ newest: null, newest_picture: null });
    const states = [undefined, knownDays([])].map((known) => dayStateOf(unseen, known, '2026-07-01').state);
    expect(states).toEqual(['searching', 'searching']);
    const refused = { ...unseen, errors: [{ code: 'area_too_small', message: 'It is too small.' }] };
    expect(dayStateOf(refused, undefined, '2026-07-01').state).toBe('none');
  });

  test('is what its index says, once that is there', () => {
    const known = knownDays([aDay(), aDay({ date: '2026-07-26', outcome: 'failed' })]);
    const states = ['2026-07-16', '2026-07-26', '2026-07-21'].map((date) => dayStateOf(aField(), known, date).state);
    expect(states).toEqual(['picture', 'failed', 'none']);
  });

  test.each([
    [aDay(), '16 July 2026: picture, 100 % clear'],
    [aDay({ outcome: 'cloud', clear_percent: 12 }), '16 July 2026: hidden by cloud, 12 % clear'],
    [aDay({ outcome: 'failed', clear_percent: null }), '16 July 2026: failed'],
    [aDay({ outcome: 'coverage', clear_percent: null }), '16 July 2026: seen in part'],
  ])('is called so that a button can say it', (day, label) => {
    expect(dayLabel(day)).toBe(label);
  });

  test('says why it lacks one layer in the words of its index, though it has another', () => {
    const reason = 'The scene shows 43 % of the field for ndvi; 95 % are needed.';
    const day = aDay({ layers: ['true-color'], skipped: { ndvi: 'coverage' }, reason });
    expect([reasonFor(day, 'ndvi'), reasonFor(day, 'true-color'), reasonFor(aDay(), 'ndvi')]).toEqual([
      reason,
      null,
      null,
    ]);
    expect(reasonFor(aDay({ outcome: 'coverage', reason }), 'true-color')).toBe(reason);
  });

  test('is not called all clear when a pixel is not, nor all hidden when one is to be seen', () => {
    expect([99.7, 100, 0.2, 0].map(percentText)).toEqual(['99 %', '100 %', '1 %', '0 %']);
    expect(stateText({ state: 'picture', clearPercent: 99.7 })).toBe('99 % clear');
  });
});

describe('a refused season', () => {
  test('shows each fault at its input', () => {
    const faults = faultsByInput(
      'GDD-04100: partnerRequestBody.gddEndDate is before gddStartDate. partnerRequestBody.resourceId must be a UUID.',
    );
    expect([...faults]).toEqual([
      ['gddEndDate', 'is before the first day.'],
      ['resourceId', 'must be a UUID.'],
    ]);
  });

  test('keeps what is about no input', () => {
    expect([...faultsByInput('Something else.').keys()]).toEqual(['']);
  });

  test('has a true minus before what is below normal', () => {
    expect([signedText(-77.4), signedText(3)]).toEqual(['−77', '+3']);
  });
});

describe('the figures of days whose index has none', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const answers: Readonly<Record<string, object>> = {
    '/v1/auth/sas-token': { account_name: 'a', file_system: 'imagery', sas_token: 'sig=x', path: 'farm/imagery' },
    '/console/settings.json': { blobEndpoint: 'https://a.blob.test', tiles: null, login: null, version: '0' },
    '/imagery/farm/imagery/sentinel-2/North%20Forty/2026-07-16/metadata.json': {
      assets: {
        ndvi: {
          bands: [
            { statistics: { mean: 0.61 }, 'fieldimagery:percentiles': { p2: 0.2, p50: 0.63, p98: 0.8, p75: 0.7 } },
          ],
        },
      },
    },
  };

  test('are read from the documents of the days with pictures, and of those alone', async () => {
    const asked: string[] = [];
    jest.spyOn(globalThis, 'fetch').mockImplementation((address) => {
      const { pathname } = new URL(address as string, 'https://app.test');
      asked.push(pathname);
      const answer = answers[pathname];
      return Promise.resolve(answer === undefined ? new Response(null, { status: 404 }) : Response.json(answer));
    });
    const told = { ndvi: { mean: 0.5, p2: 0.1, p50: 0.5, p98: 0.9 } };
    const days = await withItemFigures('North Forty', [
      aDay(),
      aDay({ date: '2026-07-18', outcome: 'cloud' }),
      aDay({ date: '2026-07-21', statistics: told }),
      aDay({ date: '2026-07-26' }),
    ]);
    expect(days.map(({ statistics }) => statistics)).toEqual([
      { ndvi: { mean: 0.61, p2: 0.2, p50: 0.63, p98: 0.8 } },
      undefined,
      told,
      {},
    ]);
    expect(asked.filter((path) => path.includes('metadata'))).toHaveLength(2);
  });
});
