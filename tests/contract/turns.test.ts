import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../shared/clock.js';
import { rowBelongings } from '../../shared/customers/belongingsStore.js';
import { TableUnitStore } from '../../shared/imagery/units/tableUnitStore.js';
import { openedUnit, type OpenUnit } from '../../shared/imagery/units/unitWork.js';
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

describe('a unit of the late lane that gets its turn', () => {
  const store = new TableUnitStore(rowsOf(name, around), systemClock);
  const others = new TableUnitStore(rowsOf(name), systemClock);
  const [date, now] = ['2026-06-17', Date.now()];
  const cut = { cell: 7, part: '0', from: '07|a|e|00', to: '07|b|e|03' };
  let late: OpenUnit;
  const ask = (version: string) => others.write(late.tile, date, [{ unit: { ...late, version }, isWaiting: true }]);
  const promote = async (by = store): Promise<readonly string[]> => {
    const promoted = await by.promote(others.bucketOf(late), 1_000, now);
    return promoted.filter(({ tile }) => tile === late.tile).map(({ version }) => version);
  };
  /** The version that is open, which is done with this. */
  async function done(): Promise<string | undefined> {
    const stored = await others.find(late);
    if (stored === undefined) return undefined;
    expect(await others.finish(stored.unit, { customers: 1, fields: 1 }, stored.etag)).toBe('done');
    return stored.unit.version;
  }
  const waiting = async (): Promise<number> => (await others.listOpen(others.bucketOf(late))).waiting;

  beforeEach(async () => {
    const facts = {
      tile: `31T${randomUUID().slice(0, 8)}`,
      date,
      version: 'v1',
      lane: 'late',
      publishedAt: now,
    } as const;
    late = { ...openedUnit(cut, facts, now) };
    await ask('v1');
  });

  test('and is asked anew before, is done with that alone', async () => {
    meeting.arm(() => ask('v2'));
    expect(await promote()).toEqual([]);
    expect(await done()).toBeUndefined();
    expect(await promote()).toEqual(['v2']);
    expect(await waiting()).toBe(0);
  });

  test('and is asked anew then, waits with that, or is opened with it', async () => {
    meeting.arm(() => ask('v2'), 1);
    expect(await promote()).toEqual(['v1']);
    expect(await promote()).toEqual(['v2']);
    expect(await done()).toBe('v2');
    expect(await waiting()).toBe(0);
  });

  test('and had it with another who listed it too, and is done, is not done again', async () => {
    meeting.arm(async () => {
      expect(await promote(others)).toEqual(['v1']);
      expect(await done()).toBe('v1');
    });
    expect(await promote()).toEqual([]);
    expect(await done()).toBeUndefined();
  });

  test('while it is open, and is done with both by another who listed it too, is not asked for again', async () => {
    await others.write(late.tile, date, [{ unit: { ...late, version: 'v0' } }]);
    // Before the second try, which asks for it in the open one.
    meeting.arm(async () => {
      expect(await promote(others)).toEqual(['v1']);
      expect(await done()).toBe('v1');
      await others.write(late.tile, date, [{ unit: { ...late, version: 'v2' } }]);
    }, 1);
    expect(await promote()).toEqual([]);
    expect(await done()).toBe('v2');
    expect(await waiting()).toBe(0);
  });

  test.each(['v0', undefined])(
    'from one who dies before the row that waited is gone, is done once; open is %s',
    async (open) => {
      if (open !== undefined) await others.write(late.tile, date, [{ unit: { ...late, version: open } }]);
      armDeath(open === undefined ? 1 : 2);
      await expect(promote()).rejects.toThrow('dead');
      expect(await done()).toBe('v1');
      expect(await promote()).toEqual([]);
      expect(await done()).toBeUndefined();
      expect(await waiting()).toBe(0);
    },
  );

  test.each([0, 1])('by a write whose answer is lost, number %d, is done once', async (number) => {
    armLoss(number);
    expect(await promote()).toEqual(['v1']);
    expect(await done()).toBe('v1');
    expect(await promote()).toEqual([]);
    expect(await done()).toBeUndefined();
    expect(await waiting()).toBe(0);
  });
});
