import type { NotedField, SliceNotesStore } from '../../shared/imagery/units/sliceNotes.js';

/** Notes of slices in memory, as text: what is read is no part of what was written. */
export class MemorySliceNotesStore implements SliceNotesStore {
  readonly notes = new Map<string, string>();

  read(customer: string, key: string): Promise<readonly NotedField[]> {
    return Promise.resolve(JSON.parse(this.notes.get(`${customer}|${key}`) ?? '[]') as readonly NotedField[]);
  }

  write(customer: string, key: string, noted: readonly NotedField[]): Promise<void> {
    this.notes.set(`${customer}|${key}`, JSON.stringify(noted));
    return Promise.resolve();
  }

  removeAll(customer: string, entry: string): Promise<void> {
    for (const key of this.notes.keys()) if (key.startsWith(`${customer}|${entry}|`)) this.notes.delete(key);
    return Promise.resolve();
  }
}
