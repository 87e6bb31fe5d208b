import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { service } from '../contract/service.js';
import { closeConsoles, describeInBrowser, eventually, LIMIT_MS, openConsole, type Session } from './consolePage.js';
import { aFarm, at, DAYS, FARM_LIMIT_MS, NORTH } from './farm.js';
import { untilDrawn } from './mapPlaces.js';

/** What of a page is wrong on paper: cut content, things to press or to type into, another ground than white. */
const wrongOnPaper = (page: Page) =>
  page.evaluate(() => {
    const isShown = (element: Element): boolean =>
      element.getClientRects().length > 0 && element.closest('.hidden') === null;
    const nameOf = (element: Element): string => `${element.tagName}.${element.getAttribute('class') ?? ''}`;
    const isCut = (element: Element): boolean => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const isAcross = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      return isAcross || (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1);
    };
    const all = [...document.querySelectorAll('.shell, .shell *')].filter(isShown);
    const controls = 'button:not(.feature-name), a.button, input, select, textarea';
    return {
      cut: all.filter(isCut).map(nameOf),
      controls: all.filter((element) => element.matches(controls)).map(nameOf),
      isLight: getComputedStyle(document.documentElement).getPropertyValue('--paper') === '#fcfbf7',
    };
  });

/** Prints as people do, and counts the sheets. */
async function sheets(page: Page): Promise<number> {
  await page.emulateMedia({ media: null });
  const pdf = await page.pdf({ format: 'A4' });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

describeInBrowser('the console on paper', () => {
  let session: Session;
  /** Whose token has no role for farm data, so that ids are typed. */
  let typing: Session;
  beforeAll(async () => {
    typing = await aFarm();
    session = { apiKey: typing.apiKey, token: service.jwt };
  }, FARM_LIMIT_MS + LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'has every day of a season, on as many sheets as that takes',
    async () => {
      const farm = { ...typing.farm, fields: service.fieldIds.map((id) => ({ id, name: 'Field A' })) };
      const own = { ...typing, farm };
      const { page } = await openConsole({ session: own, at: '#/degree-days', theme: 'dark' });
      await page.getByRole('button', { name: 'Calculate' }).click();
      await page.locator('.season-figures').waitFor();
      await page.getByText(/^Table of all \d+ days$/).click();
      await page.locator('.table-days tbody tr').first().waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await wrongOnPaper(page)).toEqual({ cut: [], controls: [], isLight: true });
      expect(await sheets(page)).toBeGreaterThan(3);
    },
    LIMIT_MS,
  );

  test(
    'has a field with its picture and its days on one sheet, on light ground',
    async () => {
      const { page } = await openConsole({ session, at: at(NORTH, DAYS[0]), theme: 'dark' });
      await untilDrawn(page);
      await page.locator('.timeline').waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await wrongOnPaper(page)).toEqual({ cut: [], controls: [], isLight: true });
      expect(await sheets(page)).toBe(1);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      expect(await page.locator('.map-printed canvas').count()).toBe(1);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      expect(await page.locator('.map-printed canvas').count()).toBe(0);
    },
    LIMIT_MS,
  );

  test.each([
    { view: 'enrollments', shows: 'Show the fields' },
    { view: 'farms', shows: 'Ridge field, Iowa' },
    { view: 'notices', shows: 'Latest events' },
    { view: 'boundary', shows: 'Period and farm' },
    { view: 'add', shows: 'Drop a file of fields here' },
  ])(
    'has nothing cut and nothing to press: $view',
    async ({ view, shows }) => {
      const { page } = await openConsole({ session, at: `#/${view}`, theme: 'dark' });
      await page.getByText(shows).first().waitFor();
      await page.emulateMedia({ media: 'print' });
      await eventually(async () => {
        expect(await wrongOnPaper(page)).toEqual({ cut: [], controls: [], isLight: true });
      });
      expect(await sheets(page)).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
