import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { newCode } from '../../infra/local/console/codes.js';
import { callWithKey } from '../contract/enrollmentCalls.js';
import { service } from '../contract/service.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  eventually,
  LIMIT_MS,
  openConsole,
  sideways,
  tabTo,
  type ConsolePage,
  type PageOptions,
  type Session,
} from './consolePage.js';
import { DAYS, drawScenes } from './farm.js';
import { untilDrawn } from './mapPlaces.js';
import { layerPath, storedFile } from './storedLayers.js';

const [CLEAR, , , LAST] = DAYS;
const directory = dirname(process.env['SERVICE_FILE'] ?? '');
/** Fields of the farm that the local console shows. */
const FIELDS = 22;
const DAY_MS = 24 * 3600_000;

const freshCode = (): string => newCode(directory, new Date());
const kept = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('field-console'));

/** Opens the address that holds a code; the code is a secret from then on. */
async function openCode(code: string, { at = '', ...options }: PageOptions = {}): Promise<ConsolePage> {
  const opened = await openConsole({ ...options, at: `#local=${code}${at}` });
  opened.secrets.push(code);
  return opened;
}

/** What axe finds in light, then in dark. */
async function findingsInBoth(page: Page): Promise<readonly string[]> {
  const light = await axeFindings(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('[data-theme="dark"]').waitFor({ state: 'attached' });
  const dark = await axeFindings(page);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark];
}

interface FieldsPage {
  readonly items: readonly { readonly field_id: string; readonly newest_picture: string | null }[];
}

describeInBrowser('a newcomer to the console', () => {
  let session: Session;
  beforeAll(drawScenes, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'is signed in by the address that npm run console prints: the code leaves the address, and works once',
    async () => {
      const env = { ...process.env, LOCAL_DIR: directory };
      const printed = execFileSync(process.execPath, ['build/local/console.mjs'], { env, encoding: 'utf8' }).trim();
      const [page, code = ''] = printed.split('#local=');
      expect(page).toBe(`${service.baseUrl}/console/`);
      const first = await openCode(code);
      // They are listed as their enrollment takes them in.
      await eventually(async () => {
        expect(await first.page.locator('.field-name b').count()).toBe(FIELDS);
      });
      expect(first.page.url()).not.toContain('local=');
      session = JSON.parse((await kept(first.page)) ?? '{}') as Session;
      first.secrets.push(session.apiKey, session.token ?? '');
      // Neither the way back nor a reload leads to the code again.
      await first.page.reload();
      await first.page.locator('.field-name b').first().waitFor();
      expect(await first.page.evaluate(() => history.length)).toBeLessThanOrEqual(2);

      const second = await openCode(code, { theme: 'dark' });
      await second.page.getByText('This address was used before, or is too old.').waitFor();
      expect(await kept(second.page)).toBeNull();
      expect(await axeFindings(second.page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'is told when a code is too old or was never given out, and signs in with a key, by keys alone, on a phone',
    async () => {
      const guessed = await openCode('x'.repeat(32), { isPhone: true });
      const why = 'Run npm run console for a new one.';
      await guessed.page.getByRole('alert').getByText(why).waitFor();
      const { page } = await openCode(newCode(directory, new Date(Date.now() - 2 * DAY_MS)), { isPhone: true });
      await page.getByRole('alert').getByText(why).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await tabTo(page, page.getByLabel('API key'));
      await page.keyboard.type(session.apiKey);
      await page.keyboard.press('Enter');
      await page.locator('.field-name b').first().waitFor();
      expect(await kept(page)).toBeNull();
    },
    LIMIT_MS,
  );

  test(
    'is led to the view of the address, is told when nothing redeems codes, and leaves nothing behind after signing out',
    async () => {
      const { page, context } = await openCode(freshCode(), { at: '/degree-days' });
      await page.getByRole('heading', { name: 'Degree-days' }).waitFor();
      expect(page.url()).toMatch(/\/console\/#\/degree-days$/);
      await tabTo(page, page.getByRole('button', { name: 'Sign out' }));
      await page.keyboard.press('Enter');
      await page.getByLabel('API key').waitFor();
      expect(await kept(page)).toBeNull();
      expect(await page.getByLabel('API key').inputValue()).toBe('');

      await context.route(/\/console\/session$/, (route) => route.abort('connectionrefused'));
      // Pasted into the page that stands: the fragment alone changes.
      await page.goto(`${service.baseUrl}/console/#local=${freshCode()}`);
      await page.getByText('The local sign-in could not be reached. Is npm start still running?').waitFor();
      await context.unroute(/\/console\/session$/);
      await page.goto(`${service.baseUrl}/console/#local=${freshCode()}/degree-days`);
      await page.getByRole('heading', { name: 'Degree-days' }).waitFor();
      expect(page.url()).toMatch(/\/console\/#\/degree-days$/);
    },
    LIMIT_MS,
  );

  test(
    'who has a key alone is asked for a token over the view, which no key reaches meanwhile',
    async () => {
      const { page } = await openConsole({ session: { apiKey: session.apiKey }, at: '#/degree-days' });
      const add = page.getByRole('button', { name: 'Add a token' });
      await tabTo(page, add);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Add an access token' });
      await dialog.waitFor();
      await eventually(async () => {
        expect(await dialog.getByLabel('Access token').evaluate((input) => input === document.activeElement)).toBe(
          true,
        );
      });
      expect(await axeFindings(page)).toEqual([]);
      for (let steps = 0; steps < 12; steps += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => document.activeElement?.closest('header, main') ?? null)).toBeNull();
      }
      await tabTo(page, dialog.getByRole('button', { name: 'Not now' }));
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.textContent === 'Add a token');
      await page.keyboard.press('Enter');
      await dialog.getByLabel('Access token').fill(service.jwt);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Calculate' }).waitFor();
    },
    LIMIT_MS,
  );

  test(
    'finds on a phone what a desk has: search, opacity, comparing, downloads',
    async () => {
      const fieldId = await pictured(session.apiKey);
      const { page } = await openConsole({ session, isPhone: true, at: `#/fields/${fieldId}/${LAST}/ndvi` });
      await untilDrawn(page);
      await tabTo(page, page.getByRole('button', { name: 'Find' }));
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.matches('.field-search input'));
      await page.keyboard.type(fieldId.slice(0, 4).toLowerCase());
      await page
        .getByRole('button', { name: 'Add fields' })
        .or(page.getByRole('link', { name: 'Add fields' }))
        .waitFor();
      await page.waitForFunction((all) => document.querySelectorAll('.field-rows li').length < all, FIELDS);
      expect(await findingsInBoth(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => document.activeElement?.textContent.trim() === 'Find');
      await page.keyboard.press('Enter');
      await page.locator('.field-rows button', { hasText: fieldId }).tap();
      await page.locator('.field-search').waitFor({ state: 'hidden' });

      await page.getByRole('button', { name: 'More about the layer' }).tap();
      await page.getByRole('slider', { name: 'Opacity' }).fill('40');
      await page.getByText('40 %').waitFor();
      await page.getByRole('button', { name: 'Compare two dates' }).tap();
      await page.getByLabel('Compare with').selectOption(CLEAR);
      await page.getByRole('slider', { name: /ends and/ }).waitFor();
      await untilDrawn(page);
      expect(await findingsInBoth(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await page.getByRole('button', { name: 'More about the layer' }).tap();
      await page.getByRole('slider', { name: 'Opacity' }).waitFor({ state: 'hidden' });

      await page.getByRole('button', { name: 'Download' }).tap();
      expect(await findingsInBoth(page)).toEqual([]);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'This GeoTIFF' }).tap(),
      ]);
      const saved = await buffer(await download.createReadStream());
      expect(saved.equals(await storedFile(session.apiKey, layerPath(fieldId, LAST, 'ndvi')))).toBe(true);
    },
    LIMIT_MS,
  );
});

interface FieldIndex {
  readonly 'fieldimagery:dates': readonly { readonly date: string; readonly outcome: string }[];
}

/** A field of the farm that has the pictures of the first and the last day: the newest come first. */
function pictured(apiKey: string): Promise<string> {
  return eventually(async () => {
    const { items } = (await callWithKey('/v1/fields', apiKey)).json as FieldsPage;
    const { field_id: fieldId = '' } = items.find(({ newest_picture: date }) => date === LAST) ?? {};
    expect(fieldId).not.toBe('');
    const index = JSON.parse(String(await storedFile(apiKey, `sentinel-2/${fieldId}/index.json`))) as FieldIndex;
    const days = index['fieldimagery:dates'].filter(({ outcome }) => outcome === 'done').map(({ date }) => date);
    expect(days).toEqual(expect.arrayContaining([CLEAR, LAST]));
    return fieldId;
  });
}
