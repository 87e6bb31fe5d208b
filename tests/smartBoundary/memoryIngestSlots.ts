import type { Clock } from '../../shared/clock.js';
import { INGEST_SLOTS, type IngestSlots } from '../../shared/smartBoundary/ingestSlots.js';

/** Places in memory; the same suite runs against them and against the table, so they can't lie. */
export class MemoryIngestSlots implements IngestSlots {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #held = new Map<string, Map<string, number>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  take(tenant: string, owner: string, until: number): Promise<boolean> {
    const held = this.#of(tenant);
    const now = this.#clock.now().getTime();
    for (const [other, end] of held) if (end <= now && other !== owner) held.delete(other);
    if (!held.has(owner) && held.size >= INGEST_SLOTS) return Promise.resolve(false);
    held.set(owner, until);
    return Promise.resolve(true);
  }

  release(tenant: string, owner: string): Promise<void> {
    this.#of(tenant).delete(owner);
    return Promise.resolve();
  }

  #of(tenant: string): Map<string, number> {
    const held = this.#held.get(tenant) ?? new Map<string, number>();
    this.#held.set(tenant, held);
    return held;
  }
}
