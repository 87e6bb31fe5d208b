import { expect, test } from '@jest/globals';
import { tombstonesInMemory } from '../support/keptTombstones.js';

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
