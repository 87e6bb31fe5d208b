import type { Clock } from '../../../shared/kit/clock.js';
import { workOfErasure, type Erasure } from '../../../shared/farm/erase/erasure.js';
import type { ErasureScope } from '../../../shared/farm/upkeep/erasureScope.js';
import { startErasure, type StartErasurePorts } from '../../../shared/farm/erase/startErasure.js';

export interface EraseCommandPorts extends StartErasurePorts {
  readonly clock: Clock;
  /** Tells the operator what is going on, beside the result. */
  readonly say: (line: string) => void;
}

const PAUSE_MS = 2_000;

/**
 * Has the service erase a party, or everything of a tenant, and waits for the end. Whoever ends the command does not end the
 * erasure; the command once more goes on waiting.
 *
 * @returns how much was deleted
 * @throws Error when the service has given it up
 */
export async function eraseAndWait(ports: EraseCommandPorts, scope: ErasureScope): Promise<Erasure['counts']> {
  let erasure = await startErasure(ports)(scope);
  ports.say('The service begins within two minutes and needs some more. It goes on without this command.');
  while (erasure.endedAt === undefined) {
    await ports.clock.sleep(PAUSE_MS);
    const found = await ports.erasures.find(workOfErasure(scope));
    if (found === undefined) throw new Error('The erasure is not there any more; run the command again.');
    if (found.value.status !== erasure.status) ports.say(`${found.value.status}.`);
    erasure = found.value;
  }
  if (erasure.status === 'Succeeded') return erasure.counts;
  throw new Error('The service has given the erasure up; its log says why (Farm:NotErased). Run the command again.');
}
