import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { fieldFaults } from '../../shared/kit/errors/catalogue.js';
import { submit, untilIngested } from '../contract/enrollmentCalls.js';
import { aFeature, aRing } from '../enrollments/builders.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  LIMIT_MS,
  openConsole,
  sideways,
  tabTo,
  type Session,
} from './consolePage.js';
import { newSession } from './farm.js';

const LIST = /\/v1\/enrollments\?/;
const BACKFILL = /\/v1\/enrollments\/[0-9a-f-]{36}\/backfill$/;
const ONE = /\/v1\/enrollments\/[0-9a-f-]{36}$/;
const BOW = {
  fieldId: 'Bow & tie',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [13.2, 48.3],
        [13.21, 48.31],
        [13.21, 48.3],
        [13.2, 48.31],
        [13.2, 48.3],
      ],
    ],
  },
};
const square = (shift: number) => ({ type: 'Polygon', coordinates: [aRing(shift)] });

describeInBrowser('the console’s Enrollments', () => {
  let session: Session;
  let newest: string;
  beforeAll(async () => {
    session = await newSession();
    const { apiKey } = session;
    const enrol = async (features: readonly unknown[], description: string): Promise<string> => {
      const submitted = await submit(features, { description }, { apiKey });
      const { enrollment_id: id } = submitted.json as { readonly enrollment_id: string };
      await untilIngested(id, apiKey);
      return id;
    };
    await enrol([aFeature({ fieldId: 'East', geometry: square(0.1) })], 'The first one');
    newest = await enrol([aFeature({ fieldId: 'West', geometry: square(0.2) }), aFeature(BOW)], 'The <b>other</b>');
  }, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'show how far they are, then by keys alone which field failed, why, and what to do',
    async () => {
      const early = { status: 'in_progress', processed_fields: 1, failed_fields: 0, errors: null };
      let [isHeld, isSearching] = [true, true];
      const { page } = await openConsole({
        session,
        at: '#/enrollments',
        prepare: async (context) => {
          await context.route(LIST, async (route) => {
            const response = await route.fetch();
            const json = (await response.json()) as { readonly items: { readonly enrollment_id: string }[] };
            const items = json.items.map((item) => (item.enrollment_id === newest ? { ...item, ...early } : item));
            await route.fulfill({ response, json: { ...json, items } });
          });
          await context.route(BACKFILL, async (route) => {
            const response = await route.fetch();
            const json = (await response.json()) as object;
            const running = { status: 'running', days: 62, days_left: 31 };
            await route.fulfill({ response, json: { ...json, ...(isSearching ? running : { status: 'completed' }) } });
          });
          // Later looks find it under way until the test lets go of it.
          await context.route(ONE, async (route) => {
            const response = await route.fetch();
            const json = (await response.json()) as object;
            await route.fulfill({ response, json: isHeld ? { ...json, ...early } : json });
          });
        },
      });
      const card = page.locator('.card', { hasText: 'The <b>other</b>' });
      await card.getByText('Under way').waitFor();
      expect(await card.getByLabel('Fields taken in').getAttribute('value')).toBe('1');
      expect(await card.locator('.progress-line').textContent()).toBe('1 of 2 taken in');
      isHeld = false;
      // The next looks see that it has ended. Fields that are taken in have no pictures yet: their days are looked through.
      await card.getByText(/^0 of 1 with a picture · 31 of 62 days back to .* looked through · monitor/).waitFor();
      expect(await card.locator('.status').count()).toBe(0);
      expect(await card.getByLabel('Days looked through').getAttribute('value')).toBe('31');
      expect(await axeFindings(page)).toEqual([]);
      isSearching = false;
      await card.getByText(/ with a picture · looked through back to .* · monitor/).waitFor();
      expect(await card.locator('progress').count()).toBe(0);

      await tabTo(page, card.getByText('1 field is not monitored'));
      await page.keyboard.press('Enter');
      const cells = card.locator('.failures tbody tr :is(th, td)');
      await cells.first().waitFor();
      const { code, remedy } = fieldFaults.selfCrossing;
      expect(await cells.allTextContents()).toEqual([BOW.fieldId, expect.stringContaining(`Code ${code}`), remedy]);
      await page.waitForURL(`**/#/enrollments/${newest}`);
      expect(await axeFindings(page)).toEqual([]);
      expect(await card.locator('h2 b').count()).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'come a page at a time, on a phone as well, and lead to their fields',
    async () => {
      const { page } = await openConsole({
        session,
        theme: 'dark',
        isPhone: true,
        at: `#/enrollments/${newest}`,
        prepare: (context) =>
          context.route(LIST, (route) => route.continue({ url: route.request().url().replace('limit=20', 'limit=1') })),
      });
      await page.locator('.failures table').waitFor();
      expect(await page.locator('.card h2').allTextContents()).toEqual(['The <b>other</b>']);
      await page.getByText(/ with a picture · /).waitFor();
      const beyond = await page.locator('.card').evaluate((card) => card.scrollWidth - card.clientWidth);
      expect(beyond).toBe(0);
      await page.getByRole('button', { name: 'Show older ones' }).click();
      await page.locator('.card h2', { hasText: 'The first one' }).waitFor();
      expect(await page.getByRole('button', { name: 'Show older ones' }).count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await page.getByRole('link', { name: 'Show the fields' }).first().click();
      await page.waitForURL(/#\/fields/);
    },
    LIMIT_MS,
  );

  test(
    'say that there are none yet and how to begin; a list that can’t be had is asked for again',
    async () => {
      const traceId = 'c'.repeat(32);
      const { page, context } = await openConsole({
        session: await newSession(),
        theme: 'dark',
        at: '#/enrollments',
        prepare: (made) =>
          made.route(LIST, (route) =>
            route.fulfill({
              status: 500,
              json: { code: 'InternalError', message: 'Something broke here.', trace_id: traceId, details: null },
            }),
          ),
      });
      await page.getByText('The enrollments could not be listed').waitFor();
      expect(await page.locator('.trace code').textContent()).toBe(traceId);
      expect(await page.getByText('Nothing was enrolled yet').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await context.unroute(LIST);
      await tabTo(page, page.getByRole('button', { name: 'Try again' }));
      await page.keyboard.press('Enter');
      await page.getByText('Nothing was enrolled yet').waitFor();
      expect(await page.locator('.fault').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await tabTo(page, page.getByRole('link', { name: 'Add fields' }));
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/add$/);
    },
    LIMIT_MS,
  );
});
