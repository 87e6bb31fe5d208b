import { createHash } from 'node:crypto';
import { type Exchange, isJsonObject, jsonReply, type Reply } from '../http/exchange.js';
import type { ItemFilter, ItemSource } from './itemSource.js';
import type { ItemDocument } from './sceneItems.js';

/** What real catalogues do to whoever asks them what changed; shares are 0 to 1. */
export interface FeedCases {
  /** Items that no question about changes ever shows. */
  readonly skipped?: number;
  /** Items that are visible so long after the time that they bear. */
  readonly late?: number;
  readonly lateHours?: number;
  /** Items that are put in a second time, an hour later and as they were. */
  readonly repeated?: number;
  /** Pages of more items than that are answered with 502, as a gateway does whose answers are bounded. */
  readonly largestPage?: number;
  /** So many items of years ago are put in at this instant. */
  readonly flood?: { readonly at: string; readonly count: number };
}

const HOUR_MS = 3_600_000;
const SHARES = ['skipped', 'late', 'repeated'] as const;

/** 0 to 1, always the same for an item and a case. */
const drawn = (id: string, of: string): number =>
  createHash('sha256').update(`${of} ${id}`).digest().readUInt32BE(0) / 2 ** 32;

const updatedOf = ({ properties: { updated, datetime } }: ItemDocument): number =>
  Date.parse(typeof updated === 'string' ? updated : datetime);

const withProperties = (item: ItemDocument, properties: object): ItemDocument => ({
  ...item,
  properties: { ...item.properties, ...properties },
});

/** As it was acquired this many years before, and put in now. */
function ofOld(item: ItemDocument, index: number, at: string): ItemDocument {
  const taken = new Date(item.properties.datetime);
  taken.setUTCFullYear(taken.getUTCFullYear() - 2 - (index % 5));
  const old = { datetime: taken.toISOString(), created: at, updated: at };
  return { ...withProperties(item, old), id: `${item.id}_OLD_${index}` };
}

/**
 * Makes what a source shows as untidy as real catalogues are: by code or over HTTP, `POST /.control/feed` with
 * `{"skipped": 0.1, "late": 0.05, "lateHours": 24, "repeated": 0.1, "largestPage": 10, "flood": {"at": "…", "count": 100000}}`.
 */
export class UntidyFeed {
  #cases: FeedCases = {};
  #old: readonly ItemDocument[] = [];
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  set(cases: FeedCases): void {
    this.#cases = cases;
    this.#old = [];
  }

  /** Items of a page beyond which searches fail. */
  get largestPage(): number | undefined {
    return this.#cases.largestPage;
  }

  /** Answers a control request. */
  control({ body }: Exchange): Reply {
    const cases = casesIn(body);
    if (cases === undefined)
      return jsonReply(400, { message: `Send ${SHARES.join(', ')} as shares of 1, largestPage, or flood.` });
    this.set(cases);
    return { status: 204 };
  }

  /** The source with what it does wrong. */
  within(source: ItemSource): ItemSource {
    return {
      find: (filter, origin) => this.#shown(source.find(filter, origin), filter),
      item: (collection, id, origin) => source.item(collection, id, origin),
      file: (path) => source.file(path),
    };
  }

  #shown(items: readonly ItemDocument[], filter: ItemFilter): readonly ItemDocument[] {
    const now = this.#now().getTime();
    const { skipped = 0, late = 0, lateHours = 24, repeated = 0 } = this.#cases;
    const shown = items
      .filter((item) => !(filter.isOfChanges && drawn(item.id, 'skipped') < skipped))
      .filter((item) => drawn(item.id, 'late') >= late || updatedOf(item) + lateHours * HOUR_MS <= now)
      .map((item) => {
        const again = updatedOf(item) + HOUR_MS;
        const isAgain = drawn(item.id, 'repeated') < repeated && again <= now;
        return isAgain ? withProperties(item, { updated: new Date(again).toISOString() }) : item;
      });
    return [...shown, ...this.#flood(shown, filter, now)];
  }

  #flood(items: readonly ItemDocument[], { from, to }: ItemFilter, now: number): readonly ItemDocument[] {
    const { flood } = this.#cases;
    if (flood === undefined || Date.parse(flood.at) > now) return [];
    if (this.#old.length === 0) {
      const count = items.length === 0 ? 0 : flood.count;
      this.#old = Array.from({ length: count }, (_, index) => items.at(index % items.length))
        .filter((item) => item !== undefined)
        .map((item, index) => ofOld(item, index, flood.at));
    }
    const [oldest, newest] = [new Date(from).toISOString(), new Date(to).toISOString()];
    return this.#old.filter(({ properties: { datetime } }) => datetime >= oldest && datetime <= newest);
  }
}

const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;

function casesIn(body: Buffer): FeedCases | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (!isJsonObject(parsed) || !SHARES.every((name) => parsed[name] === undefined || isShare(parsed[name])))
      return undefined;
    const { largestPage = 1 } = parsed;
    return Number.isInteger(largestPage) && Number(largestPage) >= 1 ? parsed : undefined;
  } catch {
    return undefined; // the caller is told what to send
  }
}
