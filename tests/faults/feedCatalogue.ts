// What a catalogue publishes in some weeks, as untidily as real ones do, and what whoever reads it must end up with.
import type { ItemFilter, ItemSource } from '../../infra/local/standIns/stac/itemSource.js';
import type { ItemDocument } from '../../infra/local/standIns/stac/sceneItems.js';
import { anItem } from '../imagery/builders.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An item from when on it is visible, and what it truly is. */
export interface Publication {
  readonly item: ItemDocument;
  readonly visibleAt: number;
  /** No question about changes shows it. */
  readonly isSkipped: boolean;
  /** Visible long after the time that it bears. */
  readonly isLate: boolean;
  /** The granule that it shows; the plan's own name, not the service's. */
  readonly granule: string;
  /** Its processing as text that sorts; empty for one that can't be used. */
  readonly processing: string;
}

export interface PlanOptions {
  readonly random: () => number;
  readonly tiles: readonly string[];
  readonly from: number;
  readonly days: number;
  /** Shares of 1. */
  readonly skipped?: number;
  readonly late?: number;
  readonly repeated?: number;
}

const C0 = 'sentinel-2-l2a';
const C1 = 'sentinel-2-c1-l2a';
const iso = (instant: number): string => new Date(instant).toISOString();
const stamp = (instant: number): string => iso(instant).slice(0, 19).replaceAll(/[-:]/g, '');

interface Granule {
  readonly tile: string;
  readonly takenAt: number;
  readonly stripStart: number;
  readonly orbit: number;
  readonly part: number;
}

interface Processing {
  readonly baseline: string;
  readonly generatedAt: number;
}

/** An item of a granule as one of the collections writes it. */
function itemOf(collection: string, granule: Granule, made: Processing & { readonly shownAt: number }): ItemDocument {
  const { tile, takenAt, stripStart, orbit, part } = granule;
  const { baseline, generatedAt, shownAt } = made;
  const letter = orbit % 2 === 0 ? 'A' : 'B';
  // The old collection writes zones with one digit, and numbers what shows a tile on a day.
  const name = collection === C0 ? tile.replace(/^0/, '') : tile;
  const sequence = part + (baseline === '05.11' ? 0 : 2);
  const id =
    collection === C0
      ? `S2${letter}_${name}_${iso(takenAt).slice(0, 10).replaceAll('-', '')}_${sequence}_L2A`
      : `S2${letter}_T${tile}_${stamp(stripStart)}_L2A`;
  const properties = {
    datetime: iso(takenAt),
    created: iso(shownAt),
    updated: iso(shownAt),
    platform: `sentinel-2${letter.toLowerCase()}`,
    'grid:code': `MGRS-${name}`,
    's2:processing_baseline': baseline,
    's2:generation_time': iso(generatedAt).replace('Z', '000Z'),
    's2:datatake_id': `GS2${letter}_${stamp(takenAt - (takenAt % (5 * MINUTE_MS)))}_${String(orbit).padStart(6, '0')}_N${baseline}`,
    's2:datastrip_id': `S2${letter}_OPER_MSI_L2A_DS_2${letter}PS_${stamp(generatedAt)}_S${stamp(stripStart)}_N${baseline}`,
  };
  return anItem({ id, collection }, properties) as unknown as ItemDocument;
}

/** Draws what becomes of one granule in both collections. */
function publicationsOf(granule: Granule, options: PlanOptions): Publication[] {
  const { random, skipped = 0, late = 0, repeated = 0 } = options;
  const name = `${granule.tile} ${stamp(granule.stripStart)}`;
  const first = { baseline: '05.11', generatedAt: granule.takenAt + (2 + 4 * random()) * HOUR_MS };
  const again = { baseline: '05.12', generatedAt: first.generatedAt + (1 + 4 * random()) * DAY_MS };
  const shownAt = first.generatedAt + (0.5 + 5 * random()) * HOUR_MS;
  const published: Publication[] = [];
  const publish = (collection: string, made: Processing, at: number): void => {
    const isLate = random() < late;
    // Items get their time before they are visible: mostly seconds, sometimes minutes.
    const delay = isLate ? DAY_MS : random() < 0.3 ? 9 * MINUTE_MS * random() : 5_000;
    const item = itemOf(collection, granule, { ...made, shownAt: at });
    const common = {
      isSkipped: random() < skipped,
      granule: name,
      processing: `${made.baseline} ${iso(made.generatedAt)}`,
    };
    published.push({ ...common, item, visibleAt: at + delay, isLate });
    if (random() >= repeated) return;
    const later = at + HOUR_MS * (1 + 20 * random());
    const same = { ...item, properties: { ...item.properties, updated: iso(later) } };
    published.push({ ...common, item: same, visibleAt: later + 5_000, isLate: false });
  };
  publish(C0, first, shownAt);
  if (random() < 0.7) publish(C1, first, shownAt + (random() - 0.3) * 6 * HOUR_MS);
  if (random() < 0.15) publish(C0, again, again.generatedAt + HOUR_MS);
  if (random() < 0.1) {
    const odd = itemOf(C0, granule, { ...first, shownAt });
    const unusable = { ...odd, id: `${odd.id}_ODD`, assets: {} };
    published.push({
      item: unusable,
      visibleAt: shownAt,
      isSkipped: false,
      isLate: false,
      granule: name,
      processing: '',
    });
  }
  return published;
}

/** Everything that is published of some tiles in some days. */
export function planOf(options: PlanOptions): readonly Publication[] {
  const { random, tiles, from, days } = options;
  const published: Publication[] = [];
  for (const [index, tile] of tiles.entries()) {
    for (let day = index % 3; day < days; day += 2 + Math.floor(2 * random())) {
      const takenAt = from + day * DAY_MS + (7 + 6 * random()) * HOUR_MS;
      const granule = { tile, takenAt, stripStart: takenAt - 8 * MINUTE_MS, orbit: 40_000 + day * 14 + index, part: 0 };
      published.push(...publicationsOf(granule, options));
      if (random() >= 0.2) continue;
      // A datastrip ends in the tile: a second granule of the same datatake, which often comes hours later.
      const second = { ...granule, stripStart: granule.stripStart + 4 * MINUTE_MS + 7_000, part: 1 };
      published.push(...publicationsOf({ ...second, takenAt: takenAt + 5_000 }, options));
    }
  }
  return published.sort((a, b) => a.visibleAt - b.visibleAt);
}

/** The catalogue at the present instant of a clock. */
export class PlannedCatalogue implements ItemSource {
  readonly #published: readonly Publication[];
  readonly #now: () => number;
  readonly #visible = new Map<string, Publication>();
  #count = 0;

  constructor(published: readonly Publication[], now: () => number) {
    this.#published = published;
    this.#now = now;
  }

  find({ from, to, collections, tiles, ids, isOfChanges }: ItemFilter): readonly ItemDocument[] {
    // They are in the order in which they become visible, and the clock never goes back.
    for (let one = this.#published[this.#count]; one !== undefined && one.visibleAt <= this.#now();) {
      this.#visible.set(`${one.item.collection}/${one.item.id}`, one);
      one = this.#published[(this.#count += 1)];
    }
    return [...this.#visible.values()].flatMap(({ item, isSkipped }) => {
      const takenAt = Date.parse(item.properties.datetime);
      const tile = String(item.properties['grid:code']).replace('MGRS-', '').padStart(5, '0');
      const isAsked = tiles?.includes(tile) !== false && ids?.includes(item.id) !== false;
      const isInTime = takenAt >= from && takenAt <= to && collections.includes(item.collection);
      return isAsked && isInTime && !(isOfChanges && isSkipped) ? [item] : [];
    });
  }

  item(): undefined {
    return undefined;
  }

  file(): undefined {
    return undefined;
  }
}
