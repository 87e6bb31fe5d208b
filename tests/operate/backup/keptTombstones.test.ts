import { expect, test } from '@jest/globals';
import { KeptTombstones } from '../../../shared/operate/backup/keptTombstones.js';
import { tombstonesInMemory } from '../../support/keptTombstones.js';

const TENANT = '7c1b6f0e-52a4-4f3f-9d0a-3f1f2f6f0a11';

test('tombstones beside exports are read as they were kept, whatever the id of the party', async () => {
  const kept = tombstonesInMemory();
  await kept.keepErasure({ tenant: TENANT, partyId: 'north.~field_.' }, 5);
  await kept.keepErasure({ tenant: TENANT, partyId: '~all' }, 6);
  await kept.keepErasure({ tenant: TENANT }, 7);
  await kept.keepPurge('contoso', 8);
  await kept.keepPurge('contoso', 8);
  const { erased, purged } = await kept.read();
  expect(erased).toHaveLength(3);
  expect(erased).toEqual(
    expect.arrayContaining([
      { tenant: TENANT, partyId: 'north.~field_.', erasedAt: 5 },
      { tenant: TENANT, partyId: '~all', erasedAt: 6 },
      { tenant: TENANT, erasedAt: 7 },
    ]),
  );
  expect([...purged]).toEqual([['contoso', 8]]);
});

test('a tombstone is written without a condition, for one that is not met looks like a container that is not there', async () => {
  const asked: unknown[] = [];
  const write = (_name: string, _bytes: Uint8Array, options: object) => Promise.resolve(String(asked.push(options)));
  await new KeptTombstones({ write, list: () => Promise.resolve([]) }).keepPurge('contoso', 8);
  expect(asked).toEqual([{ type: 'application/octet-stream' }]);
});
