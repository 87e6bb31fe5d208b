// Built by experiment E41, with a protection taken out when it must fail.
import type { ErasureScope } from '../../shared/farm/upkeep/erasureScope.js';
import { backedUp, jobOf, restored } from '../farm/eraseWorld.js';
import { aParty, FarmWorld } from '../farm/farmWorld.js';
import { TENANT } from '../farm/landInMemory.js';
import { drawnOf, liveUntilDone, type Drawn, type Found } from './farmRun.js';

/** Erasures of a party or a tenant by processes that die, then a restore of an older backup. */
export async function farmErasures({ random, rounds }: Drawn & { readonly rounds: number }): Promise<Found> {
  const counts = { ofParties: 0, ofTenants: 0, deaths: 0, jobs: 0 };
  const breaches: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const world = new FarmWorld();
    const first = world.process();
    await aParty(first, { party: 'other', farms: 1, fieldsOfFarm: 2 });
    await aParty(first, { farms: 1 + drawnOf(random, 3), fieldsOfFarm: drawnOf(random, 60) });
    for (let job = drawnOf(random, 4); job >= 0; job -= 1) {
      await jobOf(world, first, { jobId: `job-${job}`, partyId: 'party', isOpen: random() < 0.3 });
      counts.jobs += 1;
    }
    const older = await backedUp(world);
    const scope: ErasureScope = random() < 0.5 ? { tenant: TENANT, partyId: 'party' } : { tenant: TENANT };
    counts[scope.partyId === undefined ? 'ofTenants' : 'ofParties'] += 1;
    await first.startErasure(scope);
    counts.deaths += await liveUntilDone(world, random);
    breaches.push(...(await leftOf(world, scope)).map((left) => `round ${round}, before a restore: ${left}`));
    await restored(world, older);
    breaches.push(...(await leftOf(world, scope)).map((left) => `round ${round}, restored: ${left}`));
  }
  return { counts, breaches };
}

/** Keys of rows and blobs of what is to be erased. */
async function leftOf(world: FarmWorld, { partyId }: ErasureScope): Promise<readonly string[]> {
  const isMeant = (name: string): boolean => partyId === undefined || !/\bother\b/.test(name);
  const { parties, farms, fields, insights, blobs } = await world.stored();
  const jobs = world
    .rows('work')
    .all()
    .map(({ rowKey }) => rowKey)
    .filter((rowKey) => /^(JOB|LIST|DONE)\|/.test(rowKey));
  const records = (await world.insightBlobs.list('')).map(({ name }) => name);
  return [...parties, ...farms, ...fields, ...insights, ...blobs, ...jobs, ...records].filter(isMeant);
}
