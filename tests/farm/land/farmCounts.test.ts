import { describe, expect, test } from '@jest/globals';
import { countFarmData } from '../../../shared/farm/upkeep/countFarmData.js';
import { FarmCountStore } from '../../../shared/farm/land/farmCounts.js';
import { LandStore } from '../../../shared/farm/land/landStore.js';
import { landQuota } from '../../../shared/farm/land/landQuota.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { by, landInMemory, landKey, OTHER_TENANT, partyKey, TENANT } from '../landInMemory.js';

const DAY_MS = 86_400_000;

/** A tenant with two parties, 2,100 fields of one and a farm of the other, and one with a party. */
async function aService() {
  const world = landInMemory();
  const { rows, land, ports, time } = world;
  const put = putLand(ports);
  for (const party of ['a', 'b']) await put(partyKey(party), { body: {}, by });
  await put(landKey('farm', 'farm', 'b'), { body: {}, by });
  await put(partyKey('a', OTHER_TENANT), { body: {}, by });
  const at = { createdAt: time.now, createdBy: by, modifiedAt: time.now, modifiedBy: by };
  for (let index = 0; index < 2_100; index += 1) {
    const key = landKey('field', `field-${index}`, 'a');
    await land.insert(key, { kind: 'field', id: key.id, partyId: 'a', eTag: 'e', ...at });
  }
  const logged: object[] = [];
  const counting = {
    land,
    counts: new FarmCountStore(rows('limits')),
    quotas: { party: 10, farm: 10, field: 10_000 },
    listTenants: () => Promise.resolve([TENANT, OTHER_TENANT]),
    clock: ports.clock,
    log: (event: string, facts: object) => void logged.push({ event, ...facts }),
  };
  return { ...world, put, counting, logged };
}

describe('the nightly count', () => {
  test('counts parties, farms and fields of each tenant', async () => {
    const { counting, logged } = await aService();
    expect(await countFarmData(counting)()).toEqual({ tenants: 2, reads: 8 });
    expect(logged).toEqual([
      { event: 'Farm:Counted', tenant: TENANT, parties: 2, farms: 1, fields: 2_100 },
      { event: 'Farm:Counted', tenant: OTHER_TENANT, parties: 1, farms: 0, fields: 0 },
    ]);
    expect((await counting.counts.find(TENANT))?.counts).toEqual({ party: 2, farm: 1, field: 2_100 });
  });

  test('reads a bounded number of pages, and goes on in the nights that follow until all are counted', async () => {
    const { counting, time } = await aService();
    const nights = [];
    for (let night = 0; night < 4; night += 1) {
      nights.push(await countFarmData(counting, 3)());
      time.now += DAY_MS;
    }
    expect(nights).toEqual([
      { tenants: 0, reads: 3 },
      // Two more reads for the first, one for the second, whose turn then comes first.
      { tenants: 1, reads: 3 },
      { tenants: 1, reads: 3 },
      { tenants: 0, reads: 3 },
    ]);
    const counts = [...(await counting.counts.list())].map(([tenant, found]) => [tenant, found.counts?.field]);
    expect(counts).toEqual([
      [TENANT, 2_100],
      [OTHER_TENANT, 0],
    ]);
  });

  test('tells operators of each quota of which a tenant has nine tenths or more', async () => {
    const { counting, logged } = await aService();
    await countFarmData({ ...counting, quotas: { party: 2, farm: 2, field: 2_333 } })();
    expect(logged.filter((line) => 'most' in line)).toEqual([
      { event: 'Farm:NearQuota', tenant: TENANT, kind: 'party', count: 2, most: 2 },
      { event: 'Farm:NearQuota', tenant: TENANT, kind: 'field', count: 2_100, most: 2_333 },
    ]);
    logged.length = 0;
    await countFarmData({ ...counting, quotas: { party: 3, farm: 2, field: 2_334 } })();
    expect(logged.filter((line) => 'most' in line)).toEqual([]);
  });

  test('keeps the latest full count while the next one is under way', async () => {
    const { counting, time, put } = await aService();
    await countFarmData(counting)();
    time.now += DAY_MS;
    await put(partyKey('c'), { body: {}, by });
    await countFarmData(counting, 1)();
    expect(await counting.counts.find(TENANT)).toMatchObject({ counts: { party: 2 }, inProgress: { kind: 'farm' } });
    time.now += DAY_MS;
    await countFarmData(counting)();
    expect((await counting.counts.find(TENANT))?.counts).toEqual({ party: 3, farm: 1, field: 2_100 });
  });
});

describe('the quota of a tenant', () => {
  const quotas = { party: 2, farm: 5, field: 5_000 };

  test('refuses creations when it is used up, and takes changes', async () => {
    const { counting, ports, rows, blobs } = await aService();
    await countFarmData(counting)();
    const put = putLand({ ...ports, checkQuota: landQuota(counting, quotas) });
    await expect(put(partyKey('c'), { body: {}, by })).rejects.toMatchObject({
      fault: { code: 'QuotaExceeded', status: 403 },
      message: expect.stringContaining('has 2 parties; at most 2 are kept'),
    });
    expect((await put(partyKey('a'), { body: { name: 'A' }, by })).isNew).toBe(false);
    const elsewhere = putLand({ ...ports, land: new LandStore(rows, blobs), checkQuota: landQuota(counting, quotas) });
    expect((await elsewhere(partyKey('a'), { body: { name: 'B' }, by })).isNew).toBe(false);
    expect((await put(landKey('field', 'new', 'a'), { body: {}, by })).isNew).toBe(true);
    expect((await put(partyKey('b', OTHER_TENANT), { body: {}, by })).isNew).toBe(true);
  });

  test('reads the count once in ten minutes; a tenant that was never counted has used nothing up', async () => {
    const { counting, time } = await aService();
    let reads = 0;
    const counts = { find: (tenant: string) => ((reads += 1), counting.counts.find(tenant)) };
    const check = landQuota({ ...counting, counts }, quotas);
    for (let call = 0; call < 5; call += 1) await check(TENANT, 'party');
    await countFarmData(counting)();
    await check(TENANT, 'party');
    expect(reads).toBe(1);
    time.now += 10 * 60_000;
    await expect(check(TENANT, 'party')).rejects.toMatchObject({ fault: { code: 'QuotaExceeded' } });
    expect(reads).toBe(2);
  });
});
