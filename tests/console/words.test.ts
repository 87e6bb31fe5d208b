import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { englishOf } from '../../console/parts/dateText.js';
import { plainWords } from '../../console/parts/plainWords.js';
import { areaText, landAreaText, turnUnits, units, unitsOfLocale } from '../../console/parts/units.js';
import { scaleBarOf } from '../../console/map/scales.js';
import { chooseFile, pageFile } from '../../console/views/adding/chosenFile.js';
import type { WorkerQuestion } from '../../console/views/adding/geoJsonWorker.js';
import { likelyProperty, namesBy, soundNames } from '../../console/views/adding/fieldNames.js';
import { readFeatures, withFeatures } from '../../console/views/adding/readFeatures.js';
import { fieldIdFault } from '../../shared/enrollments/upload/fieldId.js';
import { figuresOf, thresholdText } from '../../console/views/gdd/season.js';
import { firstWanted, unitWanted, wantedOfRecord } from '../../console/views/gdd/useSeason.js';
import type { ListedField } from '../../console/api/fields.js';
import { idOfMapField, isOnePart, patchOfMapField } from '../../console/views/gdd/fieldOfMap.js';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';

describe('units', () => {
  test.each([
    ['en-US', 'us'],
    ['es-PR', 'us'],
    ['en-US@posix', 'us'],
    ['en-GB', 'metric'],
    ['de', 'metric'],
  ] as const)('of %s are %s', (locale, expected) => {
    expect(unitsOfLocale(locale)).toBe(expected);
  });

  test('turn from hectares to acres', () => {
    expect([areaText(40.4685642), landAreaText(4)]).toEqual(['40.5 ha', '4.00 ha']);
    turnUnits();
    expect([units.value, areaText(40.4685642), landAreaText(4)]).toEqual(['us', '100.0 ac', '9.88 ac']);
    turnUnits();
  });

  test('of the scale bar are feet, then miles', () => {
    expect([scaleBarOf(3, 110, 'us'), scaleBarOf(30, 110, 'us')]).toEqual([
      { text: '1000 ft', width: 102 },
      { text: '2 mi', width: 107 },
    ]);
  });
});

test.each([
  ['en-US', 'en-US'],
  ['en-US@posix', 'en-US'],
  ['en', 'en-GB'],
  ['de-DE', 'en-GB'],
  ['enm', 'en-GB'],
])('dates for %s are written as in %s', (language, expected) => {
  expect(englishOf(language)).toBe(expected);
});

test.each([
  [
    'is before start_date; it must be the same day or later',
    'is before the first day; it must be the same day or later',
  ],
  ['is the field_id of feature 0 too', 'is the name of feature 0 too'],
  ['properties.field_id must not hold', 'the name must not hold'],
  ['properties.group has 129 characters', 'the group has 129 characters'],
  [
    'e1 has this field_id with another geometry; use another field_id',
    'e1 has this name with another geometry; use another name',
  ],
  ['partnerRequestBody.gddEndDate is before gddStartDate.', 'the last day is before the first day.'],
  ['a start_dateless text', 'a start_dateless text'],
])('%s: people read %s', (text, words) => {
  expect(plainWords(text)).toBe(words);
});

test('areas in messages are in the units of the page, as fine as they were told', () => {
  const text = 'The field has 0.0312 ha; at least 0.1 ha are needed.';
  expect(plainWords(text)).toBe(text);
  turnUnits();
  expect(plainWords(text)).toBe('The field has 0.0771 ac; at least 0.2 ac are needed.');
  expect(plainWords('The field has 12000 ha')).toBe('The field has 29652.6 ac');
  turnUnits();
});

describe('the names of a file’s fields', () => {
  test('are sound once what a path cannot have is replaced, each another than all others', () => {
    const names = ['A/B', 'A-B', 'a\\b', ' .Hill. ', 'Sø\u200bnder', '***', 'Fine', 'x'.repeat(200)];
    const sound = soundNames(new Map(names.entries()));
    expect([...sound]).toEqual([
      [0, 'A-B 2'],
      [2, 'a-b 3'],
      [3, 'Hill'],
      [4, 'Sønder'],
      [5, '---'],
      [7, 'x'.repeat(120)],
    ]);
  });

  test('are taken by the service once they are replaced, whatever they were', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 130 }), { maxLength: 8 }), (names) => {
        const sound = soundNames(new Map(names.entries()));
        for (const [index, name] of names.entries()) expect(fieldIdFault(sound.get(index) ?? name)).toBeUndefined();
      }),
    );
  });

  const feature = (properties: object | null) => ({ type: 'Feature', properties, geometry: null });

  test('are in the property that most likely is the name', () => {
    expect(likelyProperty(['nr', 'NAME'])).toBe('NAME');
    expect(likelyProperty(['name', 'field_id'])).toBe('field_id');
    expect(likelyProperty(['plot'])).toBe('plot');
    expect(likelyProperty(['group', 'plot'])).toBe('plot');
  });

  test('are offered to features without one, each another', () => {
    const names = namesBy([feature({ name: 'Field 2' }), feature({ name: ' ' }), feature(null)], 'name');
    expect(names).toEqual([
      { fieldId: 'Field 2', isOffered: false },
      { fieldId: 'Field 3', isOffered: true },
      { fieldId: 'Field 4', isOffered: true },
    ]);
  });

  test('are sent as they are shown: by the chosen property, as typed, or as offered', () => {
    const collection = { type: 'FeatureCollection', features: [{ nr: 7 }, { nr: 8 }, {}].map(feature) };
    expect(readFeatures(collection)).toMatchObject({ properties: ['nr'], nameBy: 'nr', count: 3 });
    const sent = JSON.parse(
      withFeatures(collection, { kept: [0, 1, 2], nameBy: 'nr', groupBy: undefined, typed: new Map([[1, 'Hill']]) }),
    ) as {
      readonly features: readonly { readonly properties: { readonly field_id: string } }[];
    };
    expect(sent.features.map(({ properties }) => properties.field_id)).toEqual(['7', 'Hill', 'Field 3']);
  });
});

describe('the groups of fields', () => {
  const groups = ['Hill', ' Hill ', 7, '', undefined];
  const collection = {
    type: 'FeatureCollection',
    features: groups.map((client, index) => ({
      type: 'Feature',
      properties: { name: `F${index}`, client, group: 'Other' },
      geometry: null,
    })),
  };
  const sentBy = (groupBy: string | undefined): readonly unknown[] => {
    const picked = { kept: [0, 1, 2, 3, 4], nameBy: 'name', groupBy, typed: new Map<number, string>() };
    const sent = JSON.parse(withFeatures(collection, picked)) as {
      readonly features: readonly { readonly properties: { readonly group?: unknown } }[];
    };
    return sent.features.map(({ properties }) => properties.group);
  };

  test('are those of the chosen property, and none where it says none', () => {
    expect(sentBy('client')).toEqual(['Hill', 'Hill', '7', null, null]);
    const read = readFeatures(collection, { nameBy: 'name', groupBy: 'client' });
    expect(read.features.map(({ group }) => group)).toEqual(['Hill', 'Hill', '7', undefined, undefined]);
  });

  test('are not sent, also where the file has them, when no property is chosen', () => {
    expect(sentBy(undefined)).toEqual(groups.map(() => undefined));
  });

  test.each([
    { why: 'is the name of its farm where another view hands a field over', group: 'Hill Farm' },
    { why: 'is not sent of a field that is handed over without one', group: undefined },
  ])('$why', async ({ group }) => {
    const handed = pageFile([{ fieldId: 'North', group, geometry: { type: 'Polygon', coordinates: [] } }]);
    const sent = JSON.parse(await (await handed.bytesOf({ kept: [0], typed: new Map() })).text()) as {
      readonly features: readonly { readonly properties: object }[];
    };
    const named = group === undefined ? {} : { group };
    expect(sent.features.map(({ properties }) => properties)).toEqual([{ field_id: 'North', ...named }]);
  });

  test('stand in the property that the service reads, unless another is chosen', () => {
    expect(readFeatures(collection)).toMatchObject({ groupBy: 'group', properties: ['name', 'client', 'group'] });
  });
});

describe('a file whose fields are all wanted', () => {
  const feature = (properties: object | null) => ({ type: 'Feature', properties, geometry: null });
  const collectionOf = (...properties: readonly (object | null)[]) => ({
    type: 'FeatureCollection',
    features: properties.map(feature),
  });
  const answering = (collection: object) =>
    class {
      onmessage: ((event: object) => void) | undefined;
      postMessage(question: WorkerQuestion): void {
        const picked = 'picked' in question ? new Blob([withFeatures(collection, question.picked)]) : undefined;
        const data = picked === undefined ? { read: readFeatures(collection) } : { picked };
        this.onmessage?.({ data });
      }
      terminate(): void {
        // It has ended already.
      }
    };
  const around = { document: { querySelector: () => null }, Worker: undefined as unknown };
  const sentOf = async (collection: object): Promise<string> => {
    Object.assign(globalThis, around, { Worker: answering(collection) });
    const file = new File(['as it is'], 'fields.geojson');
    const chosen = await chooseFile(file);
    const kept = chosen.read.fault === undefined ? chosen.read.features.map((_, index) => index) : [];
    return (await chosen.bytesOf({ kept, typed: new Map() })).text();
  };
  afterEach(() => {
    for (const name of Object.keys(around)) Reflect.deleteProperty(globalThis, name);
  });

  test('is sent as it is where each has its name as it is listed', async () => {
    expect(await sentOf(collectionOf({ field_id: 'North' }, { field_id: 'South' }))).toBe('as it is');
    expect(await sentOf(collectionOf({ field_id: 'North', group: 'A' }))).toBe('as it is');
  });

  test.each([
    { why: 'a number', group: 7, sent: '7' },
    { why: 'a text with spaces around it', group: ' A ', sent: 'A' },
    { why: 'a text of spaces alone', group: ' ', sent: null },
  ])('is sent with the groups that are listed where one is $why', async ({ group, sent }) => {
    const collection = collectionOf({ field_id: 'North', group }, { field_id: 'South', group: 'B' });
    expect(JSON.parse(await sentOf(collection))).toMatchObject({
      features: [{ properties: { group: sent } }, { properties: { group: 'B' } }],
    });
  });

  test.each([
    { why: 'a number', properties: { field_id: 7 }, name: '7' },
    { why: 'a text with spaces around it', properties: { field_id: ' North ' }, name: 'North' },
    { why: 'in another property', properties: { name: 'North' }, name: 'North' },
    { why: 'not there, and offered', properties: null, name: 'Field 1' },
  ])('is sent with the names that are listed where one is $why', async ({ properties, name }) => {
    expect(JSON.parse(await sentOf(collectionOf(properties)))).toMatchObject({
      features: [{ properties: { field_id: name } }],
    });
  });

  test('is written anew for a name that is listed no more, but sent', () => {
    const many = Array.from({ length: 251 }, (_, index) => ({ field_id: `Field ${index}` }));
    expect(readFeatures(collectionOf(...many))).toMatchObject({ isAsNamed: true });
    expect(readFeatures(collectionOf(...many.slice(1), { field_id: 7 }))).toMatchObject({ isAsNamed: false });
  });
});

describe('a field of the map that becomes a field of the farm', () => {
  const ring = [
    [0, 50],
    [0.01, 50],
    [0, 50.01],
    [0, 50],
  ] as const;
  const field = {
    field_id: 'North Forty',
    geometry: { type: 'Polygon', coordinates: [ring] },
  } as unknown as ListedField;

  test('has the same id each time, and another one for each customer', async () => {
    const [one, again, other] = await Promise.all(
      ['acme', 'acme', 'umbrella'].map((customer) => idOfMapField(customer, 'North Forty')),
    );
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([again === one, other === one]).toEqual([true, false]);
  });

  test('is written with its name and outline; one of several parts is not', () => {
    const { geometry } = field;
    expect(patchOfMapField(field, 'farm')).toMatchObject({ name: 'North Forty', farmId: 'farm', geometry });
    expect(patchOfMapField(field, '')).not.toHaveProperty('farmId');
    const parts = { type: 'MultiPolygon', coordinates: [[ring], [ring]] };
    expect([field, { ...field, geometry: parts } as unknown as ListedField].map(isOnePart)).toEqual([true, false]);
  });
});

test('a new season is in the unit of the button at the top', () => {
  expect(unitWanted()).toBe('c');
  turnUnits();
  expect([unitWanted(), firstWanted([]).unit]).toEqual(['f', 'f']);
  turnUnits();
});

describe('a season', () => {
  const record = {
    partyId: 'p',
    resourceId: 'f',
    crop: 'CORN',
    gddStartDate: '2025-05-01',
    gddEndDate: '2025-09-30',
    temperatureUnit: 'F',
  } as GddRecord;

  test('fills the form with what it was asked for', () => {
    expect(wantedOfRecord(record)).toEqual({
      partyId: 'p',
      fieldId: 'f',
      crop: 'CORN',
      from: '2025-05-01',
      to: '2025-09-30',
      startEvent: 'PLANTING',
      unit: 'f',
    });
  });

  test.each([
    { unit: 'F', threshold: 600, thresholdUpTo: 800, text: '600–800 °F·day' },
    // Records of before have the unit of the source.
    { unit: 'C', threshold: 500, text: '900 °F·day' },
  ] as const)('has its stages in its own unit: $threshold °$unit·day is $text', ({ text, ...stage }) => {
    expect(thresholdText(stage, record)).toBe(text);
  });

  test('has the sign of a difference on its percentage too', () => {
    const normal = { years: [1991, 2020], departure: -77.4, departurePercent: -4.2 } as unknown as GddRecord['normal'];
    const coverage = { forecast: 0, normal: 0, provisional: 0 } as GddRecord['coverage'];
    const figures = figuresOf({
      ...record,
      normal,
      coverage,
      stages: [],
      total: 1700,
      days: 153,
    } as unknown as GddRecord);
    expect(figures[1]).toMatchObject({ value: '−77', note: '−4.2 %' });
  });
});
