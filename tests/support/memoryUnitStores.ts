import type { NotedField, SliceNotesStore } from '../../shared/imagery/units/sliceNotes.js';
import type {
  OpenInBucket,
  ReplacedUnit,
  StoredUnit,
  UnitChange,
  UnitEnd,
  UnitQueue,
  UnitsOfDay,
  UnitStore,
} from '../../shared/imagery/units/unitPorts.js';
import {
  markOf,
  textOfUnit,
  withWaiting,
  type DoneUnit,
  type Lane,
  type OpenUnit,
  type UnitKey,
  type UnitNotice,
} from '../../shared/imagery/units/unitWork.js';
import { resent } from '../../shared/imagery/work/imageryWork.js';

const isOf = (tile: string, date: string, key: UnitKey): boolean => key.tile === tile && key.date === date;

/** Open work by place in memory; the same suite runs against it and against the table. */
export class MemoryUnitStore implements UnitStore {
  readonly buckets = 2;
  readonly open = new Map<string, StoredUnit>();
  readonly waiting = new Map<string, OpenUnit>();
  readonly done = new Map<string, DoneUnit>();
  #etag = 0;

  bucketOf({ tile }: Pick<UnitKey, 'tile' | 'date'>): number {
    return tile.charCodeAt(0) % this.buckets;
  }

  listDay(tile: string, date: string): Promise<UnitsOfDay> {
    const open = [...this.open.values()].filter(({ unit }) => isOf(tile, date, unit));
    return Promise.resolve({ open, done: [...this.done.values()].filter((unit) => isOf(tile, date, unit)) });
  }

  write(_tile: string, _date: string, changes: readonly UnitChange[]): Promise<readonly string[] | undefined> {
    const isStale = changes.some(
      ({ unit, etag, isWaiting }) => isWaiting !== true && this.open.get(textOfUnit(unit))?.etag !== etag,
    );
    if (isStale) return Promise.resolve(undefined);
    const etags = changes.map(({ unit, isWaiting }) => {
      if (isWaiting !== true) return this.#put(unit);
      this.waiting.set(`${unit.publishedAt}|${textOfUnit(unit)}`, unit);
      return '';
    });
    return Promise.resolve(etags);
  }

  find(key: UnitKey): Promise<StoredUnit | undefined> {
    return Promise.resolve(this.open.get(textOfUnit(key)));
  }

  replace(unit: OpenUnit, etag: string, heldBy?: string): Promise<ReplacedUnit | undefined> {
    const there = this.open.get(textOfUnit(unit));
    if (there === undefined || (there.etag !== etag && there.unit.claim !== heldBy)) return Promise.resolve(undefined);
    const { version, from, to, lane, publishedAt, listedAt, except } = there.unit;
    const isAskedAnew = there.etag !== etag && markOf(there.unit) !== markOf(unit);
    const written = this.#put({ ...unit, version, from, to, lane, publishedAt, listedAt, except });
    return Promise.resolve({ etag: written, isAskedAnew });
  }

  finish(unit: OpenUnit, counts: Pick<DoneUnit, 'customers' | 'fields'>, etag?: string): Promise<UnitEnd> {
    const there = this.open.get(textOfUnit(unit));
    if (there === undefined ? etag === undefined : there.etag !== etag) {
      if (there?.unit.claim !== unit.claim) return Promise.resolve('lost');
      if (markOf(there.unit) !== markOf(unit)) return Promise.resolve('changed');
    }
    const { tile, date, cell, part } = unit;
    this.open.delete(textOfUnit(unit));
    this.done.set(textOfUnit(unit), { tile, date, cell, part, mark: markOf(unit), ...counts });
    return Promise.resolve('done');
  }

  split({ unit, etag }: StoredUnit, { own, rest }: { own: OpenUnit; rest: OpenUnit }): Promise<boolean> {
    if (this.open.get(textOfUnit(unit))?.etag !== etag) return Promise.resolve(false);
    this.#put(own);
    this.#put(rest);
    return Promise.resolve(true);
  }

  promote(bucket: number, most: number, now: number): Promise<readonly OpenUnit[]> {
    const late = [...this.open.values()].filter(
      ({ unit }) => unit.lane === 'late' && this.bucketOf(unit) === bucket,
    ).length;
    const next = [...this.waiting]
      .filter(([, unit]) => this.bucketOf(unit) === bucket)
      .sort(([, a], [, b]) => b.publishedAt - a.publishedAt)
      .slice(0, Math.max(0, most - late));
    const promoted = next.flatMap(([key, unit]) => {
      this.waiting.delete(key);
      const [there, asked] = [this.open.get(textOfUnit(unit)), resent({ ...unit, notBefore: now }, now)];
      const opened = there === undefined ? asked : withWaiting(there.unit, asked);
      if (opened === undefined) return [];
      this.#put(opened);
      return [opened];
    });
    return Promise.resolve(promoted);
  }

  listOpen(bucket: number): Promise<OpenInBucket> {
    const inBucket = (unit: OpenUnit): boolean => this.bucketOf(unit) === bucket;
    const open = [...this.open.values()].filter(({ unit }) => inBucket(unit));
    return Promise.resolve({ open, waiting: [...this.waiting.values()].filter(inBucket).length });
  }

  removeDoneBefore(day: string): Promise<number> {
    const old = [...this.done].filter(([, { date }]) => date < day);
    for (const [key] of old) this.done.delete(key);
    return Promise.resolve(old.length);
  }

  #put(unit: OpenUnit): string {
    this.#etag += 1;
    const etag = String(this.#etag);
    this.open.set(textOfUnit(unit), { unit: structuredClone(unit), etag });
    return etag;
  }
}

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
