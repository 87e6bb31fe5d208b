import { createHash } from 'node:crypto';
import { activated, type WorkState } from '../work/imageryWork.js';
import type { CutUnit } from './cutUnits.js';

/** Names a unit: fields of all customers in one cell of a tile, on one day. */
export interface UnitKey {
  /** MGRS tile, such as 33UUP. */
  readonly tile: string;
  /** UTC day. */
  readonly date: string;
  readonly cell: number;
  /** Tells the units of a cell apart. */
  readonly part: string;
}

/** New scenes, and those that come late: each lane has a queue and a function of its own, so that neither waits for the other. */
export const lanes = ['live', 'late'] as const;
export type Lane = (typeof lanes)[number];

/** What is asked of a unit. */
export interface UnitAsk {
  /** Of everything that the tile shows on the day. */
  readonly version: string;
  /** First and last key of the index, both inclusive. */
  readonly from: string;
  readonly to: string;
}

/** The slice that an attempt was about to begin, and how many attempts ended in it without a word. */
export interface SliceAtWork {
  readonly slice: string;
  readonly deaths: number;
}

/** Slices of an ask; of another ask they say nothing. */
export interface SlicesLeft {
  /** See `markOf`. */
  readonly mark: string;
  readonly slices: readonly string[];
}

/** A unit that is to be done. */
export interface OpenUnit extends UnitKey, UnitAsk, WorkState {
  readonly lane: Lane;
  /** When the catalogue showed the scene that asks for it, milliseconds since 1970 UTC. */
  readonly publishedAt: number;
  /** When the products were listed of which `version` is, milliseconds since 1970 UTC; 0 where the row doesn't tell. */
  readonly listedAt: number;
  /** Names the attempt that holds it; empty while none does. */
  readonly claim: string;
  /** Noted from the second attempt on; absent when the last attempt ended by itself. */
  readonly at?: SliceAtWork;
  /** The only slices that are still to be done; all of them when absent. */
  readonly only?: SlicesLeft;
  /** Slices that have become units of their own. */
  readonly except: readonly string[];
}

/** A unit that nobody has held yet, as its row says. */
export interface ShownUnit extends UnitAsk, Pick<OpenUnit, 'lane' | 'publishedAt'> {
  /** The mark of that row: whoever finds another one reads it. */
  readonly etag: string;
}

/** What a message says of a unit: which it is, and its row where that was written with the message. */
export interface UnitNotice extends UnitKey {
  readonly shown?: ShownUnit;
}

/** What became of a unit. */
export interface DoneUnit extends UnitKey {
  /** What was asked, see `markOf`. */
  readonly mark: string;
  readonly customers: number;
  readonly fields: number;
}

/** Two asks with the same mark ask for the same. */
export const markOf = ({ version, from, to }: UnitAsk): string =>
  createHash('sha256')
    .update(JSON.stringify([version, from, to]))
    .digest('hex')
    .slice(0, 16);

/** A scene that was published longer ago waits in the late lane. */
const LIVE_MS = 3_600_000;

/** The lane of a scene: late when the feed was away, a hole was mended or an archive is processed anew. */
export const laneOf = (publishedAt: number, now: number): Lane => (now - publishedAt > LIVE_MS ? 'late' : 'live');

/** Units of the late lane that are open at a time in one bucket; sixteen buckets make two hundred. */
export const MOST_LATE = 12;

/** `<tile>|<date>|<cell>|<part>` */
export const textOfUnit = ({ tile, date, cell, part }: UnitKey): string =>
  [tile, date, String(cell).padStart(2, '0'), part].join('|');

/** The unit that a text of `textOfUnit` names. */
export function unitOfText(text: string): UnitKey {
  const [tile = '', date = '', cell = '', part = ''] = text.split('|');
  return { tile, date, cell: Number(cell), part };
}

/** A unit whose message goes out now. @param now before the products of its version were listed */
export function openedUnit(
  { cell, part, from, to }: Pick<CutUnit, 'cell' | 'part' | 'from' | 'to'>,
  facts: Pick<OpenUnit, 'tile' | 'date' | 'version' | 'lane' | 'publishedAt'>,
  now: number,
): OpenUnit {
  const { tile, date, version, lane, publishedAt } = facts;
  const asked = { version, from, to, lane, publishedAt, listedAt: now };
  return activated({ tile, date, cell, part, ...asked, claim: '', except: [] }, now);
}

/** More than the clocks of instances differ. */
const CLOCKS_DIFFER_MS = 10_000;

/**
 * Whether the products of an ask were listed before those of a unit: then it knows none that the unit doesn't, for whoever
 * does the unit sees all that were there when it was asked for. Where that is not sure, it counts as the later one: that
 * costs a look too many, the other way a product would be missed.
 */
const isOutdated = (asked: OpenUnit, unit: OpenUnit): boolean =>
  asked.listedAt > 0 && asked.listedAt < unit.listedAt - CLOCKS_DIFFER_MS;

/** Whether more is asked than of an open unit: other fields, or a version that is not outdated. */
export const asksMore = (asked: OpenUnit, unit: OpenUnit): boolean =>
  asked.from < unit.from || asked.to > unit.to || (asked.version !== unit.version && !isOutdated(asked, unit));

/**
 * An open unit of which something else is asked meanwhile. Whoever holds it goes on with that; otherwise it begins anew,
 * whatever it was waiting for. It keeps the fields that were asked for before: a product that shows less of the cell may
 * have been cut otherwise. An outdated ask brings fields alone.
 */
export function askedAnew(unit: OpenUnit, asked: OpenUnit): OpenUnit {
  const { only: _only, ...kept } = unit;
  const { version, listedAt, lane, publishedAt } = isOutdated(asked, unit) ? unit : asked;
  const from = unit.from < asked.from ? unit.from : asked.from;
  const to = unit.to > asked.to ? unit.to : asked.to;
  const both = { version, listedAt, lane, publishedAt, from, to };
  return unit.claim === '' ? { ...asked, ...both } : { ...kept, ...both, except: [] };
}

/**
 * An open unit and one that waited in the late lane, of which both were opened at once by different products: the open one
 * goes on, on what was asked of either. @returns undefined when no more is asked than of the open one
 */
export function withWaiting(unit: OpenUnit, waiting: OpenUnit): OpenUnit | undefined {
  const { lane, publishedAt } = unit;
  return asksMore(waiting, unit) ? askedAnew(unit, { ...waiting, lane, publishedAt }) : undefined;
}

/** What the message of a unit says that was written just now. @param etag of that write, empty where it isn't known */
export function noticeOf(unit: OpenUnit, etag: string): UnitNotice {
  const { tile, date, cell, part, version, from, to, lane, publishedAt } = unit;
  const isUntouched = unit.claim === '' && unit.only === undefined && unit.except.length === 0 && unit.attempts === 0;
  const shown = { etag, version, from, to, lane, publishedAt };
  return { tile, date, cell, part, ...(isUntouched && etag !== '' ? { shown } : {}) };
}

/** The unit that a message shows, which is the one of the row as long as that has the same mark. */
export function unitOfNotice({
  shown,
  ...key
}: UnitNotice): { readonly unit: OpenUnit; readonly etag: string } | undefined {
  if (shown === undefined) return undefined;
  const { etag, ...facts } = shown;
  return { unit: { ...activated(key, 0), ...facts, listedAt: 0, claim: '', except: [] }, etag };
}

/** How a unit begins its next attempt: who holds it, and whether the last one died in a slice. */
export function takenUp(unit: OpenUnit, claim: string): OpenUnit {
  const { at, ...rest } = unit;
  const hasDied = unit.claim !== '' && at !== undefined;
  return hasDied ? { ...rest, claim, at: { ...at, deaths: at.deaths + 1 } } : { ...rest, claim };
}

/** Attempts that may die in a slice before it has to leave the others alone. */
const MOST_DEATHS = 2;

/** The slice that has to become a unit of its own; undefined when there is none, or nothing else to be kept from it. */
export const culpritOf = ({ at, only }: OpenUnit): string | undefined =>
  at !== undefined && at.deaths >= MOST_DEATHS && only?.slices.length !== 1 ? at.slice : undefined;

/** A unit of one slice, and the unit it came from without that. */
export function movedOut(
  unit: OpenUnit,
  slice: string,
  now: number,
): { readonly own: OpenUnit; readonly rest: OpenUnit } {
  const { at: _at, ...kept } = unit;
  const mark = createHash('sha256').update(slice).digest('hex').slice(0, 8);
  const only = { mark: markOf(unit), slices: [slice] };
  const alone = { ...kept, part: `${unit.part}-${mark}`, claim: '', only, except: [] };
  return {
    own: activated(alone, now),
    rest: { ...kept, claim: '', except: [...unit.except, slice] },
  };
}

/** A row holds some tens of thousands of characters: of more slices all are looked through again. */
const MOST_NAMED_SLICES = 200;

/** The unit as an attempt gives it back that has left these slices; all of them when it didn't get to its slices. */
export function leftWith(unit: OpenUnit, slices: readonly string[]): OpenUnit {
  const { at: _at, ...kept } = unit;
  const isTold = slices.length > 0 && slices.length <= MOST_NAMED_SLICES;
  return { ...kept, claim: '', ...(isTold ? { only: { mark: markOf(unit), slices } } : {}) };
}

/** Whether a unit still has to do a slice. */
export const hasToDo = (unit: OpenUnit, slice: string): boolean =>
  (unit.only?.mark !== markOf(unit) || unit.only.slices.includes(slice)) && !unit.except.includes(slice);
