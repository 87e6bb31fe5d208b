import { describe, expect, test } from '@jest/globals';
import { inLane, newItem, type WorkItem } from '../../../shared/work/item/workItem.js';
import { workPartitionOf, workPartitions, WorkStore } from '../../../shared/work/item/workStore.js';
import { MemoryRows } from '../../support/memoryRows.js';

const NOW = Date.parse('2026-06-15T12:00:00Z');

describe('the items of a kind', () => {
  test('are listed from all partitions, and no others', async () => {
    const rows = new MemoryRows();
    const store = new WorkStore(rows);
    const ids = Array.from({ length: 50 }, (_, number) => `|33UUP|2026-06-17|${number}|0`);
    expect(new Set(ids.map(workPartitionOf))).toEqual(new Set(workPartitions));
    const units = ids.map((id) => newItem({ kind: 'unit', id, facts: { from: id } }, NOW));
    for (const unit of units) await store.insert(unit);
    // Of a kind whose name begins alike, and what lies beside items.
    await store.insert(newItem({ kind: 'unitary', id: ids[0]! }, NOW));
    await rows.insert(workPartitionOf(ids[0]!), 'JOB|unit|1', { status: 'DONE' });
    const byId = (a: WorkItem, b: WorkItem): number => (a.id < b.id ? -1 : 1);
    expect([...(await store.list('unit'))].sort(byId)).toEqual(units.sort(byId));
    expect(await store.list('product')).toEqual([]);
  });
});

test('an item is read as it was written, all its properties', async () => {
  const store = new WorkStore(new MemoryRows());
  const item: WorkItem = {
    ...inLane(newItem({ kind: 'test', id: 'tenant-a|one|two', facts: { from: 'a', days: [1, 2] } }, NOW), {
      lane: 'jobs|test|tenant-a',
      askedAt: NOW,
    }),
    ...{ claim: 'attempt', epoch: NOW, attempts: 3, failure: 'away', notBefore: NOW + 1, checkAt: NOW + 2 },
    failures: { refusal: { count: 2, since: NOW, by: 'host' } },
    place: { step: 'slices', state: { at: 'first' } },
  };
  await store.insert(item);
  expect((await store.find(item))?.item).toEqual(item);
});
