import { expect, test } from '@jest/globals';
import { TableMarkStore } from '../../shared/openMarks/tableMarkStore.js';
import { MemoryRows } from '../support/memoryRows.js';
import { describeMarkStore } from './markStoreSuite.js';

describeMarkStore('on rows', () => new TableMarkStore(new MemoryRows()));

test('a kind that was not taken over says so', async () => {
  const store = new TableMarkStore(new MemoryRows());
  await store.finishTakeOver('ingest');
  await expect(store.listDue('imagery', 0)).resolves.toEqual({ due: [], isTakenOver: false });
  await expect(store.listDue('ingest', 0)).resolves.toEqual({ due: [], isTakenOver: true });
});
