import { beforeEach, describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { orderOf } from '../../../shared/imagery/units/unit.js';
import { listUnitAttempts } from '../../../shared/imagery/units/unitAttempts.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { aScene } from '../builders.js';
import { LEASE_MS, type ToEnrol } from '../imageryUnderTest.js';
import { UnitsUnderTest } from './unitsUnderTest.js';

const DAY = '2026-06-17';
const MINUTE = 60_000;
const at = (step: number) => [13.14 + step * 0.004, 48.29, 13.1436 + step * 0.004, 48.2925] as const;

let service: UnitsUnderTest;
beforeEach(() => {
  service = new UnitsUnderTest('2026-06-17T18:00:00Z');
});

/** Enrols fields; the days before were looked through, and nothing is open. */
async function enrol(customer: string, count: number, more: Partial<ToEnrol> = {}): Promise<void> {
  await service.enrol({
    customer,
    enrollmentId: 'e1',
    fields: Array.from({ length: count }, (_, index) => ({ fieldId: `f${index}`, box: at(index) })),
    ...more,
    request: { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'], ...more.request },
  });
  await service.drain();
}

/** A scene comes: it is fanned out, and all work that is due is done. */
async function see(scene: Scene = aScene()): Promise<void> {
  await service.fanOut(await service.publish(scene));
  await service.doUnits();
}

const aBetterScene = (): Scene => aScene({ id: 'better', baseline: '05.12', generatedAt: '2026-06-17T16:00:00Z' });

/** Of another datastrip, which begins where the first one ends. */
const aSecondHalf = (): Scene =>
  aScene({ id: 'second', datastripStart: '20260617T100659', generatedAt: '2026-06-17T15:00:00Z' });

/** What a stop leaves of an enrollment: nothing in the index. */
const stop = async (customer: string): Promise<void> => {
  const entries = await service.interest.listTile('33UUP');
  await service.interest.remove(entries.filter((entry) => entry.customer === customer));
};

const outcomesOf = async (customer: string, fieldId = 'f0'): Promise<readonly string[]> =>
  (await service.fieldDates.list(customer, fieldId)).map(({ date, outcome }) => `${date} ${outcome}`);

/** The scenes that the day of a customer's first field is made of. */
const scenesOf = async (customer: string) => (await service.fieldDates.list(customer, 'f0'))[0]?.scenes;

/** Every line of an event, as what it tells. */
const told = (event: string) => service.log.filter((line) => line.event === event).map(({ facts }) => facts);

/** Has something done once, in the middle of the next attempt. */
function meanwhile(action: () => Promise<void>): void {
  const list = service.fieldDates.list.bind(service.fieldDates);
  service.fieldDates.list = async (...query) => {
    service.fieldDates.list = list;
    await action();
    return list(...query);
  };
}

/** A bug that what is recorded of a customer brings about, as often as told. */
function faultOf(customer: string, times = Infinity): { readonly isMended: () => void } {
  const list = service.fieldDates.list.bind(service.fieldDates);
  let left = times;
  service.fieldDates.list = (owner, ...more) =>
    owner === customer && (left -= 1) >= 0 ? Promise.reject(new Error('a bug')) : list(owner, ...more);
  return { isMended: () => (service.fieldDates.list = list) };
}

/** Does everything that is due, from one attempt at the only unit to the next. @returns minutes between them */
async function pausesToTheEnd(most = Infinity): Promise<readonly number[]> {
  const pauses: number[] = [];
  for (let [unit] = await service.openUnits(); unit !== undefined; [unit] = await service.openUnits()) {
    if (pauses.length === most) break;
    const pause = unit.notBefore - service.clock.now().getTime();
    pauses.push(pause / MINUTE);
    service.clock.jump(pause);
    await service.sweepUnits();
    await service.doUnits();
  }
  return pauses;
}

/** How often a process has ended, and who hears of it. */
interface Deaths {
  deaths: number;
  onDeath: () => void;
}

/** The files of some customers end the process, as far as the rest of the service can tell: nobody hears of them again. */
function deadlyFilesOf(...customers: readonly string[]): Deaths {
  const putLayer = service.imagery.putLayer.bind(service.imagery);
  const seen = { deaths: 0, onDeath: () => undefined };
  service.imagery.putLayer = (place, ...file) => {
    if (!customers.includes(place.customer)) return putLayer(place, ...file);
    seen.deaths += 1;
    seen.onDeath();
    return new Promise(() => undefined);
  };
  return seen;
}

/** The process of every attempt under way ends, its lease too, and the sweep sends the message again. */
async function die(): Promise<void> {
  service.clock.jump(2 * MINUTE);
  await service.sweepUnits();
}

/** Begins what is due: each attempt goes on to its end or to the death of its process. */
async function begin(seen: Deaths): Promise<void> {
  for (let key = await service.takeUnit(); key !== undefined; key = await service.takeUnit()) {
    const died = new Promise<void>((resolve) => (seen.onDeath = resolve));
    await Promise.race([service.runUnit(key), died]);
  }
}

describe('a unit', () => {
  test('that was opened in time is done, though nothing new would be made any more', async () => {
    await enrol('a', 1, { request: { startDate: '2026-06-10', endDate: '2026-06-17', layers: ['ndvi'] } });
    await service.fanOut(await service.publish(aScene()));
    service.clock.jump(14 * 24 * 60 * MINUTE);
    await service.doUnits();
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
  });

  test('writes nothing at all for a customer who has left while others were served', async () => {
    await enrol('a', 2);
    await enrol('b', 1);
    const putLayer = service.imagery.putLayer.bind(service.imagery);
    service.imagery.putLayer = async (place, ...file) => {
      await stop('a');
      return putLayer(place, ...file);
    };
    await see();
    expect(await outcomesOf('b')).toEqual([`${DAY} done`]);
    expect(service.all('a')).toEqual(service.all('nobody'));
    expect([...service.notes.notes.keys()].filter((key) => key.startsWith('a'))).toEqual([]);
  });

  test('makes the files of all customers in its cell, each customer by itself', async () => {
    await enrol('a', 2);
    await enrol('b', 1);
    await see();
    expect(await outcomesOf('a', 'f1')).toEqual([`${DAY} done`]);
    expect(await outcomesOf('b')).toEqual([`${DAY} done`]);
    expect(service.paths()).toContain(`b/field-imagery/sentinel-2/f0/${DAY}/ndvi.tiff`);
    expect(await service.openUnits()).toEqual([]);
    expect(told('Unit:Rendered')).toMatchObject([{ customers: 2, fields: 3 }]);
  });

  test('leaves alone whose period has not the day, or who stopped', async () => {
    await enrol('early', 1, { request: { endDate: '2026-06-16' } });
    await enrol('stopped', 1);
    await service.fanOut(await service.publish(aScene()));
    await stop('stopped');
    await service.doUnits();
    expect(service.paths()).toEqual([]);
  });

  test('makes nothing more for who stops while it is at work', async () => {
    await enrol('a', 1);
    await enrol('stopped', 2);
    const putIndex = service.imagery.putIndex.bind(service.imagery);
    service.imagery.putIndex = async (field, ...more) => {
      await stop('stopped');
      return putIndex(field, ...more);
    };
    await see();
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
    expect(service.paths().filter((path) => path.startsWith('stopped/'))).toEqual([]);
  });

  test('makes the layers that all enrollments of a customer want together', async () => {
    await enrol('a', 1);
    await enrol('a', 1, { enrollmentId: 'e2', request: { layers: ['true-color'] } });
    await see();
    const [record] = await service.fieldDates.list('a', 'f0');
    expect(record?.layers).toEqual(['ndvi', 'true-color']);
    expect(service.imagery.writes.filter((path) => path.endsWith('index.json'))).toHaveLength(1);
  });

  test('is told how long its customers have waited since the scene was published', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    service.clock.jump(4 * MINUTE);
    await service.doUnits();
    expect(told('Unit:Rendered')).toMatchObject([{ lane: 'live', ageSeconds: 240, customers: 1, fields: 1 }]);
  });

  test('that was done asks for nothing a second time', async () => {
    await enrol('a', 1);
    await see();
    const writes = service.imagery.writes.length;
    await see();
    expect(service.imagery.writes).toHaveLength(writes);
    expect(service.kernel.sent).toEqual([]);
    expect(await service.openUnits()).toEqual([]);
  });

  test('that was done and is asked for once more finds everything recorded', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    const [unit] = await service.openUnits();
    await service.doUnits();
    const before = service.all('a');
    const { length: writes } = service.imagery.writes;
    const { length: reads } = service.reader.reads;
    await service.kernel.enqueuer.ask(orderOf(unit!));
    expect(await service.doUnits()).toBe(1);
    expect(service.all('a')).toEqual(before);
    expect(service.reader.reads).toHaveLength(reads);
    expect(service.imagery.writes).toHaveLength(writes);
    expect(await service.openUnits()).toEqual([]);
  });

  test('draws the picture of both halves when a datastrip ends inside the tile', async () => {
    await enrol('a', 1);
    await see();
    await see(aSecondHalf());
    const [record] = await service.fieldDates.list('a', 'f0');
    const first = record?.standing;
    expect(first?.split(',')).toHaveLength(3);
  });

  test.each([
    ['while it is at work', 0],
    ['and is held on to after that', MINUTE],
  ])('goes on with a better version that comes %s', async (_when, goesOnForMs) => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    meanwhile(async () => {
      await service.fanOut(await service.publish(aBetterScene()));
      await service.clock.advance(goesOnForMs);
    });
    expect(await service.doUnits()).toBe(1);
    // The attempt that held it has done both: nobody else began one, and it ended once.
    expect(await scenesOf('a')).toEqual(['better']);
    expect(told('Unit:Rendered')).toHaveLength(1);
    expect(service.kernel.sent).toEqual([]);
    expect(await service.openUnits()).toEqual([]);
  });

  test('that is asked for with other fields while it is at work serves all of them before it ends', async () => {
    await enrol('b', 1);
    await service.fanOut(await service.publish(aScene()));
    meanwhile(async () => {
      // One before and one behind what was asked for.
      await enrol('a', 1);
      await enrol('c', 1);
      await service.fanOut(await service.publish(aSecondHalf()));
    });
    expect(await service.doUnits()).toBe(1);
    for (const customer of ['a', 'b', 'c']) expect(await outcomesOf(customer)).toEqual([`${DAY} done`]);
    expect(told('Unit:Rendered')).toMatchObject([{ customers: 3 }]);
    expect(await service.openUnits()).toEqual([]);
  });

  test('is what its row says, not its message, once something else is asked of it', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    const [message] = service.kernel.messages.sent;
    await service.fanOut(await service.publish(aBetterScene()));
    service.kernel.messages.sent.splice(0, Infinity, message!);
    await service.doUnits();
    expect(await scenesOf('a')).toEqual(['better']);
    expect(await service.openUnits()).toEqual([]);
  });

  test('is begun once, however often its message comes', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    const key = (await service.takeUnit())!;
    await Promise.all([1, 2, 3].map(() => service.runUnit(key)));
    await service.runUnit(key);
    expect(told('Scene:Rendered')).toHaveLength(1);
  });
});

describe('a slice that fails', () => {
  test('with what may pass is tried again the next day, though nothing else of its customer is open', async () => {
    await enrol('a', 1);
    service.clock.jump(120 * MINUTE);
    expect(service.kernel.rows.all()).toEqual([]);
    service.reader.faults.set(aScene().id, new RasterError('unavailable', 'the server answered 404'));
    service.catalogue.add(aScene());
    await see();
    expect(await outcomesOf('a')).toEqual([`${DAY} failed`]);
    service.reader.faults.clear();
    service.clock.jump(24 * 60 * MINUTE);
    await service.sweep();
    await service.drain();
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
  });

  test('leaves the unit open for itself alone; the customers behind it are served', async () => {
    await enrol('a', 1);
    await enrol('b', 2);
    const { isMended } = faultOf('a');
    await see();
    expect(await outcomesOf('b', 'f1')).toEqual([`${DAY} done`]);
    expect(await service.openUnits()).toMatchObject([
      { place: { state: { left: { asks: 1, keys: ['a|e1|0|0'] } } }, failure: 'an error of the service' },
    ]);
    expect(told('Unit:SliceFailed')).toEqual([{ customer: 'a', cause: expect.stringContaining('a bug') }]);
    isMended();
    const looks = service.reader.reads.length;
    service.clock.jump(MINUTE);
    await service.doUnits();
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
    expect(await service.openUnits()).toEqual([]);
    // Classification, red and near infrared of one slice: that of B is not looked through again.
    expect(service.reader.reads.slice(looks).map(({ windows }) => windows)).toEqual([1, 1, 1]);
  });

  test.each([
    ['before it is tried again', (action: () => Promise<void>) => action()],
    [
      'while it is tried again',
      (action: () => Promise<void>) => {
        meanwhile(action);
        return Promise.resolve();
      },
    ],
  ])('is one of many again once somebody asks anew %s: all slices are done anew', async (_when, asks) => {
    await enrol('a', 1);
    await enrol('b', 2);
    const { isMended } = faultOf('a');
    await see();
    isMended();
    expect(await scenesOf('b')).toEqual([aScene().id]);
    await asks(async () => service.fanOut(await service.publish(aBetterScene())));
    service.clock.jump(MINUTE);
    await service.doUnits();
    expect([await scenesOf('a'), await scenesOf('b')]).toEqual([['better'], ['better']]);
    expect(await service.openUnits()).toEqual([]);
  });

  test('five times is recorded as failed, with a reason', async () => {
    await enrol('a', 1);
    faultOf('a', 5);
    await see();
    expect(await pausesToTheEnd()).toEqual([0.25, 1, 4, 15]);
    const [record] = await service.fieldDates.list('a', 'f0');
    expect(record).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('an error of the service') });
  });

  test('four times begins its tries anew with a better version', async () => {
    await enrol('a', 1);
    faultOf('a', 5);
    await see();
    await pausesToTheEnd(3);
    expect(await service.openUnits()).toMatchObject([{ attempts: 4 }]);
    await see(aBetterScene());
    expect(await service.openUnits()).toMatchObject([{ attempts: 1, failures: { fault: { count: 1 } } }]);
    expect(await pausesToTheEnd()).toEqual([0.25]);
    expect(await scenesOf('a')).toEqual(['better']);
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
  });

  test('because its host refuses the file, twenty-nine times, begins its tries anew with a better version', async () => {
    await enrol('a', 1);
    const refusal = new RasterError('refused', 'access was refused (403)', { isTransient: true });
    for (const { id } of [aScene(), aBetterScene()]) service.reader.faults.set(id, refusal);
    await see();
    await pausesToTheEnd(28);
    expect(await service.openUnits()).toMatchObject([{ failures: { refusal: { count: 29 } } }]);
    await see(aBetterScene());
    expect(await service.openUnits()).toMatchObject([{ failures: { refusal: { count: 1 } } }]);
    service.reader.faults.clear();
    expect(await pausesToTheEnd()).toEqual([0.25]);
    expect(await scenesOf('a')).toEqual(['better']);
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
  });

  test('because its host refuses the file is tried thirty times, at last every four hours, then recorded as failed', async () => {
    await enrol('a', 1);
    service.reader.faults.set(
      aScene().id,
      new RasterError('refused', 'access was refused (403)', { isTransient: true }),
    );
    await see();
    const pauses = await pausesToTheEnd();
    expect(pauses).toEqual([0.25, 1, 4, 16, 64, ...Array<number>(24).fill(240)]);
    expect(service.reader.reads).toHaveLength(30);
    expect(await service.fieldDates.list('a', 'f0')).toMatchObject([
      { outcome: 'failed', reason: expect.stringContaining('access was refused (403)'), isToBeTriedAgain: true },
    ]);
  });

  test('because the files are away is tried every quarter of an hour for more than a day, then recorded as failed', async () => {
    await enrol('a', 1);
    service.reader.faults.set(aScene().id, new RasterError('unavailable', 'no answer', { isTransient: true }));
    await see();
    const pauses = await pausesToTheEnd();
    expect(pauses).toEqual([0.25, 1, 4, ...Array<number>(246).fill(15)]);
    // Half of each pause is random.
    expect(pauses.reduce((sum, pause) => sum + pause) / 2).toBeGreaterThan(24 * 60);
    expect(await outcomesOf('a')).toEqual([`${DAY} failed`]);
  });

  test('because the files are away waits with all the others, and that is no attempt', async () => {
    await enrol('a', 1);
    await enrol('b', 2);
    service.reader.faults.set(aScene().id, new RasterError('unavailable', 'no answer', { isTransient: true }));
    await see();
    expect(service.reader.reads).toHaveLength(1);
    const left = { asks: 1, keys: ['a|e1|0|0', 'b|e1|0|0'] };
    expect(await service.openUnits()).toMatchObject([
      { attempts: 0, failures: { outage: { count: 1 } }, place: { state: { left } } },
    ]);
    service.reader.faults.clear();
    service.clock.jump(15 * MINUTE);
    await service.doUnits();
    expect(await outcomesOf('b', 'f1')).toEqual([`${DAY} done`]);
  });

  test('three times in a row because storage is away leaves all the others untried, and that is no attempt', async () => {
    const customers = ['a', 'b', 'c', 'd', 'e'];
    for (const customer of customers) await enrol(customer, 1);
    const { fieldDates } = service;
    const list = fieldDates.list.bind(fieldDates);
    fieldDates.list = () => Promise.reject(new ServiceError(commonFaults.unavailable, 'Away.'));
    await see();
    expect(told('Unit:SliceFailed')).toHaveLength(3);
    const keys = customers.map((customer) => `${customer}|e1|0|0`);
    expect(await service.openUnits()).toMatchObject([{ attempts: 0, place: { state: { left: { asks: 1, keys } } } }]);
    fieldDates.list = list;
    service.clock.jump(MINUTE);
    await service.doUnits();
    for (const customer of customers) expect(await outcomesOf(customer)).toEqual([`${DAY} done`]);
  });

  test('of a unit that a better version came for meanwhile is given back with that, no attempt and no death', async () => {
    await enrol('a', 1);
    service.reader.faults.set(aScene().id, new RasterError('unavailable', 'no answer', { isTransient: true }));
    await see();
    meanwhile(async () => service.fanOut(await service.publish(aBetterScene())));
    service.clock.jump(15 * MINUTE);
    await service.runUnit((await service.takeUnit())!);
    const { store } = service.kernel;
    expect(await listUnitAttempts({ store, clock: service.clock, leaseMs: LEASE_MS })()).toEqual([]);
    const [unit] = await service.openUnits();
    expect(unit).toMatchObject({ asks: 2, attempts: 0, failures: { outage: { count: 2 } }, notBefore: 0 });
    // What was left was left of what was asked before.
    expect(unit?.place?.state).toEqual({ left: { asks: 1, keys: ['a|e1|0|0'] } });
    await service.doUnits();
    expect(await scenesOf('a')).toEqual(['better']);
    expect(await service.openUnits()).toEqual([]);
  });

  test('by ending the process comes last after its second death; its neighbours are served, and it ends with the sixth', async () => {
    await enrol('a', 1);
    await enrol('b', 2);
    const seen = deadlyFilesOf('a');
    await service.fanOut(await service.publish(aScene()));
    const done = [`${DAY} done`];
    // Of the first attempt nobody knows in which slice it died.
    for (const served of [[], [], done, done, done, done, done]) {
      await begin(seen);
      expect(await outcomesOf('b', 'f1')).toEqual(served);
      await die();
    }
    await begin(seen);
    expect(seen.deaths).toBe(1 + 6);
    expect(await service.fieldDates.list('a', 'f0')).toMatchObject([
      { outcome: 'failed', reason: expect.stringContaining('every attempt was cut short') },
    ]);
    expect(told('Unit:SliceGivenUp')).toMatchObject([{ customer: 'a' }]);
    expect(await service.openUnits()).toEqual([]);
  });

  test('by ending the process, of many such slices, leaves none of the others undone', async () => {
    const deadly = ['a', 'b', 'c'];
    for (const customer of deadly) await enrol(customer, 1);
    await enrol('well', 2);
    const seen = deadlyFilesOf(...deadly);
    await service.fanOut(await service.publish(aScene()));
    for (let attempt = 0; attempt < 1 + 3 * 6; attempt += 1) {
      await begin(seen);
      await die();
    }
    expect(await outcomesOf('well', 'f1')).toEqual([`${DAY} done`]);
    for (const customer of deadly) expect(await outcomesOf(customer)).toEqual([`${DAY} failed`]);
    expect(await service.openUnits()).toEqual([]);
  });
});

describe('the late lane', () => {
  test('holds what was published over an hour ago, and no live unit waits for it', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene(), '2026-06-17T10:00:00Z'));
    expect(await service.openUnits()).toMatchObject([{ lane: 'late' }]);
    expect(await service.doUnits('live')).toBe(0);
    expect(await service.doUnits('late')).toBe(1);
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
  });
});

describe('the sweep', () => {
  test('sends the message of a unit again that nobody has taken, once in two minutes', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    service.kernel.messages.sent.length = 0;
    expect(await service.sweepUnits()).toMatchObject({ sent: 0 });
    service.clock.jump(3 * MINUTE);
    expect(await service.sweepUnits()).toMatchObject({ sent: 1 });
    expect(await service.sweepUnits()).toMatchObject({ sent: 0 });
    await service.doUnits();
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
  });
});
