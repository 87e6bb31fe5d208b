// Built by experiment E40, with a protection taken out when it must fail.
import { partyKeyOf, type Land, type LandKey } from '../../shared/farm/land/land.js';
import type { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { aParty, anInsight, FarmWorld, keyIn, type Process } from '../farm/farmWorld.js';
import { TENANT } from '../farm/landInMemory.js';
import { drawnOf, liveUntilDone, type Drawn, type Found } from './farmRun.js';

const party = partyKeyOf(TENANT, 'party');
const FIELDS_OF_FARM = 300;
const WRITERS = 6;
/** The longest that a writer takes from the check of a parent to its write. */
const WRITER_MS = 14_000;

/** Cascade deletes of a party with many fields while writers are at work and processes die. */
export async function farmCascades({
  random,
  rounds,
  fields,
}: Drawn & { readonly rounds: number; readonly fields: number }): Promise<Found> {
  const counts = { fields: 0, deaths: 0, written: 0, refused: 0 };
  const breaches: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const world = new FarmWorld();
    const first = world.process();
    await aParty(first, { party: 'other', farms: 1, fieldsOfFarm: 2 });
    const others = await world.stored();
    const farms = Math.ceil(fields / FIELDS_OF_FARM);
    await aParty(first, { farms, fieldsOfFarm: Math.min(fields, FIELDS_OF_FARM), withInsights: false });
    for (let farm = 0; farm < farms; farm += 1) await anInsight(first, 'Farm', `farm-${farm}`);
    counts.fields += fields;
    await first.startCascade('job', party);
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(world, random, { writer, farms, counts }));
    counts.deaths += await liveUntilDone(world, random);
    await Promise.all(writing);
    await world.work(world.process());
    const left = JSON.stringify(await world.stored());
    if (left !== JSON.stringify(others)) breaches.push(`round ${round}: ${left.slice(0, 300)} is left`);
    const { status } = await world.process().getCascade(party, 'job');
    if (status !== 'Succeeded') breaches.push(`round ${round}: the cascade is ${status}`);
  }
  return { counts, breaches };
}

interface Writer {
  readonly writer: number;
  readonly farms: number;
  readonly counts: { written: number; refused: number };
}

/** A writer that goes on until it is refused: it checks the parent, stands still, then writes. */
async function write(world: FarmWorld, random: () => number, { writer, farms, counts }: Writer): Promise<void> {
  const process = slowly(world, world.process(), random);
  for (let count = 0; ; count += 1) {
    const farmId = `farm-${drawnOf(random, farms)}`;
    const [kind, body] = random() < 0.2 ? (['farm', {}] as const) : (['field', { farmId }] as const);
    try {
      await process.put(keyIn(kind, `late-${writer}-${count}`), body);
      counts.written += 1;
    } catch (error) {
      counts.refused += 1;
      const status = (error as Partial<ServiceError>).fault?.status;
      if (status !== 400 && status !== 404 && status !== 409) throw error;
      // The farm is gone, but the party may still be there.
      if (status !== 400 || count > 30) return;
    }
  }
}

function slowly(world: FarmWorld, process: Process, random: () => number): Process {
  const insert = process.land.insert.bind(process.land);
  process.land.insert = async (key: LandKey, land: Land) => {
    await world.clock.sleep(drawnOf(random, WRITER_MS));
    return insert(key, land);
  };
  return process;
}
