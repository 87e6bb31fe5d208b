import { describe, expect, test } from '@jest/globals';
import { scopeOf, workOfErasure } from '../../shared/farm/erase/erasure.js';
import { startErasure } from '../../shared/farm/erase/startErasure.js';
import type { ErasureScope } from '../../shared/farm/upkeep/erasureScope.js';
import { WRITER_MS } from '../../shared/farm/cascade/sweepUp.js';
import { workOfCascade } from '../../shared/farm/cascade/cascadeJob.js';
import { FarmRequests } from '../../shared/farm/upkeep/farmRequests.js';
import { ImportFileStore } from '../../shared/farm/upkeep/importFileStore.js';
import { sweepFarmData } from '../../shared/farm/upkeep/sweepFarmData.js';
import { FarmWorkStore, type FarmWork } from '../../shared/farm/upkeep/farmWorkStore.js';
import { partyKeyOf } from '../../shared/farm/land/land.js';
import { claimed, newItem } from '../../shared/work/item/workItem.js';
import { running, workOf } from '../../shared/jobs/job.js';
import { backedUp, erased, jobOf, restored } from './eraseWorld.js';
import { importProcess, someFeatures } from './imports/importWorld.js';
import { aParty, anInsight, FarmWorld, keyIn, LEASE_MS } from './farmWorld.js';
import { OTHER_TENANT, TENANT } from './landInMemory.js';
import { stride } from '../support/fullRun.js';
import { settle } from '../support/manualClock.js';
import { Mortal } from './mortal.js';

const DAY_MS = 86_400_000;
const party: ErasureScope = { tenant: TENANT, partyId: 'party' };
const everything: ErasureScope = { tenant: TENANT };
const nothing = { parties: [], farms: [], fields: [], insights: [], blobs: [] };

/** A party with all that it can have, and another one. */
async function aWorld({ isSmall = false } = {}) {
  const world = new FarmWorld();
  const process = world.process();
  await aParty(process, { party: 'other', farms: 1, fieldsOfFarm: isSmall ? 1 : 2 });
  const others = await world.stored();
  await aParty(process, { farms: 2, fieldsOfFarm: isSmall ? 1 : 3 });
  await anInsight(process, 'Party', 'party');
  if (!isSmall) {
    await process.startCascade('cascade', keyIn('farm', 'farm-1'));
    await world.work(process);
  }
  await jobOf(world, process, { jobId: 'done', partyId: 'party' });
  await jobOf(world, process, { jobId: 'of-other', partyId: 'other' });
  return { world, process, others };
}

const jobsLeft = (world: FarmWorld): readonly string[] =>
  world
    .rows('work')
    .all()
    .map(({ rowKey }) => rowKey)
    .filter((key) => key.startsWith('JOB|') || key.startsWith('DONE|') || key.startsWith('LIST|'));

describe('the erasure of a party', () => {
  test('deletes everything of it with its jobs and their insights, and nothing of others', async () => {
    const { world, process, others } = await aWorld();
    await jobOf(world, process, { jobId: 'open', partyId: 'party', isOpen: true });
    await erased(world, process, party);
    expect(await world.stored()).toEqual(others);
    expect(jobsLeft(world).every((key) => key.includes('of-other'))).toBe(true);
    expect(jobsLeft(world)).toHaveLength(4);
    expect(await world.insightBlobs.list('')).toHaveLength(1);
    const stored = await process.erasures.find(workOfErasure(party));
    expect(stored?.value).toMatchObject({
      status: 'Succeeded',
      counts: { parties: 0, farms: 1, fields: 3, insights: 8, files: 0, jobs: 2, requests: 1 },
    });
  });

  test('is forgotten a month after its end, once whoever ordered it has read what it deleted', async () => {
    const { world, process } = await aWorld({ isSmall: true });
    await erased(world, process, party);
    const requests = new FarmRequests(world.rows('work'), new ImportFileStore(world.blobs));
    const sweep = sweepFarmData({ ...process, requests, listTenants: () => Promise.resolve([TENANT]) }, 1_100);
    const rows = () =>
      world
        .rows('work')
        .all()
        .filter(({ rowKey }) => rowKey.startsWith('FARM|erase|'));
    world.clock.jump(30 * DAY_MS - 1_000);
    await sweep();
    expect(rows()).toHaveLength(1);
    world.clock.jump(2_000);
    await sweep();
    expect(rows()).toEqual([]);
  });

  test('deletes large geometries too, and those of writers that died, but no file of a party with a longer id', async () => {
    const { world, process } = await aWorld({ isSmall: true });
    const left = [`${TENANT}/party/shapes/${'0'.repeat(64)}-of-a-dead-writer`, `${TENANT}/party-2/shapes/x`];
    for (const name of left) await world.blobs.write(name, Buffer.from('x'), { type: 'application/gzip' });
    await erased(world, process, party);
    expect((await world.blobs.list(`${TENANT}/party`)).map(({ name }) => name)).toEqual(left.slice(1));
  });

  test('takes the id of the party whatever its spelling, when it is a UUID', async () => {
    const id = 'C0FFEE00-52A4-4F3F-9D0A-3F1F2F6F0A11';
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { party: id });
    await jobOf(world, process, { jobId: 'job', partyId: id.toLowerCase() });
    await erased(world, process, { tenant: TENANT, partyId: id });
    expect(await world.stored()).toEqual(nothing);
    expect(jobsLeft(world)).toEqual([]);
  });

  test('deletes an import that names it, with its body and its open work', async () => {
    const { world, process } = await aWorld();
    const bodyOf = (id: string): string => `${TENANT}/$imports/${id}/${'0'.repeat(64)}`;
    const imports = new FarmWorkStore<FarmWork & { readonly partyId: string }>(world.rows('work'));
    for (const [id, partyId] of [
      ['mine', 'party'],
      ['theirs', 'other'],
    ] as const) {
      await imports.insert(newItem({ kind: 'import', id: `${TENANT}|${id}` }, world.now()), { partyId });
      await world.blobs.write(bodyOf(id), Buffer.from('{}'), { type: 'application/geo+json' });
    }
    await process.startErasure(party);
    await world.work(process).catch(() => undefined); // The import of the other party stays open.
    const keys = world
      .rows('work')
      .all()
      .map(({ rowKey }) => rowKey);
    expect(keys.filter((key) => key.includes('|import|'))).toEqual(
      expect.arrayContaining([`FARM|import|${TENANT}|theirs`, `W|import|${TENANT}|theirs`]),
    );
    expect(keys.filter((key) => key.includes('mine'))).toEqual([]);
    expect(await world.blobs.head(bodyOf('mine'))).toBeUndefined();
    expect(await world.blobs.head(bodyOf('theirs'))).toBeDefined();
  });

  test('ends the imports of its party that wait, and waits for none', async () => {
    const { world, process } = await aWorld({ isSmall: true });
    const importing = importProcess(world);
    for (let count = 0; count < 8; count += 1) await importing.import(someFeatures(3));
    await importing.startErasure(party);
    // The first import has the slot of its tenant, the others stand behind it.
    await settle();
    expect(importing.kernel.sent.map(({ kind }) => kind)).toContain('erase');
    for (const waits of [0, WRITER_MS]) {
      world.clock.jump(waits);
      await process.kernel.handle(workOfErasure(party), process.kinds.get('erase')!);
    }
    expect((await world.openWork()).filter((key) => key.startsWith('W|import'))).toEqual([]);
    await world.work(importing);
    expect((await world.stored()).fields.filter((name) => name.includes('party'))).toEqual([]);
  });

  test('is begun by the next sweep, for a command can send no message', async () => {
    const { process } = await aWorld({ isSmall: true });
    await startErasure({ ...process, work: { send: () => Promise.resolve() } })(party);
    await settle();
    expect(process.kernel.takeNext()).toBeUndefined();
    await process.kernel.sweep();
    await settle();
    expect(process.kernel.takeNext()).toMatchObject({ kind: 'erase' });
  });

  test('refuses writes below it while it lasts, and frees the id at its end', async () => {
    const { world, process } = await aWorld();
    await process.startErasure(party);
    await process.kernel.handle(workOfErasure(party), process.kinds.get('erase')!);
    await expect(process.put(partyKeyOf(TENANT, 'party'))).rejects.toMatchObject({ fault: { code: 'Conflict' } });
    await expect(process.put(keyIn('farm', 'new'))).rejects.toMatchObject({ fault: { code: 'Conflict' } });
    await world.work(process);
    expect((await process.put(partyKeyOf(TENANT, 'party'))).isNew).toBe(true);
  });

  test('keeps a party from being created that is not there, until its leftovers are gone', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await jobOf(world, process, { jobId: 'job', partyId: 'party' });
    await process.startErasure(party);
    await process.kernel.handle(workOfErasure(party), process.kinds.get('erase')!);
    await expect(process.put(partyKeyOf(TENANT, 'party'))).rejects.toMatchObject({ fault: { code: 'Conflict' } });
    await world.work(process);
    expect(await world.stored()).toEqual(nothing);
    expect(jobsLeft(world)).toEqual([]);
  });

  test('waits for the attempt at a job to lose its lease before it deletes the job', async () => {
    const { world, process } = await aWorld();
    const job = await jobOf(world, process, { jobId: 'working', partyId: 'party', isOpen: true });
    const work = await process.kernel.store.find(workOf(job));
    const leaseEnd = world.now() + LEASE_MS;
    const item = claimed(work!.item, { claim: 'attempt', leaseEnd, now: world.now() });
    // As a claim does: work item and job in one transaction.
    await process.jobs.replace((await process.jobs.find(job))!, running(job, item, world.now()), work, { item });
    await erased(world, process, party);
    expect(world.now()).toBeGreaterThanOrEqual(leaseEnd);
    expect(await process.jobs.find(job)).toBeUndefined();
  });

  test('leaves no child of writers that had read the party before', async () => {
    const { world, process, others } = await aWorld();
    const late = world.process();
    const insert = late.land.insert.bind(late.land);
    late.land.insert = async (key, land) => {
      await world.clock.sleep(10_000);
      return insert(key, land);
    };
    const slow = [late.put(keyIn('farm', 'late')), late.put(keyIn('field', 'late'), { farmId: 'farm-0' })];
    await process.startErasure(party);
    for (let half = 0; half < 400 && (await world.openWork()).length > 0; half += 1) {
      await world.clock.advance(500);
      const next = process.kernel.sent.find(({ dueAt }) => dueAt <= world.now());
      if (next !== undefined) await process.kernel.handle(process.kernel.takeNext()!, process.kinds.get(next.kind)!);
    }
    await Promise.allSettled(slow);
    expect(await world.stored()).toEqual(others);
  });

  test.each(['the party', 'everything of the tenant'] as const)(
    'killed at any write of %s goes on, and nothing comes back from an older backup',
    async (what) => {
      const scope = what === 'the party' ? party : everything;
      const { writes } = await killed(scope, new Mortal(Infinity, false));
      expect(writes).toBeGreaterThan(15);
      for (let diesAt = 1; diesAt <= writes; diesAt += stride) {
        for (const takesEffect of [false, true]) await killed(scope, new Mortal(diesAt, takesEffect));
      }
    },
  );
});

/** An erasure by a process that may be killed, brought to its end by another; then an older backup is restored. */
async function killed(scope: ErasureScope, mortal: Mortal): Promise<Mortal> {
  const { world, others } = await aWorld({ isSmall: true });
  const older = await backedUp(world);
  const jobsOfOthers = jobsLeft(world).filter((key) => key.includes('of-other'));
  const process = world.process(mortal);
  await process.startErasure(scope).catch(() => undefined);
  await world.work(process);
  world.clock.jump(LEASE_MS);
  const after = world.process();
  // An operator without an answer asks again.
  await after.startErasure(scope).catch(() => undefined);
  await world.work(after);
  const left = scope.partyId === undefined ? nothing : others;
  expect(await world.stored()).toEqual(left);
  await restored(world, older);
  const { blobs: _blobs, ...rows } = await world.stored();
  const { blobs: _others, ...rowsLeft } = left;
  expect(rows).toEqual(rowsLeft);
  expect(jobsLeft(world)).toEqual(scope.partyId === undefined ? [] : jobsOfOthers);
  return mortal;
}

describe('the erasure of a tenant', () => {
  test('deletes everything of it, and nothing of another tenant', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await process.put(partyKeyOf(OTHER_TENANT, 'party'));
    await process.put(keyIn('field', 'field', 'party', OTHER_TENANT));
    const before = await world.stored();
    for (const id of ['a', 'b', 'c']) await aParty(process, { party: id, farms: 2, fieldsOfFarm: 60 });
    await jobOf(world, process, { jobId: 'job', partyId: 'a' });
    await erased(world, process, everything);
    expect(await world.stored()).toEqual(before);
    expect(jobsLeft(world)).toEqual([]);
    const stored = await process.erasures.find(workOfErasure(everything));
    // Rows of insights, of their files and of the counts of their days.
    expect(stored?.value).toMatchObject({ counts: { parties: 3, farms: 6, fields: 360, insights: 1080, files: 360 } });
  });

  test('can be asked for once more when it has ended', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await erased(world, process, everything);
    await aParty(process);
    await erased(world, process, everything);
    expect(await world.stored()).toEqual(nothing);
  });
});

describe('a restore', () => {
  test.each(['while it has marked its farm', 'before its first attempt'])(
    'goes on with a cascade delete in the middle of which the backup was made: %s',
    async (when) => {
      const world = new FarmWorld();
      const process = world.process();
      await aParty(process, { party: 'other', farms: 1, fieldsOfFarm: 2 });
      const others = await world.stored();
      await aParty(process, { farms: 1, fieldsOfFarm: 2 });
      await process.startCascade('job', partyKeyOf(TENANT, 'party'));
      const work = workOfCascade(partyKeyOf(TENANT, 'party'), 'job');
      if (when.startsWith('while')) await process.kernel.handle(work, process.kinds.get('cascade')!);
      const archive = await backedUp(world);
      const lost = new FarmWorld();
      await restored(lost, archive);
      await lost.work();
      // Files of insights are in no export.
      expect(await lost.stored()).toEqual({ ...others, blobs: [] });
      expect(await lost.process().getCascade(partyKeyOf(TENANT, 'party'), 'job')).toMatchObject({
        status: 'Succeeded',
      });
    },
  );

  test('ends the deletion of a field that was answered, and its id is free again', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { farms: 1, fieldsOfFarm: 2 });
    const field = keyIn('field', 'field-0-1');
    await process.land.mark(field, (await process.land.find(field))!.etag);
    const archive = await backedUp(world);
    const lost = new FarmWorld();
    expect((await restored(lost, archive)).mended).toMatchObject({ deletions: 1 });
    await lost.work();
    expect((await lost.process().put(field)).isNew).toBe(true);
  });

  test('brings back what was created under the same ids since, and nothing from before', async () => {
    const { world, process, others } = await aWorld();
    await erased(world, process, party);
    world.clock.jump(1_000);
    await process.put(partyKeyOf(TENANT, 'party'), { name: 'New' });
    await process.put(keyIn('farm', 'new'));
    const newer = await backedUp(world);
    const before = await world.stored();
    for (const table of ['farmParties', 'farmFarms', 'farmFields', 'farmInsights'] as const) {
      for (const { partitionKey, rowKey } of world.rows(table).all())
        await world.rows(table).delete(partitionKey, rowKey);
    }
    await restored(world, newer);
    const { blobs: _blobs, ...rows } = await world.stored();
    expect(rows).toMatchObject({ parties: before.parties, farms: before.farms, fields: others.fields });
    expect((await process.tombstones.find(party))?.isOpen).toBe(false);
  });

  test('of a backup from before brings nothing of an erasure back, whose tombstone no backup has', async () => {
    const { world, process, others } = await aWorld();
    const archive = await backedUp(world);
    await process.startErasure(party);
    await process.kernel.handle(workOfErasure(party), process.kinds.get('erase')!);
    // The account is lost before anything was deleted; what lies beside the exports is left.
    const lost = new FarmWorld();
    Object.assign(lost, { keptTombstones: world.keptTombstones });
    await restored(lost, archive);
    expect(await lost.stored()).toMatchObject({ farms: others.farms, fields: others.fields });
    await lost.work();
    expect(await lost.stored()).toEqual({ ...others, blobs: [] });
  });

  test('of a backup from before takes the tombstone from a newer one', async () => {
    const { world, process, others } = await aWorld();
    const older = await backedUp(world);
    await erased(world, process, party);
    const newer = await backedUp(world);
    const empty = new FarmWorld();
    await restored(empty, older, [newer]);
    const { blobs: _blobs, ...rows } = await empty.stored();
    expect(rows).toEqual({
      parties: others.parties,
      farms: others.farms,
      fields: others.fields,
      insights: others.insights,
    });
  });

  test('goes on with an erasure in the middle of which the backup was made', async () => {
    const { world, process } = await aWorld();
    await process.startErasure(party);
    await process.kernel.handle(workOfErasure(party), process.kinds.get('erase')!);
    const middle = await backedUp(world);
    const empty = new FarmWorld();
    expect((await restored(empty, middle)).mended).toMatchObject({ erasures: 1 });
    expect(await empty.openWork()).toContain(`W|erase|${TENANT}|party`);
    // No minute passes in which somebody could create the party, which would be erased, too.
    const next = empty.process();
    await next.kernel.sweep();
    expect(next.kernel.takeNext()).toMatchObject({ kind: 'erase' });
    await empty.work(empty.process());
    expect((await empty.process().tombstones.find(party))?.isOpen).toBe(false);
  });

  test('goes on with a second erasure where the first one of the same party had ended', async () => {
    const { world, process } = await aWorld();
    await erased(world, process, party);
    world.clock.jump(60_000);
    await aParty(process);
    await process.startErasure(party);
    await process.kernel.handle(workOfErasure(party), process.kinds.get('erase')!);
    const middle = await backedUp(world);

    const { world: behind, process: other } = await aWorld();
    await erased(behind, other, party);
    await restored(behind, middle);
    await behind.work(behind.process());
    expect((await other.tombstones.find(party))?.isOpen).toBe(false);
  });
});

test('the scope of an erasure is that of its work', () => {
  for (const scope of [party, everything]) expect(scopeOf(workOfErasure(scope))).toEqual(scope);
});
