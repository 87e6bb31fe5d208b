import { afterEach, beforeAll, expect, test } from '@jest/globals';
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
import { drawScenes, newSession, PERIOD } from './farm.js';

const { longitude, latitude } = service.pointOnSurface;

describeInBrowser('the console’s Boundary', () => {
  let session: Session;
  beforeAll(async () => {
    await drawScenes();
    session = await newSession();
  }, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'leads by the keyboard alone from a place to the enrollment of a new field',
    async () => {
      const { page } = await openConsole({ session, at: '#/boundary' });
      await page.getByLabel('Place, latitude and longitude').focus();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.type(`${latitude}, ${longitude}`);
      await page.keyboard.press('Enter');
      await page.locator('.steps').waitFor();
      await page.locator('.figures').waitFor({ timeout: LIMIT_MS * 4 });
      expect(await page.locator('.figures').textContent()).toMatch(
        /Area\d+\.\d+ haConfidence(High|Medium|Low) 0\.\d\d/,
      );
      expect(await axeFindings(page)).toEqual([]);

      await page.getByLabel('Name it, to enrol it').focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Found by click');
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/add$/);
      await page.getByLabel('From').fill(PERIOD.start_date);
      await page.getByLabel('Until').fill(PERIOD.end_date);
      await page.getByText('1 field without a fault').waitFor();
      await page.getByRole('button', { name: 'Enrol 1 field' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/#\/enrollments\//);
    },
    LIMIT_MS * 6,
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
      expect(await page.getByRole('button', { name: 'Find' }).isEnabled()).toBe(true);
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
