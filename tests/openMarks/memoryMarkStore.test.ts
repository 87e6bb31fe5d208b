import { expect, test } from '@jest/globals';
import { MemoryMarkStore } from '../support/memoryMarkStore.js';
import { describeMarkStore } from './markStoreSuite.js';

describeMarkStore('in memory', () => new MemoryMarkStore());

test('a kind that was not taken over says so', async () => {
  const store = new MemoryMarkStore('ingest');
  await expect(store.listDue('imagery', 0)).resolves.toEqual({ due: [], isTakenOver: false });
  await expect(store.listDue('ingest', 0)).resolves.toEqual({ due: [], isTakenOver: true });
});
