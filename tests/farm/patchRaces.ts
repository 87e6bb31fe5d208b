import type { ServiceError } from '../../shared/errors/serviceError.js';
import type { LandKey } from '../../shared/farm/land.js';
import type { LandStore } from '../../shared/farm/landStore.js';
import { putLand, type LandPatch, type PutLandPorts } from '../../shared/farm/putLand.js';

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
  const [one, other] = stores.map((land) => putLand({ ...ports, land }));
  if (one === undefined || other === undefined) throw new Error('Two stores race.');
  let [bothApplied, oneRefused] = [0, 0];
  const lost: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { land } = (await stores[0].find(key)) ?? {};
    const by = round % 2 === 0 ? {} : { ifMatch: land?.eTag };
    const patch = (body: LandPatch['body']): LandPatch => ({ body, by: 'someone', ...by });
    const [first, second] = await Promise.allSettled([
      one(key, patch({ properties: { first: round } })),
      other(key, patch({ properties: { second: round } })),
    ]);
    const after = (await stores[0].find(key))?.land.properties ?? {};
    if ((after['first'] === round) !== isApplied(first) || (after['second'] === round) !== isApplied(second)) {
      lost.push(round);
    }
    if (isApplied(first) && isApplied(second)) bothApplied += 1;
    else oneRefused += 1;
  }
  return { bothApplied, oneRefused, lost };
}

/** @throws what is neither success nor 412 */
function isApplied(result: PromiseSettledResult<unknown>): boolean {
  if (result.status === 'fulfilled') return true;
  if ((result.reason as ServiceError).fault.status === 412) return false;
  throw result.reason as Error;
}
