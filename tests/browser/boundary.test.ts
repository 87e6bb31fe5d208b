import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import type { Polygon, Position } from '../../shared/geo/shapes/geoJson.js';
import { polygonAreaHa } from '../../shared/geo/grid/polygonArea.js';
import { service } from '../contract/service.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { writeFarmlandScene } from '../support/farmlandScenes.js';
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
import { drawScenes, newSession, PERIOD } from './farm.js';
import { coloursIn, paintedAt, pixelOf, untilDrawn, untilRead } from './mapPlaces.js';

const { longitude, latitude } = service.pointOnSurface;
const CREATE = /smartBoundary:create$/;
const today = new Date().toISOString().slice(0, 10);
/** What a search of the last 14 days finds. */
const SCENES = [
  { date: addDays(today, -6), looksLike: '2026-06-12' },
  { date: addDays(today, -11), looksLike: '2026-06-07' },
];
const FIELD = 'Found by click';

/** Looks for the boundary of the farm's field by keys alone. */
async function ask(page: Page): Promise<void> {
  await page.getByLabel('Place, latitude and longitude').focus();
  await page.keyboard.type(`${latitude}, ${longitude}`);
  await page.keyboard.press('Enter');
}

/** The outline that would be enrolled, as its download has it. */
async function outlineOf(page: Page): Promise<readonly Position[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download GeoJSON' }).click(),
  ]);
  const { features } = (await json(await download.createReadStream())) as {
    readonly features: readonly { readonly geometry: Polygon }[];
  };
  return features[0]?.geometry.coordinates[0] ?? [];
}

/** Drags what lies at a pixel to another one. */
async function dragEdge(
  page: Page,
  [x, y]: readonly [number, number],
  target: readonly [number, number],
): Promise<void> {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move((x + target[0]) / 2, (y + target[1]) / 2);
  await page.mouse.move(...target);
  await page.mouse.up();
}

/** Whether a picture lies around a place: the plain map is clear there, but for a line or two. */
async function isPictured(page: Page, place: Position): Promise<boolean> {
  const [x, y] = await pixelOf(page, place);
  const colours = await coloursIn(page, [x - 24, y - 24, x + 24, y + 24]);
  return colours.filter(([, , , alpha]) => alpha === 255).length > 0.9 * colours.length;
}

/** The scene that the job read lies under the outlines, then the field's own picture, then nothing. */
async function shownGrounds(page: Page): Promise<void> {
  const [inside, outside]: [Position, Position] = [
    [longitude, latitude],
    [longitude, latitude - 0.0038],
  ];
  const isShown = (inPicture: boolean, besides: boolean): Promise<void> =>
    eventually(async () => {
      const seen = [await isPictured(page, inside), await isPictured(page, outside)];
      expect(seen).toEqual([inPicture, besides]);
    });
  expect(await page.getByRole('radio', { name: /^Scene of / }).isChecked()).toBe(true);
  await isShown(true, true);
  await page.getByRole('radio', { name: /^Your picture of / }).check({ force: true });
  await isShown(true, false);
  await page.getByRole('radio', { name: 'Map', exact: true }).check({ force: true });
  await isShown(false, false);
  await page.getByRole('radio', { name: /^Scene of / }).check({ force: true });
  await isShown(true, true);
}

describeInBrowser('the console’s Boundary', () => {
  let session: Session;
  /** The job of the first search, which the others look at again. */
  let requestPath = '';
  beforeAll(async () => {
    await drawScenes();
    const scenes = join(dirname(process.env['SERVICE_FILE'] ?? ''), 'scenes');
    for (const scene of SCENES) await writeFarmlandScene(scenes, service.pointOnSurface, scene);
    session = await newSession();
  }, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'leads by the keyboard alone from a place to the first picture of a new field, on one page',
    async () => {
      const { page, requests } = await openConsole({ session, at: '#/boundary' });
      const created = page.waitForRequest(CREATE);
      await ask(page);
      ({ requestPath } = (await created).postDataJSON() as { requestPath: string });
      await page.locator('.steps').waitFor();
      await page.locator('.figures').waitFor({ timeout: LIMIT_MS * 2 });
      expect(await page.locator('.figures').textContent()).toMatch(
        /Area\d+\.\d+ haConfidence(High|Medium|Low) 0\.\d\d/,
      );
      expect(await axeFindings(page)).toEqual([]);

      await page.getByLabel('Name it, to enrol it').focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.type(FIELD);
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/add$/);
      await page.getByLabel('From').fill(PERIOD.start_date);
      await page.getByLabel('Until').fill(PERIOD.end_date);
      await page.getByText('1 field without a fault').waitFor();
      await page.getByRole('button', { name: 'Enrol 1 field' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/enrollments\//);
      // A view that is opened takes the focus, some frames after the address.
      await page.locator('main:focus').waitFor();
      await page.getByRole('link', { name: 'Fields', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.dock h2', { hasText: FIELD }).waitFor();
      await page.locator('.field-rows .dot-picture').waitFor({ timeout: LIMIT_MS });
      await untilDrawn(page);
      await untilRead(page, [longitude, latitude], /^0\.\d{3}$/);
      expect(requests.filter(({ url }) => url.endsWith('/console/'))).toHaveLength(1);
    },
    LIMIT_MS * 3,
  );

  test(
    'shows the customer’s own fields and every reading of a place; the chosen one’s edge is dragged',
    async () => {
      const { page, context } = await openConsole({ session, at: '#/boundary' });
      // The answer is the one of the search before: nothing is computed twice.
      const headers = { authorization: `Bearer ${service.jwt}`, 'content-type': 'application/json' };
      const fetched = await fetch(`${service.baseUrl}/solutions/partnerAgPowered.smartBoundary:fetch`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ requestPath }),
      });
      const job = await fetched.text();
      await context.route(CREATE, (route) => route.fulfill({ contentType: 'application/json', body: job }));
      await ask(page);
      await page.getByText(`This place lies in your field ${FIELD}.`).waitFor();
      await page.locator('.figures').waitFor();
      const before = await outlineOf(page);
      const [corner = [0, 0]] = before;
      await eventually(async () => {
        expect(await paintedAt(page, '.map-fields canvas', await pixelOf(page, corner))).toBe(true);
      });

      await shownGrounds(page);

      const readings = page.locator('.readings').getByRole('radio');
      const { insightId } = JSON.parse(job) as { insightId: string };
      const insight = (await (await fetch(`${service.baseUrl}/v1/insights/${insightId}`, { headers })).json()) as {
        readonly areaHectares: number;
        readonly alternatives: readonly { readonly areaHectares: number }[];
      };
      const count = insight.alternatives.length;
      expect(await readings.count()).toBe(count === 0 ? 0 : count + 1);
      for (const { areaHectares } of insight.alternatives) {
        const shown = areaHectares < 10 ? areaHectares.toFixed(2) : areaHectares.toFixed(1);
        const reading = page.locator('.readings label', { hasText: `${shown} ha` }).first();
        await reading.locator('input').check({ force: true });
        await page.locator('.figures dd', { hasText: shown }).first().waitFor();
      }
      if (count > 0) {
        await readings.first().check({ force: true });
        const other = page.locator('.readings label').nth(1);
        await other.hover();
        await eventually(async () => {
          expect(await other.getAttribute('class')).toBe('compared');
        });
        // All readings hold the place: on the map the smallest of them is pointed at.
        const areas = [insight, ...insight.alternatives].map(({ areaHectares }) => areaHectares);
        const smallest = page.locator('.readings label').nth(areas.indexOf(Math.min(...areas)));
        const [x, y] = await pixelOf(page, [longitude, latitude]);
        await page.mouse.move(x + 12, y);
        await page.mouse.move(x, y);
        await eventually(async () => {
          expect(await smallest.getAttribute('class')).toBe('compared');
        });
      }

      await page.getByRole('button', { name: 'Adjust edge' }).click();
      // The edge can be dragged once the map has drawn it; before that, the map itself would be.
      await eventually(async () => {
        expect(await paintedAt(page, '.map-edit canvas', await pixelOf(page, corner))).toBe(true);
      });
      const [x, y] = await pixelOf(page, corner);
      const target = [x + 24, y + 18] as const;
      await dragEdge(page, [x, y], target);
      await page.getByText('Adjusted by hand').waitFor();
      // Each step is undone, and what was found is what was found again, with its confidence.
      await page.keyboard.press('Control+z');
      await page.getByText('Adjusted by hand').waitFor({ state: 'detached' });
      expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
      await dragEdge(page, [x, y], target);
      await page.getByText('Adjusted by hand').waitFor();
      await page.getByRole('button', { name: 'Edge is right' }).click();
      const after = await outlineOf(page);
      expect(after).toHaveLength(before.length);
      const [moved = [0, 0]] = after;
      const [movedX, movedY] = await pixelOf(page, moved);
      expect(Math.hypot(movedX - target[0], movedY - target[1])).toBeLessThan(1.5);
      expect(after.slice(1, -1)).toEqual(
        before.slice(1, -1).map((place) => place.map((one) => expect.closeTo(one, 6))),
      );
      const areaHa = polygonAreaHa({ type: 'Polygon', coordinates: [after] });
      const shown = areaHa < 10 ? areaHa.toFixed(2) : areaHa.toFixed(1);
      await page.locator('.figures', { hasText: `Area${shown} ha` }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'shows why there is none, and lets another place be asked for',
    async () => {
      const stranger = { ...session, farm: { ...session.farm, farmId: '00000000-0000-4000-8000-000000000000' } };
      const { page } = await openConsole({ session: stranger, theme: 'dark', isPhone: true, at: '#/boundary' });
      await page.getByLabel('Place, latitude and longitude').fill('95, 10');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByText('Latitude 95 is beyond 90 degrees; latitude comes first.').waitFor();
      await page.getByLabel('Place, latitude and longitude').fill('41.5 N, 93.0 W');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByText('IMG-05001').waitFor({ timeout: LIMIT_MS });
      await page.getByRole('button', { name: 'Find', disabled: false }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'asks for a token that is good, and goes on with it',
    async () => {
      const { page } = await openConsole({ session: { ...session, token: 'not.a.token' }, at: '#/boundary' });
      await page.getByLabel('Place, latitude and longitude').fill(`${latitude}, ${longitude}`);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByText('This token is not taken here, or has run out.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('Access token').fill(service.jwt);
      await page.keyboard.press('Enter');
      await page.locator('.steps').waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('Cancelled').or(page.locator('.figures')).first().waitFor({ timeout: LIMIT_MS });
    },
    LIMIT_MS,
  );
});
