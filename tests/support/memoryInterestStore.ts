import type { Interest, InterestKey } from '../../shared/imagery/interest/interest.js';
import type { InterestStore } from '../../shared/imagery/interest/interestPorts.js';

const textOf = ({ tile, cell, customer, enrollmentId, part }: InterestKey): string =>
  [customer, tile, cell, enrollmentId, part].join('|');

/** Who wants images of which place, in memory; the same suite runs against it and against the table. */
export class MemoryInterestStore implements InterestStore {
  readonly rows = new Map<string, Interest>();

  write(interests: readonly Interest[]): Promise<void> {
    for (const interest of interests) this.rows.set(textOf(interest), structuredClone(interest));
    return Promise.resolve();
  }

  remove(keys: readonly InterestKey[]): Promise<void> {
    for (const key of keys) this.rows.delete(textOf(key));
    return Promise.resolve();
  }

  find(key: InterestKey): Promise<Interest | undefined> {
    return Promise.resolve(this.rows.get(textOf(key)));
  }

  listTile(tile: string): Promise<readonly Interest[]> {
    const found = [...this.rows.values()].filter((interest) => interest.tile === tile);
    return Promise.resolve(found.sort((a, b) => a.cell - b.cell));
  }

  listEnded(before: string): Promise<readonly InterestKey[]> {
    return Promise.resolve([...this.rows.values()].filter(({ lastDate }) => lastDate < before));
  }
}
