import type { ServiceError } from '../../shared/kit/errors/serviceError.js';
import type { LandKey } from '../../shared/farm/land/land.js';
import type { LandStore } from '../../shared/farm/land/landStore.js';
import { putLand, type PutLandPorts } from '../../shared/farm/operations/putLand.js';

/** How the rounds ended. */
export interface Races {
  readonly bothApplied: number;
  readonly oneRefused: number;
  /** Rounds after which a member is missing that was answered as written, or is there that was refused. */
  readonly lost: readonly number[];
}

/**
 * Two processes change different members of one field at the same time, round after round; in every other round both by
 * the eTag that they have seen.
 */
export async function racePatches(
  stores: readonly [LandStore, LandStore],
  key: LandKey,
  { rounds, ports }: { readonly rounds: number; readonly ports: Omit<PutLandPorts, 'land'> },
): Promise<Races> {
  let [bothApplied, oneRefused] = [0, 0];
  const lost: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { land } = (await stores[0].find(key)) ?? {};
    const by = round % 2 === 0 ? {} : { ifMatch: land?.eTag };
    const race = (store: LandStore, member: string): Promise<unknown> =>
      putLand({ ...ports, land: store })(key, { body: { properties: { [member]: round } }, by: 'someone', ...by });
    const results = await Promise.allSettled([race(stores[0], 'first'), race(stores[1], 'second')]);
    const applied = results.map(isApplied);
    const after = (await stores[0].find(key))?.land.properties;
    const isThere = ['first', 'second'].map((member) => after?.[member] === round);
    if (isThere.join() !== applied.join()) lost.push(round);
    if (applied.includes(false)) oneRefused += 1;
    else bothApplied += 1;
  }
  return { bothApplied, oneRefused, lost };
}

/** @throws what is neither success nor 412 */
function isApplied(result: PromiseSettledResult<unknown>): boolean {
  if (result.status === 'fulfilled') return true;
  if ((result.reason as ServiceError).fault.status === 412) return false;
  throw result.reason as Error;
}
