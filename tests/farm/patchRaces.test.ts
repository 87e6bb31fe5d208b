import { describe, expect, test } from '@jest/globals';
import { LandStore } from '../../shared/farm/land/landStore.js';
import type { LandKey } from '../../shared/farm/land/land.js';
import { putLand, type LandPatch } from '../../shared/farm/operations/putLand.js';
import { by, landInMemory, landKey, partyKey } from './landInMemory.js';
import { Killed, Mortal } from './mortal.js';
import { racePatches } from './patchRaces.js';

const field = landKey('field', 'field');

async function aField() {
  const world = landInMemory();
  const put = putLand(world.ports);
  await put(partyKey(), { body: {}, by });
  await put(field, { body: { name: 'Field', properties: { first: -1 } }, by });
  return world;
}

test('two changes of one field at the same time are both applied or one is refused with 412; no member is lost', async () => {
  const { rows, blobs, land, ports } = await aField();
  const races = await racePatches([land, new LandStore(rows, blobs)], field, { rounds: 200, ports });
  expect(races).toEqual({ bothApplied: 100, oneRefused: 100, lost: [] });
});

describe('a process that is killed at any write', () => {
  const patches: readonly { readonly what: string; readonly id: string; readonly body: LandPatch['body'] }[] = [
    { what: 'of a creation', id: 'new', body: { name: 'New', description: 'Whole' } },
    { what: 'of a change', id: 'field', body: { name: 'New', description: 'Whole' } },
  ];

  test.each(patches)('$what leaves the field as it was or whole, with an eTag of its own', async ({ id, body }) => {
    const found = new Set<string>();
    for (let diesAt = 1, isDead = true; isDead; diesAt += 1) {
      for (const takesEffect of [false, true]) {
        const fate = await killed(new Mortal(diesAt, takesEffect), landKey('field', id), body);
        isDead = fate !== 'alive';
        found.add(fate);
      }
    }
    expect([...found].sort()).toEqual(['alive', 'as it was', 'whole']);
  });
});

/** What a process that may be killed in a patch leaves of the field. */
async function killed(mortal: Mortal, key: LandKey, body: LandPatch['body']) {
  const { rows, blobs, land, ports } = await aField();
  const before = await land.find(key);
  const process = new LandStore((table) => mortal.uses(rows(table)), mortal.uses(blobs));
  await putLand({ ...ports, land: process })(key, { body, by }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(Killed);
  });
  const after = await new LandStore(rows, blobs).find(key);
  const isWhole = after?.land.name === body['name'] && after?.land.description === body['description'];
  if (isWhole) expect(after?.land.eTag).not.toBe(before?.land.eTag);
  else expect(after).toEqual(before);
  // Whoever sends it again finds it done, or does it.
  const again = await putLand({ ...ports, land: new LandStore(rows, blobs) })(key, { body, by });
  expect(again.land).toMatchObject(body);
  if (!mortal.isDead) return 'alive';
  return isWhole ? 'whole' : 'as it was';
}
