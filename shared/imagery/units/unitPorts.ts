import type { DoneUnit, Lane, OpenUnit, UnitKey, UnitNotice } from './unitWork.js';

/** A unit as read; whoever writes it meanwhile changes `etag`. */
export interface StoredUnit {
  readonly unit: OpenUnit;
  readonly etag: string;
}

/** What is to be written of a unit: open now, or waiting for its turn in the late lane. */
export interface UnitChange {
  readonly unit: OpenUnit;
  /** Of the reading that the change of an open unit rests on; absent for a new one. */
  readonly etag?: string;
  readonly isWaiting?: true;
}

/** What there is of a tile on a day. */
export interface UnitsOfDay {
  readonly open: readonly StoredUnit[];
  readonly done: readonly DoneUnit[];
}

/** What is open of a bucket. */
export interface OpenInBucket {
  readonly open: readonly StoredUnit[];
  /** How many wait in the late lane. */
  readonly waiting: number;
}

/** How an attempt's write went. */
export interface ReplacedUnit {
  /** The new mark. */
  readonly etag: string;
  /** Whether something else is asked of the unit than the attempt knows: others wrote that, and it stays. */
  readonly isAskedAnew: boolean;
}

/** What came of the end of a unit: `changed` when something else is asked of it meanwhile, `lost` when another holds it. */
export type UnitEnd = 'done' | 'changed' | 'lost';

/** Open work by place. A look at all of it costs the same however many customers there are. */
export interface UnitStore {
  listDay(tile: string, date: string): Promise<UnitsOfDay>;
  /**
   * Writes units of one tile and day.
   *
   * @returns their marks, in order, empty where none is told; undefined when somebody else wrote one of them: some may be
   *   written
   */
  write(tile: string, date: string, changes: readonly UnitChange[]): Promise<readonly string[] | undefined>;
  find(key: UnitKey): Promise<StoredUnit | undefined>;
  /**
   * Writes how far a unit is; what is asked of it stays as others wrote it.
   *
   * @param heldBy the claim of the attempt that writes: its write counts as long as the row has that, whatever was asked of
   *   the unit since `etag`. It is not the unit's own claim where the attempt gives it back
   * @returns undefined when another attempt holds it; without `heldBy`, when anybody has written since
   */
  replace(unit: OpenUnit, etag: string, heldBy?: string): Promise<ReplacedUnit | undefined>;
  /**
   * The unit is done: it ends, then it is remembered; after a death in between it may be opened once more. One that is gone
   * has ended, for that may be our own deletion, whose answer was lost.
   *
   * @param unit as the attempt took it up
   * @param etag of a row that asks for just that; it is read where there is no such mark, or another by now
   */
  finish(unit: OpenUnit, counts: Pick<DoneUnit, 'customers' | 'fields'>, etag?: string): Promise<UnitEnd>;
  /** Makes two units of one, both or neither. @returns false when somebody else wrote */
  split(stored: StoredUnit, parts: { readonly own: OpenUnit; readonly rest: OpenUnit }): Promise<boolean>;
  /**
   * Opens units of the late lane of a bucket until `most` are open, those last published first. One that is open already goes on
   * with what was asked of either. @returns those of which more is asked now
   */
  promote(bucket: number, most: number, now: number): Promise<readonly OpenUnit[]>;
  /** How many buckets there are. */
  readonly buckets: number;
  bucketOf(key: Pick<UnitKey, 'tile' | 'date'>): number;
  listOpen(bucket: number): Promise<OpenInBucket>;
  /** Forgets what was done of days before one. Removing twice is harmless. */
  removeDoneBefore(day: string): Promise<number>;
}

/** Tells workers that a unit is open. */
export interface UnitQueue {
  /** @param delayMs when the message becomes visible; 0 for at once */
  enqueue(lane: Lane, notice: UnitNotice, delayMs: number): Promise<void>;
}
