import { describe, expect, test } from '@jest/globals';
import type { ProductKey } from '../../../shared/imagery/discovery/product.js';
import { fanOut } from '../../../shared/imagery/units/fanOut.js';
import { runUnit } from '../../../shared/imagery/units/runUnit.js';
import { aScene } from '../builders.js';
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

  /** The ports as this process sees them. */
  ports(service: UnitsUnderTest): UnitsUnderTest['unitPorts'] {
    const { units, unitQueue, scenes, interest, notes, fields, fieldDates, imagery, retries, ...rest } =
      service.unitPorts;
    const [own, others] = [
      { units, unitQueue, scenes, interest, notes },
      { fields, fieldDates, imagery, retries },
    ];
    const entries = Object.entries({ ...own, ...others }).map(([name, port]) => [name, this.#mortal(port)]);
    return { ...rest, ...(Object.fromEntries(entries) as typeof own & typeof others) };
  }

  #mortal<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function' || name === 'bucketOf') return value;
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

async function world(): Promise<{ service: UnitsUnderTest; key: ProductKey }> {
  const service = new UnitsUnderTest('2026-06-17T18:00:00Z');
  for (const [index, customer] of CUSTOMERS.entries()) {
    const fields = [{ fieldId: 'f', box: boxAt(index) }];
    const request = { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'] } as const;
    await service.enrol({ customer, enrollmentId: 'e1', fields, request });
  }
  return { service, key: await service.publish(aScene()) };
}

/** All that a process does for a scene. */
async function live(service: UnitsUnderTest, key: ProductKey, mortal: Mortal): Promise<void> {
  try {
    await fanOut(mortal.ports(service))(key);
    for (let unit = service.unitQueue.take(); unit !== undefined; unit = service.unitQueue.take()) {
      await runUnit(mortal.ports(service))(unit);
      if (mortal.isDead) return;
    }
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

interface Recovery {
  /** The product is fanned out again while its row says that it isn't done. */
  readonly fansOut: boolean;
  readonly sweeps: boolean;
}

/** What other processes do in the minutes after. */
async function recover(service: UnitsUnderTest, key: ProductKey, { fansOut, sweeps }: Recovery): Promise<void> {
  for (let minute = 0; minute < 8; minute += 1) {
    service.clock.jump(2 * MINUTE);
    if (fansOut) await service.fanOut(key);
    if (sweeps) await service.sweepUnits();
    await service.doUnits();
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
  const isClosed = service.units.open.length === 0 && service.scenes.products.every(({ fanOut: is }) => is === 'done');
  const customers = CUSTOMERS.map((customer) => {
    const { files, ...told } = service.all(customer);
    return { ...told, files: files.map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]) };
  });
  return JSON.stringify({ isClosed, isNoted: isNoted(service), customers }).replaceAll(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
    'then',
  );
}

async function callsOf(): Promise<number> {
  const { service, key } = await world();
  const mortal = new Mortal(Infinity, true);
  await live(service, key, mortal);
  return mortal.calls;
}

/** After how many of all deaths something is left undone or done otherwise. */
async function unhealed(recovery: Recovery, everyCalls = 1): Promise<readonly string[]> {
  const undisturbed = await world();
  await live(undisturbed.service, undisturbed.key, new Mortal(Infinity, true));
  const expected = outcome(undisturbed.service);
  const calls = await callsOf();
  const left: string[] = [];
  for (let diesAt = 1; diesAt <= calls; diesAt += everyCalls) {
    for (const takesEffect of [false, true]) {
      const { service, key } = await world();
      await live(service, key, new Mortal(diesAt, takesEffect));
      await recover(service, key, recovery);
      if (outcome(service) !== expected) left.push(`call ${diesAt} ${takesEffect ? 'after' : 'before'}`);
    }
  }
  return left;
}

describe('a process that dies between a scene and the files of all customers', () => {
  test('at any of its calls, before or after its effect, leaves nothing undone: row, message, unit, slice, index, end', async () => {
    expect(await callsOf()).toBeGreaterThan(30);
    expect(await unhealed({ fansOut: true, sweeps: true })).toEqual([]);
  });

  test('would leave work undone without the sweep, and without the row that says whether all units are open', async () => {
    expect((await unhealed({ fansOut: true, sweeps: false }, 5)).length).toBeGreaterThan(5);
    expect((await unhealed({ fansOut: false, sweeps: true }, 2)).length).toBeGreaterThan(0);
  });
});
