import { dayOfScene, productVersionOf, type Scene, type UnusableScene } from '../../../shared/scenes/item/scene.js';
import type { ChangeQuery, Found } from '../../../shared/scenes/stac/sceneCatalogue.js';
import { PRODUCT, workOfProduct, type ProductKey } from '../../../shared/imagery/products/product.js';
import { readFeed, type ReadFeedPorts } from '../../../shared/imagery/discovery/readFeed.js';
import { planReconciliation, TILES, tilesKind } from '../../../shared/imagery/discovery/reconcile.js';
import type { Period } from '../../../shared/scenes/stac/searchPeriods.js';
import { compareInterest } from '../../../shared/imagery/interest/indexEnrollment.js';
import { productKind } from '../../../shared/imagery/units/fanOut.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import { FeedInMemory } from '../../support/imageryInMemory.js';
import { LEASE_MS, type ToEnrol } from '../imageryUnderTest.js';
import { UnitsUnderTest } from '../units/unitsUnderTest.js';

const foundOf = <T>(items: readonly T[]): Found<T> => ({ items, pages: 1 });

/** Discovery and work by place together: what the catalogue lists is found by polls, and made. */
export class FeedUnderTest extends UnitsUnderTest {
  readonly feed = new FeedInMemory();
  /** Ids of scenes that no question about changes ever shows. */
  readonly unshown = new Set<string>();
  readonly #poll = readFeed({ ...this.discovery, compareAll: () => planReconciliation(this.discovery)('silence') });

  get discovery() {
    return {
      ...this.ports,
      catalogueName: 'earth-search' as const,
      catalogue: this.#catalogue(),
      scenes: this.scenes,
      feed: this.feed,
      askProduct: (key: ProductKey) => this.kernel.enqueuer.ask(workOfProduct(key)),
    };
  }

  /** As ingest leaves it: the plan enters it in the index. */
  override async enrol(more: ToEnrol): Promise<void> {
    await super.enrol(more);
    const { customer, enrollmentId } = more;
    const own = this.interest.entries.filter(
      (entry) => entry.customer === customer && entry.enrollmentId === enrollmentId,
    );
    await this.interest.remove(own);
  }

  /** What the timer of every five minutes does. */
  async poll(): Promise<void> {
    await this.#poll();
  }

  /** What the timer of 05:30 does, and its messages. */
  async night(): Promise<void> {
    await compareInterest(this.ports)();
    await planReconciliation(this.discovery)();
    for (let key = this.#take(TILES); key !== undefined; key = this.#take(TILES)) {
      await this.handle(key, tilesKind(this.discovery, LEASE_MS));
    }
  }

  /** Handles every message: searches and what they found, products and their units. */
  async drainAll(): Promise<void> {
    await this.drain();
    for (let key = this.#take(PRODUCT); key !== undefined; key = this.#take(PRODUCT)) {
      await this.handle(key, productKind(this.unitPorts, LEASE_MS));
    }
    await this.doUnits();
  }

  /** Takes the first message of a kind that is visible now. */
  #take(kind: string): WorkKey | undefined {
    const { sent } = this.kernel.messages;
    const now = this.clock.now().getTime();
    const keyOf = ({ text }: { readonly text: string }) => JSON.parse(text) as WorkKey;
    const at = sent.findIndex((message) => message.visibleAt <= now && keyOf(message).kind === kind);
    const [message] = at < 0 ? [] : sent.splice(at, 1);
    return message && keyOf(message);
  }

  #catalogue(): ReadFeedPorts['catalogue'] {
    interface Shown {
      readonly scene: Scene | UnusableScene;
      readonly publishedAt: number;
    }
    const shown = (): readonly Shown[] => {
      const now = this.clock.now().getTime();
      return this.catalogue.scenes.filter(({ publishedAt }) => publishedAt <= now);
    };
    const itemOf = ({ scene, publishedAt }: Shown) => {
      const updated = new Date(publishedAt).toISOString();
      return { scene, created: updated, updated };
    };
    return {
      changes: ({ window, takenSince, tiles }: ChangeQuery) => {
        const [from, to] = [Date.parse(window.from), Date.parse(window.to)];
        const changed = shown().filter(
          ({ scene, publishedAt }) =>
            !this.unshown.has(scene.id) &&
            publishedAt >= from &&
            publishedAt < to &&
            scene.takenAt >= takenSince &&
            tiles?.includes(scene.tile) !== false,
        );
        return Promise.resolve(foundOf(changed.map(itemOf)));
      },
      list: (tiles: readonly string[], { from, to }: Period) => {
        const listed = shown().flatMap(({ scene }) => {
          const { id, collection, tile } = scene;
          const day = dayOfScene(scene);
          const isAsked = tiles.includes(tile) && day >= from && day <= to;
          return isAsked ? [{ id, collection, tile, day, version: productVersionOf(scene), granule: scene }] : [];
        });
        return Promise.resolve(foundOf(listed));
      },
      items: (ids: readonly string[]) =>
        Promise.resolve(
          foundOf(
            shown()
              .filter(({ scene }) => ids.includes(scene.id))
              .map(itemOf),
          ),
        ),
      isAlive: () => Promise.resolve(true),
    };
  }
}
