// Built by experiment E47, with a protection taken out when it must fail.
import { exportTables } from '../../shared/operate/backup/exportTables.js';
import { partyKeyOf, type LandKey } from '../../shared/farm/land/land.js';
import type { TableName } from '../../shared/storage/names.js';
import type { RawRows } from '../../shared/storage/azure/rawRows.js';
import { MemoryArchive, restored } from '../farm/eraseWorld.js';
import { aParty, FarmWorld, keyIn } from '../farm/farmWorld.js';
import { TENANT } from '../farm/landInMemory.js';
import { memoryRawRows } from '../support/memoryRawRows.js';
import { drawnOf, Life, type Drawn, type Found } from './farmRun.js';

const cascaded = partyKeyOf(TENANT, 'cascaded');
const erased = { tenant: TENANT, partyId: 'erased' };
const answered = keyIn('field', 'field-0-0', 'answered');
const JOB = 'cascade';
/** Steps of half a second: what dies between its look and its ticket is looked at again after an hour. */
const MOST_STEPS = 4 * 7_200;
/** The longest from the answers to an export, and from the beginning of that to its end. */
const DELETION_STEPS = 160;
const EXPORT_STEPS = 30;

/** Exports in the middle of deletions by processes that die, each restored into an empty account. */
export async function farmRestores({ random, rounds }: Drawn & { readonly rounds: number }): Promise<Found> {
  const counts = { roundsOfExports: rounds, erasuresKnown: 0, deaths: 0 };
  const breaches: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { world, target, stays } = await planted(random);
    const life = new Life(world, random);
    const isBefore = random() < 0.25;
    const older = await exported(world, life, 0);
    await askAll(world, target);
    for (let step = drawnOf(random, DELETION_STEPS); step > 0; step -= 1) await life.step();
    const archive = isBefore ? older : await exported(world, life, drawnOf(random, EXPORT_STEPS));
    const { erased: kept } = await world.keptTombstones.read();
    // An erasure that has not begun is in no export: its operator is told to ask again.
    const isErased = kept.length > 0;
    counts.erasuresKnown += isErased ? 1 : 0;
    const lost = new FarmWorld();
    Object.assign(lost, { keptTombstones: world.keptTombstones });
    lost.clock.jump(world.now() - lost.now());
    await restored(lost, archive);
    const after = new Life(lost, random);
    const found = await lookAfter(lost, after, { target, stays, isErased, isAnswered: !isBefore });
    breaches.push(...found.map((text) => `restored (round ${round}): ${text}`));
    counts.deaths += life.deaths + after.deaths;
  }
  return { counts, breaches };
}

async function planted(random: () => number) {
  const world = new FarmWorld();
  const first = world.process();
  for (const party of ['stays', 'answered', 'cascaded', 'erased']) {
    const size = { farms: 1 + drawnOf(random, 2), fieldsOfFarm: 1 + drawnOf(random, 12) };
    await aParty(first, { party, ...size, withInsights: party !== 'answered' });
  }
  const target: LandKey = random() < 0.5 ? cascaded : keyIn('farm', 'farm-0', 'cascaded');
  return { world, target, stays: await rowsOf(world, ['stays', 'answered']) };
}

/** By callers whose process lives until they have their answers. */
async function askAll(world: FarmWorld, target: LandKey): Promise<void> {
  const process = world.process();
  await process.startCascade(JOB, target);
  await process.remove(answered);
  await process.startErasure(erased);
}

/** An export during which the service works. */
async function exported(world: FarmWorld, life: Life, steps: number): Promise<MemoryArchive> {
  const archive = new MemoryArchive();
  const slowly = (name: TableName): RawRows => {
    const raw = memoryRawRows(world.rows(name));
    const rows: Pick<RawRows, keyof RawRows> = {
      isEmpty: () => raw.isEmpty(),
      put: (all) => raw.put(all),
      async *all() {
        for (let step = 0; step < steps; step += 1) await life.step();
        yield* raw.all();
      },
    };
    return rows as RawRows;
  };
  await exportTables({ rawRows: slowly, files: () => world.blobs, clock: world.clock })(archive);
  return archive;
}

/** Rows of farm data of these parties, without the field that is deleted by an answer. */
async function rowsOf(world: FarmWorld, parties: readonly string[]): Promise<readonly string[]> {
  const { blobs: _blobs, ...rows } = await world.stored();
  const isMeant = (name: string): boolean => parties.some((party) => name.split(/[| ]/).includes(party));
  const isOfField = (name: string): boolean => name.includes('|answered') && name.endsWith(answered.id);
  return Object.values(rows)
    .flat()
    .filter((name) => isMeant(name) && !isOfField(name));
}

interface Wanted {
  readonly target: LandKey;
  readonly stays: readonly string[];
  readonly isErased: boolean;
  readonly isAnswered: boolean;
}

/** What is wrong after a restore, from its first moment to the end of all work. */
async function lookAfter(world: FarmWorld, life: Life, wanted: Wanted): Promise<readonly string[]> {
  const { isErased, isAnswered: areAnswered } = wanted;
  const breaches = new Set<string>();
  const look = async (): Promise<void> => {
    const process = world.process();
    const isThere = async (key: LandKey): Promise<boolean> => {
      const found = await process.land.find(key);
      return found !== undefined && found.land.isDeleting !== true;
    };
    const gone = [
      ...(isErased ? [partyKeyOf(TENANT, 'erased'), keyIn('field', 'field-0-0', 'erased')] : []),
      // A cascade delete marks its target when it begins.
      ...(areAnswered ? [answered] : []),
    ];
    for (const key of gone)
      if (await isThere(key)) breaches.add(`I23: ${key.partyId} ${key.kind} ${key.id} can be read`);
  };
  for (let step = 0; step < MOST_STEPS && (step === 0 || (await world.openWork()).length > 0); step += 1) {
    await look();
    await life.step();
  }
  await look();
  for (const text of await unfinished(world, wanted)) breaches.add(text);
  return [...breaches];
}

async function unfinished(world: FarmWorld, wanted: Wanted): Promise<readonly string[]> {
  const open = (await world.openWork()).map((key) => `I22: ${key} has no end`);
  const there = await rowsOf(world, ['stays', 'answered']);
  const isWhole = JSON.stringify(there) === JSON.stringify(wanted.stays);
  const whole = isWhole ? [] : ['what was not deleted is not whole'];
  return [...open, ...whole, ...(await leftOf(world, wanted)), ...(await blocked(world, wanted))];
}

/** What is left of what was deleted, and a cascade delete without its end. */
async function leftOf(world: FarmWorld, { target, isErased, isAnswered }: Wanted): Promise<readonly string[]> {
  const isPartyGone = isAnswered && target.kind === 'party';
  const gone = [...(isErased ? ['erased'] : []), ...(isPartyGone ? ['cascaded'] : [])];
  const left = (await rowsOf(world, gone)).map((name) => `I23: ${name} is left`);
  if (!isAnswered) return left;
  const { status } = await world.process().getCascade(target, JOB);
  return status === 'Succeeded' ? left : [`I22: the cascade delete is ${status}`, ...left];
}

/** Ids that are still taken. */
async function blocked(world: FarmWorld, { target, isErased, isAnswered }: Wanted): Promise<readonly string[]> {
  const free = [...(isAnswered ? [target, answered] : []), ...(isErased ? [partyKeyOf(TENANT, 'erased')] : [])];
  const process = world.process();
  const breaches: string[] = [];
  for (const key of free) {
    const put = process.put(key, key.kind === 'field' ? { farmId: 'farm-0' } : {});
    const isNew = await put.then(
      (written) => written.isNew,
      () => false,
    );
    if (!isNew) breaches.push(`I22: ${key.partyId} ${key.kind} ${key.id} can not be created for ever`);
  }
  return breaches;
}
