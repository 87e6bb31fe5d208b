import type { Clock } from '../../clock.js';
import { limiter } from '../../raster/limiter.js';
import type { Log } from '../../telemetry/telemetry.js';
import { coverOf } from '../catalogue/footprint.js';
import { daysOfScene } from '../catalogue/scene.js';
import { dayVersionOf, type Product, type ProductKey } from '../discovery/product.js';
import type { SceneStore } from '../discovery/scenePorts.js';
import { isWanted, type InterestSummary } from '../interest/interest.js';
import type { InterestStore } from '../interest/interestPorts.js';
import { cutUnits, type CutUnit } from './cutUnits.js';
import { productsOfDay } from './productsOfDay.js';
import { promoteLate } from './runUnit.js';
import type { UnitChange, UnitQueue, UnitsOfDay, UnitStore } from './unitPorts.js';
import { askedAnew, asksMore, laneOf, markOf, noticeOf, openedUnit, textOfUnit, type OpenUnit } from './unitWork.js';

export interface FanOutPorts {
  readonly scenes: Pick<SceneStore, 'find' | 'listDays' | 'put'>;
  readonly interest: Pick<InterestStore, 'summarizeTile'>;
  readonly units: UnitStore;
  readonly unitQueue: UnitQueue;
  readonly clock: Clock;
  readonly log: Log;
}

const MESSAGES_AT_ONCE = 8;
/** Fan-outs of other products of the same tile and day that write at the same time. */
const MOST_TRIES = 10;

const isShown = ({ scenes }: Product, { bbox }: InterestSummary): boolean =>
  scenes.some(({ footprint }) => coverOf(footprint, bbox) !== 'none');

/**
 * The units that a product asks for. They are cut of everything wanted that the tile shows on the day, so that two products
 * of one day cut alike; those of which this product shows nothing are left out.
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

/** What has to be written so that these units are open, or done already. */
function changesFor(asked: readonly OpenUnit[], { open, done }: UnitsOfDay): readonly UnitChange[] {
  const marks = new Map(done.map((unit) => [textOfUnit(unit), unit.mark]));
  const stored = new Map(open.map((entry) => [textOfUnit(entry.unit), entry]));
  return asked.flatMap((unit): readonly UnitChange[] => {
    const there = stored.get(textOfUnit(unit));
    if (there !== undefined) {
      return asksMore(unit, there.unit) ? [{ unit: askedAnew(there.unit, unit), etag: there.etag }] : [];
    }
    if (marks.get(textOfUnit(unit)) === markOf(unit)) return [];
    return unit.lane === 'late' ? [{ unit, isWaiting: true }] : [{ unit }];
  });
}

/** A change of a unit as it was written. */
type WrittenChange = UnitChange & { readonly mark: string };

/** Writes what is missing of the units. @returns the changes, with the marks of what was written */
async function open(
  ports: FanOutPorts,
  { tile, date }: Pick<OpenUnit, 'tile' | 'date'>,
  asked: readonly OpenUnit[],
): Promise<readonly WrittenChange[]> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const changes = changesFor(asked, await ports.units.listDay(tile, date));
    const marks = await ports.units.write(tile, date, changes);
    if (marks !== undefined) return changes.map((change, index) => ({ ...change, mark: marks[index] ?? '' }));
  }
  throw new Error('The units of a tile and day are changed faster than they can be written.');
}

/** Sends the messages of units that were opened; those of the late lane get theirs when it is their turn. */
async function send({ unitQueue }: FanOutPorts, changes: readonly WrittenChange[]): Promise<void> {
  const sending = limiter(MESSAGES_AT_ONCE);
  const opened = changes.filter(({ isWaiting }) => isWaiting !== true);
  await Promise.all(
    opened.map(({ unit, mark }) => sending(() => unitQueue.enqueue(unit.lane, noticeOf(unit, mark), 0))),
  );
}

/** What was asked for by a product on one day. */
interface Asked {
  readonly units: number;
  readonly opened: number;
  readonly fields: number;
}

/** Opens the units of a product on a day. @param product as it was read last */
async function openDay(ports: FanOutPorts, product: Product, date: string): Promise<Asked> {
  const { tile, scene } = product;
  const now = ports.clock.now().getTime();
  const found = await productsOfDay(ports, tile, date);
  const products = found.map((other) => (other.scene === scene ? product : other));
  const publishedAt = Date.parse(product.publishedAt);
  const facts = { tile, date, version: dayVersionOf(products), lane: laneOf(publishedAt, now), publishedAt };
  const today = new Date(now).toISOString().slice(0, 10);
  const entries = await ports.interest.summarizeTile(tile);
  const wanted = entries.filter((entry) => isWanted(entry, { date, today }));
  const cut = unitsOfProduct(product, products, wanted);
  const asked = cut.map((unit) => openedUnit(unit, facts, now));
  const changes = cut.length === 0 ? [] : await open(ports, { tile, date }, asked);
  await send(ports, changes);
  if (changes.some(({ isWaiting }) => isWaiting)) await promoteLate(ports, ports.units.bucketOf({ tile, date }));
  const fields = cut.reduce((sum, unit) => sum + unit.fields, 0);
  return { units: cut.length, opened: changes.length, fields };
}

/**
 * Opens a unit of work for every cell of which a product shows what somebody monitors; at midnight of both days, for the
 * overpass may count for either. Each step can be repeated: a unit that is open stays, one that was done on the same version
 * is not opened again, and the product counts as fanned out only after all of them.
 */
export const fanOut =
  (ports: FanOutPorts) =>
  async (key: ProductKey): Promise<void> => {
    const stored = await ports.scenes.find(key);
    if (stored === undefined || stored.product.fanOut === 'done') return;
    const { product, etag } = stored;
    const asked: Asked[] = [];
    for (const date of daysOfScene(product.scenes[0])) asked.push(await openDay(ports, product, date));
    const sum = (count: (day: Asked) => number): number => asked.reduce((total, day) => total + count(day), 0);
    const units = sum((day) => day.units);
    // Whoever wrote it meanwhile has opened it again, and its message is on the way.
    await ports.scenes.put({ ...product, fanOut: 'done', units }, etag);
    const lane = laneOf(Date.parse(product.publishedAt), ports.clock.now().getTime());
    const counts = { units, opened: sum(({ opened }) => opened), fields: sum(({ fields }) => fields) };
    ports.log('Scene:FannedOut', { ...key, lane, ...counts });
  };
