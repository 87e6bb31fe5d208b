// Weeks of a service that takes in what a satellite catalogue shows: everything that customers can see of it, with a clock
// that is moved by hand. What stands below says nothing of how the service works; the driver does.
import type { Catalogue } from '../../../../shared/scenes/imagerySettings.js';
import { MemoryFeedDriver } from './feedDriver.js';
import type { HostQueues } from './hostQueues.js';
import { ShownCatalogue, type Span } from './shownCatalogue.js';
import { WorldClock } from './worldClock.js';
import { sensedAtOf, worldItem, type Granule, type WorldTile } from './worldItems.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** While it lasts, what storage has of a customer's enrollments, or of a tile's products, can't be listed. */
export interface StorageFault extends Span {
  /** A customer or a tile. */
  readonly partition: string;
}

/** The service as the simulation starts it. */
export interface FeedDriver {
  readonly queues: HostQueues;
  storageFault: StorageFault | undefined;
  /** An enrollment of the one field of a tile, named as the tile, as ingest leaves it. */
  enrolField(customer: string, tile: WorldTile, startDate: string): Promise<void>;
  /** Somebody wants images of so many tiles that the catalogue is asked for those of the whole earth. */
  enrolWorld(): void;
  /** Takes the rows away that say which tile a customer wants images of. */
  forgetInterest(customer: string): Promise<void>;
  hasImage(customer: string, fieldId: string, day: string): boolean;
  /** When the next timer ticks or the next message is visible. */
  nextAt(): number;
  /** One tick, or one message. */
  runNext(): Promise<void>;
  /** Another process in place of the present one. */
  restart(): void;
}

/** How an item is shown. */
export interface Showing {
  /** Earth Search says that it put the item in at this instant; when it is shown unless given. */
  readonly changedAt?: number;
  /** No question about changes ever shows it. */
  readonly isSkipped?: boolean;
}

/** An item that the catalogue shows, and what became of it. */
export interface WorldItem extends Granule {
  readonly shownAt: number;
  /** When the field of its tile first had its image of the day, whole, in the customer's folder. */
  takenInAt: number | undefined;
}

/** An instant of a day, UTC, from texts such as 2026-06-05 and 05:30. */
export const at = (day: string, time: string): number => Date.parse(`${day}T${time}:00Z`);
/** A day so many days after another. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);

export class FeedWorld {
  readonly clock: WorldClock;
  readonly catalogue: ShownCatalogue;
  readonly service: FeedDriver;
  readonly #customers = new Map<WorldTile, string>();
  readonly #items: WorldItem[] = [];

  /**
   * @param day on which the service begins, at midnight UTC
   * @param pollMinutes between two polls; five of six may be missed where a test has limits of hours, and is quicker so
   */
  constructor(catalogue: Catalogue, day: string, pollMinutes = 5) {
    this.clock = new WorldClock(`${day}T00:00:00Z`);
    this.catalogue = new ShownCatalogue(catalogue, this.clock);
    this.service = new MemoryFeedDriver(this.catalogue, this.clock, pollMinutes);
  }

  /** A customer who wants images of the field of a tile from a day on. */
  async enrol(customer: string, tile: WorldTile, startDate: string): Promise<void> {
    this.#customers.set(tile, customer);
    await this.service.enrolField(customer, tile, startDate);
  }

  /** The catalogue shows an item from an instant on; during a silence, from its end on. */
  show(granule: Granule, instant: number, { changedAt = instant, isSkipped = false }: Showing = {}): WorldItem {
    const { from, to } = this.catalogue.silence;
    const shownAt = instant >= from && instant < to ? to : instant;
    const item = { ...granule, shownAt, takenInAt: undefined };
    this.catalogue.show({ item: worldItem(this.catalogue.name, granule, changedAt), visibleAt: shownAt, isSkipped });
    this.#items.push(item);
    return item;
  }

  /** As catalogues mostly do: eight hours after the overpass. */
  showSoon(granule: Granule): WorldItem {
    return this.show(granule, sensedAtOf(granule.day) + 8 * HOUR_MS);
  }

  /** Everything that timers and queues have due until then. */
  async advanceTo(instant: number): Promise<void> {
    while (this.service.nextAt() <= instant) {
      this.clock.moveTo(this.service.nextAt());
      await this.service.runNext();
      this.#look();
    }
    this.clock.moveTo(instant);
  }

  advance(hours: number): Promise<void> {
    return this.advanceTo(this.clock.nowMs + hours * HOUR_MS);
  }

  /** How many hours after it was shown an item was taken in; infinite when it wasn't. */
  hoursUntilTakenIn({ shownAt, takenInAt = Infinity }: WorldItem): number {
    return (takenInAt - shownAt) / HOUR_MS;
  }

  #look(): void {
    for (const item of this.#items) {
      if (item.takenInAt !== undefined || item.shownAt > this.clock.nowMs) continue;
      const customer = this.#customers.get(item.tile) ?? '';
      if (this.service.hasImage(customer, item.tile, item.day)) item.takenInAt = this.clock.nowMs;
    }
  }
}
