import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { TenantChange, TenantStore } from '../../../shared/access/tenants/tenantStore.js';
import type { TenantRow } from '../../../shared/access/tenants/tenantRegister.js';

const START = Date.parse('2026-06-15T12:00:00.123Z');

const aRow = (more: Partial<TenantRow> = {}): TenantRow => ({
  tid: randomUUID(),
  settings: '{"keyVaultUrl":"https://contoso.test"}',
  ...more,
});
const adding = (row: TenantRow): TenantChange => ({
  tid: row.tid,
  action: 'add',
  by: 'ada',
  at: START,
  before: undefined,
  after: row,
});

/** What every stored register of tenants does, whatever it is made of. */
export function describeTenantStore(name: string, make: () => Promise<TenantStore>): void {
  describe(`the tenant store ${name}`, () => {
    let store: TenantStore;
    beforeAll(async () => {
      store = await make();
    });
    const rowOf = async (tid: string): Promise<TenantRow | undefined> =>
      (await store.list()).find((row) => row.tid === tid);

    test('lists what was added, with the instant at which it was disabled', async () => {
      const rows = [aRow(), aRow({ disabledAt: START })];
      await expect(store.change(await store.guardEtag(), rows.map(adding))).resolves.toBe(true);
      for (const row of rows) await expect(rowOf(row.tid)).resolves.toEqual(row);
    });

    test('makes no change on a mark that is no longer the last, and none of its log', async () => {
      const mark = await store.guardEtag();
      const [first, second] = [aRow(), aRow()];
      await expect(store.change(mark, [adding(first)])).resolves.toBe(true);
      await expect(store.change(mark, [adding(second)])).resolves.toBe(false);
      await expect(rowOf(second.tid)).resolves.toBeUndefined();
      await expect(store.log(second.tid)).resolves.toEqual([]);
    });

    test('lets one of ten changes on the same mark pass', async () => {
      const mark = await store.guardEtag();
      const made = await Promise.all(Array.from({ length: 10 }, () => store.change(mark, [adding(aRow())])));
      expect(made.filter(Boolean)).toHaveLength(1);
    });

    test('replaces and removes a row, and logs what it was and became', async () => {
      const before = aRow();
      await store.change(await store.guardEtag(), [adding(before)]);
      const after = { ...before, disabledAt: START };
      const disabling = { ...adding(after), action: 'disable', at: START + 1, before };
      await store.change(await store.guardEtag(), [disabling]);
      await expect(rowOf(before.tid)).resolves.toEqual(after);
      const removing = { ...disabling, action: 'remove', at: START + 2, before: after, after: undefined };
      await store.change(await store.guardEtag(), [removing]);
      await expect(rowOf(before.tid)).resolves.toBeUndefined();
      const disabled = `${before.settings} disabled since ${new Date(START).toISOString()}`;
      await expect(store.log(before.tid)).resolves.toEqual([
        { at: START, by: 'ada', action: 'add', after: before.settings },
        { at: START + 1, by: 'ada', action: 'disable', before: before.settings, after: disabled },
        { at: START + 2, by: 'ada', action: 'remove', before: disabled },
      ]);
    });

    test('makes as many changes at once as it says', async () => {
      const rows = Array.from({ length: store.mostChanges }, () => aRow());
      await expect(store.change(await store.guardEtag(), rows.map(adding))).resolves.toBe(true);
      const tids = (await store.list()).map(({ tid }) => tid);
      expect(tids).toEqual(expect.arrayContaining(rows.map(({ tid }) => tid)));
    });
  });
}
