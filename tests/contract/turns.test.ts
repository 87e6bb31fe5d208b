import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../shared/clock.js';
import { rowBelongings } from '../../shared/customers/belongingsStore.js';
import { TableImageryWorkStore } from '../../shared/imagery/work/tableImageryWorkStore.js';
import { losesNextAnswer, meetsBeforeWrite, rowsOf, tableOf, type Exchange } from './storage.js';

/** Of its own: nobody else looks for what has its turn here. */
const name = `turns${randomUUID().replaceAll('-', '')}`;
beforeAll(() => tableOf(name).createTable());
afterAll(() => tableOf(name).deleteTable());

const meeting = meetsBeforeWrite();
const losing = losesNextAnswer();
const around: Exchange = (send, isRead) => meeting.around(() => losing.around(send, isRead), isRead);
/** Loses the answer of a write. */
const armLoss = (writesBefore: number): void => {
  meeting.arm(() => {
    losing.arm();
    return Promise.resolve();
  }, writesBefore);
};
const armDeath = (writesBefore: number): void => {
  meeting.arm(() => Promise.reject(new Error('dead')), writesBefore);
};

describe('work that gets its turn', () => {
  let key: { readonly customer: string; readonly kind: 'render'; readonly id: string };
  const store = new TableImageryWorkStore(rowsOf(name, around), systemClock);
  const others = new TableImageryWorkStore(rowsOf(name), systemClock);
  const ask = (fields: number) => others.add(key.customer, 'render', [{ id: key.id, document: { fields } }]);
  const promote = (by = store) => by.promote(key.customer, 'render', 1);
  /** What the work is about that is active now, which is done with this. */
  async function done(): Promise<unknown> {
    const stored = await others.find(key);
    if (stored !== undefined) await others.remove(key, stored.etag);
    return stored?.document;
  }

  beforeEach(async () => {
    key = { customer: `customer-${randomUUID()}`, kind: 'render', id: '1_a' };
    await ask(1);
  });

  test('and is asked anew before, is done with that alone', async () => {
    meeting.arm(() => ask(2));
    expect(await promote()).toEqual([]);
    expect(await done()).toBeUndefined();
    expect(await promote()).toEqual([key]);
    expect(await done()).toEqual({ fields: 2 });
    expect(await others.hasPending(key.customer)).toBe(false);
  });

  test('and is asked anew then, waits on with that', async () => {
    meeting.arm(() => ask(2), 1);
    expect(await promote()).toEqual([key]);
    expect(await done()).toEqual({ fields: 1 });
    expect(await promote()).toEqual([key]);
    expect(await done()).toEqual({ fields: 2 });
    expect(await others.hasPending(key.customer)).toBe(false);
  });

  test('and had it with another who listed it too, and is done, is not done again', async () => {
    meeting.arm(async () => {
      expect(await promote(others)).toEqual([key]);
      expect(await done()).toEqual({ fields: 1 });
    });
    expect(await promote()).toEqual([]);
    expect(await done()).toBeUndefined();
  });

  test('and is deleted with its customer before, leaves nothing', async () => {
    const { removeAll, count } = rowBelongings('fieldDates', rowsOf(name));
    meeting.arm(() => removeAll(key.customer));
    expect(await promote()).toEqual([]);
    expect(await count(key.customer)).toBe(0);
  });

  test('from one who dies before the row that waited is gone, is done once', async () => {
    armDeath(1);
    await expect(promote()).rejects.toThrow('dead');
    expect(await done()).toEqual({ fields: 1 });
    expect(await promote()).toEqual([]);
    expect(await done()).toBeUndefined();
    expect(await others.hasPending(key.customer)).toBe(false);
  });

  test.each([0, 1])('by a write whose answer is lost, number %d, is done once', async (number) => {
    armLoss(number);
    expect(await promote()).toEqual([key]);
    expect(await done()).toEqual({ fields: 1 });
    expect(await promote()).toEqual([]);
    expect(await done()).toBeUndefined();
    expect(await others.hasPending(key.customer)).toBe(false);
  });
});
