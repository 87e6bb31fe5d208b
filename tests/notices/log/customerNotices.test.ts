import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { findEnrollmentEnd, tellOfEnrollment } from '../../../shared/enrollments/ingest/enrollmentNotices.js';
import { EnrollmentStore } from '../../../shared/enrollments/record/enrollmentStore.js';
import { findBackfillEnd, tellOfBackfill } from '../../../shared/imagery/discovery/backfillNotices.js';
import { askBackfill } from '../../../shared/imagery/discovery/backfill.js';
import { LAYER_NAMES } from '../../../shared/scenes/layers/layers.js';
import type { FieldDate } from '../../../shared/enrollments/fields/fieldDate.js';
import { findImages } from '../../../shared/imagery/records/imageryNoticeReader.js';
import { tellOfImages } from '../../../shared/imagery/records/imageryNotices.js';
import { TableFieldDateStore } from '../../../shared/imagery/records/tableFieldDateStore.js';
import { noticeKind, type NoticeKindPorts } from '../../../shared/notices/log/noticeKind.js';
import { NoticeLogStore } from '../../../shared/notices/log/noticeLogStore.js';
import { NOTICE } from '../../../shared/notices/log/outbox.js';
import { anEnrollment } from '../../enrollments/builders.js';
import { ManualClock } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';
import { CountedRows } from './countedRows.js';

const customer = 'demo-farm';
const owner = `c_${customer}` as const;
const START = '2026-05-04T10:31:00.000Z';
const MINUTE_MS = 60_000;

class CustomerWorld {
  readonly clock = new ManualClock(START);
  readonly kernel = new WorkInMemory(() => this.clock);
  readonly noticeRows = new CountedRows();
  readonly log = new NoticeLogStore({ rows: this.noticeRows, clock: this.clock, source: 'https://x.example' });
  readonly enrollments = new EnrollmentStore(new CountedRows());
  readonly dateRows = new CountedRows();
  isListening = true;
  readonly telling = {
    listens: () => Promise.resolve(this.isListening),
    work: this.kernel.enqueuer,
    clock: this.clock,
  };
  readonly fieldDates = new TableFieldDateStore(this.dateRows, tellOfImages(this.telling));

  /** Whatever work on notices is due. */
  async relay(): Promise<void> {
    const { clock, log, enrollments } = this;
    const ports: NoticeKindPorts = {
      log,
      origins: {
        enrollment: findEnrollmentEnd({ enrollments, clock }),
        images: findImages({ rows: this.dateRows, log, clock }),
        backfill: findBackfillEnd({ enrollments, store: this.kernel.store, clock }),
      },
      listens: this.telling.listens,
      wake: () => Promise.resolve(),
      clock,
      logLine: this.kernel.log,
    };
    for (const id of await this.open()) await this.kernel.handle({ kind: NOTICE, id }, noticeKind(ports, MINUTE_MS));
  }

  open(): Promise<readonly string[]> {
    return this.kernel.store.idsOf(NOTICE, '');
  }

  async relayAfter(minutes: number): Promise<void> {
    this.clock.jump(minutes * MINUTE_MS);
    await this.relay();
  }

  async told(): Promise<readonly { readonly type: string; readonly data: never }[]> {
    return (await this.log.read(owner, 0, 1_000)).map(({ body }) => JSON.parse(body) as never);
  }

  async types(): Promise<readonly string[]> {
    return (await this.told()).map(({ type }) => type);
  }
}

let world: CustomerWorld;
beforeEach(() => {
  world = new CustomerWorld();
});

describe('the end of an ingest', () => {
  const enrollment = anEnrollment({ customer, createdAt: Date.parse(START) });
  const end = { ...enrollment, status: 'completed', completedAt: Date.parse(START) + 5 } as const;
  const finish = async (): Promise<void> => {
    const stored = (await world.enrollments.find(enrollment))!;
    await tellOfEnrollment(world.telling)(enrollment, () => world.enrollments.replace(stored, end));
  };
  beforeEach(() => world.enrollments.insert(enrollment));

  test('is told at once, and once however often it is asked for', async () => {
    await finish();
    await world.relay();
    await tellOfEnrollment(world.telling)(enrollment, () => Promise.resolve());
    await world.relay();
    expect(await world.types()).toEqual(['partner.enrollment.completed']);
    expect(await world.open()).toEqual([]);
  });

  test('is told by the work made before it where the process died behind the write', async () => {
    const stored = (await world.enrollments.find(enrollment))!;
    const dies = async (): Promise<never> => {
      await world.enrollments.replace(stored, end);
      throw new Error('died');
    };
    await expect(tellOfEnrollment(world.telling)(enrollment, dies)).rejects.toThrow('died');
    await world.relayAfter(3);
    expect(await world.types()).toEqual(['partner.enrollment.completed']);
  });

  test('is waited for where the process died before the write', async () => {
    const dies = (): Promise<never> => Promise.reject(new Error('died'));
    await expect(tellOfEnrollment(world.telling)(enrollment, dies)).rejects.toThrow('died');
    await world.relayAfter(3);
    expect(await world.types()).toEqual([]);
    await finish();
    await world.relay();
    expect(await world.types()).toEqual(['partner.enrollment.completed']);
  });

  test('is not told, and makes no work, for a customer who does not listen', async () => {
    world.isListening = false;
    await finish();
    expect(await world.open()).toEqual([]);
  });
});

const record = (fieldId: string, others: Partial<FieldDate> = {}): FieldDate => ({
  fieldId,
  date: '2026-05-03',
  outcome: 'done',
  reason: null,
  clearPercent: 100,
  coveragePercent: 100,
  layers: ['ndvi'],
  skipped: {},
  scenes: ['s'],
  basis: 'b1',
  standing: 'x,1',
  ...others,
});
const replacing = (found: FieldDate): FieldDate => found;
const keeping = (found: FieldDate, stored = found): FieldDate => stored;

describe('images', () => {
  const store = (records: readonly FieldDate[], settle = replacing) =>
    world.fieldDates.merge(customer, records, settle);

  test('of five minutes are one event, by day and layers', async () => {
    await store([record('a'), record('b'), record('c', { layers: ['ndvi', 'true-color'] })]);
    await store([record('d')]);
    await world.relayAfter(6);
    const [event, ...others] = await world.told();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'partner.imagery.available',
      subject: '/v1/fields',
      time: '2026-05-04T10:35:00.000Z',
      data: { origin: 'new', field_date_count: 4, image_source: 'sentinel-2-l2a' },
    });
    const { groups } = event!.data as { groups: { layers: string[]; field_ids: string[] }[] };
    expect(groups.map(({ layers, field_ids }) => [layers.join(), field_ids.sort().join()]).sort()).toEqual([
      ['ndvi', 'a,b,d'],
      ['ndvi,true-color', 'c'],
    ]);
  });

  test('that were there and rest on another basis now are replaced; days without images and the same again are nothing', async () => {
    await store([record('a'), record('cloudy', { outcome: 'cloud', layers: [] })]);
    await world.relayAfter(6);
    await store([record('a', { basis: 'b2', layers: ['ndvi', 'scouting'] })]);
    await store([record('a', { basis: 'b3' })], keeping);
    await world.relayAfter(11);
    expect(await world.types()).toEqual([
      'partner.imagery.available',
      'partner.imagery.available',
      'partner.imagery.replaced',
    ]);
    expect((await world.told()).map(({ data }) => (data as { field_date_count: number }).field_date_count)).toEqual([
      1, 1, 1,
    ]);
  });

  test('of older days are the backfill', async () => {
    await store([record('a', { date: '2026-04-01' })]);
    await world.relayAfter(6);
    expect(await world.told()).toMatchObject([{ data: { origin: 'backfill' } }]);
  });

  test('leave no work and no row behind', async () => {
    await store([record('a')]);
    await world.relayAfter(6);
    await world.relayAfter(11);
    await world.relayAfter(11);
    expect(await world.open()).toEqual([]);
    expect(await world.dateRows.range(customer, { prefix: 'OUT_' })).toEqual([]);
  });

  test('recorded late, when their window was closed already, are told by the second look', async () => {
    const dates = await store([record('a')]);
    await world.relayAfter(6);
    // The process was held up between planning the work and the transaction.
    const late = new TableFieldDateStore(
      world.dateRows,
      tellOfImages({ ...world.telling, clock: new ManualClock(START), work: { plan: () => Promise.resolve() } }),
    );
    await late.merge(customer, [record('late')], replacing);
    await world.relayAfter(11);
    expect((await world.types()).length).toBe(2);
    expect(dates).toHaveLength(1);
  });

  test('are nothing for a customer who does not listen', async () => {
    world.isListening = false;
    await store([record('a')]);
    expect(await world.open()).toEqual([]);
    expect(await world.dateRows.range(customer, { prefix: 'OUT_' })).toEqual([]);
  });

  test('of any number of fields and days are told once each, in events of at most 16 kB', async () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 128, unit: 'grapheme' }), {
      minLength: 1,
      maxLength: 60,
    });
    const records = fc.tuple(ids, fc.integer({ min: 1, max: 4 }));
    await fc.assert(
      fc.asyncProperty(records, async ([fields, days]) => {
        world = new CustomerWorld();
        for (let day = 1; day <= days; day += 1) {
          await store(fields.map((fieldId) => record(fieldId, { date: `2026-05-0${day}` })));
        }
        await world.relayAfter(6);
        const events = await world.log.read(owner, 0, 1_000);
        for (const { body } of events) expect(Buffer.byteLength(body)).toBeLessThan(17_000);
        const told = events.flatMap(({ body }) => {
          const { data } = JSON.parse(body) as { data: { groups: { date: string; field_ids: string[] }[] } };
          return data.groups.flatMap(({ date, field_ids }) => field_ids.map((id) => `${date} ${id}`));
        });
        const recorded = fields.flatMap((id) => Array.from({ length: days }, (_, day) => `2026-05-0${day + 1} ${id}`));
        expect(told.sort()).toEqual(recorded.sort());
      }),
      { numRuns: 25 },
    );
  });

  test('of 250 fields with four layers of a day are four events at most, not a thousand', async () => {
    const layers = [...LAYER_NAMES];
    const fields = Array.from({ length: 250 }, () => randomUUID());
    // The tiles of a day come one after the other.
    for (const from of [0, 100, 180]) {
      const some = fields.slice(from, from === 0 ? 100 : from === 100 ? 180 : 250);
      await store(some.map((fieldId) => record(fieldId, { layers })));
      await world.relayAfter(31);
    }
    const told = await world.told();
    expect(told.length).toBeLessThanOrEqual(4);
    const groups = told.flatMap(
      ({ data }) => (data as { readonly groups: readonly { readonly field_ids: readonly string[] }[] }).groups,
    );
    expect(groups.flatMap(({ field_ids }) => field_ids).sort()).toEqual([...fields].sort());
  });

  test.each([1, 2, 3, 4])(
    'are told once each where the process dies at write %d between them and the log',
    async (at) => {
      await store([record('a'), record('b')]);
      world.clock.jump(6 * MINUTE_MS);
      for (const rows of [world.noticeRows, world.dateRows]) rows.dies = { at, isBehind: at % 2 === 0 };
      await world.relay().catch(() => undefined);
      for (const rows of [world.noticeRows, world.dateRows]) rows.dies = undefined;
      await world.relayAfter(11);
      await world.relayAfter(11);
      const counts = (await world.told()).map(({ data }) => (data as { field_date_count: number }).field_date_count);
      expect(counts).toEqual([2]);
    },
  );
});

describe('the beginning of an enrollment', () => {
  const enrollment = anEnrollment({ customer, status: 'completed', processedFields: 7 });
  const days = { from: '2026-03-01', to: '2026-05-04' };

  test('is told as completed once none of its first searches is open', async () => {
    await world.enrollments.insert(enrollment);
    await tellOfBackfill(world.telling)(enrollment, days);
    const { enrollmentId } = enrollment;
    await askBackfill(world.kernel.enqueuer, { customer, enrollmentId, ...days, why: 'new' });
    await askBackfill(world.kernel.enqueuer, { customer, enrollmentId, ...days, why: 'retry' });
    await world.relayAfter(2);
    await world.relayAfter(20);
    expect(await world.types()).toEqual([]);
    for (const id of await world.kernel.store.idsOf('backfill', `${customer}|`)) {
      const stored = await world.kernel.store.find({ kind: 'backfill', id });
      if (stored !== undefined && !id.endsWith('retry')) await world.kernel.store.delete(stored);
    }
    await world.relayAfter(61);
    expect(await world.told()).toMatchObject([
      { type: 'partner.backfill.completed', data: { enrollment_id: enrollmentId, ...days, fields: 7 } },
    ]);
    expect(await world.open()).toEqual([]);
  });
});
