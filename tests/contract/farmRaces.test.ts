import { afterAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../shared/kit/clock.js';
import { partyKeyOf, type LandKey } from '../../shared/farm/land/land.js';
import { LandStore } from '../../shared/farm/land/landStore.js';
import { putLand } from '../../shared/farm/operations/putLand.js';
import { randomId } from '../../shared/kit/ids.js';
import { racePatches } from '../farm/patchRaces.js';
import { blobsOf, rowsOf } from './storage.js';

const tenant = randomUUID();
const party = partyKeyOf(tenant, 'party');
const field: LandKey = { kind: 'field', tenant, partyId: 'party', id: 'field' };
const ports = { clock: systemClock, newId: randomId, checkQuota: () => Promise.resolve() };

afterAll(async () => {
  const land = new LandStore(rowsOf, blobsOf('farm-data'));
  await land.deleteMany(field, [field.id]);
  await land.deleteMany(party, [party.id]);
});

test('two changes of one field at the same time lose no member in tables either', async () => {
  const [one, other] = [new LandStore(rowsOf, blobsOf('farm-data')), new LandStore(rowsOf, blobsOf('farm-data'))];
  for (const key of [party, field]) await putLand({ ...ports, land: one })(key, { body: {}, by: 'test' });
  const { bothApplied, oneRefused, lost } = await racePatches([one, other], field, { rounds: 20, ports });
  expect(lost).toEqual([]);
  // Of the rounds by eTag the slower one may not have been late.
  expect(bothApplied + oneRefused).toBe(20);
  expect(bothApplied).toBeGreaterThanOrEqual(10);
});
