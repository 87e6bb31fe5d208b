import { beforeEach, describe, expect, test } from '@jest/globals';
import { itemsIn } from '../../../shared/imagery/documents/itemCollection.js';
import { settled } from '../../../shared/imagery/records/judgement.js';
import { expireImagery } from '../../../shared/imagery/documents/expireImagery.js';
import { recordFieldDates } from '../../../shared/imagery/records/recordFieldDates.js';
import { remakeImagery } from '../../../shared/imagery/discovery/remakeImagery.js';
import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { aScene } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

const CUSTOMER = 'contoso';
const BOX = [13.14, 48.29, 13.1436, 48.2925] as const;
const DAY_MS = 86_400_000;
const RETENTION = 60;
/** Of the year before: older than the retention when they are made first. */
const DAYS = ['2025-04-10', '2025-04-20'] as const;
const ROOT = `${CUSTOMER}/field-imagery/sentinel-2/north`;
const layer = (day: string, name: LayerName = 'ndvi'): string => `${ROOT}/${day}/${name}.tiff`;
const theScene = (date: string) => aScene({ id: `scene-${date}`, takenAt: `${date}T10:00:00.000Z`, datatake: date });

let service: ImageryUnderTest;
const enrol = (enrollmentId: string, layers: readonly LayerName[] = ['ndvi']): Promise<void> =>
  service.enrol({
    customer: CUSTOMER,
    enrollmentId,
    fields: [{ fieldId: 'north', box: BOX }],
    request: { startDate: '2025-04-01', endDate: '2025-04-30', layers },
  });
async function work(): Promise<void> {
  await service.sweep();
  await service.drain();
}
/** Lets days go by; nothing is due on them. */
const pass = (days: number): void => {
  service.clock.jump(days * DAY_MS);
};
const expire = (): Promise<number> => service.expire();
const remake = async (): Promise<void> => {
  const { enrollments, ports } = service;
  await remakeImagery({ ...ports, enrollments })(CUSTOMER, {});
  await work();
};
const recorded = () => service.fieldDates.list(CUSTOMER, 'north');
const outcomes = async () => (await recorded()).map(({ outcome }) => outcome);
const today = (): string => service.clock.now().toISOString().slice(0, 10);
const images = (): readonly string[] => [...service.imagery.files.keys()].sort();
interface Index {
  readonly links: readonly { readonly rel: string; readonly title?: string }[];
  readonly extent: { readonly spatial: unknown };
  readonly 'fieldimagery:dates': readonly { readonly date: string; readonly outcome: string }[];
}
const index = () => service.imagery.documents.get(`${ROOT}/index.json`)!.document as Index;
const linked = () =>
  index()
    .links.filter(({ rel }) => rel === 'item')
    .map(({ title }) => title);
/** Days of `items.json`. */
const listed = (): readonly string[] => [
  ...itemsIn(service.imagery.documents.get(`${ROOT}/items.json`)?.document).keys(),
];

beforeEach(async () => {
  service = new ImageryUnderTest('2026-01-05T12:00:00Z');
  service.retentionDays = RETENTION;
  for (const day of DAYS) service.catalogue.add(theScene(day));
  await enrol('e1');
  await work();
});

describe('images that were made as long ago as the retention', () => {
  test('are made first whatever the age of their day, and kept for all of their time', async () => {
    expect(await outcomes()).toEqual(['done', 'done']);
    pass(RETENTION);
    expect(await expire()).toBe(0);
    expect(images()).toEqual(DAYS.map((day) => layer(day)));
    expect(linked()).toEqual([...DAYS]);
    expect(listed()).toEqual([...DAYS]);
  });

  test('expire with their record: it says so, index and items name none, the folder is empty', async () => {
    const { extent } = index();
    pass(RETENTION + 1);
    expect(await expire()).toBe(2);
    expect(service.paths()).toEqual(['index.json', 'items.json', 'statistics.csv'].map((name) => `${ROOT}/${name}`));
    expect(await recorded()).toEqual(
      DAYS.map((date): unknown =>
        expect.objectContaining({
          date,
          outcome: 'expired',
          layers: [],
          reason: 'The files were kept for their time and deleted.',
        }),
      ),
    );
    expect(linked()).toEqual([]);
    expect(listed()).toEqual([]);
    expect(index()['fieldimagery:dates']).toMatchObject(DAYS.map((date) => ({ date, outcome: 'expired' })));
    expect(index().extent).toEqual(extent);
    expect(await expire()).toBe(0);
  });

  test.each([
    ['in the order of things', expire],
    [
      'by the rule of the storage account, before the service came to it',
      () => {
        service.imagery.removeWrittenBefore(service.clock.now().getTime() - RETENTION * DAY_MS);
        return Promise.resolve();
      },
    ],
  ])('are not made again by the backfill of a new enrollment when they went %s', async (_how, end) => {
    pass(RETENTION + 1);
    await end();
    await enrol('e2');
    await work();
    expect(images()).toEqual([]);
    expect(await outcomes()).toEqual(['expired', 'expired']);
  });

  test('expire when they were made before midnight and recorded after it', async () => {
    const [before] = await recorded();
    const late = { ...before!, date: addDays(DAYS[0], 1), madeOn: addDays(today(), -1) };
    await recordFieldDates(service.ports)(CUSTOMER, 'e1', [late]);
    pass(RETENTION);
    expect(await expire()).toBe(1);
    expect(await outcomes()).toEqual(['done', 'expired', 'done']);
  });

  test('are not made again for a better version of their scene, nor with other layers', async () => {
    pass(RETENTION + 1);
    await expire();
    service.catalogue.add({
      ...theScene(DAYS[0]),
      id: 'again',
      baseline: '99.99',
      generatedAt: '2026-03-01T00:00:00Z',
    });
    await enrol('e2', ['ndvi', 'vegetation']);
    await work();
    expect(images()).toEqual([]);
  });

  test('are made again by remake, for a whole time more', async () => {
    pass(RETENTION + 1);
    await expire();
    await remake();
    expect(await outcomes()).toEqual(['done', 'done']);
    expect(images()).toEqual(DAYS.map((day) => layer(day)));
    expect(linked()).toEqual([...DAYS]);
    expect(listed()).toEqual([...DAYS]);
    pass(RETENTION);
    expect(await expire()).toBe(0);
    pass(1);
    expect(await expire()).toBe(2);
  });

  test('go as one day when some of its layers are younger: the first that was made counts', async () => {
    pass(30);
    await enrol('e2', ['vegetation']);
    await work();
    expect(images()).toHaveLength(4);
    pass(RETENTION - 29);
    await expire();
    expect(images()).toEqual([]);
  });

  test('and were lost in part are no younger for what was made again', async () => {
    await enrol('e2', ['vegetation']);
    await work();
    pass(30);
    service.imagery.files.delete(layer(DAYS[0]));
    await enrol('e3');
    await work();
    expect((await recorded())[0]).toMatchObject({ outcome: 'done', madeOn: '2026-01-05' });
  });

  test('and were lost as a whole are as young as they are made again', async () => {
    pass(30);
    service.imagery.files.clear();
    await enrol('e2');
    await work();
    expect(await recorded()).toMatchObject([{ madeOn: today() }, { madeOn: today() }]);
  });
});

describe('the end of a retention', () => {
  test('takes a day from the items before its files: none that is named is gone', async () => {
    pass(RETENTION + 1);
    const { imagery } = service;
    const removeDay = imagery.removeDay.bind(imagery);
    const named: (readonly string[])[] = [];
    imagery.removeDay = (place, before) => {
      named.push(listed());
      return removeDay(place, before);
    };
    await expire();
    expect(named).toEqual([[], []]);
  });

  test('leaves the items of days that are younger, and makes an items.json that is gone', async () => {
    pass(30);
    const young = '2026-02-03';
    service.catalogue.add(theScene(young));
    await service.enrol({
      customer: CUSTOMER,
      enrollmentId: 'e2',
      fields: [{ fieldId: 'north', box: BOX }],
      request: { startDate: '2026-02-01', endDate: '2026-02-05', layers: ['ndvi'] },
    });
    await work();
    expect(listed()).toEqual([...DAYS, young]);
    service.imagery.documents.delete(`${ROOT}/items.json`);
    pass(RETENTION - 29);
    expect(await expire()).toBe(2);
    expect(listed()).toEqual([young]);
  });
});

describe('the end of a retention that is cut short', () => {
  test.each([
    'readIndex',
    'readItems',
    'findStatistics',
    'putItems',
    'putStatistics',
    'putIndex',
    'removeDay',
  ] as const)('at %s is completed by the next run', async (step) => {
    pass(RETENTION + 1);
    const { imagery } = service;
    Object.assign(imagery, { [step]: () => Promise.reject(new Error('away')) });
    await expect(expire()).rejects.toThrow('away');
    Reflect.deleteProperty(imagery, step);
    expect(await expire()).toBe(2);
    expect(service.paths()).toEqual(['index.json', 'items.json', 'statistics.csv'].map((name) => `${ROOT}/${name}`));
    expect(linked()).toEqual([]);
    expect(listed()).toEqual([]);
    expect(service.imagery.documents.get(`${ROOT}/statistics.csv`)?.document).toMatch(/^date,[^\r\n]*\r\n$/);
    expect((await recorded()).map(({ madeOn }) => madeOn)).toEqual([undefined, undefined]);
  });

  test('for one customer keeps no other from its turn', async () => {
    pass(RETENTION + 1);
    const { makings } = service;
    const list = makings.listBefore.bind(makings);
    makings.listBefore = (customer, day, most) =>
      customer === 'fabrikam' ? Promise.reject(new Error('away')) : list(customer, day, most);
    const customers = ['fabrikam', CUSTOMER].map((customer) => ({ customer, fieldLimit: 250, createdAt: 0 }));
    service.customers = { ...service.customers, list: () => Promise.resolve(customers) };
    await expect(expire()).rejects.toThrow('away');
    expect(await outcomes()).toEqual(['expired', 'expired']);
  });

  test('leaves what was made again since', async () => {
    pass(RETENTION + 1);
    const { makings } = service;
    const list = makings.listBefore.bind(makings);
    makings.listBefore = async (customer, day, most) => {
      const past = await list(customer, day, most);
      makings.listBefore = list;
      service.imagery.files.clear();
      await remake();
      return past;
    };
    await expire();
    expect(await outcomes()).toEqual(['done', 'done']);
    expect(images()).toEqual(DAYS.map((day) => layer(day)));
    expect(linked()).toEqual([...DAYS]);
    expect(listed()).toEqual([...DAYS]);
  });

  test('stands against who worked on the day meanwhile', async () => {
    const [before] = await recorded();
    pass(RETENTION + 1);
    await expire();
    await service.fieldDates.merge(CUSTOMER, [{ ...before!, madeOn: today() }], settled);
    expect((await recorded())[0]).toMatchObject({ outcome: 'expired' });
  });

  test('leaves the records of days without files', async () => {
    await service.fieldDates.merge(
      CUSTOMER,
      [{ ...(await recorded())[0]!, date: addDays(DAYS[0], 1), layers: [], outcome: 'cloud' }],
      (found) => {
        const { madeOn: _madeOn, ...rest } = found;
        return rest;
      },
    );
    pass(RETENTION + 1);
    await expire();
    expect(await outcomes()).toEqual(['expired', 'cloud', 'expired']);
  });
});

test('Each customer has its turn in one night of seven, as many in each', async () => {
  const customers = Array.from({ length: 70 }, (_, index) => ({ customer: `c-${index}`, fieldLimit: 1, createdAt: 0 }));
  const nights: string[][] = [];
  for (let night = 0; night < 7; night += 1) {
    const asked: string[] = [];
    const service = new ImageryUnderTest(new Date(Date.UTC(2026, 5, 1 + night)).toISOString());
    const makings = {
      listBefore: (customer: string) => Promise.resolve((asked.push(customer), [])),
      remove: () => Promise.resolve(),
    };
    await expireImagery({ ...service.ports, customers: { list: () => Promise.resolve(customers) }, makings }, 1_100)();
    nights.push(asked);
  }
  expect(nights.flat().sort()).toEqual(customers.map(({ customer }) => customer).sort());
  for (const asked of nights) expect(asked.length).toBeGreaterThan(2);
});
