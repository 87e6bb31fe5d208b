import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { FieldStore, FieldWrite, ListedDays } from '../../shared/enrollments/fields/fieldStore.js';
import type { FieldOutline, ReadyField } from '../../shared/enrollments/fields/field.js';

const period = { startDate: '2026-04-01', endDate: '2026-10-31', layers: ['ndvi'] as const };
const outline: FieldOutline = {
  geometry: { type: 'Polygon', coordinates: [] },
  bbox: [1, 2, 3, 4],
  areaHa: 1,
};

/** What lists show of fields, whatever they are made of. */
export function describeFieldLists(name: string, make: () => FieldStore): void {
  describe(`the lists of fields ${name}`, () => {
    let store: FieldStore;
    let customer: string;
    beforeAll(() => {
      store = make();
    });

    const enrol = async (fieldId: string, group?: string, geometryHash = 'a'): Promise<string> => {
      const enrollmentId = randomUUID();
      const key = { customer, enrollmentId };
      const shape = { areaHa: 1, bbox: outline.bbox, epsg: 32633, geometryHash, positions: 5 };
      const field: ReadyField = {
        ...{ ...key, index: 0, fieldId, status: 'ready', shape, ...period },
        ...(group === undefined ? {} : { group }),
      };
      const holder = { enrollmentId, fieldId, geometryHash, ...period, activeUntil: '2026-11-10' };
      const replaces = await store.findClaim(customer, fieldId);
      await expect(store.write(key, [{ field, holder, replaces, outline }])).resolves.toBe(true);
      return enrollmentId;
    };
    const one = async (fieldId: string) =>
      (await store.listFieldsOf(customer, { limit: 250 })).find((field) => field.fieldId === fieldId);
    const days = (date: string): Pick<ListedDays, 'newest' | 'newestPicture'> => ({
      newest: { date, outcome: 'done', clearPercent: 98.5, layers: ['ndvi'] },
      newestPicture: date,
    });

    test('show a field once, with all who monitor it and nothing of its days yet', async () => {
      customer = randomUUID();
      const ids = [await enrol("O'Brien 🌾"), await enrol("O'Brien 🌾")];
      const [field, ...others] = await store.listFieldsOf(customer, { limit: 250 });
      expect(others).toEqual([]);
      expect(field).toMatchObject({
        fieldId: "O'Brien 🌾",
        geometryHash: 'a',
        outline,
        newest: null,
        newestPicture: null,
      });
      expect(field?.holders.map(({ enrollmentId }) => enrollmentId).sort()).toEqual(ids.sort());
    });

    test('go on behind a position, in an order that stays', async () => {
      customer = randomUUID();
      for (let index = 0; index < 9; index += 1) await enrol(`field-${index}`);
      const all = (await store.listFieldsOf(customer, { limit: 250 })).map(({ fieldId }) => fieldId);
      expect(new Set(all).size).toBe(9);
      const shown: string[] = [];
      for (let after: string | undefined; ;) {
        const page = await store.listFieldsOf(customer, { limit: 4, ...(after === undefined ? {} : { after }) });
        shown.push(...page.map(({ fieldId }) => fieldId));
        expect(page.every(({ holders }) => holders.length === 1)).toBe(true);
        after = page.at(-1)?.position;
        if (after === undefined) break;
      }
      expect(shown).toEqual(all);
    });

    test('tell the group that was named last, and those without one, in the order of the list', async () => {
      customer = randomUUID();
      for (const id of ['a', 'b', 'c', 'd']) await enrol(id, 'Hill Farm');
      await enrol('old');
      await enrol('a');
      await enrol('b', 'Dale Farm');
      await enrol('c', '');
      await enrol('e', 'Hill Farm');
      // Other land has the id now.
      await enrol('e', undefined, 'b');
      const all = await store.listFieldsOf(customer, { limit: 250 });
      const grouped = Object.fromEntries(all.map(({ fieldId, group }) => [fieldId, group]));
      expect(grouped).toEqual({ a: 'Hill Farm', b: 'Dale Farm', c: '', d: 'Hill Farm', e: '', old: '' });
      const lean = await store.listGroups(customer, { limit: 250 });
      expect(lean.map(({ item }) => [item.fieldId, item.group])).toEqual(
        all.map(({ fieldId, group }) => [fieldId, group]),
      );
      const [first, ...others] = lean;
      await expect(store.listGroups(customer, { after: first!.at, limit: 2 })).resolves.toEqual(others.slice(0, 2));
      await expect(store.findListed(customer, ['d', 'b', 'elsewhere'])).resolves.toEqual(
        ['d', 'b'].map((id) => all.find(({ fieldId }) => fieldId === id)),
      );
    });

    test('keep the newest days, also when the field is enrolled again', async () => {
      customer = randomUUID();
      await enrol('north');
      const [before] = await store.findDays(customer, ['north', 'elsewhere']);
      const put = await store.putDays(customer, [{ ...before!, ...days('2026-06-17') }]);
      expect(put).toEqual(await store.findDays(customer, ['north']));
      expect(await one('north')).toMatchObject(days('2026-06-17'));
      await enrol('north');
      expect(await one('north')).toMatchObject({ ...days('2026-06-17'), outline });
    });

    test('take newest days of no field that somebody else has written since', async () => {
      customer = randomUUID();
      await enrol('north');
      await enrol('south');
      const both = await store.findDays(customer, ['north', 'south']);
      expect(both).toHaveLength(2);
      await store.putDays(
        customer,
        both.slice(0, 1).map((field) => ({ ...field, ...days('2026-06-17') })),
      );
      const late = both.map((field) => ({ ...field, ...days('2026-06-07') }));
      await expect(store.putDays(customer, late)).resolves.toBeUndefined();
      const newest = (await store.findDays(customer, ['north', 'south'])).map((field) => field.newestPicture);
      expect(newest.sort()).toEqual(['2026-06-17', null]);
    });

    test('take the newest days of 100 fields in one act', async () => {
      customer = randomUUID();
      const ids = Array.from({ length: 100 }, (_, index) => `field-${index}`);
      for (const id of ids) await enrol(id);
      const found = await store.findDays(customer, ids);
      expect(found).toHaveLength(100);
      await expect(
        store.putDays(
          customer,
          found.map((field) => ({ ...field, ...days('2026-06-17') })),
        ),
      ).resolves.toHaveLength(100);
      expect((await store.findDays(customer, ids)).every(({ newestPicture }) => newestPicture !== null)).toBe(true);
    });

    test('tell why the latest enrollment could not have the field, until one can', async () => {
      customer = randomUUID();
      await enrol('north');
      const claim = await store.findClaim(customer, 'north');
      const key = { customer, enrollmentId: randomUUID() };
      const fault = { code: 'field_id_conflict', message: 'Another geometry.' };
      const write: FieldWrite = {
        field: { ...key, index: 0, fieldId: 'north', status: 'failed', ...fault },
        claim: claim!,
      };
      await expect(store.write(key, [write])).resolves.toBe(true);
      expect((await one('north'))?.failure).toEqual(fault);
      await enrol('north');
      expect((await one('north'))?.failure).toBeUndefined();
    });
  });
}
