import { describe, expect, test } from '@jest/globals';
import { FarmRequests } from '../../../shared/farm/upkeep/farmRequests.js';
import { ImportFileStore } from '../../../shared/farm/upkeep/importFileStore.js';
import type { InsightOwner } from '../../../shared/farm/insights/farmInsight.js';
import { removeSearchFields } from '../../../shared/farm/operations/removeSearchFields.js';
import { sweepFarmData } from '../../../shared/farm/upkeep/sweepFarmData.js';
import { aParty, anInsight, FarmWorld, keyIn } from '../farmWorld.js';
import { OTHER_TENANT, TENANT } from '../landInMemory.js';

const DAY_MS = 86_400_000;
const DAYS = 1_100;

async function aWorld() {
  const world = new FarmWorld();
  const process = world.process();
  await aParty(process, { farms: 1, fieldsOfFarm: 2 });
  const requests = new FarmRequests(world.rows('work'), new ImportFileStore(world.blobs));
  const ports = { ...process, requests, listTenants: () => Promise.resolve([TENANT]) };
  // Every party has its turn in each night.
  return { world, process, sweep: sweepFarmData(ports, DAYS, 1) };
}

describe('the nightly sweep of farm data', () => {
  test('deletes insights and their files that were not changed for so many days, and no others', async () => {
    const { world, process, sweep } = await aWorld();
    world.clock.jump(DAYS * DAY_MS - 1);
    await anInsight(process, 'Farm', 'farm-0');
    expect(await sweep()).toMatchObject({ insights: 0, files: 0 });
    world.clock.jump(1);
    expect(await sweep()).toMatchObject({ insights: 2, files: 2 });
    const { fields, insights, blobs } = await world.stored();
    expect([fields.length, insights.length, blobs.length]).toEqual([2, 3, 1]);
    expect(insights.every((key) => key.includes('|Farm|'))).toBe(true);
  });

  test('has each party in one night of thirty', async () => {
    const { world, process } = await aWorld();
    const requests = new FarmRequests(world.rows('work'), new ImportFileStore(world.blobs));
    const ports = { ...process, requests, listTenants: () => Promise.resolve([TENANT]) };
    world.clock.jump(DAYS * DAY_MS);
    const nights = [];
    for (let night = 0; night < 30; night += 1) {
      nights.push((await sweepFarmData(ports, DAYS)()).insights);
      world.clock.jump(DAY_MS);
    }
    expect(nights.filter((insights) => insights > 0)).toEqual([2]);
  });

  test('deletes files that no attachment names when they are a day old', async () => {
    const { world, process, sweep } = await aWorld();
    const owner: InsightOwner = {
      ...{ tenant: TENANT, partyId: 'party', modelId: 'gdd' },
      ...{ resourceType: 'Field', resourceId: 'field-0-0' },
    };
    await process.insights.writeFile(owner, 'died', 7, Buffer.from('never named'));
    await process.insights.writeFile(owner, 'file', 2, Buffer.from('of a later attempt that died'));
    expect(await sweep()).toMatchObject({ files: 0 });
    world.clock.jump(DAY_MS + 1_000);
    expect(await sweep()).toMatchObject({ files: 2 });
    expect((await world.stored()).blobs).toHaveLength(2);
    expect(await process.insights.readFile(owner, 'file', 1)).toBeDefined();
  });

  test('forgets what callers asked for a month after its end, and bodies of imports that nothing names', async () => {
    const { world, process, sweep } = await aWorld();
    const stray = `${TENANT}/$imports/3f7d1f64-70d9-4b8e-8d0a-3c2b6a9f0e55/${'0'.repeat(64)}`;
    // Those of a party that is called imports, and of another tenant.
    const others = [
      `${TENANT}/imports/attachments/${'0'.repeat(64)}-1`,
      `${OTHER_TENANT}/$imports/3f7d1f64-70d9-4b8e-8d0a-3c2b6a9f0e55/${'0'.repeat(64)}`,
    ];
    for (const name of [stray, ...others])
      await world.blobs.write(name, Buffer.from('{}'), { type: 'application/zip' });
    await process.startCascade('job', keyIn('farm', 'farm-0'));
    await world.work(process);
    world.clock.jump(30 * DAY_MS - 1_000);
    expect(await sweep()).toMatchObject({ requests: 0, files: 1 });
    expect((await world.stored()).blobs).toEqual([...others].sort());
    expect((await process.getCascade(keyIn('farm', ''), 'job')).status).toBe('Succeeded');
    world.clock.jump(2_000);
    expect(await sweep()).toMatchObject({ requests: 1 });
    await expect(process.getCascade(keyIn('farm', ''), 'job')).rejects.toMatchObject({ fault: { status: 404 } });
  });
});

test('the search fields of a job go with it, but not a field that somebody made his own', async () => {
  const { world, process } = await aWorld();
  for (const id of ['search-0', 'search-1']) await process.put(keyIn('field', id), { status: 'SearchRegion' });
  await anInsight(process, 'Field', 'search-0');
  await process.put(keyIn('field', 'search-1'), { status: 'Grown' });
  const before = await world.stored();
  await removeSearchFields(process)(TENANT, 'party', ['search-0', 'search-1', 'never-made']);
  const { fields, insights, blobs } = await world.stored();
  expect(fields).toEqual(before.fields.filter((key) => !key.includes('search-0')));
  expect(insights.some((key) => key.includes('search-0'))).toBe(false);
  expect(blobs).toHaveLength(2);
});
