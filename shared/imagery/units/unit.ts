import type { JsonObject } from '../../json.js';
import type { WorkKey, WorkOrder } from '../../work/workItem.js';

/** The kind of work that a unit is. */
export const UNIT = 'unit';

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
export type Lane = 'live' | 'late';

/** What is asked of a unit. */
export interface UnitAsk {
  /** First and last key of the index, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly lane: Lane;
  /** When the catalogue showed the scene that asks for it, milliseconds since 1970 UTC. */
  readonly publishedAt: number;
}

export interface Unit extends UnitKey, UnitAsk {}

/** A scene that was published longer ago waits in the late lane. */
const LIVE_MS = 3_600_000;

/** The lane of a scene: late when the feed was away, a hole was mended or an archive is processed anew. */
export const laneOf = (publishedAt: number, now: number): Lane => (now - publishedAt > LIVE_MS ? 'late' : 'live');

/** `<tile>|<date>|<cell>|<part>` */
export const textOfUnit = ({ tile, date, cell, part }: UnitKey): string =>
  [tile, date, String(cell).padStart(2, '0'), part].join('|');

/** The unit as work. */
export function orderOf(unit: Unit): WorkOrder {
  const { from, to, lane, publishedAt } = unit;
  return { kind: UNIT, id: `|${textOfUnit(unit)}`, facts: { from, to, lane, publishedAt } };
}

/** What is asked of work that is a unit. */
export const askOf = ({ facts }: Pick<WorkOrder, 'facts'>): UnitAsk => facts as unknown as UnitAsk;

/** The key of work that is a unit. */
export function unitKeyOf({ id }: Pick<WorkKey, 'id'>): UnitKey {
  const [, tile = '', date = '', cell = '', part = ''] = id.split('|');
  return { tile, date, cell: Number(cell), part };
}

/** The unit that a piece of work is. */
export const unitOf = (work: WorkOrder): Unit => ({ ...unitKeyOf(work), ...askOf(work) });

/**
 * What is asked of a unit that is open already, and now once more. The fields that were asked for before stay: a product
 * that shows less of the cell may have been cut otherwise. What is new goes with what is new.
 */
export function bothAsks(unit: UnitAsk, before: JsonObject): JsonObject {
  const there = askOf({ facts: before });
  return {
    from: unit.from < there.from ? unit.from : there.from,
    to: unit.to > there.to ? unit.to : there.to,
    lane: unit.lane === 'live' ? 'live' : there.lane,
    publishedAt: Math.max(unit.publishedAt, there.publishedAt),
  };
}
