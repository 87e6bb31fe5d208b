import { beforeEach, describe, expect, test } from '@jest/globals';
import { runImageryCommand } from '../../../infra/local/customers/imageryCommands.js';
import type { OperatorServices } from '../../../infra/local/customers/operatorServices.js';
import { askRetry } from '../../../shared/imagery/discovery/backfill.js';
import { itemsIn } from '../../../shared/imagery/documents/itemCollection.js';
import { aScene } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

const CUSTOMER = 'contoso';
const BOX = [13.14, 48.29, 13.1436, 48.2925] as const;
const DAYS = ['2026-04-10', '2026-04-20'] as const;
const ROOT = `${CUSTOMER}/field-imagery/sentinel-2/north`;
const layer = (day: string): string => `${ROOT}/${day}/ndvi.tiff`;
const item = (day: string): string => `${ROOT}/${day}/metadata.json`;
const theScene = (date: string) => aScene({ id: `scene-${date}`, takenAt: `${date}T10:00:00.000Z`, datatake: date });

let service: ImageryUnderTest;
const enrol = (enrollmentId: string): Promise<void> =>
  service.enrol({
    customer: CUSTOMER,
    enrollmentId,
    fields: [{ fieldId: 'north', box: BOX }],
    request: { startDate: '2026-04-01', endDate: '2026-04-30', layers: ['ndvi'] },
  });
async function work(): Promise<void> {
  await service.sweep();
  await service.drain();
}
const outcomes = async () =>
  (await service.fieldDates.list(CUSTOMER, 'north')).map(({ date, outcome, layers }) => [date, outcome, layers]);
const index = () =>
  service.imagery.documents.get(`${ROOT}/index.json`)!.document as {
    readonly links: readonly { readonly rel: string; readonly title?: string }[];
  };
const linked = () =>
  index()
    .links.filter(({ rel }) => rel === 'item')
    .map(({ title }) => title);
/** Days of `items.json`. */
const listed = () => [...itemsIn(service.imagery.documents.get(`${ROOT}/items.json`)?.document).keys()];

beforeEach(async () => {
  service = new ImageryUnderTest('2026-06-20T12:00:00Z');
  for (const day of DAYS) service.catalogue.add(theScene(day));
  await enrol('e1');
  await work();
  await work();
});

const allDone = [
  [DAYS[0], 'done', ['ndvi']],
  [DAYS[1], 'done', ['ndvi']],
];

describe('files that are gone although the record says done', () => {
  test.each([
    ['the layers of a day', () => service.imagery.files.delete(layer(DAYS[0]))],
    ['the document of a day', () => service.imagery.documents.delete(item(DAYS[0]))],
    [
      'everything',
      () => {
        service.imagery.files.clear();
        service.imagery.documents.clear();
      },
    ],
  ])('are made again by the backfill of a new enrollment: %s', async (_what, lose) => {
    const whole = service.paths();
    expect(await outcomes()).toEqual(allDone);
    lose();
    await enrol('e2');
    await work();
    expect(service.paths()).toEqual(whole);
    expect(await outcomes()).toEqual(allDone);
    expect(linked()).toEqual([...DAYS]);
    expect(listed()).toEqual([...DAYS]);
  });

  test('are no longer linked when the catalogue has no scene of the day any more', async () => {
    service.imagery.files.delete(layer(DAYS[0]));
    service.catalogue.scenes.splice(0, 1);
    await enrol('e2');
    await work();
    expect(linked()).toEqual([DAYS[1]]);
    expect(listed()).toEqual([DAYS[1]]);
    expect((await service.fieldDates.list(CUSTOMER, 'north'))[0]).toMatchObject({
      outcome: 'failed',
      reason: 'Files that were made are gone; they are made again. The catalogue no longer lists the scene.',
    });
  });

  test('are not looked for by a search for something else', async () => {
    service.imagery.files.delete(layer(DAYS[0]));
    let lists = 0;
    service.imagery.listFiles = () => {
      lists += 1;
      return Promise.resolve(new Set());
    };
    const day = { customer: CUSTOMER, enrollmentId: 'e1', date: DAYS[0], dueDate: '2026-06-20' };
    await askRetry(service.kernel.enqueuer)(day);
    await service.searchAgain(CUSTOMER, 'e1', DAYS[0]);
    expect(service.catalogue.searches).toHaveLength(3);
    expect(lists).toBe(0);
  });

  test('leave those alone that are there', async () => {
    service.imagery.files.delete(layer(DAYS[0]));
    const before = service.imagery.writes.length;
    await enrol('e2');
    await work();
    expect(service.imagery.writes.slice(before).filter((path) => path.includes(DAYS[1]))).toEqual([]);
  });
});

describe('npm run imagery -- remake', () => {
  const run = (...argv: readonly string[]): Promise<unknown> => {
    const { enrollments, fields, enqueuer, clock } = service.ports;
    const customers = { find: (customer: string) => Promise.resolve(customer === CUSTOMER ? {} : undefined) };
    const services = { enrollments, fields, enqueuer, clock, customers };
    return runImageryCommand(argv, () => services as unknown as OperatorServices);
  };

  test('makes again what is gone', async () => {
    const whole = service.paths();
    service.imagery.files.clear();
    expect(await run('remake', CUSTOMER)).toMatchObject({ customer: CUSTOMER, searches: 1 });
    await work();
    expect(service.paths()).toEqual(whole);
    expect(await outcomes()).toEqual(allDone);
  });

  test('of the days that are named, and of no others', async () => {
    service.imagery.files.clear();
    await run('remake', CUSTOMER, '--field', 'north', '--from', '2026-04-15', '--to', '2026-05-31');
    await work();
    expect([...service.imagery.files.keys()]).toEqual([layer(DAYS[1])]);
  });

  test.each([
    ['a customer that is none', ['remake', 'nobody'], /no customer nobody/],
    ['a field that is none', ['remake', CUSTOMER, '--field', 'south'], /No enrollment/],
    ['days before the enrollment', ['remake', CUSTOMER, '--to', '2026-03-31'], /No enrollment/],
    ['a day that is none', ['remake', CUSTOMER, '--from', '2026-02-30'], /2026-02-30 is no day/],
    ['another command', ['make', CUSTOMER], /remake <customer>/],
    ['no customer', ['remake'], /remake <customer>/],
    ['an option that is none', ['remake', CUSTOMER, '--all'], /remake <customer>/],
  ])('refuses %s', async (_what, argv, text) => {
    await expect(run(...argv)).rejects.toThrow(text);
    expect(await service.backfills()).toEqual([]);
  });
});
