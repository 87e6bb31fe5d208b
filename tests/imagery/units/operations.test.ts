import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ReadyField } from '../../../shared/enrollments/fields/field.js';
import type { Scene } from '../../../shared/scenes/item/scene.js';
import { LAYER_NAMES } from '../../../shared/scenes/layers/layers.js';
import { renderScenes } from '../../../shared/imagery/units/renderScenes.js';
import { sliceWorkOf } from '../../../shared/imagery/units/renderCell.js';
import { aScene } from '../builders.js';
import { clearFields } from '../paintedReader.js';
import { CountedStorage, type Operations } from './countedStorage.js';
import { StoredUnits } from './storedUnits.js';

const FIELDS = 10;
const [FIRST, LATER, HIDDEN] = ['2026-06-05', '2026-06-08', '2026-06-11'] as const;
let storage: CountedStorage;
let service: StoredUnits;

const boxAt = (step: number) => {
  const [west, south] = [13.14 + (step % 10) * 0.002, 48.29 + Math.floor(step / 10) * 0.002];
  return [west, south, west + 0.0015, south + 0.0015] as const;
};

const enrol = (customer: string): Promise<void> =>
  service.enrol({
    customer,
    enrollmentId: 'e1',
    fields: Array.from({ length: FIELDS }, (_, index) => ({ fieldId: `${customer}${index}`, box: boxAt(index) })),
    request: { startDate: '2026-06-01', endDate: '2026-06-30', layers: LAYER_NAMES },
  });

function sceneOf(date: string): Scene {
  const day = date.replaceAll('-', '');
  const datatake = `GS2B_${day}T100559_043001`;
  return aScene({ id: date, takenAt: `${date}T10:05:59.000Z`, datatake, datastripStart: `${day}T100612` });
}

/** What the unit of a day's scene asks of storage. */
async function costOf(date: string): Promise<Operations> {
  await service.fanOut(await service.publish(sceneOf(date)));
  const unit = await service.takeUnit();
  return storage.costOf(() => service.runUnit(unit!));
}

/** What the same day asks of storage when a search has found it for an enrollment. */
async function costOfBackfill(customer: string, date: string): Promise<Operations> {
  const ready = (await service.fields.listFields({ customer, enrollmentId: 'e1' })) as readonly ReadyField[];
  const day = { date, overpasses: [[sceneOf(date)]] };
  const shown = ready.map(({ fieldId, shape }) => ({ field: { fieldId, ...shape }, day }));
  const work = sliceWorkOf({ key: '', customer, enrollmentId: 'e1', layers: LAYER_NAMES }, date, shown)!;
  const hold = { signal: new AbortController().signal, isRepeated: false, progressed: () => Promise.resolve() };
  return storage.costOf(() => renderScenes(service.unitPorts)(customer, work.unit, hold));
}

beforeAll(async () => {
  storage = await CountedStorage.start();
  service = await StoredUnits.on(storage);
  service.reader.paint = (scene, file, place) =>
    file === 'scl' && scene.id === HIDDEN ? 9 : clearFields(scene, file, place);
});
afterAll(() => storage.stop());

/**
 * Of the tables, however many fields there are. Reads: the unit, who wants images in its cell, what the tile shows on the
 * day. Writes: the claim, the records, what lists tell of the fields, the end.
 */
const TABLES = { tableReads: 3, tableWrites: 4 };
/** Of a field on a day: four layers and their document, then items, statistics and index. */
const MADE = 8;
/** The index alone. */
const LOOKED_AT = 1;

describe('the operations of storage', () => {
  const found: Record<string, Operations> = {};
  const backfilled: Record<string, Operations> = {};
  beforeAll(async () => {
    await enrol('a');
    for (const date of [FIRST, LATER, HIDDEN]) found[date] = await costOf(date);
    await enrol('c');
    for (const date of [FIRST, LATER]) backfilled[date] = await costOfBackfill('c', date);
  });

  test('of a day that is made are one write for each file, and nothing more for any field', () => {
    expect(found[LATER]).toEqual({ ...TABLES, blobReads: 1, blobWrites: MADE * FIELDS + 1 });
  });

  test('of a day that clouds hide are the write of the index', () => {
    expect(found[HIDDEN]).toEqual({ ...TABLES, blobReads: 1, blobWrites: LOOKED_AT * FIELDS + 1 });
  });

  test('of a backfill are those of what it reads as well: who holds a field, its records, what lists tell of it, boundary and documents', () => {
    const writes = { tableWrites: 2, blobWrites: MADE * FIELDS };
    expect(backfilled[FIRST]).toEqual({ ...writes, tableReads: 4 * FIELDS, blobReads: 2 * FIELDS });
    expect(backfilled[LATER]).toEqual({ ...writes, tableReads: 4 * FIELDS, blobReads: 4 * FIELDS });
  });
});
