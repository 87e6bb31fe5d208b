import type { NotedField, SliceNotesStore } from '../../shared/imagery/units/sliceNotes.js';
import type { UnitQueue } from '../../shared/imagery/units/unitPorts.js';
import type { Lane, UnitNotice } from '../../shared/imagery/units/unitWork.js';

/** Queues of units that are taken in order of the instant at which they become visible. */
export class MemoryUnitQueue implements UnitQueue {
  readonly messages: { readonly lane: Lane; readonly notice: UnitNotice; readonly visibleAt: number }[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  enqueue(lane: Lane, { tile, date, cell, part, shown }: UnitNotice, delayMs: number): Promise<void> {
    const notice = { tile, date, cell, part, ...(shown === undefined ? {} : { shown }) };
    this.messages.push({ lane, notice, visibleAt: this.#now() + delayMs });
    return Promise.resolve();
  }

  /** Takes the first message that is visible now. */
  take(lane?: Lane): UnitNotice | undefined {
    const index = this.messages.findIndex(
      (message) => message.visibleAt <= this.#now() && (lane === undefined || message.lane === lane),
    );
    const [taken] = index < 0 ? [] : this.messages.splice(index, 1);
    return taken?.notice;
  }
}

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
}
