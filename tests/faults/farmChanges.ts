// Built by experiment E38, with a protection taken out when it must fail.
import type { Land } from '../../shared/farm/land/land.js';
import { aParty, FarmWorld, keyIn, LEASE_MS } from '../farm/farmWorld.js';
import { Killed, type Mortal } from '../farm/mortal.js';
import { drawnMortal, drawnOf, type Drawn, type Found } from './farmRun.js';

/** Creations, changes and deletions, each by a process that may die at any write of it. */
export async function farmChanges({ random, rounds }: Drawn & { readonly rounds: number }): Promise<Found> {
  const counts = { deaths: 0, whole: 0, unchanged: 0, deleted: 0 };
  const breaches: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const what = (['create', 'change', 'delete'] as const)[drawnOf(random, 3)] ?? 'change';
    const mortal = drawnMortal(random, 4);
    const fate = await attempted(what, mortal, `Round ${round}`);
    if (mortal.isDead) counts.deaths += 1;
    if (fate === 'half' || (fate === 'deleted' && what !== 'delete'))
      breaches.push(`round ${round}: ${what} left ${fate}`);
    else counts[fate] += 1;
  }
  return { counts, breaches };
}

/** One of them, and what others find when its leases are over and what is left was done. */
async function attempted(what: 'create' | 'change' | 'delete', mortal: Mortal, name: string): Promise<Fate> {
  const world = new FarmWorld();
  await aParty(world.process(), { farms: 1, fieldsOfFarm: 1, withInsights: false });
  const key = keyIn('field', what === 'create' ? 'new' : 'field-0-0');
  const before = (await world.process().land.find(key))?.land;
  const process = world.process(mortal);
  const written = { name, description: `Text of ${name}` };
  await (what === 'delete' ? process.remove(key) : process.put(key, written)).catch(refuseAllBut(Killed));
  await world.clock.advance(LEASE_MS);
  await world.work(world.process());
  return fateOf(before, (await world.process().land.find(key))?.land, written);
}

type Fate = 'whole' | 'unchanged' | 'deleted' | 'half';

function fateOf(before: Land | undefined, after: Land | undefined, written: Pick<Land, 'name' | 'description'>): Fate {
  if (after === undefined) return before === undefined ? 'unchanged' : 'deleted';
  if (JSON.stringify(before) === JSON.stringify(after)) return 'unchanged';
  const isWhole = after.name === written.name && after.description === written.description;
  return isWhole && after.isDeleting !== true && after.eTag !== before?.eTag ? 'whole' : 'half';
}

/** @throws every error but those of a kind */
const refuseAllBut =
  (kind: abstract new (...given: never[]) => Error) =>
  (error: unknown): void => {
    if (!(error instanceof kind)) throw error;
  };
