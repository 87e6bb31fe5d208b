import { beforeEach, describe, expect, test } from '@jest/globals';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import { askRetry } from '../../../shared/imagery/discovery/backfill.js';
import type { FieldDate } from '../../../shared/enrollments/fields/fieldDate.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { aScene } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

const CUSTOMER = 'contoso';
const BOX = [13.14, 48.29, 13.1436, 48.2925] as const;
/** Months before the clock: no daily search looks back as far. */
const DAY = '2026-02-17';
const HOUR_MS = 3_600_000;
const refusal = new RasterError('refused', 'access was refused (403)', { isTransient: true });
const theScene = (date = DAY) => aScene({ id: `scene-${date}`, takenAt: `${date}T10:00:00.000Z`, datatake: date });

let service: ImageryUnderTest;
beforeEach(async () => {
  service = new ImageryUnderTest('2026-06-20T12:00:00Z');
  await service.enrol({
    customer: CUSTOMER,
    enrollmentId: 'e1',
    fields: [{ fieldId: 'north', box: BOX }],
    request: { startDate: '2026-02-01', endDate: '2026-03-31', layers: ['ndvi'] },
  });
});

const recordOf = async (date = DAY): Promise<FieldDate | undefined> =>
  (await service.fieldDates.list(CUSTOMER, 'north', { from: date, to: date }))[0];

/** Sweeps and does what is due, hour after hour. */
async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    await service.sweep();
    await service.drain();
    service.clock.jump(HOUR_MS);
  }
}
const triesOf = (): number => service.log.filter(({ event }) => event === 'Work:AttemptFailed').length;
/** Has the day looked through again from a later day on. */
const askAgain = (dueDate: string, enrollmentId = 'e1'): Promise<void> =>
  askRetry(service.kernel.enqueuer)({ customer: CUSTOMER, enrollmentId, date: DAY, dueDate });
const staying = () => service.log.filter(({ event }) => event === 'FieldDate:StaysFailed').map(({ facts }) => facts);

describe('a file that its host refuses', () => {
  test('is waited for: nothing is recorded for two days, and what was refused is made when it passes', async () => {
    service.catalogue.add(theScene());
    service.reader.faults.set(theScene().id, refusal);
    await pass(48);
    expect(await recordOf()).toBeUndefined();
    service.reader.faults.clear();
    await pass(8);
    expect(await recordOf()).toMatchObject({ outcome: 'done', layers: ['ndvi'] });
  });

  test('is asked for ever more seldom', async () => {
    service.catalogue.add(theScene());
    service.reader.faults.set(theScene().id, refusal);
    await pass(6);
    const first = triesOf();
    await pass(24);
    expect(first).toBeLessThanOrEqual(8);
    expect(triesOf() - first).toBeLessThanOrEqual(8);
  });

  test('keeps no place from the scenes of other days', async () => {
    const dates = ['2026-03-20', '2026-03-15', '2026-03-10', '2026-02-20', '2026-02-15'];
    for (const date of dates) service.catalogue.add(theScene(date));
    for (const date of dates.slice(0, 3)) service.reader.faults.set(theScene(date).id, refusal);
    await pass(1);
    expect(await recordOf('2026-02-15')).toMatchObject({ outcome: 'done' });
    expect(await recordOf('2026-03-20')).toBeUndefined();
  });

  test('keeps no place from the scenes of older days of its month', async () => {
    const dates = ['2026-03-20', '2026-03-15', '2026-03-10', '2026-03-05'];
    for (const date of dates) service.catalogue.add(theScene(date));
    for (const date of dates.slice(0, 3)) service.reader.faults.set(theScene(date).id, refusal);
    await pass(24);
    expect(await recordOf('2026-03-05')).toMatchObject({ outcome: 'done' });
  });

  test('has no day recorded as failed that was never tried', async () => {
    const dates = ['2026-03-20', '2026-03-15', '2026-03-10', '2026-03-05'];
    for (const date of dates) service.catalogue.add(theScene(date));
    for (const date of dates.slice(0, 3)) service.reader.faults.set(theScene(date).id, refusal);
    const outcomes: (string | undefined)[] = [];
    for (let hour = 0; hour < 6 * 24; hour += 1) {
      await pass(1);
      outcomes.push((await recordOf('2026-03-05'))?.outcome);
    }
    expect(outcomes).not.toContain('failed');
  });

  test('of a host that refuses everything keeps the rest waiting, as an outage does', async () => {
    for (let day = 0; day < 40; day += 1) {
      const scene = theScene(addDays('2026-02-10', day));
      service.catalogue.add(scene);
      service.reader.faults.set(scene.id, refusal);
    }
    await pass(24);
    // Two months, and ten days of each: then nobody asks for the others.
    expect(new Set(service.reader.reads.map(({ scene }) => scene)).size).toBeLessThanOrEqual(20);
    expect(await service.fieldDates.list(CUSTOMER, 'north')).toEqual([]);
    service.reader.faults.clear();
    await pass(24);
    const recorded = await service.fieldDates.list(CUSTOMER, 'north');
    expect(recorded.map(({ outcome }) => outcome)).toEqual(Array(40).fill('done'));
  });

  test('for days is recorded as failed, at whatever age', async () => {
    service.catalogue.add(theScene());
    service.reader.faults.set(theScene().id, refusal);
    await pass(6 * 24);
    expect(await recordOf()).toMatchObject({
      outcome: 'failed',
      reason: 'The scene cannot be used: access was refused (403).',
      isToBeTriedAgain: true,
    });
  });
});

describe('a failure that may pass', () => {
  const failed: FieldDate = {
    fieldId: 'north',
    date: DAY,
    outcome: 'failed',
    reason: 'The scene cannot be used: the server answered 410.',
    clearPercent: null,
    coveragePercent: null,
    layers: [],
    skipped: { ndvi: 'failed' },
    scenes: [theScene().id],
    basis: 'old',
    standing: '0',
    isToBeTriedAgain: true,
    failedSince: '2026-06-20',
  };
  const gone = new RasterError('unavailable', 'the server answered 410');

  test('is tried again after 1, 2, 4, … days, at most 64, until it has passed', async () => {
    service.catalogue.add(theScene());
    service.reader.faults.set(theScene().id, gone);
    const tries = (): number => service.log.filter(({ event }) => event === 'Scene:Rendered').length;
    const triedOn: number[] = [];
    for (let hours = 12; hours < 200 * 24; hours += 1) {
      const before = tries();
      await pass(1);
      if (tries() > before) triedOn.push(Math.floor(hours / 24));
    }
    expect(triedOn).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 192]);
    service.reader.faults.clear();
    await pass(64 * 24);
    expect(await recordOf()).toMatchObject({ outcome: 'done', layers: ['ndvi'] });
    expect((await recordOf())?.isToBeTriedAgain).toBeUndefined();
    expect(await service.backfills()).toEqual([]);
  });

  test('is told to people from the third day on', async () => {
    service.catalogue.add(theScene());
    service.reader.faults.set(theScene().id, gone);
    await pass(3 * 24);
    expect(staying()).toEqual([]);
    await pass(3 * 24);
    expect(staying()).toEqual([
      expect.objectContaining({ customer: CUSTOMER, date: DAY, fields: 1, failedSince: '2026-06-20' }),
    ]);
  });

  test('lasts when the catalogue no longer lists the scene: it is not tried again', async () => {
    service.fieldDates.rows.set(`${CUSTOMER}|north|${DAY}`, failed);
    await askAgain('2026-06-20');
    await pass(2);
    expect(await recordOf()).toMatchObject({
      outcome: 'failed',
      reason: 'The scene cannot be used: the server answered 410. The catalogue no longer lists the scene.',
    });
    expect((await recordOf())?.isToBeTriedAgain).toBeUndefined();
    expect(await service.backfills()).toEqual([]);
    expect(staying()).toHaveLength(1);
  });

  test('is not searched for a stopped enrollment', async () => {
    await askAgain('2026-06-20', 'gone');
    await pass(1);
    expect(await service.backfills()).toEqual([]);
  });

  describe('of an enrollment that is stopped', () => {
    const enrolOther = (box: readonly [number, number, number, number], startDate: string): Promise<void> =>
      service.enrol({
        customer: CUSTOMER,
        enrollmentId: 'e2',
        fields: [{ fieldId: 'north', box }],
        request: { startDate, endDate: '2026-03-31', layers: ['ndvi'] },
      });
    const stop = async (): Promise<void> => {
      await service.stop({ customer: CUSTOMER, enrollmentId: 'e1' });
    };
    /** Everything that is due now, and a failure that only the first enrollment knows of. */
    const fail = async (): Promise<void> => {
      await pass(1);
      service.catalogue.add(theScene());
      service.fieldDates.rows.set(`${CUSTOMER}|north|${DAY}`, failed);
      await askAgain('2026-06-20');
    };

    test('is tried again by another that holds the field', async () => {
      await enrolOther(BOX, '2026-02-10');
      await fail();
      await stop();
      await pass(1);
      expect(await recordOf()).toMatchObject({ outcome: 'done', layers: ['ndvi'] });
      expect(await service.backfills()).toEqual([]);
    });

    test('while its search waits is tried again by another that holds the field', async () => {
      await enrolOther(BOX, '2026-02-10');
      await fail();
      service.catalogue.fault = new CatalogueError('unavailable', 'away');
      await pass(1);
      await stop();
      expect(await recordOf()).toMatchObject({ outcome: 'failed' });
      service.catalogue.fault = undefined;
      await pass(1);
      expect(await recordOf()).toMatchObject({ outcome: 'done', layers: ['ndvi'] });
      expect(await service.backfills()).toEqual([]);
    });

    test('ends with it when nobody else holds the field on that day', async () => {
      await enrolOther(BOX, addDays(DAY, 1));
      await fail();
      const searches = service.catalogue.searches.length;
      await stop();
      await pass(24);
      expect(await recordOf()).toMatchObject({ outcome: 'failed' });
      expect(await service.backfills()).toEqual([]);
      expect(service.catalogue.searches).toHaveLength(searches);
    });
  });

  test('is not forgotten with a search that fails too often, long after the end of its enrollment', async () => {
    await pass(1);
    service.fieldDates.rows.set(`${CUSTOMER}|north|${DAY}`, failed);
    await askAgain('2026-08-20');
    service.clock.jump(61 * 24 * HOUR_MS);
    service.catalogue.fault = new CatalogueError('invalid', 'a page that nobody can read');
    await pass(12);
    expect(service.log.filter(({ event }) => event === 'Imagery:SearchPostponed')).toHaveLength(1);
    service.catalogue.fault = undefined;
    service.catalogue.add(theScene());
    await pass(24);
    expect(await recordOf()).toMatchObject({ outcome: 'done', layers: ['ndvi'] });
  });
});
