import { describe, expect, test } from '@jest/globals';
import { TableFeedStore } from '../../../shared/imagery/discovery/tableFeedStore.js';
import { MemoryRows } from '../../support/memoryRows.js';

const read = { readTo: '2026-06-17T15:00:00.000Z', lastChangeAt: '2026-06-17T14:58:00.000Z' };
const later = { ...read, readTo: '2026-06-17T15:05:00.000Z', isSilent: true as const };

describe('the cursor of a feed', () => {
  const catalogue = 'earth-search';
  const store = new TableFeedStore(new MemoryRows());

  test('is moved by whoever read it last alone', async () => {
    expect(await store.findCursor(catalogue)).toBeUndefined();
    const first = await store.putCursor(catalogue, read, undefined);
    expect(await store.putCursor(catalogue, later, undefined)).toBeUndefined();
    expect(await store.findCursor(catalogue)).toEqual({ cursor: read, etag: first });
    const second = await store.putCursor(catalogue, later, first);
    expect(await store.putCursor(catalogue, read, first)).toBeUndefined();
    expect(await store.findCursor(catalogue)).toEqual({ cursor: later, etag: second });
  });
});
