import { beforeEach, describe, expect, test } from '@jest/globals';
import { tombstonesInMemory } from '../../support/keptTombstones.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { KEY_MEMORY_MS } from '../../../shared/access/auth/apiKeyCheck.js';
import { parseApiKey } from '../../../shared/access/auth/apiKeyFormat.js';
import { isLive } from '../../../shared/access/auth/storedKey.js';
import { isCustomerId } from '../../../shared/access/customers/customer.js';
import {
  changeFieldLimit,
  createCustomer,
  CustomerRefusal,
  revokeKey,
  rotateKeys,
} from '../../../shared/access/customers/manageCustomers.js';
import { planPurge, purgeCustomer } from '../../../shared/access/customers/purgeCustomer.js';
import type { Belongings } from '../../../shared/storage/belongings.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';

const peppers = new Map([['1', Buffer.alloc(32, 1)]]);
const HOUR_MS = 3_600_000;
const leaseMs = 60_000;
/** Attempts at work of several customers that are under way. */
let attempts: readonly string[];
const listSharedAttempts = (): Promise<readonly string[]> => Promise.resolve(attempts);
let customers: CustomerStore;
let clock: ManualClock;
let ports: { customers: CustomerStore; peppers: typeof peppers; clock: ManualClock };
beforeEach(() => {
  customers = new CustomerStore(new MemoryRows());
  clock = new ManualClock();
  attempts = [];
  ports = { customers, peppers, clock };
});
const keyIdOf = (apiKey: string): string => parseApiKey(apiKey)!.keyId;
const liveKeys = async (customer: string): Promise<string[]> =>
  (await customers.listKeys(customer)).filter((key) => isLive(key, clock.now().getTime())).map(({ keyId }) => keyId);

describe('a customer id', () => {
  test.each(['a', 'contoso', 'farm-7', 'x'.repeat(63)])('%s is fine', (id) => {
    expect(isCustomerId(id)).toBe(true);
  });

  test.each(['', 'Contoso', '-a', 'a-', 'a_b', 'a.b', '..', 'a/b', 'a b', 'ä', 'x'.repeat(64), 'a\n'])(
    '%j is refused',
    async (id) => {
      expect(isCustomerId(id)).toBe(false);
      await expect(createCustomer(ports)(id, 250)).rejects.toThrow(CustomerRefusal);
    },
  );
});

describe('a customer', () => {
  test('is created once, with a key that works', async () => {
    const { apiKey } = await createCustomer(ports)('contoso', 250);
    expect(await customers.find('contoso')).toEqual({
      customer: 'contoso',
      fieldLimit: 250,
      createdAt: clock.now().getTime(),
    });
    expect(await liveKeys('contoso')).toEqual([keyIdOf(apiKey)]);
    await expect(createCustomer(ports)('contoso', 250)).rejects.toThrow(/exists already/);
  });

  test('has several live keys, of which one is revoked without the others', async () => {
    const first = await createCustomer(ports)('contoso', 250);
    const second = await rotateKeys(ports)('contoso', undefined);
    expect([...(await liveKeys('contoso'))].sort()).toEqual([keyIdOf(first.apiKey), keyIdOf(second.apiKey)].sort());
    await revokeKey(ports)(keyIdOf(first.apiKey));
    expect(await liveKeys('contoso')).toEqual([keyIdOf(second.apiKey)]);
  });

  test('whose keys are rotated with a grace keeps the older ones for that time', async () => {
    const first = await createCustomer(ports)('contoso', 250);
    const second = await rotateKeys(ports)('contoso', HOUR_MS);
    clock.jump(HOUR_MS - 1);
    expect(await liveKeys('contoso')).toContain(keyIdOf(first.apiKey));
    clock.jump(1);
    expect(await liveKeys('contoso')).toEqual([keyIdOf(second.apiKey)]);
  });

  test('does not get a longer life for an old key by a second rotation', async () => {
    const first = await createCustomer(ports)('contoso', 250);
    await rotateKeys(ports)('contoso', HOUR_MS);
    await rotateKeys(ports)('contoso', 5 * HOUR_MS);
    clock.jump(HOUR_MS);
    expect(await liveKeys('contoso')).not.toContain(keyIdOf(first.apiKey));
  });

  test.each([0, 5001, 1.5, NaN])('has no field limit of %d', async (limit) => {
    await createCustomer(ports)('contoso', 250);
    await expect(changeFieldLimit(ports)('contoso', limit)).rejects.toThrow(/whole number from 1 to 5000/);
    await expect(createCustomer(ports)('other', limit)).rejects.toThrow(/whole number/);
  });

  test('gets another field limit', async () => {
    await createCustomer(ports)('contoso', 250);
    await changeFieldLimit(ports)('contoso', 1000);
    expect((await customers.find('contoso'))?.fieldLimit).toBe(1000);
  });

  test('nobody knows is refused in words for the operator', async () => {
    await expect(rotateKeys(ports)('nobody', undefined)).rejects.toThrow(/no customer nobody/);
    await expect(changeFieldLimit(ports)('nobody', 5)).rejects.toThrow(/no customer nobody/);
    await expect(revokeKey(ports)('nokey')).rejects.toThrow(/No key has the id nokey/);
  });
});

describe('a purge', () => {
  const belongings = (name: string, counts: Map<string, number>, events: string[]): Belongings => ({
    name,
    count: (customer) => Promise.resolve(counts.get(customer) ?? 0),
    removeAll: async (customer) => {
      const found = await customers.find(customer);
      events.push(
        `${name} ${found?.isPurging === true ? 'closed' : 'open'} ${(await customers.listKeys(customer)).length}`,
      );
      const count = counts.get(customer) ?? 0;
      counts.delete(customer);
      return count;
    },
  });

  const purging = (purge: Omit<Parameters<typeof purgeCustomer>[0], 'keptTombstones'>) =>
    purgeCustomer({ ...purge, keptTombstones: tombstonesInMemory() });
  const purged = async (purge: Parameters<typeof purging>[0]): Promise<unknown> => {
    const result = purging(purge)('contoso');
    await settle();
    await clock.advance(900_000);
    return result;
  };

  test('deletes what work under way writes while it runs, and gives up on work that has no end', async () => {
    const images = new Map([['contoso', 7]]);
    const late = belongings('images', images, []);
    let writes = 0;
    const writing = (times: number): Belongings => ({
      ...late,
      removeAll: async (customer) => {
        const count = await late.removeAll(customer);
        writes += 1;
        if (writes <= times) images.set(customer, 1);
        return count;
      },
    });
    await createCustomer(ports)('contoso', 250);
    const endless = purged({ customers, clock, leaseMs, listSharedAttempts, belongings: [writing(Infinity)] }).catch(
      (error: unknown) => error,
    );
    await expect(endless).resolves.toBeInstanceOf(CustomerRefusal);
    expect(await customers.find('contoso')).toMatchObject({ isPurging: true });
    writes = 0;
    await expect(purged({ customers, clock, leaseMs, listSharedAttempts, belongings: [writing(2)] })).resolves.toEqual({
      keys: 0,
      images: 3,
    });
    expect(images.size).toBe(0);
    expect(await customers.find('contoso')).toBeUndefined();
  });

  test('says what it will delete, and deletes that of the customer alone', async () => {
    const events: string[] = [];
    const images = new Map([
      ['contoso', 7],
      ['fabrikam', 3],
    ]);
    const purge = { customers, clock, leaseMs, listSharedAttempts, belongings: [belongings('images', images, events)] };
    await createCustomer(ports)('contoso', 250);
    await createCustomer(ports)('fabrikam', 250);
    await expect(planPurge(purge)('contoso')).resolves.toEqual({ keys: 1, images: 7 });
    expect(images.get('contoso')).toBe(7);
    await expect(purged(purge)).resolves.toEqual({ keys: 1, images: 7 });
    expect(await customers.find('contoso')).toBeUndefined();
    expect(await customers.listKeys('contoso')).toEqual([]);
    expect(images).toEqual(new Map([['fabrikam', 3]]));
    // Nothing could begin any more when the first of its things was deleted.
    expect(new Set(events)).toEqual(new Set(['images closed 0']));
    await expect(planPurge(purge)('contoso')).rejects.toThrow(/nothing left of the customer contoso.*2026-06-15/);
    await expect(planPurge(purge)('nobody')).rejects.toThrow(/nothing of a customer nobody/);
  });

  test.each([
    { lease: 60_000, why: 'the lease of the default', atMostMs: 3 * 60_000 },
    { lease: 600_000, why: 'the longest lease there can be', atMostMs: 12 * 60_000 },
  ])('waits until nobody can still write, and not much longer: $why', async ({ lease, atMostMs }) => {
    await createCustomer(ports)('contoso', 250);
    const startedAt = clock.now().getTime();
    const images = new Map<string, number>();
    // The last write that can come: by an attempt, or for a key, from just before the purge.
    const lastMs = lease + KEY_MEMORY_MS - 1;
    void clock.sleep(lastMs).then(() => images.set('contoso', 1));
    let endedAt = 0;
    const purge = purging({
      customers,
      clock,
      leaseMs: lease,
      listSharedAttempts,
      belongings: [belongings('images', images, [])],
    });
    const ended = purge('contoso').then((removed) => {
      endedAt = clock.now().getTime();
      return removed;
    });
    await settle();
    await clock.advance(atMostMs);
    await expect(ended).resolves.toEqual({ keys: 1, images: 1 });
    expect(images.size).toBe(0);
    expect(endedAt - startedAt).toBeGreaterThanOrEqual(lastMs);
  });

  test('waits for the end of each attempt at shared work that was under way after it had found something, and for no later one', async () => {
    await createCustomer(ports)('contoso', 250);
    const images = new Map([['contoso', 7]]);
    attempts = ['long', 'short'];
    let isOver = false;
    const purge = { customers, clock, leaseMs, listSharedAttempts, belongings: [belongings('images', images, [])] };
    const ended = purging(purge)('contoso').finally(() => (isOver = true));
    await settle();
    attempts = ['long', 'later'];
    await clock.advance(200_000);
    expect(isOver).toBe(false);
    // Its last write, then its end.
    images.set('contoso', 1);
    attempts = ['later'];
    await clock.advance(5_000);
    expect([images.size, isOver]).toEqual([0, false]);
    // What it was found with may have been written by the later one.
    await clock.advance(20_000);
    expect(isOver).toBe(false);
    attempts = [];
    await clock.advance(10_000);
    await expect(ended).resolves.toEqual({ keys: 1, images: 8 });
  });

  test('uses the id up: nobody is created under it again, not even while it is under way', async () => {
    const purge = { customers, clock, leaseMs, listSharedAttempts, belongings: [belongings('images', new Map(), [])] };
    await createCustomer(ports)('contoso', 250);
    const ended = purging(purge)('contoso');
    await settle();
    await expect(createCustomer(ports)('contoso', 250)).rejects.toThrow(/never used again/);
    await clock.advance(180_000);
    await ended;
    await expect(createCustomer(ports)('contoso', 250)).rejects.toThrow(/never used again/);
    expect(await customers.find('contoso')).toBeUndefined();
    expect(await customers.listKeys('contoso')).toEqual([]);
    await expect(createCustomer(ports)('contoso-2', 250)).resolves.toMatchObject({ customer: 'contoso-2' });
  });

  test('that broke off is gone on with by the next', async () => {
    const images = new Map([['contoso', 7]]);
    const broken: Belongings = {
      ...belongings('rows', images, []),
      removeAll: () => Promise.reject(new Error('away')),
    };
    await createCustomer(ports)('contoso', 250);
    await expect(
      purging({ customers, clock, leaseMs, listSharedAttempts, belongings: [broken] })('contoso'),
    ).rejects.toThrow('away');
    await expect(rotateKeys(ports)('contoso', undefined)).rejects.toThrow(/being purged/);
    const whole = { customers, clock, leaseMs, listSharedAttempts, belongings: [belongings('images', images, [])] };
    await expect(purged(whole)).resolves.toEqual({ keys: 0, images: 7 });
    expect(await customers.find('contoso')).toBeUndefined();
  });
});
