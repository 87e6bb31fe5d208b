import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { FieldDate } from '../../../shared/enrollments/fields/fieldDate.js';
import { settled } from '../../../shared/imagery/records/judgement.js';
import { TableFieldDateStore } from '../../../shared/imagery/records/tableFieldDateStore.js';
import { TableMakingStore } from '../../../shared/imagery/records/tableMakingStore.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { describeMakingStore } from './makingStoreSuite.js';

describeMakingStore('on rows', () => {
  const rows = new MemoryRows();
  return { makings: new TableMakingStore(rows), fieldDates: new TableFieldDateStore(rows) };
});

describe('what became of fields on days', () => {
  const aFieldDate = (fieldId: string, date: string): FieldDate => ({
    fieldId,
    date,
    outcome: 'done',
    reason: null,
    clearPercent: 100,
    coveragePercent: 100,
    layers: ['ndvi'],
    skipped: {},
    scenes: ['S2B'],
    basis: 'b',
    standing: 'b',
  });

  test('is listed by date, one field at a time, whatever its id', async () => {
    const store = new TableFieldDateStore(new MemoryRows());
    const customer = `customer-${randomUUID()}`;
    const fieldId = "Süd & 'Öst' (2) %2F";
    const dates = ['2026-06-17', '2026-06-12', '2026-05-28'];
    const others = [...dates.map((date) => aFieldDate(fieldId, date)), aFieldDate('other', '2026-06-17')];
    await store.merge(customer, others, settled);
    expect((await store.list(customer, fieldId)).map(({ date }) => date)).toEqual([...dates].sort());
    expect(await store.list(customer, fieldId, { from: '2026-06-12', to: '2026-06-12' })).toEqual([
      aFieldDate(fieldId, '2026-06-12'),
    ]);
  });

  test('takes the place of what was recorded before, hundreds at once', async () => {
    const store = new TableFieldDateStore(new MemoryRows());
    const customer = `customer-${randomUUID()}`;
    const all = Array.from({ length: 230 }, (_, index) => aFieldDate(`f${index}`, '2026-06-17'));
    await store.merge(customer, all, settled);
    await store.merge(customer, [{ ...all[7]!, outcome: 'cloud' }], settled);
    expect(await store.list(customer, 'f7')).toMatchObject([{ outcome: 'cloud' }]);
    expect(await store.list(customer, 'f229')).toHaveLength(1);
  });

  test('is settled with what others record at the same time, and with itself', async () => {
    const store = new TableFieldDateStore(new MemoryRows());
    const customer = `customer-${randomUUID()}`;
    const days = Array.from({ length: 8 }, (_, index) => ({
      ...aFieldDate('f', '2026-06-17'),
      basis: String(index),
      standing: `geometry,${index}`,
    }));
    await Promise.all([0, 3, 6].map((first) => store.merge(customer, days.slice(first, first + 3), settled)));
    expect(await store.list(customer, 'f')).toEqual([days[7]]);
  });
});
