import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { limitRate } from '../../../shared/access/rates/limitRate.js';
import type { BucketStore } from '../../../shared/access/rates/bucketStore.js';
import { inProportion, parseRates, type Rates } from '../../../shared/access/rates/rates.js';
import { fullBucket, take, type Bucket } from '../../../shared/access/rates/tokenBucket.js';
import { ManualClock } from '../../support/manualClock.js';

describe('rates as written in the settings', () => {
  const text = 'create=10/s:50, read=50/s:200, submit=10/min:10, list=10/s:20, sas=6/min:3';
  test('are read by kind, by second or minute', () => {
    const rates = parseRates(text);
    expect(rates.create).toEqual({ perSecond: 10, burst: 50 });
    expect(rates.sas).toEqual({ perSecond: 0.1, burst: 3 });
  });

  test('of farm data need no place in settings from before them', () => {
    expect(parseRates(text).farmRead).toEqual({ perSecond: 50, burst: 200 });
    expect(parseRates(`${text}, farmWrite=1/s:2`).farmWrite).toEqual({ perSecond: 1, burst: 2 });
  });

  test.each([
    ['one kind is missing', text.replace('create=10/s:50, ', '')],
    ['one kind is there twice', `${text}, sas=1/s:1`],
    ['a kind nobody knows', text.replace('sas', 'login')],
    ['a rate of zero', text.replace('6/min', '0/min')],
    ['a burst of zero', text.replace(':3', ':0')],
    ['another unit', text.replace('min:3', 'h:3')],
  ])('are refused when %s', (_what, broken) => {
    expect(() => parseRates(broken)).toThrow(
      /must name each of create, read, submit, list, sas, farmRead, farmWrite, scene, operate once/,
    );
  });
});

describe("a tenant's own rate", () => {
  test('has a burst in proportion', () => {
    expect(inProportion({ perSecond: 10, burst: 50 }, 4)).toEqual({ perSecond: 4, burst: 20 });
    expect(inProportion({ perSecond: 10, burst: 1 }, 2)).toEqual({ perSecond: 2, burst: 1 });
  });
});

describe('a bucket', () => {
  const rate = { perSecond: 10, burst: 50 };

  test('gives a second of calls at a time, until it is empty, and then says how long to wait', () => {
    let bucket = fullBucket(rate, 0);
    for (let index = 0; index < 5; index += 1) {
      const taken = take(bucket, rate, 0);
      expect(taken.count).toBe(10);
      bucket = (taken as { bucket: Bucket }).bucket;
    }
    expect(take(bucket, rate, 0)).toEqual({ count: 0, waitMs: 100 });
    expect(take(bucket, rate, 100).count).toBe(1);
  });

  test('fills up to its burst and no further', () => {
    const taken = take({ tokens: 0, at: 0 }, rate, 3_600_000);
    expect(taken).toMatchObject({ count: 10, bucket: { tokens: 40 } });
  });

  test('of a slow rate gives one call at a time', () => {
    expect(take({ tokens: 9.5, at: 0 }, { perSecond: 1 / 6, burst: 10 }, 0).count).toBe(1);
  });

  test('never lets more pass than burst and rate allow, whatever the clocks of the instances say', () => {
    const steps = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (jumps) => {
        let bucket = fullBucket(rate, 0);
        let now = 0;
        let latest = 0;
        let passed = 0;
        for (const jump of jumps) {
          now += jump;
          latest = Math.max(latest, now);
          const taken = take(bucket, rate, now);
          passed += taken.count;
          if (taken.waitMs === undefined) bucket = taken.bucket;
        }
        expect(passed).toBeLessThanOrEqual(rate.burst + (latest / 1000) * rate.perSecond + 1e-6);
      }),
    );
  });
});

class MemoryBuckets implements Pick<BucketStore, 'find' | 'put'> {
  readonly rows = new Map<string, { readonly bucket: Bucket; readonly etag: string }>();
  writes = 0;

  async find(caller: string, rate: string) {
    await Promise.resolve();
    return this.rows.get(`${caller} ${rate}`);
  }

  async put(caller: string, rate: string, { bucket, etag }: { bucket: Bucket; etag: string | undefined }) {
    await Promise.resolve();
    if (this.rows.get(`${caller} ${rate}`)?.etag !== etag) return false;
    this.writes += 1;
    this.rows.set(`${caller} ${rate}`, { bucket, etag: String(this.writes) });
    return true;
  }
}

describe('the limit of a caller', () => {
  const rates: Rates = parseRates('create=10/s:50,read=50/s:200,submit=6/min:3,list=10/s:20,sas=6/min:3');
  const a = { tenant: 'a' };
  let clock: ManualClock;
  let buckets: MemoryBuckets;
  beforeEach(() => {
    clock = new ManualClock();
    buckets = new MemoryBuckets();
  });
  const instance = () => limitRate({ buckets, clock }, rates);
  const passes = async (calls: number, limit: ReturnType<typeof instance>, tenant = 'a'): Promise<number> => {
    const results = await Promise.allSettled(Array.from({ length: calls }, () => limit({ tenant }, 'create')));
    return results.filter(({ status }) => status === 'fulfilled').length;
  };

  test('lets a burst pass and refuses the next with 429 and the time to wait', async () => {
    const limit = instance();
    for (let call = 0; call < 3; call += 1) await limit(a, 'submit');
    await expect(limit(a, 'submit')).rejects.toMatchObject({
      fault: { status: 429, code: 'TooManyRequests' },
      retryAfterSeconds: 10,
      message: 'Too many requests; wait 10 s.',
    });
    clock.jump(10_000);
    await expect(limit(a, 'submit')).resolves.toBeUndefined();
  });

  test("is each caller's own, and each rate's", async () => {
    const limit = instance();
    expect(await passes(200, limit, 'a')).toBe(50);
    expect(await passes(50, limit, 'b')).toBe(50);
    await expect(limit(a, 'read')).resolves.toBeUndefined();
  });

  test.each([{ other: { customer: 'a' } }, { other: { service: 'a' } }])(
    'is not shared with $other, which has the name of the tenant',
    async ({ other }) => {
      const limit = instance();
      for (let call = 0; call < 3; call += 1) await limit(other, 'submit');
      await expect(limit(other, 'submit')).rejects.toMatchObject({ fault: { status: 429 } });
      await expect(limit(a, 'submit')).resolves.toBeUndefined();
    },
  );

  test('holds over four instances together', async () => {
    const instances = [instance(), instance(), instance(), instance()];
    const passed = await Promise.all(instances.map((limit) => passes(100, limit)));
    expect(passed.reduce((sum, count) => sum + count, 0)).toBe(50);
  });

  test('is the one it has of its own, over all instances', async () => {
    const own = inProportion(rates.create, 2);
    const calls = [instance(), instance()].flatMap((limit) =>
      Array.from({ length: 30 }, () => limit(a, 'create', own)),
    );
    const results = await Promise.allSettled(calls);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    clock.jump(1_000);
    const limit = instance();
    const later = await Promise.allSettled(Array.from({ length: 5 }, () => limit(a, 'create', own)));
    expect(later.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('asks storage once for about a second of calls', async () => {
    await passes(50, instance());
    expect(buckets.writes).toBe(5);
  });

  test('does not ask storage again while a caller has to wait', async () => {
    const limit = instance();
    await passes(60, limit);
    const find = buckets.find.bind(buckets);
    let finds = 0;
    buckets.find = (caller, rate) => {
      finds += 1;
      return find(caller, rate);
    };
    await passes(1000, limit);
    expect(finds).toBe(0);
  });

  test('forgets tokens it did not use, so that an idle instance adds nothing to a burst', async () => {
    const idle = instance();
    await idle(a, 'create');
    clock.jump(60_000);
    expect(await passes(100, idle)).toBe(50);
  });

  test('refuses for a second when others keep writing, rather than wait for ever', async () => {
    buckets.put = () => Promise.resolve(false);
    await expect(instance()(a, 'create')).rejects.toMatchObject({ retryAfterSeconds: 1 });
  });

  test('passes on that storage is away, and asks again at the next call', async () => {
    const limit = instance();
    const find = buckets.find.bind(buckets);
    buckets.find = () => Promise.reject(new Error('away'));
    await expect(limit(a, 'create')).rejects.toThrow('away');
    buckets.find = (caller, rate) => find(caller, rate);
    await expect(limit(a, 'create')).resolves.toBeUndefined();
  });
});
