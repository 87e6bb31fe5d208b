import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ImageryWorkStore } from '../../../shared/imagery/imageryPorts.js';
import { claimed, refused, type WorkKey } from '../../../shared/imagery/work/imageryWork.js';

/** What every store of imagery work does, whatever it is made of. */
export function describeImageryWorkStore(name: string, make: () => ImageryWorkStore): void {
  describe(`the store of imagery work ${name}`, () => {
    let store: ImageryWorkStore;
    let customer: string;
    beforeEach(() => {
      store = make();
      customer = `customer-${randomUUID()}`;
    });

    const add = (...ids: readonly string[]): Promise<void> =>
      store.add(
        customer,
        'render',
        ids.map((id) => ({ id, document: { about: id } })),
      );
    const key = (id: string): WorkKey => ({ customer, kind: 'render', id });
    const promote = async (limit: number): Promise<readonly string[]> =>
      (await store.promote(customer, 'render', limit)).map(({ id }) => id);
    const activeIds = async (): Promise<readonly string[]> =>
      (await store.listActive(customer)).map(({ work }) => work.id).sort();

    test('makes work active in the order of its ids, as much as the limit allows', async () => {
      await add('3_c', '1_a', '2_b');
      expect(await promote(2)).toEqual(['1_a', '2_b']);
      expect(await promote(2)).toEqual([]);
      expect(await activeIds()).toEqual(['1_a', '2_b']);
      expect(await promote(3)).toEqual(['3_c']);
    });

    test('gives the place of work that was refused to another, of twenty at most', async () => {
      await add(...Array.from({ length: 30 }, (_, index) => String(index).padStart(4, '0')));
      for (let round = 0; round < 30; round += 1) {
        await promote(1);
        for (const { work, etag } of await store.listActive(customer)) {
          if (work.refusals === 0) await store.replace(refused(claimed(work, 1), 2, '403'), etag);
        }
      }
      const active = await store.listActive(customer);
      expect(active.map(({ work }) => work.refusals)).toEqual(Array(21).fill(1));
    });

    test('gives back what the work is about, whatever its length', async () => {
      const document = { text: 'ä'.repeat(100_000), list: Array.from({ length: 1_000 }, (_, index) => index) };
      await store.add(customer, 'render', [{ id: 'long', document }]);
      await promote(1);
      expect((await store.find(key('long')))?.document).toEqual(document);
    });

    test('adds hundreds at once', async () => {
      await add(...Array.from({ length: 250 }, (_, index) => String(index).padStart(4, '0')));
      expect(await promote(3)).toEqual(['0000', '0001', '0002']);
    });

    test('replaces what waits under the same id', async () => {
      await add('1_a');
      await store.add(customer, 'render', [{ id: '1_a', document: { about: 'newer' } }]);
      await promote(1);
      expect((await store.find(key('1_a')))?.document).toEqual({ about: 'newer' });
      expect(await promote(5)).toEqual([]);
    });

    test('lets new work wait behind active work of the same id', async () => {
      await add('1_a');
      await promote(1);
      await add('1_a', '2_b');
      expect(await promote(2)).toEqual(['2_b']);
      const active = (await store.find(key('1_a')))!;
      await store.remove(key('1_a'), active.etag);
      expect(await promote(2)).toEqual(['1_a']);
    });

    test('changes active work for the one who has read it last, and keeps what it is about', async () => {
      await add('1_a');
      await promote(1);
      const stored = (await store.find(key('1_a')))!;
      const mine = claimed(stored.work, Date.parse('2026-06-15T12:00:00Z'));
      const etag = await store.replace(mine, stored.etag);
      expect(etag).toBeDefined();
      expect(await store.replace(mine, stored.etag)).toBeUndefined();
      const again = (await store.find(key('1_a')))!;
      expect(again).toMatchObject({ work: mine, document: { about: '1_a' } });
      expect(await store.remove(key('1_a'), stored.etag)).toBe(false);
      expect(await store.remove(key('1_a'), again.etag)).toBe(true);
      expect(await store.find(key('1_a'))).toBeUndefined();
    });

    test('keeps kinds and customers apart', async () => {
      await add('1_a');
      await store.add(customer, 'search', [{ id: '1_a', document: { about: 'search' } }]);
      await store.add(`${customer}x`, 'render', [{ id: '1_a', document: { about: 'other' } }]);
      await promote(5);
      expect((await store.find(key('1_a')))?.document).toEqual({ about: '1_a' });
      expect(await store.find({ customer, kind: 'search', id: '1_a' })).toBeUndefined();
      expect(await store.listActive(`${customer}x`)).toEqual([]);
    });
  });
}
