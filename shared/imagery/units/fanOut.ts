import type { Clock } from '../../kit/clock.js';
import { limiter } from '../../kit/limiter.js';
import { usualPace } from '../../kit/retryDelay.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { currentTraceparent } from '../../kit/telemetry/trace.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { failureOf, type RetryPolicies } from '../../work/item/retry.js';
import type { WorkItem } from '../../work/item/workItem.js';
import { done, type Step, type WorkKind } from '../../work/item/workKind.js';
import { coverOf } from '../../scenes/place/footprint.js';
import { daysOfScene } from '../../scenes/item/scene.js';
import { PRODUCT, productOfWork, shownBy, type Product, type ProductKey } from '../products/product.js';
import type { TableSceneStore } from '../products/tableSceneStore.js';
import { isWanted, type InterestSummary } from '../interest/interest.js';
import type { TableInterestStore } from '../interest/tableInterestStore.js';
import { cutUnits, type CutUnit } from './cutUnits.js';
import { productsOfDay } from './productsOfDay.js';
import { bothAsks, laneOf, orderOf } from './unit.js';

/** What the fan-out of a product needs. */
export interface FanOutPorts {
  readonly scenes: Pick<TableSceneStore, 'find' | 'listDays' | 'put'>;
  readonly interest: Pick<TableInterestStore, 'summarizeTile'>;
  readonly enqueuer: Pick<Enqueuer, 'ask'>;
  readonly clock: Clock;
  readonly log: Log;
}

const ASKS_AT_ONCE = 8;
const HOUR_MS = 3_600_000;

const isShown = (product: Product, { bbox }: InterestSummary): boolean =>
  [shownBy(product), ...product.scenes].some(({ footprint }) => coverOf(footprint, bbox) !== 'none');

/**
 * The units that a product asks for. All wanted fields that the tile shows on the day are cut into units, so that two
 * products of one day get the same units; then the units of which this product shows nothing are left out.
 */
function unitsOfProduct(
  product: Product,
  products: readonly Product[],
  wanted: readonly InterestSummary[],
): readonly CutUnit[] {
  const shown = wanted.filter((entry) => products.some((other) => isShown(other, entry)));
  const own = new Set(shown.filter((entry) => isShown(product, entry)).map(({ key }) => key));
  return cutUnits(shown).filter(({ from, to }) => [...own].some((key) => key >= from && key <= to));
}

/** Asks for the units of a product on a day. @param product replaces the stored one of the same scene */
async function openDay(ports: FanOutPorts, product: Product, date: string): Promise<readonly CutUnit[]> {
  const { tile, scene } = product;
  const now = ports.clock.now().getTime();
  const found = await productsOfDay(ports, tile, date);
  const products = found.map((other) => (other.scene === scene ? product : other));
  const publishedAt = Date.parse(product.publishedAt);
  const origin = currentTraceparent();
  const origins = origin === undefined ? {} : { origins: [origin] };
  const facts = { tile, date, lane: laneOf(publishedAt, now), publishedAt, ...origins };
  const today = new Date(now).toISOString().slice(0, 10);
  const entries = await ports.interest.summarizeTile(tile);
  const wanted = entries.filter((entry) => isWanted(entry, { date, today }));
  const cut = unitsOfProduct(product, products, wanted);
  const ask = ({ cell, part, from, to }: CutUnit): Promise<void> => {
    const unit = { ...facts, cell, part, from, to };
    return ports.enqueuer.ask(orderOf(unit), { both: (before) => bothAsks(unit, before) });
  };
  const asking = limiter(ASKS_AT_ONCE);
  await Promise.all(cut.map((unit) => asking(() => ask(unit))));
  return cut;
}

/**
 * Asks for a unit for every cell in which a product shows monitored fields; near midnight for both days, because the
 * overpass may count for either. Repeating it is harmless: a unit that was done has nothing left to make. The product is
 * fanned out only after all units were asked for.
 */
export const fanOut =
  (ports: FanOutPorts) =>
  async (key: ProductKey): Promise<void> => {
    const stored = await ports.scenes.find(key);
    if (stored === undefined || stored.product.fanOut === 'done') return;
    const { product, etag } = stored;
    const cut: CutUnit[] = [];
    for (const date of daysOfScene(shownBy(product))) cut.push(...(await openDay(ports, product, date)));
    // A refused write means that somebody has opened the product again, and asked for it again.
    await ports.scenes.put({ ...product, fanOut: 'done' }, etag);
    const lane = laneOf(Date.parse(product.publishedAt), ports.clock.now().getTime());
    const fields = cut.reduce((sum, unit) => sum + unit.fields, 0);
    ports.log('Scene:FannedOut', { ...key, lane, units: cut.length, fields });
  };

/** Only storage can fail here. A product that is given up stays open, and the nightly comparison asks for it again. */
const retry: RetryPolicies = {
  fault: { ...usualPace, maximumMs: HOUR_MS, maximumAttempts: 30 },
  outage: usualPace,
  refusal: usualPace,
};

/** The kind of work that fans a product out into units. */
export function productKind(ports: FanOutPorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> => {
    const key = productOfWork(item);
    return Promise.resolve({
      retry,
      run: async () => {
        await fanOut(ports)(key);
        return done;
      },
      giveUp: (_attempt, reason) => {
        ports.log('Scene:NotFannedOut', { ...key, cause: reason });
        return Promise.resolve(done);
      },
      failureOf,
    });
  };
  return { kind: PRODUCT, leaseMs, begin };
}
