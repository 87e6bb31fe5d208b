import { describe, expect, test } from '@jest/globals';
import { askRetry } from '../../../shared/imagery/discovery/backfill.js';
import { workOfProduct } from '../../../shared/imagery/products/product.js';
import { takeIn } from '../../../shared/imagery/discovery/takeIn.js';
import { productKind } from '../../../shared/imagery/units/fanOut.js';
import { UNIT } from '../../../shared/imagery/units/unit.js';
import { unitKind } from '../../../shared/imagery/units/unitKind.js';
import { enqueuer } from '../../../shared/work/enqueue.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import { WorkStore } from '../../../shared/work/item/workStore.js';
import { aScene } from '../builders.js';
import { LEASE_MS } from '../imageryUnderTest.js';
import { UnitsUnderTest } from './unitsUnderTest.js';

const MINUTE = 60_000;
const CUSTOMERS = ['a', 'b'];
const boxAt = (step: number) => [13.14 + step * 0.004, 48.29, 13.1436 + step * 0.004, 48.2925] as const;

class Killed extends Error {}

/** A process that ends at one of its calls of others, before they take effect or after; from then on it does nothing. */
class Mortal {
  calls = 0;
  isDead = false;
  readonly #diesAt: number;
  readonly #takesEffect: boolean;

  constructor(diesAt: number, takesEffect: boolean) {
    this.#diesAt = diesAt;
    this.#takesEffect = takesEffect;
  }

  /** The catalogue shows a scene: from there to the files of all customers, as long as it lives. */
  async live(service: UnitsUnderTest): Promise<void> {
    try {
      await this.see(service);
      await this.work(service);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }

  /** Takes in what the catalogue shows; a product that is still open is asked for, as often as that is repeated. */
  async see(service: UnitsUnderTest): Promise<void> {
    const { scenes, enqueuer: work, clock } = this.#portsOf(service);
    await takeIn({ scenes, askProduct: (key) => work.ask(workOfProduct(key)), clock })({ scene: aScene() });
  }

  /** Does what is due. */
  async work(service: UnitsUnderTest): Promise<void> {
    while (!this.isDead) {
      const key = take(service);
      if (key === undefined) return;
      await this.#handle(service, key);
    }
  }

  /** One attempt at a product or a unit. */
  #handle(service: UnitsUnderTest, key: WorkKey): Promise<void> {
    const ports = this.#portsOf(service);
    const kind = key.kind === UNIT ? unitKind(ports, LEASE_MS) : productKind(ports, LEASE_MS);
    return service.handle(key, kind, this.#storeOf(service));
  }

  /** The ports as this process sees them. */
  #portsOf(service: UnitsUnderTest): UnitsUnderTest['unitPorts'] {
    const { scenes, interest, notes, fields, fieldDates, imagery, ...rest } = service.unitPorts;
    const others = { scenes, interest, notes, fields, fieldDates, imagery };
    const entries = Object.entries(others).map(([name, port]) => [name, this.#mortal(port)]);
    const queue = this.#mortal(service.kernel.queue);
    const { clock, kernel } = service;
    const work = enqueuer({ store: this.#storeOf(service), queues: () => queue, clock, lanes: kernel.lanes });
    return { ...rest, ...(Object.fromEntries(entries) as typeof others), enqueuer: work, askRetry: askRetry(work) };
  }

  #storeOf({ kernel }: UnitsUnderTest): WorkStore {
    return new WorkStore(this.#mortal(kernel.rows));
  }

  #mortal<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...parameters: unknown[]): Promise<unknown> => {
          if (this.isDead) throw new Killed();
          this.calls += 1;
          this.isDead = this.calls === this.#diesAt;
          if (this.isDead && !this.#takesEffect) throw new Killed();
          const result: unknown = await Reflect.apply(value, target, parameters);
          if (this.isDead) throw new Killed();
          return result;
        };
      },
    });
  }
}

const immortal = (): Mortal => new Mortal(Infinity, true);

/** The work that the next visible message names. */
function take({ kernel }: UnitsUnderTest): WorkKey | undefined {
  const text = kernel.messages.take();
  return text === undefined ? undefined : (JSON.parse(text) as WorkKey);
}

async function world(): Promise<UnitsUnderTest> {
  const service = new UnitsUnderTest('2026-06-17T18:00:00Z');
  for (const [index, customer] of CUSTOMERS.entries()) {
    const fields = [{ fieldId: 'f', box: boxAt(index) }];
    const request = { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'] } as const;
    await service.enrol({ customer, enrollmentId: 'e1', fields, request });
  }
  await service.drain();
  return service;
}

interface Recovery {
  /** The catalogue shows the scene again, and its product is asked for while its row says that it isn't done. */
  readonly asksAgain: boolean;
  readonly sweeps: boolean;
}

/** What other processes do in the minutes after. */
async function recover(service: UnitsUnderTest, { asksAgain, sweeps }: Recovery): Promise<void> {
  for (let minute = 0; minute < 8; minute += 1) {
    service.clock.jump(2 * MINUTE);
    if (asksAgain) await immortal().see(service);
    if (sweeps) await service.sweepUnits();
    await immortal().work(service);
  }
}

/** Whether everything that was made will be found when its time is over. */
function isNoted({ fieldDates, makings }: UnitsUnderTest): boolean {
  const noted = new Set(
    [...makings.rows].flatMap(([key, { madeOn, date, fieldIds }]) =>
      fieldIds.map((fieldId) => [key.split('|')[0], fieldId, date, madeOn].join('|')),
    ),
  );
  return [...fieldDates.rows].every(([key, { madeOn }]) => madeOn === undefined || noted.has(`${key}|${madeOn}`));
}

/** What customers have and nobody may tell a death from: when something was written does not count. */
function outcome(service: UnitsUnderTest) {
  const { products } = service.scenes;
  const isFannedOut = products.length === 1 && products.every(({ fanOut: is }) => is === 'done');
  const isClosed = isFannedOut && service.kernel.rows.all().length === 0;
  const customers = CUSTOMERS.map((customer) => {
    const { files, ...told } = service.all(customer);
    return { ...told, files: files.map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]) };
  });
  return JSON.stringify({ isClosed, isNoted: isNoted(service), customers }).replaceAll(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
    'then',
  );
}

async function undisturbed(): Promise<{ calls: number; expected: string }> {
  const service = await world();
  const mortal = immortal();
  await mortal.live(service);
  return { calls: mortal.calls, expected: outcome(service) };
}

/** After how many of all deaths something is left undone or done otherwise. */
async function unhealed(recovery: Recovery, everyCalls = 1): Promise<readonly string[]> {
  const { calls, expected } = await undisturbed();
  const left: string[] = [];
  for (let diesAt = 1; diesAt <= calls; diesAt += everyCalls) {
    for (const takesEffect of [false, true]) {
      const service = await world();
      await new Mortal(diesAt, takesEffect).live(service);
      await recover(service, recovery);
      if (outcome(service) !== expected) left.push(`call ${diesAt} ${takesEffect ? 'after' : 'before'}`);
    }
  }
  return left;
}

describe('a process that dies between a scene and the files of all customers', () => {
  test('at any of its calls, before or after its effect, leaves nothing undone: row, message, unit, slice, index, end', async () => {
    const { calls, expected } = await undisturbed();
    expect(calls).toBeGreaterThan(30);
    expect(JSON.parse(expected)).toMatchObject({ isClosed: true, isNoted: true });
    expect(await unhealed({ asksAgain: true, sweeps: true })).toEqual([]);
  });

  test('would leave work undone without the sweep, and without the row that says whether all units are open', async () => {
    expect((await unhealed({ asksAgain: true, sweeps: false }, 5)).length).toBeGreaterThan(5);
    expect((await unhealed({ asksAgain: false, sweeps: true })).length).toBeGreaterThan(0);
  });
});
