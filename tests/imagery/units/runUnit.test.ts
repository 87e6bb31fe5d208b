import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Scene } from '../../../shared/imagery/catalogue/scene.js';
import { forgetUnits } from '../../../shared/imagery/units/sweepUnits.js';
import { listUnitAttempts } from '../../../shared/imagery/units/unitAttempts.js';
import { textOfUnit } from '../../../shared/imagery/units/unitWork.js';
import { RasterError } from '../../../shared/raster/rasterError.js';
import { aScene } from '../builders.js';
import type { ToEnrol } from '../imageryUnderTest.js';
import { UnitsUnderTest } from './unitsUnderTest.js';

const DAY = '2026-06-17';
const MINUTE = 60_000;
const at = (step: number) => [13.14 + step * 0.004, 48.29, 13.1436 + step * 0.004, 48.2925] as const;

let service: UnitsUnderTest;
beforeEach(() => {
  service = new UnitsUnderTest('2026-06-17T18:00:00Z');
});

const enrol = (customer: string, count: number, more: Partial<ToEnrol> = {}): Promise<void> =>
  service.enrol({
    customer,
    enrollmentId: 'e1',
    fields: Array.from({ length: count }, (_, index) => ({ fieldId: `f${index}`, box: at(index) })),
    ...more,
    request: { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'], ...more.request },
  });

/** A scene comes: it is fanned out, and all work that is due is done. */
async function see(scene: Scene = aScene()): Promise<void> {
  await service.fanOut(await service.publish(scene));
  await service.doUnits();
}

const aBetterScene = (): Scene => aScene({ id: 'better', baseline: '05.12', generatedAt: '2026-06-17T16:00:00Z' });

/** What a stop leaves of an enrollment: nothing in the index. */
const stop = async (customer: string): Promise<void> => {
  const entries = await service.interest.listTile('33UUP');
  await service.interest.remove(entries.filter((entry) => entry.customer === customer));
};

const outcomesOf = async (customer: string, fieldId = 'f0'): Promise<readonly string[]> =>
  (await service.fieldDates.list(customer, fieldId)).map(({ date, outcome }) => `${date} ${outcome}`);

/** How often a process has ended, and who hears of it. */
interface Deaths {
  deaths: number;
  onDeath: () => void;
}

/** The files of a customer end the process, as far as the rest of the service can tell: nobody hears of them again. */
function deadlyFilesOf(customer: string): Deaths {
  const putLayer = service.imagery.putLayer.bind(service.imagery);
  const seen = { deaths: 0, onDeath: () => undefined };
  service.imagery.putLayer = (place, ...file) => {
    if (place.customer !== customer) return putLayer(place, ...file);
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
  for (let key = service.unitQueue.take(); key !== undefined; key = service.unitQueue.take()) {
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
    expect(service.openUnits).toEqual([]);
    expect(service.units.done).toMatchObject([{ customers: 2, fields: 3 }]);
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
    const line = service.log.find(({ event }) => event === 'Unit:Rendered');
    expect(line?.facts).toMatchObject({ lane: 'live', ageSeconds: 240, customers: 1, fields: 1 });
  });

  test('that was done asks for nothing a second time', async () => {
    await enrol('a', 1);
    await see();
    const writes = service.imagery.writes.length;
    await see();
    expect(service.imagery.writes).toHaveLength(writes);
    expect(service.unitQueue.messages).toEqual([]);
  });

  test('is forgotten a month after its day', async () => {
    await enrol('a', 1);
    await see();
    service.clock.jump(30 * 24 * 60 * MINUTE);
    expect(await forgetUnits(service.unitPorts)()).toBe(0);
    service.clock.jump(24 * 60 * MINUTE);
    expect(await forgetUnits(service.unitPorts)()).toBe(1);
  });

  test('draws the picture of both halves when a datastrip ends inside the tile', async () => {
    await enrol('a', 1);
    await see();
    await see(aScene({ id: 'second', datastripStart: '20260617T100659', generatedAt: '2026-06-17T15:00:00Z' }));
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
    const list = service.fieldDates.list.bind(service.fieldDates);
    let isFirst = true;
    service.fieldDates.list = async (...query) => {
      if (isFirst) {
        isFirst = false;
        await service.fanOut(await service.publish(aBetterScene()));
        await service.clock.advance(goesOnForMs);
      }
      return list(...query);
    };
    await service.doUnits();
    expect((await service.fieldDates.list('a', 'f0'))[0]?.scenes).toEqual(['better']);
    expect(service.openUnits).toEqual([]);
  });

  test('is what its row says, not its message, once something else is asked of it', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    const [message] = service.unitQueue.messages;
    await service.fanOut(await service.publish(aBetterScene()));
    service.unitQueue.messages.splice(0, Infinity, message!);
    await service.doUnits();
    expect((await service.fieldDates.list('a', 'f0'))[0]?.scenes).toEqual(['better']);
    expect(service.openUnits).toEqual([]);
  });

  test('is begun once, however often its message comes', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    const { notice } = service.unitQueue.messages[0]!;
    await Promise.all([1, 2, 3].map(() => service.runUnit(notice)));
    await service.runUnit(notice);
    expect(service.log.filter(({ event }) => event === 'Scene:Rendered')).toHaveLength(1);
  });

  test('takes its row from its message, and is read when the message says no more than its key', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    const finds: string[] = [];
    const find = service.units.find.bind(service.units);
    service.units.find = (key) => {
      finds.push(textOfUnit(key));
      return find(key);
    };
    await service.doUnits();
    expect(finds).toEqual([]);
    await service.fanOut(await service.publish(aBetterScene()));
    const { shown: _shown, ...key } = service.unitQueue.take()!;
    await service.runUnit(key);
    expect(finds).toEqual([textOfUnit(key)]);
    expect(service.openUnits).toEqual([]);
  });
});

describe('a slice that fails', () => {
  test('with what may pass is tried again the next day, though nothing else of its customer is open', async () => {
    await enrol('a', 1);
    await service.sweep();
    await service.drain();
    service.clock.jump(120 * MINUTE);
    await service.sweep();
    expect(service.marks.kinds).toHaveLength(0);
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
    const { fieldDates } = service;
    const list = fieldDates.list.bind(fieldDates);
    fieldDates.list = (customer, ...more) =>
      customer === 'a' ? Promise.reject(new Error('a bug')) : list(customer, ...more);
    await see();
    expect(await outcomesOf('b', 'f1')).toEqual([`${DAY} done`]);
    expect(service.openUnits).toMatchObject([{ only: { slices: ['a|e1|0|0'] }, failure: 'an error of the service' }]);
    fieldDates.list = list;
    const looks = service.reader.reads.length;
    service.clock.jump(MINUTE);
    await service.doUnits();
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
    expect(service.openUnits).toEqual([]);
    // Classification, red and near infrared of one slice: that of B is not looked through again.
    expect(service.reader.reads.slice(looks).map(({ windows }) => windows)).toEqual([1, 1, 1]);
  });

  test('five times is recorded as failed, with a reason', async () => {
    await enrol('a', 1);
    const list = service.fieldDates.list.bind(service.fieldDates);
    let fails = 5;
    service.fieldDates.list = (...query) => ((fails -= 1) >= 0 ? Promise.reject(new Error('a bug')) : list(...query));
    await see();
    for (let attempt = 0; attempt < 6; attempt += 1) {
      service.clock.jump(15 * MINUTE);
      await service.doUnits();
    }
    expect(await outcomesOf('a')).toEqual([`${DAY} failed`]);
    expect(service.openUnits).toEqual([]);
  });

  test('because the files are away waits with all the others, and that is no attempt', async () => {
    await enrol('a', 1);
    await enrol('b', 2);
    service.reader.faults.set(aScene().id, new RasterError('unavailable', 'no answer', { isTransient: true }));
    await see();
    expect(service.reader.reads).toHaveLength(1);
    expect(service.openUnits).toMatchObject([{ attempts: 0, waits: 1, only: { slices: ['a|e1|0|0', 'b|e1|0|0'] } }]);
    service.reader.faults.clear();
    service.clock.jump(15 * MINUTE);
    await service.doUnits();
    expect(await outcomesOf('b', 'f1')).toEqual([`${DAY} done`]);
  });

  test('of a unit that a better version came for meanwhile is given back with that, no attempt and no death', async () => {
    await enrol('a', 1);
    service.reader.faults.set(aScene().id, new RasterError('unavailable', 'no answer', { isTransient: true }));
    await see();
    const list = service.fieldDates.list.bind(service.fieldDates);
    service.fieldDates.list = async (...query) => {
      service.fieldDates.list = list;
      await service.fanOut(await service.publish(aBetterScene()));
      return list(...query);
    };
    service.clock.jump(15 * MINUTE);
    const version = service.openUnits[0]?.version;
    await service.doUnits();
    expect(await listUnitAttempts(service.unitPorts)()).toEqual([]);
    expect(service.openUnits).toMatchObject([{ claim: '', attempts: 0, waits: 2 }]);
    expect(service.openUnits[0]?.at).toBeUndefined();
    expect(service.openUnits[0]?.version).not.toBe(version);
    service.clock.jump(15 * MINUTE);
    await service.doUnits();
    expect((await service.fieldDates.list('a', 'f0'))[0]?.scenes).toEqual(['better']);
    expect(service.openUnits).toEqual([]);
  });

  test('by ending the process becomes a unit of its own after two more deaths; its neighbours are served', async () => {
    await enrol('a', 1);
    await enrol('b', 2);
    const seen = deadlyFilesOf('a');
    await service.fanOut(await service.publish(aScene()));
    for (let death = 0; death < 3; death += 1) {
      await begin(seen);
      expect(await outcomesOf('b')).toEqual([]);
      await die();
    }
    await begin(seen);
    expect(seen.deaths).toBe(4);
    expect(await outcomesOf('b', 'f1')).toEqual([`${DAY} done`]);
    expect(service.openUnits.map(({ only }) => only?.slices)).toEqual([['a|e1|0|0']]);
    for (let death = 0; death < 6; death += 1) {
      await die();
      await begin(seen);
    }
    expect(seen.deaths).toBe(3 + 5);
    expect(await outcomesOf('a')).toEqual([`${DAY} failed`]);
    expect(service.openUnits).toEqual([]);
    expect(service.log.filter(({ event }) => event === 'Unit:SliceMovedOut')).toHaveLength(1);
  });
});

describe('the late lane', () => {
  const old = '2026-06-17T10:00:00Z';

  test('holds what was published over an hour ago, and no live unit waits for it', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene(), old));
    expect(service.openUnits).toMatchObject([{ lane: 'late' }]);
    expect(await service.doUnits('live')).toBe(0);
    expect(await service.doUnits('late')).toBe(1);
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
  });

  test('opens twelve units of a bucket, and the next when one has ended', async () => {
    for (const step of Array.from({ length: 14 }, (_, index) => index)) {
      const fields = [{ fieldId: 'f', box: [12.4 + step * 0.08, 48.29, 12.403 + step * 0.08, 48.292] as const }];
      await enrol('a', 1, {
        enrollmentId: `e${step}`,
        fields: fields.map((field) => ({ ...field, fieldId: `f${step}` })),
      });
    }
    // Six cells in a row at most: the rest comes from other rows of the tile.
    const cells = new Set(service.interest.entries.map(({ cell }) => cell));
    expect(cells.size).toBeGreaterThan(3);
    const scenes = Array.from({ length: 4 }, (_, day) => {
      const date = `2026061${7 - day}`;
      const takenAt = `2026-06-1${7 - day}T10:05:59.000Z`;
      const datatake = `GS2B_${date}T100559_04300${day}`;
      return aScene({ id: `S2B_${day}`, takenAt, datatake, datastripStart: `${date}T100612` });
    });
    for (const scene of scenes) await service.fanOut(await service.publish(scene, old));
    const late = () => service.openUnits.filter(({ lane }) => lane === 'late').length;
    const all = scenes.length * cells.size;
    expect(late()).toBe(12);
    expect(service.units.waiting).toHaveLength(all - 12);
    await service.runUnit(service.unitQueue.take()!);
    expect(late()).toBe(12);
    await service.doUnits();
    expect(service.units.done).toHaveLength(all);
  });
});

describe('the sweep', () => {
  test('sends the message of a unit again that nobody has taken, once in two minutes', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    service.unitQueue.messages.length = 0;
    expect(await service.sweepUnits()).toEqual({ resentUnits: 0, promotedUnits: 0 });
    service.clock.jump(3 * MINUTE);
    expect(await service.sweepUnits()).toEqual({ resentUnits: 1, promotedUnits: 0 });
    expect(await service.sweepUnits()).toEqual({ resentUnits: 0, promotedUnits: 0 });
    await service.doUnits();
    expect(await outcomesOf('a')).toEqual([`${DAY} done`]);
  });

  test('looks at the other buckets when one cannot be read', async () => {
    await enrol('a', 1);
    await service.fanOut(await service.publish(aScene()));
    const [unit] = service.openUnits;
    const sick = 1 - service.units.bucketOf(unit!);
    const listOpen = service.units.listOpen.bind(service.units);
    service.units.listOpen = (bucket) => (bucket === sick ? Promise.reject(new Error('away')) : listOpen(bucket));
    service.clock.jump(3 * MINUTE);
    expect(await service.sweepUnits()).toMatchObject({ resentUnits: 1 });
    expect(service.log.map(({ event }) => event)).toContain('Unit:SweepFailed');
    expect(textOfUnit(unit!)).toContain(DAY);
  });
});
