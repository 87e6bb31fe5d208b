import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { FieldDateStore } from '../../../shared/imagery/records/tableFieldDateStore.js';
import type { Making, MakingStore } from '../../../shared/imagery/records/tableMakingStore.js';
import type { FieldDate } from '../../../shared/enrollments/fields/fieldDate.js';
import { settled } from '../../../shared/imagery/records/judgement.js';

const DATE = '2026-05-01';

const aRecord = (fieldId: string, madeOn: string): FieldDate => ({
  fieldId,
  date: DATE,
  outcome: 'done',
  reason: null,
  clearPercent: 100,
  coveragePercent: 100,
  layers: ['ndvi'],
  skipped: {},
  scenes: ['S2B'],
  basis: 'b',
  standing: 'b',
  madeOn,
});

/** What every store of what was made when does, whatever it is made of. @param make a store, and that of its records */
export function describeMakingStore(
  name: string,
  make: () => { readonly makings: MakingStore; readonly fieldDates: FieldDateStore },
): void {
  describe(`the store of what was made when ${name}`, () => {
    let store: MakingStore;
    let fieldDates: FieldDateStore;
    let customer: string;
    beforeEach(() => {
      ({ makings: store, fieldDates } = make());
      customer = `customer-${randomUUID()}`;
    });
    const making = (madeOn: string, ...fieldIds: readonly string[]): Making => ({ madeOn, date: DATE, fieldIds });
    const put = (owner: string, made: Making, isNew = false) => {
      const records = made.fieldIds.map((fieldId) => aRecord(fieldId, made.madeOn));
      return fieldDates.merge(owner, records, settled, { isNew, makings: [made] });
    };

    test('gives what is older than a day, the oldest first, the same once', async () => {
      const fieldIds = Array.from({ length: 250 }, (_, index) => `Feld "${index}" ${'ü'.repeat(50)}`);
      await put(customer, making('2026-06-02', 'south'));
      await put(customer, making('2026-06-01', ...fieldIds), true);
      await put(customer, making('2026-06-01', ...fieldIds));
      await put(customer, making('2026-06-03', 'north'));
      await put(`${customer}-other`, making('2026-06-01', 'north'));
      expect(await store.listBefore(customer, '2026-06-01', 10)).toEqual([]);
      const past = [making('2026-06-01', ...fieldIds), making('2026-06-02', 'south')];
      expect(await store.listBefore(customer, '2026-06-03', 10)).toEqual(past);
      expect(await store.listBefore(customer, '2026-06-03', 1)).toEqual(past.slice(0, 1));
    });

    test.each([99, 100, 101])('comes with the records of %i fields, all of which are there', async (count) => {
      const fieldIds = Array.from({ length: count }, (_, index) => `f${index}`);
      await put(customer, making('2026-06-01', ...fieldIds), true);
      expect(await store.listBefore(customer, '2026-12-31', 10)).toEqual([making('2026-06-01', ...fieldIds)]);
      for (const fieldId of [fieldIds[0]!, fieldIds.at(-2)!, fieldIds.at(-1)!]) {
        expect(await fieldDates.list(customer, fieldId)).toHaveLength(1);
      }
    });

    test('comes with records that are thought to be new and are not', async () => {
      await put(customer, making('2026-06-01', 'north'), true);
      await put(customer, making('2026-06-02', 'north', 'south'), true);
      const past = [making('2026-06-01', 'north'), making('2026-06-02', 'north', 'south')];
      expect(await store.listBefore(customer, '2026-12-31', 10)).toEqual(past);
    });

    test('forgets what is removed, twice as well as once', async () => {
      await put(customer, making('2026-06-01', 'north'));
      await put(customer, making('2026-06-01', 'south'));
      await store.remove(customer, making('2026-06-01', 'north'));
      await store.remove(customer, making('2026-06-01', 'north'));
      expect(await store.listBefore(customer, '2026-12-31', 10)).toEqual([making('2026-06-01', 'south')]);
    });
  });
}
