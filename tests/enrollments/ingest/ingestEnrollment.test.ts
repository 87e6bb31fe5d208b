import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MemoryRows } from '../../support/memoryRows.js';
import {
  received,
  type Enrollment,
  type EnrollmentKey,
  type EnrollmentRequest,
} from '../../../shared/enrollments/record/enrollment.js';
import type { ReadyField } from '../../../shared/enrollments/fields/field.js';
import {
  INGEST,
  ingestKind,
  ingestWork,
  MAX_INGEST_ATTEMPTS,
} from '../../../shared/enrollments/ingest/ingestEnrollment.js';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { LEAVE, stopEnrollment } from '../../../shared/enrollments/submission/stopEnrollment.js';
import { inspectFields, standingField, type GeometryPair } from '../../../shared/enrollments/upload/uploadTasks.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { rowBelongings } from '../../../shared/storage/belongings.js';
import { workBelongings } from '../../../shared/work/item/workBelongings.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { EnrollmentStore } from '../../../shared/enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../../shared/enrollments/fields/fieldStore.js';
import { MemoryInputStore } from '../../support/memoryEnrollmentStores.js';
import { WorkInMemory } from '../../support/workInMemory.js';
import { aCollection, aFeature, aRequest, aRing, jsonBytes } from '../builders.js';
import { nobodyListens } from '../../support/nobodyListens.js';

const customer = 'contoso';
const LEASE_MS = 60_000;
const bowTie = {
  type: 'Polygon',
  coordinates: [
    [
      [13, 48],
      [13.01, 48.01],
      [13.01, 48],
      [13, 48.01],
      [13, 48],
    ],
  ],
};
/** A field as one tool writes it, and as another does: turned, with seven decimals. */
const written = {
  type: 'Polygon',
  coordinates: [
    [
      [-93.61, 41.08],
      [-93.60987654322, 41.0831234567],
      [-93.60643210879999, 41.0829876543],
      [-93.6068877666, 41.079864208699995],
      [-93.61, 41.08],
    ],
  ],
};
const writtenAgain = {
  type: 'MultiPolygon',
  coordinates: [
    [
      [
        [-93.6068878, 41.0798642],
        [-93.6064321, 41.0829877],
        [-93.6098765, 41.0831235],
        [-93.61, 41.08],
        [-93.6068878, 41.0798642],
      ],
    ],
  ],
};
const moved = { type: 'Polygon', coordinates: [aRing(0.5)] };

function surroundings() {
  const clock = new ManualClock();
  const inputs = new MemoryInputStore();
  const events: string[] = [];
  const enrollmentRows = new MemoryRows();
  return {
    clock,
    inputs,
    events,
    customers: new CustomerStore(new MemoryRows()),
    enrollmentRows,
    enrollments: new EnrollmentStore(enrollmentRows),
    fields: new FieldStore(new MemoryRows()),
    begun: [] as string[],
    inspectFields: async (key: EnrollmentKey) => inspectFields(await inputs.readGeoJson(key)),
    standingField: (pair: GeometryPair) => Promise.resolve(standingField(pair)),
    log: (event: string) => void events.push(event),
    beginMonitoring: async ({ enrollmentId }: Enrollment): Promise<void> => {
      await Promise.resolve();
      ports.begun.push(enrollmentId);
    },
  };
}
let ports: ReturnType<typeof surroundings>;
let work: WorkInMemory;
beforeEach(async () => {
  ports = surroundings();
  work = new WorkInMemory(() => ports.clock);
  await ports.customers.insert({ customer, fieldLimit: 250, createdAt: 0 });
});

interface Submission {
  readonly features?: readonly unknown[];
  readonly request?: Partial<EnrollmentRequest>;
}

async function submitted({ features = [aFeature()], request = {} }: Submission = {}): Promise<Enrollment> {
  const now = ports.clock.now().getTime();
  const enrollment: Enrollment = {
    customer,
    enrollmentId: randomUUID(),
    status: 'received',
    request: aRequest(request),
    totalFields: features.length,
    processedFields: 0,
    failedFields: 0,
    errors: [],
    createdAt: now,
  };
  await work.enqueuer.open(ingestWork(enrollment));
  await ports.inputs.put(enrollment, { geojson: jsonBytes(aCollection(features)) });
  await ports.enrollments.insert(enrollment);
  return enrollment;
}
const ingest = (key: EnrollmentKey): Promise<void> =>
  work.handle(ingestWork(key), ingestKind({ ...nobodyListens, ...ports }, LEASE_MS), ports.log);
const now = async (key: EnrollmentKey): Promise<Enrollment> => (await ports.enrollments.find(key))!.enrollment;
const sweep = () => work.sweep();
const attemptsOf = async (key: EnrollmentKey) => (await work.find(ingestWork(key)))?.attempts;

describe('ingest', () => {
  test('stores each field, claims its id, counts, and has the monitoring begin', async () => {
    const features = [aFeature({ fieldId: 'north' }), aFeature({ fieldId: 'knot', geometry: bowTie })];
    const enrollment = await submitted({ features });
    await ingest(enrollment);
    expect(await now(enrollment)).toMatchObject({
      status: 'completed',
      processedFields: 1,
      failedFields: 1,
      completedAt: ports.clock.now().getTime(),
      errors: [{ fieldId: 'knot', code: 'self_crossing', message: expect.stringContaining('13.005000') }],
    });
    expect(ports.begun).toEqual([enrollment.enrollmentId]);
    const [north] = await ports.fields.listFields(enrollment);
    expect(north).toMatchObject({ fieldId: 'north', status: 'ready', startDate: '2026-04-01', layers: ['ndvi'] });
    expect(ports.inputs.geometries.size).toBe(1);
    expect(await ports.fields.listHolders(customer, 'north')).toMatchObject([
      { enrollmentId: enrollment.enrollmentId, activeUntil: '2026-11-10' },
    ]);
    expect(await work.find(ingestWork(enrollment))).toBeUndefined();
  });

  test('with no sound field fails, and nothing is monitored', async () => {
    const enrollment = await submitted({ features: [aFeature({ geometry: bowTie })] });
    await ingest(enrollment);
    expect(await now(enrollment)).toMatchObject({ status: 'failed', processedFields: 0, failedFields: 1 });
    expect(ports.begun).toEqual([]);
  });

  test('of 100 fields shows counters that never go back and never exceed the total', async () => {
    const features = Array.from({ length: 100 }, (_, index) =>
      aFeature({ fieldId: `f${index}`, ...(index % 10 === 0 ? { geometry: bowTie } : {}) }),
    );
    const enrollment = await submitted({ features });
    const seen: number[] = [];
    const replace = ports.enrollments.replace.bind(ports.enrollments);
    ports.enrollments.replace = (stored, next) => {
      expect(next.processedFields + next.failedFields).toBeLessThanOrEqual(next.totalFields);
      seen.push(next.processedFields + next.failedFields);
      return replace(stored, next);
    };
    await ingest(enrollment);
    expect(seen).toEqual([0, 33, 66, 99, 100, 100]);
    expect(await now(enrollment)).toMatchObject({ status: 'completed', processedFields: 90, failedFields: 10 });
  });

  test('of an enrollment that has a future start is complete at once', async () => {
    const enrollment = await submitted({ request: { startDate: '2027-04-01', endDate: '2027-05-01' } });
    await ingest(enrollment);
    expect((await now(enrollment)).status).toBe('completed');
  });

  test('is done once, however often its message comes', async () => {
    const enrollment = await submitted();
    await Promise.all([ingest(enrollment), ingest(enrollment), ingest(enrollment)]);
    await ingest(enrollment);
    expect(ports.events.filter((event) => event === 'Enrollment:Ingested')).toHaveLength(1);
  });

  test('of an enrollment nobody has is dropped', async () => {
    await expect(ingest({ customer, enrollmentId: randomUUID() })).resolves.toBeUndefined();
  });
});

describe('a field id', () => {
  test('stands for one geometry while an enrollment with it is active', async () => {
    const [first, second] = [await submitted(), await submitted({ features: [aFeature({ geometry: moved })] })];
    await ingest(first);
    await ingest(second);
    expect(await now(second)).toMatchObject({
      status: 'failed',
      errors: [{ code: 'field_id_conflict', message: expect.stringContaining(first.enrollmentId) }],
    });
  });

  test('may be enrolled again with the same geometry: both monitor it', async () => {
    const [first, second] = [await submitted(), await submitted({ request: { layers: ['true-color'] } })];
    await ingest(first);
    await ingest(second);
    expect((await now(second)).status).toBe('completed');
    const holders = await ports.fields.listHolders(customer, 'north');
    expect(holders.map(({ layers }) => layers)).toEqual(expect.arrayContaining([['ndvi'], ['true-color']]));
    expect(holders).toHaveLength(2);
    expect(ports.inputs.geometries.size).toBe(1);
  });

  test('stands for the same land in another writing: both monitor it, by the geometry that came first', async () => {
    const first = await submitted({ features: [aFeature({ geometry: written })] });
    const second = await submitted({ features: [aFeature({ geometry: writtenAgain })] });
    await ingest(first);
    await ingest(second);
    expect(await now(second)).toMatchObject({ status: 'completed', processedFields: 1, errors: [] });
    const [one, other] = [await ports.fields.listFields(first), await ports.fields.listFields(second)];
    expect(other).toMatchObject([{ shape: (one[0] as ReadyField).shape }]);
    const holders = await ports.fields.listHolders(customer, 'north');
    expect(new Set(holders.map(({ geometryHash }) => geometryHash)).size).toBe(1);
    expect(holders).toHaveLength(2);
    const [stored, ...others] = ports.inputs.geometries.values();
    expect(JSON.parse(new TextDecoder().decode(stored))).toEqual({
      type: 'MultiPolygon',
      coordinates: [written.coordinates],
    });
    expect(others).toEqual([]);
    const [listed] = await ports.fields.listFieldsOf(customer, { limit: 1 });
    expect(listed?.outline.geometry.coordinates[0]?.[1]).toEqual([-93.609877, 41.083123]);
  });

  test('keeps the geometry of the same land when its enrollments are over, so that no image is made anew', async () => {
    await ingest(await submitted({ features: [aFeature({ geometry: written })], request: { endDate: '2026-06-20' } }));
    const before = await ports.fields.findClaim(customer, 'north');
    ports.clock.jump(60 * 24 * 3_600_000);
    await ingest(await submitted({ features: [aFeature({ geometry: writtenAgain })] }));
    expect((await ports.fields.findClaim(customer, 'north'))?.geometryHash).toBe(before?.geometryHash);
  });

  test('whose geometry is gone may stand for another when its enrollments are over', async () => {
    await ingest(await submitted({ request: { endDate: '2026-06-20' } }));
    ports.inputs.geometries.clear();
    ports.clock.jump(60 * 24 * 3_600_000);
    const late = await submitted({ features: [aFeature({ geometry: moved })] });
    await ingest(late);
    expect((await now(late)).status).toBe('completed');
  });

  test('may stand for another geometry ten days after the end of the last enrollment', async () => {
    await ingest(await submitted({ request: { endDate: '2026-06-20' } }));
    ports.clock.jump(15 * 24 * 3_600_000);
    const early = await submitted({ features: [aFeature({ geometry: moved })] });
    await ingest(early);
    expect((await now(early)).errors).toMatchObject([{ code: 'field_id_conflict' }]);
    ports.clock.jump(24 * 3_600_000);
    const late = await submitted({ features: [aFeature({ geometry: moved })] });
    await ingest(late);
    expect((await now(late)).status).toBe('completed');
    expect((await ports.fields.findClaim(customer, 'north'))?.geometryHash).not.toBe(undefined);
  });

  test('of a period long over is held while its backfill may go on', async () => {
    await ingest(await submitted({ request: { startDate: '2020-04-01', endDate: '2020-05-01' } }));
    const other = await submitted({ features: [aFeature({ geometry: moved })] });
    await ingest(other);
    expect((await now(other)).errors).toMatchObject([{ code: 'field_id_conflict' }]);
  });

  test('claimed by two enrollments at once goes to one of them', async () => {
    const rivals = [await submitted(), await submitted({ features: [aFeature({ geometry: moved })] })];
    await Promise.all(rivals.map(ingest));
    const statuses = await Promise.all(rivals.map(async (rival) => (await now(rival)).status));
    expect(statuses.sort()).toEqual(['completed', 'failed']);
    expect(await ports.fields.listHolders(customer, 'north')).toHaveLength(1);
  });

  test("is each customer's own", async () => {
    await ingest(await submitted());
    const other = { ...(await submitted({ features: [aFeature({ geometry: moved })] })), customer: 'fabrikam' };
    await ports.inputs.put(other, { geojson: jsonBytes(aCollection([aFeature({ geometry: moved })])) });
    await work.enqueuer.open(ingestWork(other));
    await ports.enrollments.insert(other);
    await ingest(other);
    expect((await now(other)).status).toBe('completed');
  });
});

describe('an attempt that dies', () => {
  test('after some of its batches is finished by the next: fields already stored stay', async () => {
    const features = Array.from({ length: 70 }, (_, index) => aFeature({ fieldId: `f${index}` }));
    const enrollment = await submitted({ features });
    const write = ports.fields.write.bind(ports.fields);
    let writes = 0;
    ports.fields.write = (key, batch) => {
      writes += 1;
      return writes === 2 ? new Promise(() => undefined) : write(key, batch);
    };
    void ingest(enrollment);
    await settle();
    expect(await now(enrollment)).toMatchObject({ status: 'in_progress', processedFields: 33 });
    // The dead process renews nothing; its clock is not ours.
    ports.clock = new ManualClock(new Date(ports.clock.now().getTime() + LEASE_MS).toISOString());
    await expect(sweep()).resolves.toMatchObject({ sent: 1 });
    expect(work.sent).toHaveLength(1);
    await ingest(enrollment);
    expect(await now(enrollment)).toMatchObject({ status: 'completed', processedFields: 70 });
    expect(await ports.fields.listFields(enrollment)).toHaveLength(70);
  });

  test('holds its lease while it lives: no second attempt begins', async () => {
    const enrollment = await submitted();
    let finish = (): void => undefined;
    const { inspectFields: inspect } = ports;
    ports.inspectFields = async (key) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return inspect(key);
    };
    const running = ingest(enrollment);
    await settle();
    await ports.clock.advance(5 * LEASE_MS);
    await expect(sweep()).resolves.toMatchObject({ due: 0, sent: 0, late: 0, taken: 0, failed: 0 });
    await ingest(enrollment);
    expect(await attemptsOf(enrollment)).toBe(1);
    finish();
    await running;
    expect((await now(enrollment)).status).toBe('completed');
  });

  test('that storage keeps from renewing its lease goes on with the next renewal', async () => {
    const enrollment = await submitted();
    let finish = (): void => undefined;
    const { inspectFields: inspect } = ports;
    ports.inspectFields = async (key) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return inspect(key);
    };
    const running = ingest(enrollment);
    await settle();
    const update = work.rows.update.bind(work.rows);
    work.rows.update = () => Promise.reject(new Error('tables away'));
    await ports.clock.advance(LEASE_MS / 3);
    work.rows.update = update;
    await ports.clock.advance(LEASE_MS);
    await expect(sweep()).resolves.toMatchObject({ sent: 0 });
    finish();
    await running;
    expect((await now(enrollment)).status).toBe('completed');
  });

  test('slower than its lease, as in a process that stood still, leaves the ingest to who took it over', async () => {
    const enrollment = await submitted();
    let finish = (): void => undefined;
    const { inspectFields: inspect } = ports;
    ports.inspectFields = async (key) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return inspect(key);
    };
    const stoodStill = ingest(enrollment);
    await settle();
    ports.clock.jump(LEASE_MS);
    ports.inspectFields = inspect;
    await ingest(enrollment);
    const ended = await now(enrollment);
    expect(ended.status).toBe('completed');
    // It wakes: its renewal finds another owner, its work changes nothing.
    await ports.clock.advance(LEASE_MS);
    finish();
    await stoodStill;
    expect(await now(enrollment)).toEqual(ended);
    expect(ports.events).toEqual(['Enrollment:Ingested', 'Work:AttemptLost']);
  });

  test('before its message was sent is found by the sweeper, which sends it once', async () => {
    const enrollment = await submitted();
    await expect(sweep()).resolves.toMatchObject({ sent: 0 });
    ports.clock.jump(120_000);
    await expect(Promise.all([sweep(), sweep()])).resolves.toHaveLength(2);
    expect(work.sent).toHaveLength(1);
    await ingest(enrollment);
    ports.clock.jump(120_000);
    await expect(sweep()).resolves.toMatchObject({ due: 0, sent: 0, late: 0, taken: 0, failed: 0 });
  });
});

describe('an attempt that fails', () => {
  const failing = (): void => {
    ports.inspectFields = () => Promise.reject(new Error('blobs away at https://secret.example'));
  };

  test('is tried again after a growing time', async () => {
    const enrollment = await submitted();
    failing();
    const start = ports.clock.now().getTime();
    await ingest(enrollment);
    expect(work.sent).toMatchObject([{ dueAt: start + 15_000 }]);
    await ingest(enrollment);
    expect(await attemptsOf(enrollment)).toBe(1);
    ports.clock.jump(15_000);
    await ingest(enrollment);
    expect(work.sent).toMatchObject([{ dueAt: start + 15_000 }, { dueAt: start + 75_000 }]);
  });

  test('five times ends the enrollment, with a reason that speaks of none of our parts', async () => {
    const enrollment = await submitted();
    failing();
    for (let attempt = 1; attempt <= MAX_INGEST_ATTEMPTS; attempt += 1) {
      await ingest(enrollment);
      ports.clock.jump(16 * 60_000);
    }
    expect(await now(enrollment)).toMatchObject({
      status: 'failed',
      errors: [{ fieldId: null, code: 'ingest_failed', message: expect.not.stringContaining('secret') }],
    });
    expect(await work.find(ingestWork(enrollment))).toBeUndefined();
  });

  test('for the last time by dying is ended by the next message', async () => {
    const enrollment = await submitted();
    const stored = (await work.store.find(ingestWork(enrollment)))!;
    await work.store.update(stored, { ...stored.item, attempts: 2 * MAX_INGEST_ATTEMPTS });
    await ingest(enrollment);
    expect((await now(enrollment)).status).toBe('failed');
    expect(await work.find(ingestWork(enrollment))).toBeUndefined();
  });

  test('while storage is away in the very moment of giving back still has its day', async () => {
    const enrollment = await submitted();
    const { inspectFields: inspect } = ports;
    const update = work.rows.update.bind(work.rows);
    const away = new ServiceError(commonFaults.unavailable, 'Storage is away.');
    for (let attempt = 0; attempt < 2 * MAX_INGEST_ATTEMPTS - 1; attempt += 1) {
      ports.inspectFields = () => {
        work.rows.update = () => Promise.reject(away);
        return Promise.reject(away);
      };
      await expect(ingest(enrollment)).rejects.toThrow('away');
      work.rows.update = update;
      ports.clock.jump(LEASE_MS);
    }
    ports.inspectFields = inspect;
    await ingest(enrollment);
    expect((await now(enrollment)).status).toBe('completed');
  });

  test('because storage is away uses no attempt up, and ends the enrollment after a day', async () => {
    const enrollment = await submitted();
    ports.inspectFields = () => Promise.reject(new ServiceError(commonFaults.unavailable, 'Storage is away.'));
    let tries = 0;
    while ((await now(enrollment)).status !== 'failed') {
      await ingest(enrollment);
      expect((await attemptsOf(enrollment)) ?? 0).toBe(0);
      tries += 1;
      ports.clock.jump(16 * 60_000);
    }
    expect(tries).toBeGreaterThan(24 * 3);
    expect(ports.events).toContain('Enrollment:GivenUp');
  });

  test('lets its fields go when the enrollment is given up', async () => {
    const features = [aFeature({ fieldId: 'north' })];
    const enrollment = await submitted({ features });
    ports.enrollments.replace = (stored, next) =>
      next.status === 'completed'
        ? Promise.reject(new Error('tables away'))
        : EnrollmentStore.prototype.replace.call(ports.enrollments, stored, next);
    for (let attempt = 1; attempt <= MAX_INGEST_ATTEMPTS; attempt += 1) {
      await ingest(enrollment);
      ports.clock.jump(16 * 60_000);
    }
    expect((await now(enrollment)).status).toBe('failed');
    expect(await ports.fields.listHolders(customer, 'north')).toEqual([]);
  });
});

describe('a stop', () => {
  const stop = (key: EnrollmentKey) => stopEnrollment({ ...ports, enqueuer: work.enqueuer })(key);

  test('of an enrollment under monitoring keeps its status and ends its work', async () => {
    const enrollment = await submitted();
    await ingest(enrollment);
    await expect(stop(enrollment)).resolves.toMatchObject({ status: 'completed' });
    await expect(stop(enrollment)).resolves.toMatchObject({ status: 'completed' });
    expect(await ports.fields.listHolders(customer, 'north')).toEqual([]);
    expect(await work.store.list(LEAVE)).toMatchObject([{ id: `${customer}|${enrollment.enrollmentId}`, asks: 2 }]);
  });

  test('before ingest fails the enrollment, whose message is then dropped', async () => {
    const enrollment = await submitted();
    await expect(stop(enrollment)).resolves.toMatchObject({
      status: 'failed',
      errors: [{ fieldId: null, code: 'enrollment_stopped' }],
    });
    await ingest(enrollment);
    expect(await ports.fields.listFields(enrollment)).toEqual([]);
    expect(await work.find(ingestWork(enrollment))).toBeUndefined();
  });

  test('while ingest runs wins, and leaves no field held', async () => {
    const enrollment = await submitted();
    const write = ports.fields.write.bind(ports.fields);
    ports.fields.write = async (key, batch) => {
      await stop(enrollment);
      return write(key, batch);
    };
    await ingest(enrollment);
    expect(ports.events).toEqual([]);
    expect(await now(enrollment)).toMatchObject({ status: 'failed', errors: [{ code: 'enrollment_stopped' }] });
    expect(await ports.fields.listHolders(customer, 'north')).toEqual([]);
    expect(await work.find(ingestWork(enrollment))).toBeUndefined();
  });

  test('while an attempt stands still leaves no field held by what the attempt writes when it wakes', async () => {
    const enrollment = await submitted();
    const write = ports.fields.write.bind(ports.fields);
    let wake = (): void => undefined;
    ports.fields.write = async (key, batch) => {
      await new Promise<void>((resolve) => (wake = resolve));
      return write(key, batch);
    };
    const stoodStill = ingest(enrollment);
    await settle();
    await stop(enrollment);
    ports.clock.jump(LEASE_MS);
    await ingest(enrollment);
    expect(await work.find(ingestWork(enrollment))).toBeUndefined();
    wake();
    await stoodStill;
    expect(await ports.fields.listHolders(customer, 'north')).toEqual([]);
  });

  test('of an id that the customer has no enrollment of changes nothing', async () => {
    await expect(stop({ customer, enrollmentId: randomUUID() })).resolves.toBeUndefined();
  });
});

describe('an ingest whose rows are purged while it looks at the features', () => {
  test('writes nothing any more', async () => {
    const enrollment = await submitted({ features: [aFeature()] });
    const { inspectFields: inspect, clock, inputs, fields } = ports;
    ports.inspectFields = async (key) => {
      const inspected = await inspect(key);
      await clock.sleep(50_000);
      return inspected;
    };
    const ended = ingest(enrollment);
    await clock.advance(1_000);
    await workBelongings('ingests', work.rows, INGEST).removeAll(customer);
    await rowBelongings('rows of enrollments', ports.enrollmentRows).removeAll(customer);
    await clock.advance(60_000);
    await ended;
    expect(await fields.listFields(enrollment)).toEqual([]);
    expect(inputs.geometries.size).toBe(0);
    expect(ports.events).toContain('Work:AttemptLost');
  });
});

describe('the work of a submission', () => {
  const HOUR_MS = 3_600_000;
  const dying = async (): Promise<EnrollmentKey> => {
    const key = { customer, enrollmentId: randomUUID() };
    await work.enqueuer.open(ingestWork(key));
    await ports.inputs.put(key, { geojson: new Uint8Array() });
    return key;
  };
  /** What sweeps and messages do in a while, minute by minute. @returns how many messages were handled */
  const pass = async (ms: number): Promise<number> => {
    let handled = 0;
    for (let minute = 0; minute < ms / 60_000; minute += 1) {
      ports.clock.jump(60_000);
      await sweep();
      for (let text = work.messages.take(); text !== undefined; text = work.messages.take()) {
        const { id } = JSON.parse(text) as { readonly id: string };
        const [, enrollmentId = ''] = id.split('|');
        await ingest({ customer, enrollmentId });
        handled += 1;
      }
    }
    return handled;
  };

  test('that died before its rows removes its inputs a day later, after a dozen looks', async () => {
    const key = await dying();
    const looks = await pass(24 * HOUR_MS - 60_000);
    expect(ports.inputs.files.size).toBe(1);
    expect(looks).toBeGreaterThan(5);
    expect(looks).toBeLessThan(14);
    await pass(5 * 60_000);
    expect(ports.inputs.files.size).toBe(0);
    expect(await work.find(ingestWork(key))).toBeUndefined();
  });

  test('whose rows come late is ingested all the same', async () => {
    const { enrollmentId } = await dying();
    await pass(20 * 60_000);
    await ports.inputs.put({ customer, enrollmentId }, { geojson: jsonBytes(aCollection([aFeature()])) });
    const enrollment = { ...received({ customer, enrollmentId, request: aRequest(), totalFields: 1, createdAt: 0 }) };
    await ports.enrollments.insert(enrollment);
    await pass(24 * 60_000);
    expect((await now(enrollment)).status).toBe('completed');
    expect(ports.inputs.files.size).toBe(1);
  });
});
