import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Route } from 'playwright-core';
import { service } from '../contract/service.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  eventually,
  LIMIT_MS,
  openConsole,
  type Session,
} from './consolePage.js';
import { aFarm, at, DAYS, FARM_LIMIT_MS, features, MIDDLE, NORTH } from './farm.js';
import { frontedWith, type Fronted } from './fronted.js';
import { untilDrawn, untilRead } from './mapPlaces.js';
import { layerPath, storedFile } from './storedLayers.js';

const [CLEAR, , , LAST] = DAYS;

/** An address at which nothing listens any more. */
async function nobodysAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return `http://127.0.0.1:${port}/account`;
}

describeInBrowser('the files of the console’s fields', () => {
  let session: Session;
  let front: Fronted | undefined;
  beforeAll(async () => {
    session = await aFarm();
  }, FARM_LIMIT_MS + LIMIT_MS);
  afterEach(async () => {
    // First the front: what is found of the pages may end this.
    await front?.close();
    front = undefined;
    await closeConsoles();
  });

  test(
    'are downloaded byte for byte',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilDrawn(page);
      for (const [name, path] of [
        ['This GeoTIFF', layerPath(NORTH, CLEAR, 'ndvi')],
        ['metadata.json of this day', `sentinel-2/${NORTH}/${CLEAR}/metadata.json`],
      ] as const) {
        await page.getByRole('button', { name: 'Download' }).click();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name, exact: true }).click(),
        ]);
        const saved = await buffer(await download.createReadStream());
        expect(saved.equals(await storedFile(session.apiKey, path))).toBe(true);
      }
    },
    LIMIT_MS,
  );

  test(
    'are saved as a picture without tiles that their host gives to no other origin',
    async () => {
      front = await frontedWith({ tiles: { urls: ['http://tiles.example/{z}/{x}/{y}.png'], attribution: 'Tiles' } });
      const tile = Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
      let tiles = 0;
      const { page } = await openConsole({
        session,
        origin: front.baseUrl,
        at: at(NORTH, CLEAR),
        prepare: (context) =>
          context.route('http://tiles.example/**', (route) => {
            tiles += 1;
            return route.fulfill({ contentType: 'image/png', body: tile });
          }),
      });
      await eventually(async () => {
        expect([tiles > 0, await page.locator('.map-tiles canvas').count()]).toEqual([true, 1]);
      });
      await page.getByRole('button', { name: 'Download' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'The map as a picture (PNG)' }).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/\.png$/);
      const saved = await buffer(await download.createReadStream());
      expect(saved.subarray(1, 4).toString()).toBe('PNG');
    },
    LIMIT_MS,
  );

  test(
    'stay when storage takes the token no more: it is renewed once',
    async () => {
      const { page, context, requests } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilDrawn(page);
      let reads = 0;
      await context.route(new RegExp(`/imagery/.*/${CLEAR}/vegetation\\.tiff`), async (route) => {
        reads += 1;
        if (reads > 1) return route.continue();
        return route.fulfill({
          status: 403,
          headers: { 'access-control-allow-origin': service.baseUrl, 'x-ms-error-code': 'AuthenticationFailed' },
        });
      });
      const renewals = (): number => requests.filter(({ url }) => url.endsWith('/v1/auth/sas-token')).length;
      const before = renewals();
      await page.getByRole('radio', { name: 'Vegetation' }).check({ force: true });
      await untilRead(page, MIDDLE, /^\d+ %$/);
      // The refused picture may be another field's, whose signature is still asked for.
      await eventually(() => {
        expect(renewals()).toBe(before + 1);
      });
      await untilDrawn(page);
      expect([reads > features.length, renewals()]).toEqual([true, before + 1]);
    },
    LIMIT_MS,
  );

  test(
    'stay listed without the network, which is said, and have their pictures once it is back',
    async () => {
      const { page, context } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilRead(page, MIDDLE, /^0\.\d{3}$/);
      await context.setOffline(true);
      await page.getByRole('radio', { name: 'Scouting' }).check({ force: true });
      await page.getByRole('alert').getByText('This computer is offline').first().waitFor();
      expect(await page.locator('.field-rows li').count()).toBe(features.length);
      expect(await axeFindings(page)).toEqual([]);
      await context.setOffline(false);
      await untilRead(page, MIDDLE, /^\d+ %$/);
      await page.getByRole('alert').waitFor({ state: 'detached' });
    },
    LIMIT_MS,
  );

  test.each([
    // The account's rule names the service's own origin, not the one that this page comes from.
    { why: 'has a CORS rule without this page', storage: undefined, says: 'its CORS rule may not name this page' },
    { why: 'can’t be reached', storage: nobodysAddress, says: 'it may be private' },
    { why: 'lets nobody in from this network', storage: 403, says: 'lets nobody in from this network' },
  ])(
    'stay listed where the storage $why, which is said in words',
    async ({ storage, says }) => {
      front = await frontedWith(typeof storage === 'function' ? { blobEndpoint: await storage() } : {});
      const refuse = (route: Route) =>
        storage === 403
          ? route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' } })
          : route.continue();
      const { page } = await openConsole({
        session,
        origin: front.baseUrl,
        at: at(NORTH, LAST),
        prepare: (context) => context.route(/\/imagery\//, refuse),
      });
      await page.getByRole('alert').getByText(says).waitFor();
      await page.getByText('Fields and jobs work all the same.').waitFor();
      expect(await page.locator('.field-rows li').count()).toBe(features.length);
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'are read by no page of another origin, though it has the token',
    async () => {
      const { page, context, requests } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilDrawn(page);
      const address = await eventually(() => {
        const found = requests.find(({ url }) => url.includes('.tiff?'))?.url ?? '';
        expect(found).toContain('sig=');
        return found;
      });
      await context.route('http://stranger.example/', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>Stranger</title>' }),
      );
      const stranger = await context.newPage();
      await stranger.goto('http://stranger.example/');
      const reads = (url: string): Promise<string> =>
        stranger.evaluate((asked) => fetch(asked).then(({ status }) => String(status), String), url);
      expect(await reads(address)).toContain('TypeError');
    },
    LIMIT_MS,
  );
});
