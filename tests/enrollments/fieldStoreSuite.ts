import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { EnrollmentKey } from '../../shared/enrollments/record/enrollment.js';
import type { FieldStore, FieldWrite } from '../../shared/enrollments/fields/fieldStore.js';
import type { FieldClaim, FieldOutline, ReadyField } from '../../shared/enrollments/fields/field.js';

const aKey = (customer = `customer-${randomUUID()}`): EnrollmentKey => ({ customer, enrollmentId: randomUUID() });

interface Wish {
  readonly index?: number;
  readonly fieldId?: string;
  readonly geometryHash?: string;
  readonly replaces?: FieldClaim | undefined;
}

function readyWrite(
  key: EnrollmentKey,
  { index = 0, fieldId = 'north', geometryHash = 'a', replaces }: Wish,
): FieldWrite {
  const period = { startDate: '2026-04-01', endDate: '2026-10-31', layers: ['ndvi'] as const };
  const shape = { areaHa: 1, bbox: [1, 2, 3, 4] as const, epsg: 32633, geometryHash, positions: 5 };
  const field: ReadyField = { ...key, index, fieldId, status: 'ready', shape, ...period };
  const holder = { enrollmentId: key.enrollmentId, fieldId, geometryHash, ...period, activeUntil: '2026-11-10' };
  const outline: FieldOutline = { geometry: { type: 'Polygon', coordinates: [] }, bbox: shape.bbox, areaHa: 1 };
  return { field, holder, replaces, outline };
}

/** What every store of fields does, whatever it is made of. */
export function describeFieldStore(name: string, make: () => Promise<FieldStore>): void {
  describe(`the field store ${name}`, () => {
    let store: FieldStore;
    beforeAll(async () => {
      store = await make();
    });

    test('gives back the fields of an enrollment by index, and who monitors each', async () => {
      const key = aKey();
      const failed = { ...key, index: 1, fieldId: "O'Brien 🌾", status: 'failed', code: 'c', message: 'm' } as const;
      await expect(store.write(key, [{ field: failed }, readyWrite(key, { index: 0 })])).resolves.toBe(true);
      const fields = await store.listFields(key);
      expect(fields.map(({ index, status }) => [index, status])).toEqual([
        [0, 'ready'],
        [1, 'failed'],
      ]);
      expect(fields[1]).toEqual(failed);
      const holders = await store.listHolders(key.customer, 'north');
      expect(holders.map(({ enrollmentId }) => enrollmentId)).toEqual([key.enrollmentId]);
      await expect(store.findClaim(key.customer, 'north')).resolves.toMatchObject({ geometryHash: 'a' });
      await expect(store.findClaim(key.customer, "O'Brien 🌾")).resolves.toBeUndefined();
    });

    test('takes a batch of 33 in one act', async () => {
      const key = aKey();
      const batch = Array.from({ length: 33 }, (_, index) => readyWrite(key, { index, fieldId: `field-${index}` }));
      await expect(store.write(key, batch)).resolves.toBe(true);
      await expect(store.listFields(key)).resolves.toHaveLength(33);
    });

    test('lets one of ten enrollments that claim the same field first do so, and writes nothing of the others', async () => {
      const { customer } = aKey();
      const keys = Array.from({ length: 10 }, () => aKey(customer));
      const writes = keys.map((key, index) => [
        readyWrite(key, { index: 0, geometryHash: `hash-${index}` }),
        readyWrite(key, { index: 1, fieldId: `own-${index}` }),
      ]);
      const results = await Promise.all(keys.map((key, index) => store.write(key, writes[index]!)));
      expect(results.filter(Boolean)).toHaveLength(1);
      for (const [index, key] of keys.entries()) {
        await expect(store.listFields(key)).resolves.toHaveLength(results[index] === true ? 2 : 0);
      }
      const claim = await store.findClaim(customer, 'north');
      expect(claim?.geometryHash).toBe(`hash-${results.indexOf(true)}`);
      await expect(store.listHolders(customer, 'north')).resolves.toHaveLength(1);
    });

    test('lets another enrollment join on the claim as read, once', async () => {
      const [first, second] = [aKey(), aKey()];
      const other = { ...second, customer: first.customer };
      await store.write(first, [readyWrite(first, {})]);
      const claim = await store.findClaim(first.customer, 'north');
      await expect(store.write(other, [readyWrite(other, { replaces: claim })])).resolves.toBe(true);
      const third = { ...aKey(), customer: first.customer };
      await expect(store.write(third, [readyWrite(third, { replaces: claim })])).resolves.toBe(false);
      await expect(store.listHolders(first.customer, 'north')).resolves.toHaveLength(2);
    });

    test('never writes a field twice', async () => {
      const key = aKey();
      await store.write(key, [readyWrite(key, {})]);
      const claim = await store.findClaim(key.customer, 'north');
      await expect(store.write(key, [readyWrite(key, { geometryHash: 'b', replaces: claim })])).resolves.toBe(false);
      await expect(store.findClaim(key.customer, 'north')).resolves.toMatchObject({ geometryHash: 'a' });
    });

    test("keeps ids apart that differ in case alone, and holders of a field whose id begins like another's", async () => {
      const key = aKey();
      const ids = ['a', 'A', 'a_b', 'a|b'.replace('|', '-')];
      await store.write(
        key,
        ids.map((fieldId, index) => readyWrite(key, { index, fieldId })),
      );
      for (const fieldId of ids) {
        const holders = await store.listHolders(key.customer, fieldId);
        expect(holders.map((holder) => holder.fieldId)).toEqual([fieldId]);
      }
    });

    test('lets an enrollment go of its fields, the claims and the other holders staying', async () => {
      const [first, second] = [aKey(), aKey()];
      const other = { ...second, customer: first.customer };
      await store.write(first, [readyWrite(first, {})]);
      await store.write(other, [readyWrite(other, { replaces: await store.findClaim(first.customer, 'north') })]);
      await store.release(first);
      await store.release(first);
      const holders = await store.listHolders(first.customer, 'north');
      expect(holders.map(({ enrollmentId }) => enrollmentId)).toEqual([other.enrollmentId]);
      await expect(store.listFields(first)).resolves.toHaveLength(1);
    });
  });
}
