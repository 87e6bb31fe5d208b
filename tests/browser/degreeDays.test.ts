import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import type { BrowserContext, Page } from 'playwright-core';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { call, service } from '../contract/service.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  eventually,
  LIMIT_MS,
  openConsole,
  sideways,
  tabTo,
  type Session,
} from './consolePage.js';
import { newSession } from './farm.js';

const FETCH = /partnerAgPowered\.gdd:fetch$/;
const CREATE = /partnerAgPowered\.gdd:create$/;
const result = (page: Page) => page.locator('.season-figures');
const steps = (page: Page) => page.locator('.steps li').allTextContents();

/** The job that the address names. */
const jobIn = (page: Page): string => page.url().split('/').at(-1) ?? '';

async function recordIn(page: Page): Promise<GddRecord> {
  const body = { requestPath: `/v1/gdd/${jobIn(page)}` };
  const fetched = await call('/solutions/partnerAgPowered.gdd:fetch', { method: 'POST', body });
  const { insightId } = fetched.json as { readonly insightId: string };
  return (await call(`/v1/insights/${insightId}`)).json as GddRecord;
}

/** Looks find the job at work until the test lets go of it. */
async function holdAtWork(context: BrowserContext): Promise<{ readonly letGo: () => void }> {
  let isHeld = true;
  await context.route(FETCH, async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as object;
    await route.fulfill({ response, json: isHeld ? { ...json, status: 'RUNNING', insightId: undefined } : json });
  });
  return {
    letGo: () => {
      isHeld = false;
    },
  };
}

describeInBrowser('the console’s Degree-days', () => {
  let session: Session;
  beforeAll(async () => {
    const { farm, ...rest } = await newSession();
    session = {
      ...rest,
      farm: { ...farm, fields: service.fieldIds.map((id, at) => ({ id, name: `Field ${at + 1}` })) },
    };
  }, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'calculate a season by keys alone: steps as they come, a chart that is read day by day, a table of all days',
    async () => {
      const { page, context } = await openConsole({ session, at: '#/degree-days' });
      const work = await holdAtWork(context);
      expect(await axeFindings(page)).toEqual([]);
      await tabTo(page, page.getByLabel('Field'));
      await page.keyboard.press('ArrowDown');
      await tabTo(page, page.getByLabel('Planted'));
      await page.keyboard.type('05012024');
      await tabTo(page, page.getByLabel('Until'));
      await page.keyboard.type('08312024');
      await page.keyboard.press('Enter');
      await page.locator('.step-now', { hasText: 'Calculating' }).waitFor();
      expect(await steps(page)).toEqual(['Queued: done', 'Calculating: under way', 'Done: to come']);
      work.letGo();
      await result(page).waitFor();
      expect((await steps(page)).slice(0, 2)).toEqual(['Queued: done', 'Calculating: done']);
      const record = await recordIn(page);
      expect([record.gddStartDate, record.gddEndDate, record.days]).toEqual(['2024-05-01', '2024-08-31', 123]);

      await tabTo(page, page.getByRole('slider'));
      const readDay = page.locator('.read-day');
      for (const [key, day] of [
        ['Home', '1 May 2024'],
        ['ArrowRight', '2 May 2024'],
        ['PageDown', '1 June 2024'],
        ['ArrowLeft', '31 May 2024'],
        ['End', '31 August 2024'],
      ] as const) {
        await page.keyboard.press(key);
        await readDay.getByText(day, { exact: true }).waitFor();
      }
      expect(await readDay.textContent()).toContain(Math.round(record.total).toLocaleString('en-US'));

      await tabTo(page, page.getByText('Table of all 123 days'));
      await page.keyboard.press('Enter');
      const rows = page.locator('.table-days tbody tr');
      await rows.first().waitFor();
      const last = record.daily.at(-1);
      expect(await rows.count()).toBe(record.days);
      expect(await rows.last().locator('th, td').allTextContents()).toEqual([
        '31 Aug 2024',
        last?.gdd.toFixed(1),
        Math.round(record.total).toLocaleString('en-US'),
        expect.stringMatching(/^[+−]\d+$/),
        last?.tmin?.toFixed(1),
        last?.tmax?.toFixed(1),
        'observed',
      ]);
      expect(await page.locator('.table-days caption').textContent()).toBe(
        'Degree-days and their sum in °C·day, temperatures in °C',
      );
      expect(await rows.last().getAttribute('aria-current')).toBe('date');
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'are read by pointer, taken along byte for byte, and opened again from the list of what was calculated',
    async () => {
      const { page, requests } = await openConsole({ session, theme: 'dark', at: '#/degree-days' });
      await page.getByRole('button', { name: 'Calculate' }).click();
      await result(page).waitFor();
      const job = jobIn(page);
      const box = await page.getByRole('slider').boundingBox();
      const before = await page.locator('.read-day').textContent();
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 200);
      await page
        .locator('.read-day b', { hasText: /(June|July|August) \d{4}/ })
        .first()
        .waitFor();
      expect(before).not.toMatch(/(June|July|August) \d{4}/);
      expect(await axeFindings(page)).toEqual([]);

      const insight = requests.find(({ url }) => url.includes('/v1/insights/'))?.url ?? '';
      for (const [name, type] of [
        ['CSV', 'text/csv'],
        ['SVG', 'image/svg+xml'],
      ] as const) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: `Download as ${name}` }).click(),
        ]);
        const headers = { authorization: `Bearer ${service.jwt}`, accept: type };
        const expected = Buffer.from(await (await fetch(insight, { headers })).arrayBuffer());
        expect((await buffer(await download.createReadStream())).equals(expected)).toBe(true);
      }

      await page.goto(`${service.baseUrl}/console/#/enrollments`);
      await page.getByRole('link', { name: 'Degree-days' }).click();
      const entry = page.locator(`.recent a[href$="${job}"]`);
      await eventually(async () => {
        expect(await entry.textContent()).toMatch(/^Field \d, Corn\d+ \w+ \d{4}, \d\d:\d\d UTC · done$/);
      });
      await entry.click();
      await result(page).waitFor();
      await page.locator(`.recent a[href$="${job}"][aria-current="true"]`).waitFor();
      await page.getByRole('heading', { name: 'Field 1: Corn' }).waitFor();
    },
    LIMIT_MS,
  );

  test(
    'are in the units of the button at the top until they are calculated',
    async () => {
      const { page } = await openConsole({ session, at: '#/degree-days' });
      const fahrenheit = page.getByRole('radio', { name: '°F' });
      const turn = (name: string) => page.getByRole('button', { name }).click();
      expect(await fahrenheit.isChecked()).toBe(false);
      await turn('Show acres and °F');
      await page.locator('.units input:checked + span', { hasText: '°F' }).waitFor();
      await page.getByRole('button', { name: 'Calculate' }).click();
      await result(page).waitFor();
      await turn('Show hectares and °C');
      await page.getByRole('button', { name: 'Show acres and °F' }).waitFor();
      expect(await fahrenheit.isChecked()).toBe(true);
    },
    LIMIT_MS,
  );

  test(
    'show what was refused at its input, what failed with its code, and a list that may not be read in its place',
    async () => {
      const { apiKey, token = '' } = session;
      const known = { apiKey, token };
      const { page, context } = await openConsole({
        session: known,
        theme: 'dark',
        isPhone: true,
        at: '#/degree-days',
      });
      await page.getByLabel('Party id').fill(service.partyId);
      await page.getByLabel('Field id').fill('no field of theirs');
      await page.getByLabel('Until').fill('2020-01-01');
      await page.getByRole('button', { name: 'Calculate' }).click();
      await page.locator('label', { hasText: 'Field id' }).getByText('must be a UUID').waitFor();
      const until = page.getByLabel('Until');
      expect(await until.getAttribute('aria-invalid')).toBe('true');
      const described = await until.getAttribute('aria-describedby');
      expect(await page.locator(`[id="${described}"]`).textContent()).toMatch(
        /^is before the first day; it must be the same day/,
      );
      expect(await axeFindings(page)).toEqual([]);

      await page.getByLabel('Planted').fill('2019-11-01');
      await page.getByLabel('Field id').fill('00000000-0000-4000-8000-000000000000');
      await page.getByRole('button', { name: 'Calculate' }).click();
      await page.getByText('The calculation failed').waitFor();
      await page.getByText(/^Code GDD-\d{5}$/).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);

      await context.route(/\/v1\/jobs\?/, (route) =>
        route.fulfill({
          status: 403,
          json: {
            error: { code: 'Forbidden', message: 'The token lacks the role Jobs.Read.' },
            traceId: 'a'.repeat(32),
          },
        }),
      );
      await page.reload();
      await page.locator('.recent .fault', { hasText: 'The token lacks the role Jobs.Read.' }).waitFor();
      await page.locator('.recent .trace code', { hasText: 'a'.repeat(32) }).waitFor();
      // Once what the address names has been shown again.
      await page.locator('button:enabled', { hasText: 'Calculate' }).waitFor();
    },
    LIMIT_MS,
  );

  test(
    'are found again when the answer to their creation was lost, on a phone too, and can be cancelled',
    async () => {
      const { page, context } = await openConsole({ session, isPhone: true, at: '#/degree-days' });
      let creations = 0;
      await context.route(CREATE, async (route) => {
        creations += 1;
        if (creations > 1) return route.continue();
        await route.fetch();
        return route.abort('connectionreset');
      });
      await page.getByRole('button', { name: 'Calculate' }).click();
      await result(page).waitFor();
      expect(creations).toBe(1);
      // The result is scrolled to, for it stands below the form.
      await eventually(async () => {
        expect((await page.locator('.season-head').boundingBox())?.y).toBeLessThan(300);
      });
      await page.getByText(/^Table of all \d+ days$/).click();
      await page.locator('.table-days tbody tr').first().waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      // The view is scrolled, never the page around it.
      const beyond = await page.evaluate(() => {
        const { scrollHeight, clientHeight } = document.documentElement;
        return scrollHeight - clientHeight;
      });
      expect(beyond).toBe(0);

      const work = await holdAtWork(context);
      await context.route(/gdd:cancel$/, async (route) => {
        work.letGo();
        await context.route(FETCH, async (looked) => {
          const response = await looked.fetch();
          const json = { ...((await response.json()) as object), status: 'CANCELLED', insightId: undefined };
          await looked.fulfill({ response, json });
        });
        await route.fulfill({ status: 200, json: {} });
      });
      await page.getByRole('button', { name: 'Calculate' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.locator('.step-failed', { hasText: 'Cancelled' }).waitFor();
      expect(await result(page).count()).toBe(0);
    },
    LIMIT_MS,
  );
});
