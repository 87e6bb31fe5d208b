import { operandOf } from '../../../../infra/local/standIns/stac/itemQuery.js';
import { worldItem } from './worldItems.js';

export interface FloodOptions {
  /** The day that the items show, UTC. */
  readonly day: string;
  /** The items bear instants from here on, evenly. */
  readonly from: number;
  readonly minutes: number;
  readonly anHour: number;
}

/** Items of a flood that meet a question. */
interface Flooded {
  readonly count: number;
  /** The item at a place, as JSON. */
  textAt(index: number): string;
}

const HOUR_MS = 3_600_000;

/** Items of a place that nobody wants images of, put into Earth Search by the hundred thousand. */
export class Flood {
  readonly #options: FloodOptions;
  /** An item as JSON, cut at its id and at its `updated`. */
  readonly #cutItem: readonly string[];

  constructor(options: FloodOptions) {
    this.#options = options;
    const item = worldItem('earth-search', { tile: '15TWF', day: options.day }, options.from);
    const properties = { ...item.properties, 'grid:code': 'MGRS-54LWP', updated: '|' };
    this.#cutItem = JSON.stringify({ ...item, id: '|', properties }).split('"|"');
  }

  /** What changed between two instants, as far as it is in by now; nothing when the question is about something else. */
  itemsIn(query: unknown, now: number): Flooded | undefined {
    const { from, minutes, anHour } = this.#options;
    const [first, last] = ['gte', 'lt'].map((operator) => Date.parse(String(operandOf(query, 'updated', operator))));
    if (first === undefined || last === undefined || Number.isNaN(first + last)) return undefined;
    const until = Math.min(last, now, from + minutes * 60_000);
    const placeOf = (instant: number): number => Math.max(0, Math.ceil(((instant - from) * anHour) / HOUR_MS));
    const begin = placeOf(first);
    return { count: Math.max(0, placeOf(until) - begin), textAt: (index) => this.#textOf(begin + index) };
  }

  #textOf(number: number): string {
    const { from, anHour } = this.#options;
    const [head = '', middle = '', tail = ''] = this.#cutItem;
    const updated = new Date(from + Math.floor((number * HOUR_MS) / anHour)).toISOString();
    return `${head}"S2B_FLOOD_${number}_L2A"${middle}"${updated}"${tail}`;
  }
}
