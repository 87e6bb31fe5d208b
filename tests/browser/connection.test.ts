import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page, Route } from 'playwright-core';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  eventually,
  LIMIT_MS,
  openConsole,
  type Session,
} from './consolePage.js';
import { service } from '../contract/service.js';
import { aFarm, at, DAYS, FARM_LIMIT_MS, features, MIDDLE, NORTH } from './farm.js';
import { untilDrawn, untilRead } from './mapPlaces.js';

const [CLEAR] = DAYS;
const KML = `<kml><Document><Placemark><name>From a KML</name><Polygon><outerBoundaryIs><LinearRing>
<coordinates>-93.5,42 -93.49,42 -93.49,42.01 -93.5,42.01 -93.5,42</coordinates>
</LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>`;

/** Breaks the first request for each file of a part. @returns how many were broken so far */
async function breakFirst(context: BrowserContext, part: string): Promise<() => number> {
  let broken = 0;
  await context.route(new RegExp(`/console/${part}-[^/]+\\.js$`), (route) => {
    broken += 1;
    return broken === 1 ? route.abort('connectionreset') : route.fallback();
  });
  return () => broken;
}

/** A page that is loaded anew has no mark. */
const mark = (page: Page): Promise<void> => page.evaluate(() => void Object.assign(globalThis, { isMarked: true }));
const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => 'isMarked' in globalThis);

const chooseFile = (page: Page, name: string, text: string): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

const view = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name });

describeInBrowser('a console whose connection comes and goes', () => {
  let session: Session;
  beforeAll(async () => {
    session = await aFarm();
  }, FARM_LIMIT_MS + LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'asks again for a part that did not come: nothing is loaded anew, and what was chosen stays',
    async () => {
      const { page, context } = await openConsole({ at: '#/add' });
      // Not kept for the tab: a page that is loaded anew would know nobody.
      await page.getByLabel('API key').fill(session.apiKey);
      await page.keyboard.press('Enter');
      await mark(page);
      const worker = await breakFirst(context, 'kmlFields');
      await chooseFile(page, 'chosen.kml', KML);
      await page.getByText('1 field without a fault').waitFor();
      const part = await breakFirst(context, 'enrollments');
      await view(page, 'Enrollments').click();
      await page.getByRole('link', { name: 'Show the fields' }).waitFor();
      expect(Math.min(worker(), part())).toBeGreaterThan(1);
      await page.goBack();
      await page.getByText('chosen.kml').waitFor();
      expect(await isMarked(page)).toBe(true);
    },
    LIMIT_MS,
  );

  test(
    'has its pictures though the worker that reads them did not come at first',
    async () => {
      let broken: (() => number) | undefined;
      const { page } = await openConsole({
        session,
        at: at(NORTH, CLEAR),
        prepare: async (context) => (broken = await breakFirst(context, 'pictureWorker')),
      });
      await untilRead(page, MIDDLE, /^0\.\d{3}$/);
      expect(broken?.()).toBeGreaterThan(1);
    },
    LIMIT_MS,
  );

  test(
    'says that it is older than the service where a part is gone, and is loaded anew only when asked to',
    async () => {
      const gone = (route: Route) => route.fulfill({ status: 404, json: { code: 'not_found' } });
      const { page, context } = await openConsole({ session, at: '#/enrollments' });
      await mark(page);
      await context.route(/\/console\/(boundary|fieldMap)-[^/]+\.js$/, gone);
      await view(page, 'Boundary').click();
      await page.getByRole('alert').getByText('This page is older than the service').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await view(page, 'Fields').click();
      await page.locator('.map-fault').getByText('This page is older than the service').waitFor();
      expect(await isMarked(page)).toBe(true);
      await context.unrouteAll();
      await page.getByRole('button', { name: 'Reload' }).click();
      await untilDrawn(page);
      expect(await isMarked(page)).toBe(false);
    },
    LIMIT_MS,
  );

  test(
    'says that there is none, and goes on by itself once it is back',
    async () => {
      const { page, context } = await openConsole({ session, at: at(NORTH, CLEAR) });
      await untilRead(page, MIDDLE, /^0\.\d{3}$/);
      await mark(page);
      await context.setOffline(true);
      await page.getByText('This computer is offline').first().waitFor();
      // A part that was not loaded, and a list that was not read.
      await view(page, 'Enrollments').click();
      await page.getByText('Loading …').waitFor();
      await context.setOffline(false);
      await page.getByText(`${features.length} of ${features.length} with a picture`).waitFor();
      await page.getByText('This computer is offline').waitFor({ state: 'detached' });
      expect(await isMarked(page)).toBe(true);
      expect(await page.getByLabel('API key').count()).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'follows a job through an interruption that the computer does not notice',
    async () => {
      const farm = { ...session.farm, fields: service.fieldIds.map((id) => ({ id, name: 'A field' })) };
      const { page, context } = await openConsole({ session: { ...session, farm }, at: '#/degree-days' });
      await page.getByRole('button', { name: 'Calculate' }).waitFor();
      let looks = 0;
      await context.route(/partnerAgPowered\.gdd:fetch$|\/v1\/insights\//, (route) => {
        looks += 1;
        if (looks === 2) return route.fulfill({ status: 502, body: 'Bad gateway' });
        return looks === 4 || looks === 1 ? route.abort('connectionreset') : route.continue();
      });
      await page.getByRole('button', { name: 'Calculate' }).click();
      await page.getByText('The service can’t be reached').waitFor();
      await page.locator('.season-figures').waitFor();
      expect(looks).toBeGreaterThan(2);
      await eventually(async () => {
        expect(await page.locator('.banner').count()).toBe(0);
      });
    },
    LIMIT_MS,
  );
});
