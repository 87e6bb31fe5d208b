import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { MarkStore, OpenMark, StoredMark } from '../../shared/openMarks/openMark.js';

const NOW = Date.parse('2026-06-15T12:00:00.000Z');

/** What every store of marks does; the store may hold marks of others. */
export function describeMarkStore(where: string, newStore: () => MarkStore): void {
  describe(`marks of open work ${where}`, () => {
    let store: MarkStore;
    let customer: string;
    let imagery: OpenMark;
    const dueOf = async (mark: OpenMark, now: number): Promise<StoredMark | undefined> =>
      (await store.listDue(mark.kind, now)).due.find(({ mark: found }) => found.customer === customer);

    beforeEach(() => {
      store = newStore();
      customer = `customer-${randomUUID()}`;
      imagery = { kind: 'imagery', customer, checkAt: NOW + 1, raisedAt: NOW };
    });

    test('are found from their instant on', async () => {
      await store.raise(imagery);
      expect(await dueOf(imagery, NOW)).toBeUndefined();
      expect((await dueOf(imagery, NOW + 1))?.mark).toEqual(imagery);
    });

    test('that were looked at wait for their next look, or are gone', async () => {
      await store.raise(imagery);
      await store.settle((await dueOf(imagery, NOW + 1))!, NOW + 60_000);
      expect(await dueOf(imagery, NOW + 1)).toBeUndefined();
      const later = (await dueOf(imagery, NOW + 60_000))!;
      expect(later.mark).toEqual({ ...imagery, checkAt: NOW + 60_000 });
      await store.settle(later, undefined);
      expect(await dueOf(imagery, NOW + 60_000)).toBeUndefined();
    });

    test('that are set again during a look stay as they were set', async () => {
      await store.raise(imagery);
      const seen = (await dueOf(imagery, NOW + 1))!;
      await store.raise(imagery);
      await store.settle(seen, undefined);
      await store.settle(seen, NOW + 60_000);
      expect((await dueOf(imagery, NOW + 1))?.mark).toEqual(imagery);
    });

    test('can be taken away, twice too', async () => {
      await store.raise(imagery);
      await store.lower(imagery);
      await store.lower(imagery);
      expect(await dueOf(imagery, NOW + 1)).toBeUndefined();
    });

    test('say whether everything that was open has one', async () => {
      await store.finishTakeOver('imagery');
      const { due, isTakenOver } = await store.listDue('imagery', NOW);
      expect(isTakenOver).toBe(true);
      expect(due.filter(({ mark }) => mark.customer === '')).toEqual([]);
    });
  });
}
