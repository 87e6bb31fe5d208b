import { describe, expect, test } from '@jest/globals';
import { planetaryComputerSigner } from '../../../shared/scenes/stac/planetaryComputerClient.js';
import { ManualClock } from '../../support/manualClock.js';

const FILE = 'https://sentinel2l2a01.blob.core.windows.net/sentinel2-l2/33/U/UP/B04_10m.tif';

/** A signer whose tokens are t1, t2, …, each good for 45 minutes. */
function signerOf() {
  const clock = new ManualClock();
  const asked: string[] = [];
  let fails = false;
  const sign = planetaryComputerSigner({
    url: 'https://planetarycomputer.microsoft.com/api/sas/v1',
    clock,
    getJson: ({ url }) => {
      asked.push(url);
      if (fails) return Promise.reject(new Error('away'));
      const expiry = new Date(clock.now().getTime() + 45 * 60_000).toISOString();
      return Promise.resolve({ token: `sig=t${asked.length}`, 'msft:expiry': expiry });
    },
  });
  return {
    clock,
    asked,
    sign,
    setAway: (isAway: boolean) => {
      fails = isAway;
    },
  };
}

describe('a file of the Planetary Computer', () => {
  test('is signed with one token per account and container, fetched once for all who wait', async () => {
    const { sign, asked } = signerOf();
    const signed = await Promise.all([sign(FILE, false), sign(FILE.replace('B04', 'B08'), false), sign(FILE, false)]);
    expect(signed.map(({ url }) => url)).toEqual([
      `${FILE}?sig=t1`,
      `${FILE.replace('B04', 'B08')}?sig=t1`,
      `${FILE}?sig=t1`,
    ]);
    expect(asked).toEqual(['https://planetarycomputer.microsoft.com/api/sas/v1/token/sentinel2l2a01/sentinel2-l2']);
  });

  test('gets a new token five minutes before the old one ends', async () => {
    const { sign, clock } = signerOf();
    await sign(FILE, false);
    clock.jump(39 * 60_000);
    expect(await sign(FILE, false)).toEqual({ url: `${FILE}?sig=t1` });
    clock.jump(2 * 60_000);
    expect(await sign(FILE, false)).toEqual({ url: `${FILE}?sig=t2` });
  });

  test('gets one new token when storage refuses the old one for many ranges at once', async () => {
    const { sign, clock, asked } = signerOf();
    await sign(FILE, false);
    clock.jump(60_000);
    const renewed = await Promise.all([sign(FILE, true), sign(FILE, true), sign(FILE, true)]);
    expect(new Set(renewed.map(({ url }) => url))).toEqual(new Set([`${FILE}?sig=t2`]));
    expect(asked).toHaveLength(2);
  });

  test('is not signed while no token can be had, and is when one can', async () => {
    const { sign, setAway } = signerOf();
    setAway(true);
    await expect(sign(FILE, false)).rejects.toThrow('away');
    setAway(false);
    await expect(sign(FILE, false)).resolves.toEqual({ url: `${FILE}?sig=t2` });
  });

  test('on another host is left as it is: no token leaves for it', async () => {
    const { sign, asked } = signerOf();
    await expect(sign('https://evil.example/sentinel2-l2/a.tif', false)).resolves.toEqual({
      url: 'https://evil.example/sentinel2-l2/a.tif',
    });
    expect(asked).toEqual([]);
  });
});
