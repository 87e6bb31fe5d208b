import { beforeEach, describe, expect, test } from '@jest/globals';
import { indexEnrollment } from '../../../shared/imagery/interest/indexEnrollment.js';
import { planOf } from '../../../shared/imagery/discovery/backfill.js';
import { workOfProduct, type ProductKey } from '../../../shared/imagery/products/product.js';
import { productKind } from '../../../shared/imagery/units/fanOut.js';
import { bothAsks, orderOf, type Unit } from '../../../shared/imagery/units/unit.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { asInvocation } from '../../../shared/kit/telemetry/trace.js';
import { traceFrom } from '../../../shared/kit/telemetry/traceContext.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { boxPolygon, aScene, TILE_BOX } from '../builders.js';
import { ImageryUnderTest, LEASE_MS } from '../imageryUnderTest.js';
import { clearFields, type Paint } from '../paintedReader.js';
import { settle } from '../../support/manualClock.js';
import { UnitsUnderTest } from './unitsUnderTest.js';

let service: UnitsUnderTest;
beforeEach(async () => {
  service = new UnitsUnderTest('2026-06-17T18:00:00Z');
  await enrol('west', 12.6);
  await enrol('east', 13.5);
  // What the catalogue has shown so far is nothing: no work is left.
  await service.drain();
});

const enrol = (customer: string, west: number): Promise<void> =>
  service.enrol({
    customer,
    enrollmentId: 'e1',
    fields: [{ fieldId: 'f', box: [west, 48.29, west + 0.004, 48.292] }],
    request: { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'] },
  });

const half = (side: 'west' | 'east') => {
  const [west, south, east, north] = TILE_BOX;
  const middle = (west + east) / 2;
  return boxPolygon(side === 'west' ? [west, south, middle, north] : [middle, south, east, north]);
};

const products = () => [...service.scenes.products];
/** How many units each fan-out asked for that came to its end. */
const fannedOut = () =>
  service.log.flatMap(({ event, facts }) => (event === 'Scene:FannedOut' ? [facts['units']] : []));
const messages = () => service.kernel.messages.sent;

describe('a product', () => {
  test('opens a unit for each cell with something that somebody monitors, and counts as fanned out', async () => {
    await service.fanOut(await service.publish(aScene()));
    expect(await service.openUnits()).toHaveLength(2);
    expect(messages()).toHaveLength(2);
    expect(products()).toMatchObject([{ fanOut: 'done' }]);
    expect(fannedOut()).toEqual([2]);
  });

  test('leaves each unit the trace in which it was asked for', async () => {
    const key = await service.publish(aScene());
    const trace = traceFrom(undefined);
    await asInvocation({ name: 'discoveryWork', kind: 'message', trace, write: () => undefined }, () =>
      service.fanOut(key),
    );
    expect((await service.openUnits()).map(({ origins }) => origins)).toEqual([
      [trace.traceparent],
      [trace.traceparent],
    ]);
  });

  test('opens nothing where it shows nothing, nor on days that nobody monitors', async () => {
    await service.fanOut(await service.publish(aScene({ footprint: half('west') })));
    expect(await service.openUnits()).toHaveLength(1);
    const early = aScene({
      id: 'early',
      takenAt: '2026-06-07T10:05:59.000Z',
      datatake: 'GS2B_20260607T100559_042900',
      datastripStart: '20260607T100612',
    });
    await service.fanOut(await service.publish(early));
    expect(await service.openUnits()).toHaveLength(1);
    expect(products().find(({ day }) => day === '2026-06-07')).toMatchObject({ fanOut: 'done' });
    expect(fannedOut()).toEqual([1, 0]);
  });

  test('whose fan-out dies at any write is fanned out by the next message: every unit once', async () => {
    const key = await service.publish(aScene());
    const { kernel, scenes } = service;
    const insert = kernel.rows.insert.bind(kernel.rows);
    const send = kernel.messages.send.bind(kernel.messages);
    const put = scenes.put.bind(scenes);
    // A dead process gets no answer, and says nothing.
    const dies = () => new Promise<never>(() => undefined);
    const deaths: readonly (() => void)[] = [
      () => (kernel.rows.insert = dies),
      () => (kernel.messages.send = dies),
      () => (scenes.put = dies),
    ];
    for (const arm of deaths) {
      arm();
      void service.fanOut(key);
      await settle();
      Object.assign(kernel.rows, { insert });
      Object.assign(kernel.messages, { send });
      Object.assign(scenes, { put });
    }
    expect(products()).toMatchObject([{ fanOut: 'open' }]);
    await service.fanOut(key);
    expect(fannedOut()).toEqual([2]);
    expect(await service.openUnits()).toHaveLength(2);
    service.clock.jump(3 * 60_000);
    await service.sweepUnits();
    await service.doUnits();
    expect((await service.fieldDates.list('west', 'f')).length).toBe(1);
    expect((await service.fieldDates.list('east', 'f')).length).toBe(1);
    await service.fanOut(key);
    expect(await service.openUnits()).toEqual([]);
  });

  test('that completes another of its day opens again what it shows', async () => {
    await service.fanOut(await service.publish(aScene({ footprint: half('west') })));
    await service.doUnits();
    const second = aScene({ id: 'second', datastripStart: '20260617T100659', footprint: half('east') });
    await service.fanOut(await service.publish(second));
    expect(await service.openUnits()).toHaveLength(1);
    await service.doUnits();
    expect((await service.fieldDates.list('east', 'f'))[0]?.scenes).toEqual(['second']);
    expect((await service.fieldDates.list('west', 'f'))[0]?.scenes).toEqual([aScene().id]);
  });

  test('in the second collection opens nothing', async () => {
    await service.fanOut(await service.publish(aScene()));
    await service.doUnits();
    await service.fanOut(await service.publish(aScene({ id: 'echo', collection: 'sentinel-2-c1-l2a' })));
    expect(await service.openUnits()).toEqual([]);
    expect(messages()).toEqual([]);
  });

  test('that was published again while its units wait begins them anew', async () => {
    await service.fanOut(await service.publish(aScene()));
    for (const open of await service.openUnits()) {
      const { item, etag } = (await service.kernel.store.find(open))!;
      await service.kernel.store.update({ etag }, { ...item, notBefore: Date.parse('2999-01-01') });
    }
    messages().splice(0, 2);
    await service.fanOut(await service.publish(aScene({ baseline: '05.12' })));
    expect(await service.openUnits()).toMatchObject([
      { asks: 2, notBefore: 0 },
      { asks: 2, notBefore: 0 },
    ]);
    expect(await service.doUnits()).toBe(2);
    expect(await service.openUnits()).toEqual([]);
  });

  test('that comes while a unit of its day is at work is shown by that attempt, before the unit ends', async () => {
    await service.fanOut(await service.publish(aScene({ footprint: half('west') })));
    const read = service.notes.read.bind(service.notes);
    service.notes.read = async (...slice) => {
      service.notes.read = read;
      const better = aScene({ footprint: half('west'), id: 'better', baseline: '05.12' });
      await service.fanOut(await service.publish(better));
      return read(...slice);
    };
    // The message of the unit alone: whoever holds it needs none.
    expect(await service.doUnits()).toBe(1);
    expect((await service.fieldDates.list('west', 'f'))[0]?.scenes).toEqual(['better']);
    expect(await service.openUnits()).toEqual([]);
  });
});

describe('the work of a product', () => {
  const handle = async (key: ProductKey): Promise<void> => {
    const kind = productKind(service.unitPorts, LEASE_MS);
    await service.kernel.handle(workOfProduct(key), kind);
  };

  test('is its fan-out, and is gone when that is done', async () => {
    const key = await service.publish(aScene());
    await service.kernel.enqueuer.ask(workOfProduct(key));
    await handle(key);
    expect(fannedOut()).toEqual([2]);
    expect(await service.kernel.find(workOfProduct(key))).toBeUndefined();
  });

  test('that fails is tried again for hours, and then left to the night: the product stays open', async () => {
    const key = await service.publish(aScene());
    await service.kernel.enqueuer.ask(workOfProduct(key));
    service.scenes.put = () => Promise.reject(new Error('broken'));
    const HOUR = 3_600_000;
    for (let attempt = 1; attempt <= 29; attempt += 1) {
      await handle(key);
      expect(await service.kernel.find(workOfProduct(key))).toMatchObject({ attempts: attempt });
      service.clock.jump(HOUR);
    }
    await handle(key);
    expect(await service.kernel.find(workOfProduct(key))).toBeUndefined();
    expect(service.log.filter(({ event }) => event === 'Scene:NotFannedOut')).toMatchObject([
      { facts: { ...key, cause: 'broken' } },
    ]);
    expect(products()).toMatchObject([{ fanOut: 'open' }]);
  });
});

describe('an overpass at midnight', () => {
  const [west, south, east, north] = TILE_BOX;
  const strip = { datatake: 'GS2B_20260616T234500_043001' };
  /** The tile in two granules, whose cut goes through the field of `crossed`. */
  const before = (more: Partial<Scene> = {}): Scene =>
    aScene({
      ...{ ...strip, id: 'before', takenAt: '2026-06-16T23:59:57.000Z', datastripStart: '20260616T234600' },
      ...{ footprint: boxPolygon([west, 48.291, east, north]), ...more },
    });
  const after = (more: Partial<Scene> = {}): Scene =>
    aScene({
      ...{ ...strip, id: 'after', takenAt: '2026-06-17T00:00:04.000Z', datastripStart: '20260616T235950' },
      ...{ footprint: boxPolygon([west, south, east, 48.291]), ...more },
    });
  const recorded = async (customer: string, of: ImageryUnderTest = service) =>
    (await of.fieldDates.list(customer, 'f')).map(({ date, scenes, basis }) => ({ date, scenes, basis }));

  const [, cutY] = utmProjection(32633).toMap([12.602, 48.291]);
  const halves: Paint = (scene, file, place) =>
    place[1] >= cutY === (scene.id === 'before') ? clearFields(scene, file, place) : 0;
  beforeEach(() => {
    service.reader.paint = halves;
  });

  /** What a search of the same field finds. */
  async function searched(scenes: readonly Scene[]) {
    const other = new ImageryUnderTest('2026-06-17T18:00:00Z');
    other.reader.paint = halves;
    for (const scene of scenes) other.catalogue.add(scene);
    await other.enrol({
      customer: 'west',
      enrollmentId: 'e1',
      fields: [{ fieldId: 'f', box: [12.6, 48.29, 12.604, 48.292] }],
      request: { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'] },
    });
    await other.drain();
    return recorded('west', other);
  }

  test.each([
    { day: '2026-06-16', scenes: [before({ nodataPercent: 10 }), after({ nodataPercent: 60 })] },
    { day: '2026-06-17', scenes: [before({ nodataPercent: 60 }), after({ nodataPercent: 10 })] },
  ])(
    'counts for the day of the better scene, here $day, and shows both, as a search has it',
    async ({ day, scenes }) => {
      for (const scene of scenes) await service.publish(scene);
      for (const { tile, scene } of products()) await service.fanOut({ tile, scene });
      await service.doUnits();
      expect(await recorded('west')).toMatchObject([
        { date: day, scenes: expect.arrayContaining(['before', 'after']) as unknown },
      ]);
      expect(await recorded('west')).toEqual(await searched(scenes));
    },
  );

  test('is completed on the day before by the scene that comes after midnight', async () => {
    await service.fanOut(await service.publish(before({ nodataPercent: 10 })));
    await service.doUnits();
    expect(await recorded('west')).toMatchObject([{ scenes: ['before'] }]);
    await service.fanOut(await service.publish(after({ nodataPercent: 60 })));
    await service.doUnits();
    expect(await recorded('west')).toMatchObject([{ date: '2026-06-16', scenes: ['before', 'after'] }]);
    expect(await service.openUnits()).toEqual([]);
  });

  test('is none of a scene that was taken minutes away from it: one day is opened', async () => {
    await service.fanOut(await service.publish(after({ takenAt: '2026-06-17T00:01:30.000Z' })));
    expect(new Set((await service.openUnits()).map(({ date }) => date))).toEqual(new Set(['2026-06-17']));
  });
});

describe('a customer who enrols while a scene comes', () => {
  const newcomer = {
    customer: 'new',
    enrollmentId: 'e1',
    fields: [{ fieldId: 'f', box: [12.6, 48.29, 12.604, 48.292] as const }],
    request: { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'] as const },
  };

  /** The catalogue shows the scene, to searches and to the feed, and all units are done. */
  async function comes(): Promise<void> {
    service.catalogue.add(aScene());
    await service.fanOut(await service.publish(aScene()));
    await service.doUnits();
  }

  const search = async (): Promise<void> => {
    await service.drain();
  };

  const plan = (): Promise<void> => service.run(planOf(newcomer));

  /** Plans, with the index written in another way. */
  async function planWith(write: typeof service.interest.write): Promise<void> {
    const own = service.interest.write.bind(service.interest);
    service.interest.write = write;
    await plan();
    service.interest.write = own;
  }

  const index = async (): Promise<void> => {
    const { enrollment } = (await service.enrollments.find(newcomer))!;
    await indexEnrollment(service)(enrollment, await service.fields.listFields(newcomer));
  };

  /** A beginning of these steps, the scene coming before one of them. @returns the images of the day */
  async function imagesOf(steps: readonly (() => Promise<void>)[], comesBefore: number): Promise<number> {
    await service.enrol(newcomer);
    await service.interest.remove(service.interest.entries.filter(({ customer }) => customer === 'new'));
    for (const [at, step] of steps.entries()) {
      if (at === comesBefore) await comes();
      await step();
    }
    if (comesBefore === steps.length) await comes();
    return service.all('new').files.length;
  }

  test.each([0, 1, 2])('has its images, planned and then searched for: the scene at moment %i', async (at) => {
    expect(await imagesOf([plan, search], at)).toBe(1);
  });

  test('has its images when the scene comes while the index is written', async () => {
    await service.enrol(newcomer);
    await service.interest.remove(service.interest.entries);
    const write = service.interest.write.bind(service.interest);
    await planWith(async (interests) => {
      await comes();
      await write(interests);
    });
    await search();
    expect(service.all('new').files).toHaveLength(1);
  });

  test('is not in the index when it is stopped while it enters', async () => {
    await service.enrol(newcomer);
    await service.interest.remove(service.interest.entries);
    const write = service.interest.write.bind(service.interest);
    await planWith(async (interests) => {
      const stored = (await service.enrollments.find(newcomer))!;
      await service.enrollments.replace(stored, { ...stored.enrollment, stoppedAt: 1 });
      await write(interests);
    });
    expect(service.interest.entries).toHaveLength(0);
    expect(await service.backfills()).toEqual([]);
  });

  test('would miss a scene that comes in between if it were searched for first', async () => {
    const planOnly = (): Promise<void> => planWith(() => Promise.resolve());
    const planAndSearch = async (): Promise<void> => {
      await planOnly();
      await search();
    };
    expect(await imagesOf([planAndSearch, index], 1)).toBe(0);
  });
});

describe('a unit that is asked for by two products of a day', () => {
  const unit: Unit = {
    ...{ tile: '33UUP', date: '2026-06-17', cell: 7, part: '0' },
    ...{ from: 'b', to: 'd', lane: 'late', publishedAt: 5 },
  };
  const both = (more: Partial<Unit>) => bothAsks({ ...unit, ...more }, orderOf(unit).facts!);

  test.each([
    { why: 'the same', more: {}, expected: {} },
    { why: 'fewer fields', more: { from: 'c', to: 'c' }, expected: {} },
    { why: 'fields before', more: { from: 'a', to: 'c' }, expected: { from: 'a' } },
    { why: 'fields behind', more: { from: 'c', to: 'f' }, expected: { to: 'f' } },
    { why: 'a new scene', more: { lane: 'live', publishedAt: 9 } as const, expected: { lane: 'live', publishedAt: 9 } },
    { why: 'an older scene', more: { publishedAt: 1 }, expected: {} },
  ])('keeps the fields of both, whoever cuts otherwise, and goes with what is new: $why', ({ more, expected }) => {
    const { from, to, lane, publishedAt } = unit;
    expect(both(more)).toEqual({ from, to, lane, publishedAt, ...expected });
  });

  test('stays live when a scene that comes late asks for it too', () => {
    expect(bothAsks(unit, { ...orderOf(unit).facts, lane: 'live' })).toMatchObject({ lane: 'live' });
  });
});
