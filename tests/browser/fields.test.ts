import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import type { CDPSession, Page, Route } from 'playwright-core';
import { MAP_COLOURS } from '../../console/map/mapColours.js';
import type { Polygon, Position } from '../../shared/geo/shapes/geoJson.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  eventually,
  LIMIT_MS,
  openConsole,
  sideways,
  type Session,
} from './consolePage.js';
import { aFarm, at, DAYS, FARM_LIMIT_MS, features, GRID, MIDDLE, NORTH } from './farm.js';
import { agreementWith, coloursIn, moveByKeys, pixelOf, untilDrawn, untilInView, untilRead } from './mapPlaces.js';
import { positionOf } from '../support/sceneFiles.js';
import { layerPath, storedFile, storedLayer } from './storedLayers.js';

const [CLEAR, HALF, CLOUD, LAST] = DAYS;
const dayButton = (page: Page, day: string) => page.getByRole('button', { name: new RegExp(`^${day}`) });

function polygonOf(fieldId: string): Polygon {
  const field = features.find(({ properties }) => (properties as { field_id: string }).field_id === fieldId);
  return field?.geometry as Polygon;
}

/** The list with copies of a field of which no day is known: 275 of them all in all. */
async function withCopies(route: Route): Promise<void> {
  const response = await route.fetch();
  const { items } = (await response.json()) as { items: object[] };
  const none = { newest: null, newest_picture: null, errors: [{ code: 'copy', message: 'A copy has no days.' }] };
  const copies = Array.from({ length: 275 - items.length }, (_, index) => ({
    ...items[0],
    field_id: `Copy ${index}`,
    ...none,
  }));
  await route.fulfill({ response, json: { items: [...items, ...copies], cursor: null } });
}

/** Through all days and back. */
async function round(page: Page): Promise<void> {
  for (const key of ['ArrowLeft', 'ArrowRight']) {
    for (let step = 1; step < DAYS.length; step += 1) await page.keyboard.press(key);
  }
  await page.waitForURL(`**/${LAST}/ndvi`);
}

/** What the page holds once nothing is left that could go. */
async function heapMegabytes(cdp: CDPSession): Promise<number> {
  // What only a finalizer lets go of takes another turn.
  for (let turn = 0; turn < 3; turn += 1) await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

/** What of the fields a window shows. */
const fitOf = (page: Page) =>
  page.evaluate(() => {
    const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
    const areApart = (one: DOMRect, other: DOMRect): boolean =>
      one.bottom <= other.top || one.top >= other.bottom || one.right <= other.left || one.left >= other.right;
    const isBeyond = (element: Element): boolean => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (right > innerWidth + 1 || left < -1) && element.closest('.hidden, .skip') === null;
    };
    const beyond = [...document.querySelectorAll('.shell *')].filter(isBeyond).map(({ tagName }) => tagName);
    return {
      beyond,
      hasRows: boxOf('.field-rows').height >= 3 * boxOf('.field-rows li').height,
      hasMap: boxOf('.map').height >= 240,
      isAtTop: boxOf('main').top >= 0 && boxOf('.field-search input').top > 0,
      hasButtons: areApart(boxOf('.layer-card'), boxOf('.map-buttons')),
    };
  });

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
      await eventually(async () => {
        const corners = await Promise.all(ring.map((place) => pixelOf(page, place)));
        const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
        const painted = await coloursIn(page, [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
        expect(new Set(painted.map(String)).size).toBeGreaterThan(20);
      });

      for (const layer of ['ndvi', 'vegetation', 'scouting', 'true-color'] as const) {
        await page
          .getByRole('radio', {
            name: { ndvi: 'NDVI', vegetation: 'Vegetation', scouting: 'Scouting', 'true-color': 'True colour' }[layer],
          })
          .check({ force: true });
        const valueIn = await storedLayer(session.apiKey, layerPath(NORTH, CLEAR, layer));
        for (const [column, row] of [
          [64, 66],
          [80, 80],
          [101, 71],
          [105, 95],
          [71, 92],
        ] as const) {
          const place: Position = positionOf(GRID, [column + 0.5, row + 0.5]);
          const value = valueIn(place);
          const text = Array.isArray(value)
            ? value.join(' · ')
            : layer === 'ndvi'
              ? (value as number).toFixed(3)
              : `${Math.round(value as number)} %`;
          await untilRead(page, place, text);
        }
      }
    },
    LIMIT_MS,
  );

  test(
    'are painted where they lie: within a pixel of the screen, far away and near',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, CLEAR) });
      const untilPainted = (fieldId: string, least: number): Promise<void> =>
        eventually(async () => {
          const { iou, offset } = await agreementWith(page, polygonOf(fieldId));
          expect([fieldId, offset < 1, iou >= least, iou]).toEqual([fieldId, true, true, iou]);
        });
      // A pixel of 10 m is painted whole or not at all, so the longer its edge, the less a field agrees.
      await untilPainted(NORTH, 0.97);
      await untilPainted('Back Field', 0.96);
      await moveByKeys(page, 'ArrowUp', 'ArrowUp', 'ArrowLeft', 'ArrowLeft', '+');
      await untilPainted(NORTH, 0.97);
      // From where their edges would be less than eight pixels long, fields are dots.
      const [ring = []] = polygonOf(NORTH).coordinates;
      const isLarge = async (): Promise<boolean> => {
        const places = await Promise.all(ring.map((place) => pixelOf(page, place)));
        return places.some(([x, y]) => Math.hypot(x - places[0]![0], y - places[0]![1]) > 4);
      };
      while (await isLarge()) await moveByKeys(page, '-');
      const [red, green, blue] = [1, 3, 5].map((at) => parseInt(MAP_COLOURS.light.found.slice(at, at + 2), 16));
      await eventually(async () => {
        const [x, y] = await pixelOf(page, MIDDLE);
        const colours = await coloursIn(page, [x - 12, y - 12, x + 12, y + 12], '.map-fields canvas');
        expect(colours.map(String)).toContain(`${red},${green},${blue},255`);
      });
    },
    LIMIT_MS,
  );

  test(
    'are walked through by the arrow keys; a day without a picture says why, and the value under a resting pointer goes',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, LAST) });
      await untilDrawn(page);
      await untilRead(page, MIDDLE, /^0\.\d{3}$/);
      await dayButton(page, '17 June 2026').focus();
      await page.keyboard.press('ArrowLeft');
      await page.waitForURL(`**/${encodeURIComponent(NORTH)}/${CLOUD}/ndvi`);
      await page.locator('.day-now', { hasText: /cloud/i }).waitFor();
      await page.locator('.fields-readout strong', { hasText: 'no data' }).waitFor();
      await page.keyboard.press('Home');
      await page.waitForURL(`**/${CLEAR}/ndvi`);
      await page.locator('.fields-readout strong', { hasText: /^0\.\d{3}$/ }).waitFor();
      // Without tiles the map says by itself where in the world it is, and who says so.
      await page
        .locator('.map-attribution', { hasText: /^(At|\d+ km [a-z-]+ of) .+ · Natural Earth, GeoNames/ })
        .waitFor();
      expect(await page.locator('.map-base canvas').count()).toBe(1);
    },
    LIMIT_MS,
  );

  test(
    'let go of the days that they no longer show: ten rounds through them leave no more than 2 MB, with 275 fields',
    async () => {
      const { page, context } = await openConsole({
        session,
        at: at(NORTH, LAST),
        prepare: (around) => around.route(/\/v1\/fields(\?|$)/, withCopies),
      });
      await page.locator('.field-rows li').nth(274).waitFor({ state: 'attached' });
      await dayButton(page, '17 June 2026').focus();
      const cdp = await context.newCDPSession(page);
      await round(page);
      // What the page reads after its first pictures, such as the base of the map, is 2 MB that stay.
      await page.waitForLoadState('networkidle');
      const before = await heapMegabytes(cdp);
      for (let rounds = 0; rounds < 10; rounds += 1) await round(page);
      expect((await heapMegabytes(cdp)) - before).toBeLessThanOrEqual(2);
    },
    LIMIT_MS,
  );

  test(
    'are found by a part of their name, and none when none has it',
    async () => {
      const { page } = await openConsole({ session });
      await page.getByRole('searchbox').fill('sud');
      await eventually(async () => {
        expect(await page.locator('.field-name b').allTextContents()).toEqual(['Süd & Söhne']);
      });
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
      await page.getByLabel('Compare with').selectOption(CLEAR);
      const divider = page.getByRole('slider', { name: /ends and/ });
      const shown = async (key: 'Home' | 'End', date: string): Promise<void> => {
        await divider.focus();
        await page.keyboard.press(key);
        const value = (await storedLayer(session.apiKey, layerPath(NORTH, date, 'ndvi')))(MIDDLE) as number;
        await untilRead(page, MIDDLE, value.toFixed(3));
      };
      await shown('Home', LAST);
      await shown('End', CLEAR);
      // The earlier day is the one on the left, and the address names both.
      await page.getByRole('slider', { name: 'Where 2 Jun 2026 ends and 17 Jun 2026 begins' }).waitFor();
      await page.waitForURL(`**/${LAST}/ndvi/vs-${CLEAR}`);
      // Stretched colours are those of NDVI: a difference has its own scale all the same.
      await page.getByRole('radio', { name: 'Stretched to this field' }).check({ force: true });
      await page.getByRole('radio', { name: 'Difference' }).check({ force: true });
      await page.getByRole('img', { name: 'Colours from −0.4 to +0.4' }).waitFor();
      const [later, earlier] = await Promise.all(
        [LAST, CLEAR].map(async (day) => (await storedLayer(session.apiKey, layerPath(NORTH, day, 'ndvi')))(MIDDLE)),
      );
      const difference = (later as number) - (earlier as number);
      await untilRead(page, MIDDLE, `${difference < 0 ? '−' : '+'}${Math.abs(difference).toFixed(3)}`);
      await page.waitForURL(`**/${LAST}/ndvi/since-${CLEAR}`);
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'are sorted by their figures, exported as they are shown, and found where they were left',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, LAST) });
      await untilDrawn(page);
      await page.getByLabel('Sort by').selectOption('Area');
      const names = page.locator('.field-name b');
      await eventually(async () => {
        const areas = (await page.locator('.field-mean').allTextContents()).map((text) =>
          Number(text.split(' ').at(-1)),
        );
        expect(areas).toEqual(areas.toSorted((one, other) => other - one));
      });
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ]);
      const lines = String(await buffer(await download.createReadStream())).split('\r\n');
      expect(lines[0]).toMatch(/^\uFEFFfield,group,area_ha,state,picture,ndvi_mean/);
      expect(lines).toHaveLength(features.length + 2);

      await moveByKeys(page, '+', '+');
      await page.waitForURL(/\/(?:@|%40)[^/]+$/);
      // One stop of the Tab key; the arrow keys walk, and what is picked comes into view.
      await page.locator('.field-rows button[tabindex="0"]').focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      const last = (await names.last().textContent()) ?? '';
      await page.locator('.dock h2', { hasText: last }).waitFor();
      await untilInView(page, polygonOf(last).coordinates[0] ?? []);
      const left = page.url();
      await page.getByRole('link', { name: 'Enrollments' }).click();
      await page.getByRole('heading', { name: 'Enrollments' }).waitFor();
      await page.getByRole('link', { name: 'Fields', exact: true }).click();
      await page.locator('.dock h2', { hasText: last }).waitFor();
      expect(page.url()).toBe(left);
      // Add fields is a part of the tab, and another view.
      await page.getByRole('link', { name: 'Add fields' }).click();
      await page.getByRole('heading', { name: 'Add fields' }).waitFor();
      await page.getByRole('link', { name: 'Fields', exact: true }).click();
      await page.locator('.dock h2', { hasText: last }).waitFor();
      expect(page.url()).toBe(left);
    },
    LIMIT_MS,
  );

  test.each([
    { theme: 'light', isPhone: false },
    { theme: 'dark', isPhone: true },
  ] as const)(
    'are drawn in one chart with the farm’s median, and each with its own earlier years: $theme, on a phone $isPhone',
    async ({ theme, isPhone }) => {
      const stored = String(await storedFile(session.apiKey, `sentinel-2/${NORTH}/index.json`));
      const index = JSON.parse(stored) as { readonly 'fieldimagery:dates': readonly { readonly date: string }[] };
      const days = index['fieldimagery:dates'];
      // The same days a year before, as a farm of some years has them.
      const dates = [...days.map((day) => ({ ...day, date: `2025${day.date.slice(4)}` })), ...days];
      const { page } = await openConsole({
        session,
        theme,
        isPhone,
        at: at(NORTH, LAST),
        prepare: (context) =>
          context.route(/North%20Forty\/index\.json/, (route) =>
            route.fulfill({
              json: { ...index, 'fieldimagery:dates': dates },
              headers: { 'access-control-allow-origin': '*' },
            }),
          ),
      });
      const chart = page.getByRole('slider', { name: /^Mean NDVI/ });
      const kind = page.getByRole('combobox', { name: 'Chart', exact: true });
      await kind.selectOption('fields');
      await chart.waitFor();
      const adding = page.getByRole('combobox', { name: 'Add a field to the chart' });
      // The list leaves out what the chart has: a choice that was slow to return isn't made again.
      await adding.selectOption('Back Field');
      await page.getByRole('slider', { name: /^Mean NDVI of 2 fields and the median of the farm/ }).waitFor();
      await eventually(async () => {
        const text = await chart.getAttribute('aria-valuetext');
        expect(text).toMatch(/: North Forty 0\.\d\d, Back Field 0\.\d\d, Median of the farm 0\.\d\d$/);
      });
      expect(await axeFindings(page)).toEqual([]);
      const last = await chart.getAttribute('aria-valuetext');
      await chart.focus();
      await page.keyboard.press('ArrowLeft');
      await eventually(async () => {
        expect(await chart.getAttribute('aria-valuetext')).not.toBe(last);
      });
      await page.getByRole('button', { name: 'Table', exact: true }).click();
      const heads = page.locator('.line-table thead th');
      expect(await heads.allTextContents()).toEqual(['Day', NORTH, 'Back Field', 'Median of the farm']);
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);

      await kind.selectOption('years');
      await page.getByRole('slider', { name: 'Mean NDVI of North Forty in 2 years.' }).waitFor();
      await eventually(async () => {
        expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 2026 0\.\d\d, 2025 0\.\d\d$/);
      });
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'fit into every window: nothing beyond its edge, a map of 240 pixels with its buttons, three rows of the list',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, LAST), size: { width: 768, height: 1024 } });
      await untilDrawn(page);
      for (const [width, height] of [
        [768, 1024],
        [820, 1180],
        [844, 390],
        [960, 540],
        [720, 450],
        [1366, 768],
      ] as const) {
        await page.setViewportSize({ width, height });
        const fits = { beyond: [], hasRows: true, hasMap: true, isAtTop: true, hasButtons: true };
        const more = page.getByRole('button', { name: 'More about the layer' });
        // The layer card leaves the buttons of the map free, folded and open.
        for (const isOpen of [false, true]) {
          await eventually(async () => {
            expect([width, isOpen, await fitOf(page)]).toEqual([width, isOpen, fits]);
          });
          await more.click();
        }
      }
      await page.getByRole('button', { name: 'More about the layer' }).click();
      await page.getByRole('radio', { name: 'Stretched to this field' }).check({ force: true });
      await page.getByText('Colours span the values of this field on this day').waitFor();
      expect(await page.getByText('comparable over fields').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
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
});
