import type { Clock } from '../../kit/clock.js';
import type { TenantHoldStore } from './tenantHoldStore.js';

/** A process believes its reading for so long. */
const MEMORY_MS = 10_000;

/**
 * Whether operators hold a tenant: its work begins up to ten seconds after the hold, and at once after its release. While
 * storage can't be read the latest reading counts.
 */
export function holdWatch({
  holds,
  clock,
}: {
  readonly holds: Pick<TenantHoldStore, 'find' | 'list'>;
  readonly clock: Pick<Clock, 'now'>;
}): (tenant: string) => Promise<boolean> {
  let held: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    readAt = clock.now().getTime();
    held = await holds.list().then(
      (all) => new Set(all.map(({ tid }) => tid)),
      () => held,
    );
  };
  return async (tenant) => {
    if (clock.now().getTime() - readAt > MEMORY_MS) reading = read();
    await reading;
    return held.has(tenant) && (await holds.find(tenant)) !== undefined;
  };
}
