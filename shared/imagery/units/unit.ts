import type { JsonObject } from '../../kit/json/json.js';
import { MOST_ORIGINS } from '../../kit/telemetry/trace.js';
import type { WorkKey, WorkOrder } from '../../work/item/workItem.js';

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

/** New scenes and late scenes: each lane has its own queue and function, so that neither waits for the other. */
export type Lane = 'live' | 'late';

/** What is asked of a unit. */
export interface UnitAsk {
  /** First and last key of the index, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly lane: Lane;
  /** When the catalogue published the scene, milliseconds since 1970 UTC. */
  readonly publishedAt: number;
  /** Trace contexts of what asked for it. */
  readonly origins?: readonly string[];
}

/** A unit with what is asked of it. */
export interface Unit extends UnitKey, UnitAsk {}

/** A scene that was published longer ago goes to the late lane. */
const LIVE_MS = 3_600_000;

/** The lane of a scene. Late are scenes after an outage of the feed, of filled holes and of reprocessed archives. */
export const laneOf = (publishedAt: number, now: number): Lane => (now - publishedAt > LIVE_MS ? 'late' : 'live');

/** The id of a unit: `<tile>|<date>|<cell>|<part>`. */
export const textOfUnit = ({ tile, date, cell, part }: UnitKey): string =>
  [tile, date, String(cell).padStart(2, '0'), part].join('|');

/** The work order of a unit. */
export function orderOf(unit: Unit): WorkOrder {
  const { from, to, lane, publishedAt, origins } = unit;
  const facts = { from, to, lane, publishedAt, ...(origins === undefined ? {} : { origins }) };
  return { kind: UNIT, id: `|${textOfUnit(unit)}`, facts };
}

/** What is asked of a unit, from its work item. */
export const askOf = ({ facts }: Pick<WorkOrder, 'facts'>): UnitAsk => facts as unknown as UnitAsk;

/** The key of a unit, from its work item. */
export function unitKeyOf({ id }: Pick<WorkKey, 'id'>): UnitKey {
  const [, tile = '', date = '', cell = '', part = ''] = id.split('|');
  return { tile, date, cell: Number(cell), part };
}

/** The unit of a work item. */
export const unitOf = (work: WorkOrder): Unit => ({ ...unitKeyOf(work), ...askOf(work) });

/**
 * What is asked of an open unit that is asked for again: the keys of both asks, because a product that shows less of the
 * cell may have been cut differently; the faster lane; the later publication; the origins of both.
 */
export function bothAsks(unit: UnitAsk, before: JsonObject): JsonObject {
  const there = askOf({ facts: before });
  const origins = [...new Set([...(there.origins ?? []), ...(unit.origins ?? [])])].slice(0, MOST_ORIGINS);
  return {
    from: unit.from < there.from ? unit.from : there.from,
    to: unit.to > there.to ? unit.to : there.to,
    lane: unit.lane === 'live' ? 'live' : there.lane,
    publishedAt: Math.max(unit.publishedAt, there.publishedAt),
    ...(origins.length === 0 ? {} : { origins }),
  };
}
