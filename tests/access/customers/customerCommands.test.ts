import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryRows } from '../../support/memoryRows.js';
import { runCustomerCommand } from '../../../infra/local/customers/customerCommands.js';
import type { OperatorServices } from '../../../infra/local/customers/operatorServices.js';
import { tombstonesInMemory } from '../../support/keptTombstones.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';

let said: string[];
let clock: ManualClock;
let images: number;
let services: OperatorServices;
beforeEach(() => {
  said = [];
  clock = new ManualClock();
  images = 3;
  const removeAll = (): Promise<number> => {
    const found = images;
    images = 0;
    return Promise.resolve(found);
  };
  services = {
    customers: new CustomerStore(new MemoryRows()),
    belongings: [{ name: 'images', count: () => Promise.resolve(images), removeAll }],
    peppers: new Map([['1', Buffer.alloc(32, 1)]]),
    defaultFieldLimit: 250,
    leaseMs: 60_000,
    keptTombstones: tombstonesInMemory(),
    listSharedAttempts: () => Promise.resolve([]),
    clock,
    say: (line: string) => void said.push(line),
  } as unknown as OperatorServices;
});
const run = (...argv: readonly string[]): Promise<unknown> => runCustomerCommand(argv, () => services);

describe('npm run customers -- purge', () => {
  test('says without --yes what it would delete and how long that takes, and deletes nothing', async () => {
    await run('create', 'contoso');
    await expect(run('purge', 'contoso')).resolves.toEqual({
      wouldDelete: { keys: 1, images: 3 },
      next: expect.stringMatching(/Add --yes.*the id is used up.*110 s/),
    });
    expect(images).toBe(3);
    await expect(run('list', 'contoso')).resolves.toMatchObject([
      { customer: 'contoso', fingerprint: '11f0b04eda61', keys: [{ state: 'live' }] },
    ]);
  });

  test('ends with --yes within three minutes, tells meanwhile what it waits for, and uses the id up', async () => {
    await run('create', 'contoso');
    const startedAt = clock.now().getTime();
    let endedAt = Infinity;
    const ended = run('purge', 'contoso', '--yes').finally(() => {
      endedAt = clock.now().getTime();
    });
    await settle();
    expect(said).toEqual([expect.stringMatching(/110 s until nobody can still write.*up to 32 minutes/)]);
    await clock.advance(180_000);
    await expect(ended).resolves.toEqual({ deleted: { keys: 1, images: 3 } });
    expect(endedAt - startedAt).toBeLessThanOrEqual(180_000);
    await expect(run('create', 'contoso')).rejects.toThrow(/never used again/);
    await expect(run('list')).resolves.toEqual([]);
  });
});
