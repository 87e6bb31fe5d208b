import { describe, expect, test } from '@jest/globals';
import { LandStore } from '../../shared/farm/landStore.js';
import { putLand, type LandPatch } from '../../shared/farm/putLand.js';
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
  const { rows, land, ports } = await aField();
  const races = await racePatches([land, new LandStore(rows)], field, { rounds: 200, ports });
  expect(races).toEqual({ bothApplied: 100, oneRefused: 100, lost: [] });
});

describe('a process that is killed at any write', () => {
  const patches: readonly { readonly what: string; readonly id: string; readonly body: LandPatch['body'] }[] = [
    { what: 'of a creation', id: 'new', body: { name: 'New', description: 'Whole' } },
    { what: 'of a change', id: 'field', body: { name: 'New', description: 'Whole' } },
  ];

  test.each(patches)('$what leaves the field as it was or whole, with an eTag of its own', async ({ id, body }) => {
    const key = landKey('field', id);
    const found = new Set<string>();
    for (let diesAt = 1, isDead = true; isDead; diesAt += 1) {
      for (const takesEffect of [false, true]) {
        const { rows, land, ports } = await aField();
        const before = await land.find(key);
        const mortal = new Mortal(diesAt, takesEffect);
        const process = new LandStore((table) => mortal.uses(rows(table)));
        const patch = putLand({ ...ports, land: process })(key, { body, by });
        isDead = await patch.then(() => false, (error: unknown) => error instanceof Killed); // prettier-ignore
        const after = await new LandStore(rows).find(key);
        const isWhole = after?.land.name === body['name'] && after?.land.description === body['description'];
        if (isWhole) expect(after?.land.eTag).not.toBe(before?.land.eTag);
        else expect(after).toEqual(before);
        if (isDead) found.add(isWhole ? 'whole' : 'as it was');
        // Whoever sends it again finds it done, or does it.
        const again = await putLand({ ...ports, land: new LandStore(rows) })(key, { body, by });
        expect(again.land).toMatchObject(body);
      }
    }
    expect([...found].sort()).toEqual(['as it was', 'whole']);
  });
});
