import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { describeRows } from '../storage/rowsSuite.js';
import { losesNextAnswer, meetsBeforeWrite, rowsOf } from './storage.js';

describeRows('in a table', () => rowsOf('fields'));

describe('a write whose answer is lost', () => {
  const loss = losesNextAnswer();
  const rows = rowsOf('fields', loss.around);
  const partition = randomUUID();

  test.each([
    { what: 'an insert', write: () => rows.insert(partition, 'insert', { name: 'own' }) },
    {
      what: 'an update',
      write: async () => {
        const etag = await rows.put(partition, 'update', { name: 'of before' });
        loss.arm();
        return rows.update(partition, 'update', { name: 'own' }, etag);
      },
    },
    {
      what: 'a patch',
      write: async () => {
        const etag = await rows.put(partition, 'patch', { name: 'of before' });
        loss.arm();
        return rows.patch(partition, 'patch', { name: 'own' }, etag);
      },
    },
  ])('$what is recognised as our own: its ETag is answered', async ({ what, write }) => {
    loss.arm();
    const etag = await write();
    expect(await rows.find(partition, what.split(' ')[1] ?? '')).toMatchObject({ name: 'own', etag });
  });

  test('a transaction is recognised as our own, deletions included', async () => {
    const etag = await rows.put(partition, 'changed', { name: 'of before' });
    await rows.put(partition, 'deleted', {});
    loss.arm();
    const etags = await rows.transact(partition, [
      { update: 'changed', value: { name: 'own' }, etag },
      { delete: 'deleted' },
    ]);
    expect(await rows.find(partition, 'changed')).toMatchObject({ name: 'own', etag: etags?.get('changed') });
    expect(await rows.find(partition, 'deleted')).toBeUndefined();
  });

  test('a deletion by ETag counts as done', async () => {
    const etag = await rows.put(partition, 'dropped', {});
    loss.arm();
    expect(await rows.delete(partition, 'dropped', etag)).toBe(true);
  });
});

describe("somebody else's write that comes between", () => {
  const meeting = meetsBeforeWrite();
  const rows = rowsOf('fields', meeting.around);
  const others = rowsOf('fields');
  const partition = randomUUID();

  test('is no own lost one, though it wrote the same', async () => {
    meeting.arm(() => others.insert(partition, 'a', { name: 'same' }));
    expect(await rows.insert(partition, 'a', { name: 'same' })).toBeUndefined();
  });

  test('keeps a transaction from writing anything', async () => {
    const etag = await others.put(partition, 'b', {});
    meeting.arm(() => others.put(partition, 'b', { name: 'other' }));
    expect(
      await rows.transact(partition, [
        { update: 'b', value: {}, etag },
        { put: 'c', value: {} },
      ]),
    ).toBeUndefined();
    expect(await rows.find(partition, 'c')).toBeUndefined();
  });
});
