import { beforeEach, describe, expect, test } from '@jest/globals';
import { indexEnrollment } from '../../../shared/imagery/interest/indexEnrollment.js';
import { openUnitOf, unitRow } from '../../../shared/imagery/units/unitRows.js';
import { askedAnew, asksMore, openedUnit, type OpenUnit } from '../../../shared/imagery/units/unitWork.js';
import type { Scene } from '../../../shared/imagery/catalogue/scene.js';
import { utmProjection } from '../../../shared/raster/utm.js';
import { boxPolygon, aScene, TILE_BOX } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';
import { clearFields, type Paint } from '../paintedReader.js';
import { UnitsUnderTest } from './unitsUnderTest.js';

let service: UnitsUnderTest;
beforeEach(async () => {
  service = new UnitsUnderTest('2026-06-17T18:00:00Z');
  await enrol('west', 12.6);
  await enrol('east', 13.5);
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

describe('a product', () => {
  test('opens a unit for each cell with something that somebody monitors, and counts as fanned out', async () => {
    await service.fanOut(await service.publish(aScene()));
    expect(service.openUnits).toHaveLength(2);
    expect(service.unitQueue.messages).toHaveLength(2);
    expect(products()).toMatchObject([{ fanOut: 'done', units: 2 }]);
  });

  test('opens nothing where it shows nothing, nor on days that nobody monitors', async () => {
    await service.fanOut(await service.publish(aScene({ footprint: half('west') })));
    expect(service.openUnits).toHaveLength(1);
    const early = aScene({
      id: 'early',
      takenAt: '2026-06-07T10:05:59.000Z',
      datatake: 'GS2B_20260607T100559_042900',
      datastripStart: '20260607T100612',
    });
    await service.fanOut(await service.publish(early));
    expect(service.openUnits).toHaveLength(1);
    expect(products().find(({ day }) => day === '2026-06-07')).toMatchObject({ fanOut: 'done', units: 0 });
  });

  test('whose fan-out dies at any write is fanned out by the next message: every unit once', async () => {
    const key = await service.publish(aScene());
    const write = service.units.write.bind(service.units);
    const enqueue = service.unitQueue.enqueue.bind(service.unitQueue);
    const put = service.scenes.put.bind(service.scenes);
    const dies = () => Promise.reject(new Error('killed'));
    const deaths: readonly (() => void)[] = [
      () => (service.units.write = dies),
      () => (service.unitQueue.enqueue = dies),
      () => (service.scenes.put = dies),
    ];
    for (const arm of deaths) {
      arm();
      await expect(service.fanOut(key)).rejects.toThrow('killed');
      Object.assign(service.units, { write });
      Object.assign(service.unitQueue, { enqueue });
      Object.assign(service.scenes, { put });
    }
    await service.fanOut(key);
    expect(service.openUnits).toHaveLength(2);
    service.clock.jump(3 * 60_000);
    await service.sweepUnits();
    await service.doUnits();
    expect((await service.fieldDates.list('west', 'f')).length).toBe(1);
    expect((await service.fieldDates.list('east', 'f')).length).toBe(1);
    await service.fanOut(key);
    expect(service.openUnits).toEqual([]);
  });

  test('that completes another of its day opens again what it shows, on the version of both', async () => {
    await service.fanOut(await service.publish(aScene({ footprint: half('west') })));
    await service.doUnits();
    const second = aScene({ id: 'second', datastripStart: '20260617T100659', footprint: half('east') });
    await service.fanOut(await service.publish(second));
    expect(service.openUnits.map(({ cell }) => cell)).toHaveLength(1);
    await service.doUnits();
    expect((await service.fieldDates.list('east', 'f'))[0]?.scenes).toEqual(['second']);
    expect((await service.fieldDates.list('west', 'f'))[0]?.scenes).toEqual([aScene().id]);
  });

  test('in the second collection opens nothing', async () => {
    await service.fanOut(await service.publish(aScene()));
    await service.doUnits();
    await service.fanOut(await service.publish(aScene({ id: 'echo', collection: 'sentinel-2-c1-l2a' })));
    expect(service.openUnits).toEqual([]);
    expect(service.unitQueue.messages).toEqual([]);
  });

  test('that was published again while its units wait begins them anew', async () => {
    await service.fanOut(await service.publish(aScene()));
    for (const open of service.openUnits) {
      const { unit, etag } = (await service.units.find(open))!;
      await service.units.replace({ ...unit, waits: 9, notBefore: Date.parse('2999-01-01') }, etag);
    }
    await service.fanOut(await service.publish(aScene({ baseline: '05.12' })));
    expect(service.openUnits).toMatchObject([{ waits: 0 }, { waits: 0 }]);
    service.unitQueue.messages.splice(0, 2);
    expect(await service.doUnits()).toBe(2);
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
    await other.plan('west');
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
    expect(service.openUnits).toEqual([]);
  });

  test('is none of a scene that was taken minutes away from it: one day is opened', async () => {
    await service.fanOut(await service.publish(after({ takenAt: '2026-06-17T00:01:30.000Z' })));
    expect(new Set(service.openUnits.map(({ date }) => date))).toEqual(new Set(['2026-06-17']));
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

  /** Plans, with the index written in another way. */
  async function planWith(write: typeof service.interest.write): Promise<void> {
    const own = service.interest.write.bind(service.interest);
    service.interest.write = write;
    await service.plan('new');
    service.interest.write = own;
  }

  const index = async (): Promise<void> => {
    const { enrollment } = (await service.enrollments.find(newcomer))!;
    await indexEnrollment(service)(enrollment, await service.fields.listFields(newcomer));
  };

  const plan = async (): Promise<void> => {
    await service.plan('new');
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
      await service.enrollments.stop(stored, { ...stored.enrollment, stoppedAt: 1 });
      await write(interests);
    });
    expect(service.interest.entries).toHaveLength(0);
    expect(await service.drain()).toEqual([]);
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
  const ask = (from: string, to: string, version: string): OpenUnit =>
    openedUnit(
      { cell: 7, part: '0', from, to },
      { tile: '33UUP', date: '2026-06-17', version, lane: 'live', publishedAt: 0 },
      0,
    );

  test.each(['', 'held'])('keeps the fields of both, whoever cuts otherwise (claim "%s")', (claim) => {
    const unit = { ...ask('a', 'd', 'v1'), claim };
    expect(askedAnew(unit, ask('a', 'c', 'v2'))).toMatchObject({ from: 'a', to: 'd', version: 'v2' });
    expect(askedAnew(unit, ask('b', 'f', 'v2'))).toMatchObject({ from: 'a', to: 'f', version: 'v2' });
  });

  test.each([
    { why: 'of before', listedAt: 40_000, isMore: false },
    { why: 'listed at almost the same time, for clocks differ', listedAt: 95_000, isMore: true },
    { why: 'listed after it', listedAt: 160_000, isMore: true },
    { why: 'whose row does not tell when', listedAt: 0, isMore: true },
  ])('is asked for another version by an ask $why: $isMore', ({ listedAt, isMore }) => {
    const unit = { ...ask('a', 'd', 'v2'), listedAt: 100_000 };
    expect(asksMore({ ...ask('b', 'c', 'v1'), listedAt }, unit)).toBe(isMore);
    expect(asksMore({ ...ask('a', 'd', 'v2'), listedAt }, unit)).toBe(false);
  });

  test('tells nothing of its listing in a row of before', () => {
    const { listedAt, ...row } = unitRow({ ...ask('a', 'd', 'v1'), listedAt: 5_000 }, 'r');
    const key = 'W|33UUP|2026-06-17|07|0';
    expect(openUnitOf(key, { ...row, listedAt: listedAt! }).listedAt).toBe(5_000);
    expect(openUnitOf(key, row).listedAt).toBe(0);
  });
});
