// Built by experiment E38, with a protection taken out when it must fail.
import type { Land } from '../../shared/farm/land.js';
import { aParty, FarmWorld, keyIn, LEASE_MS } from '../farm/farmWorld.js';
import { Killed } from '../farm/mortal.js';
import { drawnMortal, drawnOf, type Drawn, type Found } from './farmRun.js';

/** Creations, changes and deletions, each by a process that may die at any write of it. */
export async function farmChanges({ random, rounds }: Drawn & { readonly rounds: number }): Promise<Found> {
  const counts = { deaths: 0, whole: 0, unchanged: 0, deleted: 0 };
  const breaches: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const world = new FarmWorld();
    await aParty(world.process(), { farms: 1, fieldsOfFarm: 1, withInsights: false });
    const what = (['create', 'change', 'delete'] as const)[drawnOf(random, 3)] ?? 'change';
    const key = keyIn('field', what === 'create' ? 'new' : 'field-0-0');
    const before = (await world.process().land.find(key))?.land;
    const mortal = drawnMortal(random, 4);
    const process = world.process(mortal);
    const written = { name: `Name ${round}`, description: `Text ${round}` };
    await (what === 'delete' ? process.remove(key) : process.put(key, written)).catch(refuseAllBut(Killed));
    if (mortal.isDead) counts.deaths += 1;
    await world.clock.advance(LEASE_MS);
    await world.work(world.process());
    const after = (await world.process().land.find(key))?.land;
    const fate = fateOf(before, after, written);
    if (
      fate === 'half' ||
      (fate === 'deleted') !== (what === 'delete' && after === undefined && before !== undefined)
    ) {
      breaches.push(`round ${round}: ${what} left ${JSON.stringify(after)}`);
    } else counts[fate] += 1;
  }
  return { counts, breaches };
}

function fateOf(
  before: Land | undefined,
  after: Land | undefined,
  written: Pick<Land, 'name' | 'description'>,
): 'whole' | 'unchanged' | 'deleted' | 'half' {
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
