import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import type { Polygon, Position } from '../../shared/geo/geoJson.js';
import { service } from '../contract/service.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  LIMIT_MS,
  openConsole,
  sideways,
  type Session,
} from './consolePage.js';
import { aFarm, DAYS, FARM_LIMIT_MS, features, GRID } from './farm.js';
import { agreementWith, coloursIn, moveByKeys, pixelOf, untilDrawn } from './mapPlaces.js';
import { positionOf } from '../support/sceneFiles.js';
import { layerPath, storedFile, storedLayer } from './storedLayers.js';

const [CLEAR, HALF, CLOUD, LAST] = DAYS;
const NORTH = 'North Forty';
const at = (fieldId: string, date: string, layer = 'ndvi'): string =>
  `#/fields/${encodeURIComponent(fieldId)}/${date}/${layer}`;
const dayButton = (page: Page, day: string) => page.getByRole('button', { name: new RegExp(`^${day}`) });

function polygonOf(fieldId: string): Polygon {
  const field = features.find(({ properties }) => (properties as { field_id: string }).field_id === fieldId);
  return field?.geometry as Polygon;
}

describeInBrowser('the console’s fields', () => {
  let session: Session;
  beforeAll(async () => {
    session = await aFarm();
  }, FARM_LIMIT_MS + LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'come after a key was typed; a wrong key is refused in words, with a trace id',
    async () => {
      const { page } = await openConsole();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('API key').fill('wrong-key');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('This key is not known here.').waitFor();
      expect(await page.locator('.trace code').textContent()).toMatch(/^[0-9a-f]{32}$/);
      await page.getByLabel('API key').fill(session.apiKey);
      await page.keyboard.press('Enter');
      await page.locator('.field-name b').first().waitFor();
      expect(await page.locator('.field-name b').allTextContents()).toEqual(
        expect.arrayContaining(features.map(({ properties }) => (properties as { field_id: string }).field_id)),
      );
      expect(await page.evaluate(() => sessionStorage.getItem('field-console'))).toBeNull();
    },
    LIMIT_MS,
  );

  test(
    'have every value of their files under the pointer, and colours of more than one kind',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilDrawn(page);
      const ring = (features[0]?.geometry as Polygon).coordinates[0] ?? [];
      const corners = await Promise.all(ring.map((place) => pixelOf(page, place)));
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      const painted = await coloursIn(page, [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
      expect(new Set(painted.map(String)).size).toBeGreaterThan(20);

      for (const layer of ['ndvi', 'vegetation', 'scouting', 'true-color'] as const) {
        await page
          .getByRole('radio', {
            name: { ndvi: 'NDVI', vegetation: 'Vegetation', scouting: 'Scouting', 'true-color': 'True colour' }[layer],
          })
          .check({ force: true });
        await untilDrawn(page);
        const valueIn = await storedLayer(session.apiKey, layerPath(NORTH, CLEAR, layer));
        for (const [column, row] of [
          [64, 66],
          [80, 80],
          [101, 71],
          [105, 95],
          [71, 92],
        ] as const) {
          const place: Position = positionOf(GRID, [column + 0.5, row + 0.5]);
          const [x, y] = await pixelOf(page, place);
          await page.mouse.move(x, y);
          const value = valueIn(place);
          const text = Array.isArray(value)
            ? value.join(' · ')
            : layer === 'ndvi'
              ? (value as number).toFixed(3)
              : `${Math.round(value as number)} %`;
          await page.locator('.fields-readout strong', { hasText: text }).waitFor();
        }
      }
    },
    LIMIT_MS,
  );

  test(
    'are painted where they lie: within a pixel of the screen, far away and near',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilDrawn(page);
      // A pixel of 10 m is painted whole or not at all, so the longer its edge, the less a field agrees.
      for (const { fieldId, least } of [
        { fieldId: NORTH, least: 0.97 },
        { fieldId: 'Back Field', least: 0.96 },
      ]) {
        const { iou, offset } = await agreementWith(page, polygonOf(fieldId));
        expect([fieldId, offset < 1, iou >= least, iou]).toEqual([fieldId, true, true, iou]);
      }
      await moveByKeys(page, 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft', '+');
      await untilDrawn(page);
      const { iou, offset } = await agreementWith(page, polygonOf(NORTH));
      expect([offset < 1, iou >= 0.97, iou]).toEqual([true, true, iou]);
    },
    LIMIT_MS,
  );

  test(
    'are walked through by the arrow keys; a day without a picture says why, and the value under a resting pointer goes',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, LAST) });
      await untilDrawn(page);
      const [x, y] = await pixelOf(page, positionOf(GRID, [85.5, 80.5]));
      await page.mouse.move(x, y);
      await page.locator('.fields-readout strong', { hasText: /^0\.\d{3}$/ }).waitFor();
      await dayButton(page, '17 June 2026').focus();
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL(`**/${encodeURIComponent(NORTH)}/${CLOUD}/ndvi`);
      await page.locator('.day-now', { hasText: /cloud/i }).waitFor();
      await page.locator('.fields-readout strong', { hasText: 'no data' }).waitFor();
      await page.keyboard.press('Home');
      await page.waitForURL(`**/${CLEAR}/ndvi`);
      await page.locator('.fields-readout strong', { hasText: /^0\.\d{3}$/ }).waitFor();
    },
    LIMIT_MS,
  );

  test(
    'are found by a part of their name, and none when none has it',
    async () => {
      const { page } = await openConsole({ session });
      await page.getByRole('searchbox').fill('sud');
      await page.locator('.field-name b', { hasText: 'Süd & Söhne' }).waitFor();
      expect(await page.locator('.field-rows li').count()).toBe(1);
      await page.getByRole('searchbox').fill('nowhere');
      await page.getByText('No field matches. Clear the search, or choose All.').waitFor();
    },
    LIMIT_MS,
  );

  test(
    'are compared by two days, each left and right of a line that keys move',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, LAST) });
      await untilDrawn(page);
      await page.getByRole('button', { name: 'Compare two dates' }).click();
      await page.getByLabel('Day on the left').selectOption(CLEAR);
      await untilDrawn(page);
      const place = positionOf(GRID, [85.5, 80.5]);
      const [x, y] = await pixelOf(page, place);
      const divider = page.getByRole('slider', { name: /ends and/ });
      const shown = async (key: 'Home' | 'End', date: string): Promise<void> => {
        await divider.focus();
        await page.keyboard.press(key);
        await page.mouse.move(x, y + 1);
        await page.mouse.move(x, y);
        const value = (await storedLayer(session.apiKey, layerPath(NORTH, date, 'ndvi')))(place) as number;
        await page.locator('.fields-readout strong', { hasText: value.toFixed(3) }).waitFor();
      };
      await shown('Home', LAST);
      await shown('End', CLEAR);
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

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
    'keep their awkward names as texts',
    async () => {
      const { page } = await openConsole({ session, at: at('&lt;b&gt;Hill', CLEAR) });
      await untilDrawn(page);
      expect(await page.locator('.dock h2').textContent()).toBe('&lt;b&gt;Hill');
      expect(await page.locator('.field-name b b').count()).toBe(0);
    },
    LIMIT_MS,
  );

  test.each([
    { theme: 'light', isPhone: false },
    { theme: 'dark', isPhone: false },
    { theme: 'light', isPhone: true },
    { theme: 'dark', isPhone: true },
  ] as const)(
    'have no finding of axe and don’t scroll sideways: $theme, phone $isPhone',
    async ({ theme, isPhone }) => {
      const { page } = await openConsole({ session, theme, isPhone, at: at(NORTH, HALF) });
      await untilDrawn(page);
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'stay when storage takes the token no more: it is renewed once',
    async () => {
      const { page, context, requests } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilDrawn(page);
      let refusals = 0;
      await context.route(/\/imagery\/.*vegetation\.tiff/, async (route) => {
        refusals += 1;
        if (refusals > 1) return route.continue();
        return route.fulfill({
          status: 403,
          headers: { 'access-control-allow-origin': service.baseUrl, 'x-ms-error-code': 'AuthenticationFailed' },
        });
      });
      const renewals = (): number => requests.filter(({ url }) => url.endsWith('/v1/auth/sas-token')).length;
      const before = renewals();
      await page.getByRole('radio', { name: 'Vegetation' }).check({ force: true });
      await untilDrawn(page);
      const [x, y] = await pixelOf(page, positionOf(GRID, [85.5, 80.5]));
      await page.mouse.move(x, y);
      await page.locator('.fields-readout strong', { hasText: /^\d+ %$/ }).waitFor();
      expect(renewals()).toBe(before + 1);
    },
    LIMIT_MS,
  );

  test(
    'stay listed without the network, or where storage lets nobody in; what is missing is said',
    async () => {
      const { page, context } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilDrawn(page);
      await context.route(/\/imagery\//, (route) => route.abort('failed'));
      await page.getByRole('radio', { name: 'Scouting' }).check({ force: true });
      await page
        .getByText(/storage can(’|')?t be reached|cannot be reached/)
        .first()
        .waitFor();
      await context.setOffline(true);
      await dayButton(page, '17 June 2026').click();
      expect(await page.locator('.field-rows li').count()).toBe(features.length);
    },
    LIMIT_MS,
  );

  test(
    'are read by no page of another origin, though it has the token',
    async () => {
      const { page, context, requests } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilDrawn(page);
      const address = requests.find(({ url }) => url.includes('.tiff?'))?.url ?? '';
      expect(address).toContain('sig=');
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
