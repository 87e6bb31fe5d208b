import { pixelsOfBox } from '../../shared/imagery/catalogue/footprint.js';
import type { Interest, InterestKey, InterestSummary } from '../../shared/imagery/interest/interest.js';
import type { InterestStore } from '../../shared/imagery/interest/interestPorts.js';

const textOf = ({ tile, cell, customer, enrollmentId, part }: InterestKey): string =>
  [customer, tile, cell, enrollmentId, part].join('|');

const keyOf = ({ cell, customer, enrollmentId, part }: InterestKey): string =>
  [String(cell).padStart(2, '0'), customer, enrollmentId, String(part).padStart(2, '0')].join('|');

/** Who wants images of which place, in memory; the same suite runs against it and against the table. */
export class MemoryInterestStore implements InterestStore {
  readonly rows = new Map<string, Interest>();
  readonly tiles = new Set<string>();

  write(interests: readonly Interest[]): Promise<void> {
    for (const interest of interests) {
      this.rows.set(textOf(interest), structuredClone(interest));
      this.tiles.add(interest.tile);
    }
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

  async summarizeTile(tile: string): Promise<readonly InterestSummary[]> {
    const entries = (await this.listTile(tile)).map((interest): InterestSummary => {
      const { cell, firstDate, lastDate, bbox, fields } = interest;
      const pixels = fields.reduce((sum, field) => sum + pixelsOfBox(field.bbox), 0);
      return { key: keyOf(interest), cell, firstDate, lastDate, bbox, fields: fields.length, pixels };
    });
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async listRange(tile: string, { from, to }: { readonly from: string; readonly to: string }): Promise<Interest[]> {
    const found = (await this.listTile(tile)).filter((interest) => keyOf(interest) >= from && keyOf(interest) <= to);
    return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  async listCustomer({ tile, cell }: Pick<Interest, 'tile' | 'cell'>, customer: string): Promise<Interest[]> {
    const found = (await this.listTile(tile)).filter((interest) => interest.cell === cell);
    return found.filter((interest) => interest.customer === customer).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  listTiles(): Promise<readonly string[]> {
    return Promise.resolve([...this.tiles].sort());
  }

  dropEmptyTile(tile: string): Promise<boolean> {
    const isEmpty = ![...this.rows.values()].some((interest) => interest.tile === tile);
    return Promise.resolve(isEmpty && this.tiles.delete(tile));
  }

  listEnded(before: string): Promise<readonly InterestKey[]> {
    return Promise.resolve([...this.rows.values()].filter(({ lastDate }) => lastDate < before));
  }
}
