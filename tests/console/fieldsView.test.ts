import { describe, expect, test } from '@jest/globals';
import type { IndexDay, ListedField } from '../../console/api/fields.js';
import { curveTicks, monthLabels, timelinePlaces } from '../../console/charts/timelinePlaces.js';
import { differenceOf } from '../../console/map/difference.js';
import { fieldOnMap, insideOf, isInField } from '../../console/map/fieldsOnMap.js';
import { barsOf, legendOf } from '../../console/map/legendParts.js';
import { differencePath, filesOf } from '../../console/map/picture.js';
import { spreadOf } from '../../console/map/spread.js';
import { differenceOnMap, dayOnMap } from '../../console/views/fields/dayOnMap.js';
import { knownDays } from '../../console/views/fields/dayState.js';
import { rowAfterKey } from '../../console/views/fields/rowKeys.js';
import { comparedOf, comparedPart, positionOf, positionPart } from '../../console/views/fields/fieldsAddress.js';
import { figureOf, listCsv, listFigures, medianOf, sortedBy } from '../../console/views/fields/listFigures.js';
import { dateToPlay } from '../../console/views/fields/playDays.js';
import { filtered, filteredHref, filterOf, groupsOf } from '../../console/views/fields/fieldsFilter.js';
import { curveOf, selectionOf } from '../../console/views/fields/selection.js';
import { placeOf, hrefOf } from '../../console/router.js';
import { pictureCount } from '../../console/views/enrollments/pictureCount.js';
import { aGrid } from '../raster/samples.js';
import type { EnrollmentRecord } from '../../shared/enrollments/record/enrollmentSchemas.js';
import type { BackfillProgress } from '../../shared/imagery/discovery/backfillSchemas.js';
import { unfinished } from '../../console/views/enrollments/backfills.js';
import { progressText } from '../../console/views/enrollments/words.js';

const aField = (fieldId: string, given: Partial<ListedField> = {}): ListedField => ({
  field_id: fieldId,
  group: null,
  geometry: { type: 'Polygon', coordinates: [] },
  area_ha: 10,
  enrollments: [],
  errors: null,
  newest: { date: '2026-07-16', outcome: 'done', clear_percent: 100, layers: ['ndvi'] },
  newest_picture: '2026-07-16',
  ...given,
});
const aDay = (date: string, mean: number, given: Partial<IndexDay> = {}): IndexDay => ({
  date,
  outcome: 'done',
  reason: null,
  clear_percent: 90,
  layers: ['ndvi'],
  scenes: [],
  statistics: { ndvi: { mean, p2: mean - 0.1, p50: mean, p98: mean + 0.1 } },
  ...given,
});
const cloudy = (date: string): IndexDay => ({
  ...aDay(date, 0, { outcome: 'cloud', layers: [] }),
  statistics: {},
});

describe('the address of what is looked at', () => {
  test.each([
    { date: '2026-06-02', how: 'swipe' },
    { date: '2026-06-02', how: 'difference' },
  ] as const)('holds the other day, shown as $how', (compared) => {
    expect(comparedOf(['2026-07-16', 'ndvi', comparedPart(compared)])).toEqual(compared);
  });

  test('holds where the map is, to a metre, and nothing for a map that nobody moved', () => {
    const position = { centre: [-92.96431, 41.52306] as const, metresPerPixel: 4.027 };
    const parts = placeOf(hrefOf('fields', 'North Forty', '2026-07-16', 'ndvi', positionPart(position))).parts;
    expect(positionOf(parts)).toEqual(position);
    expect(positionOf(['North Forty', '2026-07-16', 'ndvi'])).toBeUndefined();
  });

  test.each(['@95,0,4', '@1,2', '@1,2,0', '@1,2,x'])('%s is no place of a map', (part) => {
    expect(positionOf([part])).toBeUndefined();
  });
});

describe('the filter of the fields', () => {
  const enrolled = (id: string): Partial<ListedField> => ({
    enrollments: [
      { enrollment_id: id, status: 'completed', layers: [], start_date: '2026-04-01', end_date: '2026-10-31' },
    ],
  });
  const fields = [
    aField('Large', { ...enrolled('one'), group: 'Hill', area_ha: 90, newest_picture: '2026-07-11' }),
    aField('Small', { ...enrolled('one'), group: 'Dale 10', area_ha: 4, newest_picture: '2026-07-16' }),
    aField('Other', { ...enrolled('two'), group: 'Dale 9', area_ha: 50, newest_picture: '2026-07-21' }),
    aField('Lone', { ...enrolled('two'), area_ha: 60, newest: null, newest_picture: null }),
  ];
  const shownBy = (filter: Parameters<typeof filteredHref>[0]): readonly string[] =>
    filtered(fields, filterOf(placeOf(filteredHref(filter)).parts)).map(({ field_id: id }) => id);

  test.each([
    { filter: {}, shown: ['Large', 'Small', 'Other', 'Lone'] },
    { filter: { enrollment: 'one' }, shown: ['Large', 'Small'] },
    { filter: { group: 'Dale 9' }, shown: ['Other'] },
    { filter: { group: '' }, shown: ['Lone'] },
    { filter: { enrollment: 'one', group: 'Dale 9' }, shown: [] },
    { filter: { group: 'a/b: 100 %' }, shown: [] },
  ])('$filter stands in the address, and shows $shown', ({ filter, shown }) => {
    expect(filterOf(placeOf(filteredHref(filter)).parts)).toEqual({
      enrollment: undefined,
      group: undefined,
      ...filter,
    });
    expect(shownBy(filter)).toEqual(shown);
  });

  test('alone shows its fields on their newest day', () => {
    const { field, date, unknown } = selectionOf(placeOf(filteredHref({ enrollment: 'one' })), fields, new Map());
    expect([field?.field_id, date, unknown]).toEqual(['Small', '2026-07-16', []]);
  });

  test('offers groups by name, those without one last', () => {
    expect(groupsOf(fields)).toEqual([
      ['Dale 9', 1],
      ['Dale 10', 1],
      ['Hill', 1],
      ['', 1],
    ]);
  });
});

describe('the figures of a list', () => {
  const fields = [aField('High'), aField('Low'), aField('Middle'), aField('Dark', { area_ha: 3 })];
  const days = new Map([
    ['High', knownDays([aDay('2026-07-01', 0.5), aDay('2026-07-16', 0.8)])],
    ['Low', knownDays([aDay('2026-07-01', 0.6), aDay('2026-07-16', 0.2)])],
    ['Middle', knownDays([aDay('2026-07-11', 0.4), cloudy('2026-07-16')])],
    ['Dark', knownDays([cloudy('2026-07-16')])],
  ]);
  const figures = listFigures(fields, days, { curve: curveOf('ndvi'), date: '2026-07-16' });

  test('are of the newest picture up to the day, against the picture before and the farm’s median', () => {
    expect(figures.get('High')).toMatchObject({ date: '2026-07-16', value: 0.8, clearPercent: 90 });
    expect(figures.get('High')?.change).toBeCloseTo(0.3, 12);
    expect(figures.get('High')?.deviation).toBeCloseTo(0.4, 12);
    expect(figures.get('Middle')).toMatchObject({ date: '2026-07-11', value: 0.4, change: undefined });
    expect(figures.get('Dark')).toEqual({
      date: undefined,
      value: undefined,
      change: undefined,
      deviation: undefined,
      clearPercent: undefined,
      areaHa: 3,
    });
  });

  test.each([
    { key: 'value', isFalling: true, order: ['High', 'Middle', 'Low', 'Dark'] },
    { key: 'value', isFalling: false, order: ['Low', 'Middle', 'High', 'Dark'] },
    { key: 'change', isFalling: false, order: ['Low', 'High', 'Middle', 'Dark'] },
    { key: 'area', isFalling: false, order: ['Dark', 'High', 'Low', 'Middle'] },
    { key: 'name', isFalling: true, order: ['Dark', 'Middle', 'Low', 'High'] },
  ] as const)('sort by $key, falling $isFalling: those without one last', ({ key, isFalling, order }) => {
    const names = fields.map(({ field_id: id }) => id);
    expect(sortedBy(names, { key, isFalling, figuresOf: (name) => figures.get(name) })).toEqual(order);
  });

  test('have a middle of an even number of values as well, and none of no value', () => {
    expect([medianOf([3, 1, 2]), medianOf([4, 1, 2, 3]), medianOf([])]).toEqual([2, 2.5, undefined]);
    expect(figureOf(undefined, 'value')).toBeUndefined();
  });

  test('are a table that no spreadsheet takes for formulas', () => {
    const rows = [{ fieldId: '=1+1', group: 'Hill; Dale', state: '90 % clear', figures: figures.get('High') }];
    expect(
      listCsv([...rows, { fieldId: 'a "b", c', group: null, state: 'cloud', figures: undefined }], 'NDVI').split(
        '\r\n',
      ),
    ).toEqual([
      'field,group,area_ha,state,picture,ndvi_mean,ndvi_change,ndvi_to_farm_median,clear_percent',
      '\'=1+1,"Hill; Dale",10,90 % clear,2026-07-16,0.8,0.3,0.4,90',
      '"a ""b"", c",,,cloud,,,,,',
      '',
    ]);
  });
});

describe('a list of rows', () => {
  test.each([
    { key: 'ArrowDown', at: 1, to: 2 },
    { key: 'ArrowUp', at: 0, to: 0 },
    { key: 'End', at: 0, to: 3 },
    { key: 'Enter', at: 1, to: undefined },
  ])('$key leads from row $at to $to', ({ key, at, to }) => {
    expect(rowAfterKey(key, at, 4)).toBe(to);
  });
});

test('playing shows the days with a picture, one after the other, and begins anew', () => {
  const days = [aDay('2026-07-01', 0.5), cloudy('2026-07-06'), aDay('2026-07-11', 0.5)];
  expect(['2026-07-01', '2026-07-06', '2026-07-11'].map((date) => dateToPlay(days, date))).toEqual([
    '2026-07-11',
    '2026-07-11',
    '2026-07-01',
  ]);
});

describe('the difference of two days', () => {
  const aLayer = (data: readonly number[], width: number, originX: number) => ({
    pixels: { width, height: 1, bands: 1, data: Float32Array.from(data) },
    grid: { ...aGrid(width, 1), originX },
    nodata: -9999,
    isFullSize: true,
  });

  test('is later minus earlier at the same place, without data where one of both has none', () => {
    const later = aLayer([0.5, 0.75, -9999, 0.25], 4, 500_000);
    const { pixelWidth } = later.grid;
    const earlier = aLayer([0.25, 0.5, -9999], 3, 500_000 + pixelWidth);
    expect([...differenceOf(later, earlier).pixels.data]).toEqual([NaN, 0.5, NaN, NaN]);
  });

  test('is refused between grids of different pixels', () => {
    const later = aLayer([0.5], 1, 500_000);
    const earlier = { ...later, grid: { ...later.grid, pixelWidth: later.grid.pixelWidth * 2 } };
    expect(() => differenceOf(later, earlier)).toThrow('different grids');
  });

  test('has a name that leads to both files, and none where a day has no picture', () => {
    expect(filesOf(differencePath('later.tiff', 'earlier.tiff'))).toEqual(['later.tiff', 'earlier.tiff']);
    const fields = [aField('Both'), aField('One')];
    const days = new Map([
      ['Both', knownDays([aDay('2026-07-01', 0.5), aDay('2026-07-16', 0.8)])],
      ['One', knownDays([cloudy('2026-07-01'), aDay('2026-07-16', 0.8)])],
    ]);
    const on = (date: string) => dayOnMap(fields, days, { date, layer: 'ndvi', folderName: 'farm' });
    const { layer, fields: shown } = differenceOnMap(on('2026-07-16'), on('2026-07-01'));
    expect(layer).toBe('difference');
    expect(shown.get('Both')?.pictures.difference).toContain('2026-07-01/ndvi.tiff');
    expect(shown.get('One')).toEqual({ state: 'cloud', pictures: {} });
  });
});

describe('the legend', () => {
  test('says the values of its ends, those of a field where colours are stretched to it', () => {
    expect(legendOf('ndvi')?.ticks).toEqual(['0', '0.25', '0.5', '0.75', '1']);
    expect(legendOf('ndvi', [0.5, 0.9])?.ticks).toEqual(['0.5', '0.6', '0.7', '0.8', '0.9']);
    expect(legendOf('difference')?.ticks).toEqual(['−0.4', '−0.2', '0', '+0.2', '+0.4']);
    expect(legendOf('true-color')).toBeUndefined();
  });

  test('counts the values of a field between the least and the most', () => {
    const spread = spreadOf({ data: [0.2, 0.8, 0.8, -9999, NaN], nodata: -9999 });
    expect([spread?.least, spread?.most, spread?.bins[0], spread?.bins.at(-1)]).toEqual([0.2, 0.8, 1, 2]);
    expect(spreadOf({ data: [255], nodata: 255 })).toBeUndefined();
  });

  test('has the values of a field where their colours are, and none beyond its ends', () => {
    const spread = { least: 0.5, most: 0.75, bins: [1, 0, 4, 2] };
    expect(barsOf(spread, 'ndvi')).toEqual([
      { from: 0.5, to: 0.5625, height: 0.25 },
      { from: 0.625, to: 0.6875, height: 1 },
      { from: 0.6875, to: 0.75, height: 0.5 },
    ]);
    expect(barsOf(spread, 'ndvi', [0.5625, 0.6875])).toEqual([{ from: 0.5, to: 1, height: 1 }]);
    expect(barsOf({ least: 40, most: 40, bins: [9] }, 'vegetation')).toEqual([{ from: 0.4, to: 0.4, height: 1 }]);
  });
});

describe('the axis of the days', () => {
  test('says the year with the first month and with each January', () => {
    const dates = ['2025-10-20', '2026-02-20'];
    const { months } = timelinePlaces(dates, 1000);
    expect(monthLabels(months, 1000).map(({ text }) => text)).toEqual([
      'November 2025',
      'December',
      'January 2026',
      'February',
    ]);
  });

  test('leaves out months that have no room', () => {
    const { months } = timelinePlaces(['2023-01-01', '2026-01-01'], 400);
    const labels = monthLabels(months, 400);
    expect(labels.length).toBeLessThan(8);
    labels.slice(1).forEach(({ x }, at) => {
      expect(x - (labels[at]?.x ?? 0)).toBeGreaterThanOrEqual(30);
    });
  });

  test('reaches below 0 where values are, and no higher than they go', () => {
    expect(curveTicks([aDay('2026-07-01', -0.1), aDay('2026-07-16', 0.2)], curveOf('ndvi'))).toEqual([
      -0.2, 0, 0.2, 0.4,
    ]);
  });
});

test('a bar of loading stands inside of a field, whatever its form', () => {
  // A horseshoe, whose middle lies outside.
  const ring = [
    [0, 0],
    [10, 0],
    [10, 10],
    [8, 10],
    [8, 2],
    [3, 2],
    [3, 10],
    [0, 10],
    [0, 0],
  ].map(([x = 0, y = 0]) => [x / 100, y / 100] as const);
  const field = fieldOnMap({ id: 'Horseshoe', geometry: { type: 'Polygon', coordinates: [ring] } });
  expect(isInField(field, insideOf(field))).toBe(true);
});

test('the progress of an enrollment counts the fields that are monitored, and those with a picture', () => {
  const enrollments = [
    { enrollment_id: 'e', status: 'completed', layers: [], start_date: '2026-06-01', end_date: '2026-07-01' },
  ];
  const listed = [
    aField('Pictured', { enrollments }),
    aField('Cloudy', { enrollments, newest_picture: null }),
    aField('Searched for', { enrollments, newest: null, newest_picture: null }),
    aField('Not monitored', { enrollments, newest: null, errors: [{ code: 'x', message: 'y' }] }),
    aField('Another’s'),
  ];
  expect(pictureCount(listed, 'e')).toEqual({ total: 3, withPicture: 1 });
});

describe('the backfills of enrollments', () => {
  const anEnrollment = (id: string, others: Partial<EnrollmentRecord> = {}) =>
    ({ enrollment_id: id, status: 'completed', processed_fields: 3, ...others }) as EnrollmentRecord;
  const aProgress = (status: BackfillProgress['status']): BackfillProgress => ({
    enrollment_id: 'a',
    status,
    from: '2026-01-01',
    to: '2026-05-01',
    days: 121,
    days_left: status === 'completed' ? 0 : 59,
  });

  test('are asked for after the ingest, the newest five, until they have ended', () => {
    const items = [
      anEnrollment('new', { status: 'in_progress' }),
      anEnrollment('empty', { processed_fields: 0 }),
      ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => anEnrollment(id)),
    ];
    const known = new Map([
      ['a', aProgress('completed')],
      ['b', aProgress('running')],
    ]);
    expect(unfinished(items, known)).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  const monitored = (others: Partial<EnrollmentRecord> = {}, end_date = '2026-09-30'): EnrollmentRecord =>
    anEnrollment('a', {
      total_fields: 4,
      failed_fields: 1,
      message: 'No field could be ingested.',
      request_metadata: { image_source: 'sentinel-2-l2a', start_date: '2026-01-01', end_date, layers: [] },
      ...others,
    });
  const until = 'monitored until 30 September 2026';

  test.each([
    { given: monitored({ status: 'in_progress', processed_fields: 2 }), text: '3 of 4 taken in, 1 failed' },
    { given: monitored({ status: 'failed', processed_fields: 0 }), text: 'No field could be ingested.' },
    { given: monitored(), text: `2 of 3 with a picture · ${until}` },
    {
      given: monitored(),
      backfill: aProgress('running'),
      text: `2 of 3 with a picture · 62 of 121 days back to 1 January 2026 looked through · ${until}`,
    },
    {
      given: monitored(),
      backfill: aProgress('completed'),
      text: `2 of 3 with a picture · looked through back to 1 January 2026 · ${until}`,
    },
    {
      given: monitored({}, '2026-04-30'),
      text: '2 of 3 with a picture · monitoring ended on 30 April 2026',
    },
  ])('are part of one sentence: $text', ({ given, backfill, text }) => {
    expect(progressText(given, { total: 3, withPicture: 2 }, backfill, '2026-05-01')).toBe(text);
  });

  test('that are to come are not told of: the monitoring begins later', () => {
    expect(progressText(monitored(), { total: 3, withPicture: 0 }, aProgress('waiting'), '2025-12-01')).toBe(
      '0 of 3 with a picture · monitored from 1 January 2026 until 30 September 2026',
    );
  });
});
