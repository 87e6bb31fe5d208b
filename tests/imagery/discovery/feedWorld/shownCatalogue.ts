// A STAC API as `fetch` meets it, with a clock that is moved by hand, and with what real ones do at their worst.
import { meetsQuery, operandOf } from '../../../../infra/local/standIns/stac/itemQuery.js';
import type { ItemDocument } from '../../../../infra/local/standIns/stac/sceneItems.js';
import { coverOf } from '../../../../shared/scenes/place/footprint.js';
import type { Catalogue } from '../../../../shared/scenes/imagerySettings.js';
import type { Polygon } from '../../../../shared/geo/shapes/geoJson.js';
import { boxAround } from '../../../../shared/geo/shapes/box.js';
import type { Flood } from './flood.js';
import type { WorldClock } from './worldClock.js';
import { worldItem } from './worldItems.js';

const HOUR_MS = 3_600_000;

/** From an instant on, before another; milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** An item from when on it is visible. */
interface Shown {
  readonly item: ItemDocument;
  readonly visibleAt: number;
  /** No question about changes ever shows it. */
  readonly isSkipped: boolean;
}

interface Search {
  readonly collections: readonly string[];
  readonly datetime?: string;
  readonly ids?: readonly string[];
  readonly query?: Readonly<Record<string, unknown>>;
  readonly intersects?: Polygon;
  readonly limit?: number;
  /** Where the page begins. */
  readonly next?: number;
}

const isWithin = (instant: number, { from, to }: Span): boolean => instant >= from && instant < to;

/** `A/B`, `..` for an open end. */
function isInTime({ properties }: ItemDocument, datetime = '../..'): boolean {
  const [first = '..', last = '..'] = datetime.split('/');
  const taken = Date.parse(properties.datetime);
  return (first === '..' || taken >= Date.parse(first)) && (last === '..' || taken <= Date.parse(last));
}

/** The catalogue at the present instant of a clock. */
export class ShownCatalogue {
  readonly name: Catalogue;
  /** While it lasts nothing new is shown of any place on earth. */
  silence: Span = { from: Infinity, to: Infinity };
  /** While it lasts every request is answered with 503. */
  away: Span = { from: Infinity, to: Infinity };
  /** So many questions by ids get an answer that holds nothing. */
  emptyAnswers = 0;
  /** Time that each page takes. */
  pageMs = 0;
  flood: Flood | undefined;
  readonly #shown: Shown[] = [];
  #lastElsewhere: { readonly changedAt: number; readonly item: ItemDocument } | undefined;
  readonly #clock: WorldClock;

  constructor(name: Catalogue, clock: WorldClock) {
    this.name = name;
    this.#clock = clock;
  }

  show(shown: Shown): void {
    this.#shown.push(shown);
  }

  /** What the service calls in place of the network. */
  readonly fetch = async (_url: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    await this.#clock.spend(this.pageMs);
    if (isWithin(this.#clock.nowMs, this.away)) return new Response('Service Unavailable', { status: 503 });
    return new Response(this.#page(JSON.parse(String(init?.body)) as Search));
  };

  #page(search: Search): string {
    const next = search.next ?? 0;
    const { texts, matched } = this.#textsOf(search, next);
    const end = next + texts.length;
    const href = 'https://catalogue.example/v1/search';
    const link = { rel: 'next', href, method: 'POST', body: { ...search, next: end } };
    const links = JSON.stringify(end < matched ? [link] : []);
    // The Planetary Computer doesn't tell how many there are.
    const count = this.name === 'earth-search' ? `"numberMatched":${matched},` : '';
    const head = `"type":"FeatureCollection",${count}"numberReturned":${texts.length}`;
    return `{${head},"links":${links},"features":[${texts.join(',')}]}`;
  }

  /** The items of a page as JSON, and how many there are on all. */
  #textsOf(search: Search, next: number): { readonly texts: readonly string[]; readonly matched: number } {
    const { limit = 10, query } = search;
    const found = this.#found(search);
    const flooded = this.flood?.itemsIn(query, this.#clock.nowMs) ?? { count: 0, textAt: () => '' };
    const matched = found.length + flooded.count;
    const length = Math.min(limit, matched - next);
    const texts = Array.from({ length }, (_, index) => {
      const item = found[next + index];
      return item === undefined ? flooded.textAt(next + index - found.length) : JSON.stringify(item);
    });
    return { texts, matched };
  }

  #found(search: Search): readonly ItemDocument[] {
    const { collections, datetime, ids, query, intersects } = search;
    if (ids !== undefined && this.emptyAnswers > 0) {
      this.emptyAnswers -= 1;
      return [];
    }
    const isOfChanges = operandOf(query, 'updated', 'gte') !== undefined;
    const box = intersects && boxAround(intersects.coordinates.flat());
    const visible = this.#shown.filter(
      ({ visibleAt, isSkipped }) => visibleAt <= this.#clock.nowMs && !(isOfChanges && isSkipped),
    );
    return [...visible.map(({ item }) => item), this.#elsewhere()].filter(
      (item) =>
        collections.includes(item.collection) &&
        isInTime(item, datetime) &&
        ids?.includes(item.id) !== false &&
        meetsQuery(item, query) &&
        (box === undefined || coverOf(item.geometry as Polygon, box) !== 'none'),
    );
  }

  /** An item of a far place, put in at the last full hour: so a catalogue shows that it lives. */
  #elsewhere(): ItemDocument {
    const now = this.#clock.nowMs;
    const shownAt = isWithin(now, this.silence) ? this.silence.from : now;
    const changedAt = shownAt - (shownAt % HOUR_MS);
    if (this.#lastElsewhere?.changedAt === changedAt) return this.#lastElsewhere.item;
    const day = new Date(changedAt).toISOString().slice(0, 10);
    const near = worldItem(this.name, { tile: '15TWF', day, strip: 9 }, changedAt);
    const taken = { datetime: new Date(changedAt - HOUR_MS).toISOString() };
    const place = this.name === 'earth-search' ? { 'grid:code': 'MGRS-54LWP' } : { 's2:mgrs_tile': '54LWP' };
    const properties = { ...near.properties, ...taken, ...place };
    const outline = [
      [
        [140, -10],
        [141, -10],
        [141, -9],
        [140, -9],
        [140, -10],
      ],
    ];
    const geometry = { type: 'Polygon' as const, coordinates: outline };
    const item = { ...near, id: `${near.id}_ELSEWHERE`, geometry, properties };
    this.#lastElsewhere = { changedAt, item };
    return item;
  }
}
