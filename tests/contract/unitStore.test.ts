import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { randomId } from '../../shared/ids.js';
import { TableUnitStore } from '../../shared/imagery/units/tableUnitStore.js';
import { openedUnit } from '../../shared/imagery/units/unitWork.js';
import { describeUnitStore } from '../imagery/units/unitStoreSuite.js';
import { meetsBeforeWrite, tableOf } from './storage.js';

describeUnitStore('in a table', () => new TableUnitStore(tableOf('imageryUnits'), randomId));

test('a unit that waits and is asked anew while it gets its turn waits with that, or is opened with it', async () => {
  const meeting = meetsBeforeWrite();
  const [store, others] = [meeting.around, undefined].map(
    (around) => new TableUnitStore(tableOf('imageryUnits', around), randomId),
  ) as [TableUnitStore, TableUnitStore];
  const [tile, date, now] = [`31T${randomUUID().slice(0, 8)}`, '2026-06-17', Date.now()];
  const cut = { cell: 7, part: '0', from: '07|a|e|00', to: '07|b|e|03' };
  const late = { ...openedUnit(cut, { tile, date, version: 'v1', lane: 'late', publishedAt: now }, now) };
  await others.write(tile, date, [{ unit: late, isWaiting: true }]);
  meeting.arm(() => others.write(tile, date, [{ unit: { ...late, version: 'v2' }, isWaiting: true }]));
  const bucket = others.bucketOf({ tile, date });
  const first = (await store.promote(bucket, 1_000, now)).filter((unit) => unit.tile === tile);
  expect(first).toMatchObject([{ version: 'v1' }]);
  const second = (await store.promote(bucket, 1_000, now)).filter((unit) => unit.tile === tile);
  expect(second).toMatchObject([{ version: 'v2' }]);
  expect((await others.listDay(tile, date)).open).toHaveLength(1);
});
