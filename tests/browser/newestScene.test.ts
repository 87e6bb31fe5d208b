import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { dayText } from '../../console/parts/dateText.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
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
import { newSession } from './farm.js';
import { coloursIn, pixelOf } from './mapPlaces.js';

/** Where the base has Ames, and nobody else has a field. */
const [longitude, latitude] = [-93.62, 42.03];
const DATE = addDays(new Date().toISOString().slice(0, 10), -2);

async function goTo(page: Page, town: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Go to a place' }).fill(town);
  await page.getByRole('option', { name: town }).first().waitFor();
  await page.keyboard.press('Enter');
}

/** How much of the map around a place is a picture, 0 to 1. */
async function picturedAround(page: Page, place: Position): Promise<number> {
  const [x, y] = await pixelOf(page, place);
  const colours = await coloursIn(page, [x - 20, y - 20, x + 20, y + 20]);
  return colours.filter(([, , , alpha]) => alpha === 255).length / colours.length;
}

describeInBrowser('the newest scene under a map without tiles', () => {
  let session: Session;
  beforeAll(async () => {
    const scenes = join(dirname(process.env['SERVICE_FILE'] ?? ''), 'scenes');
    await writeFarmlandScene(scenes, { longitude, latitude }, { date: DATE, looksLike: '2026-06-12' });
    session = await newSession();
  }, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'lies under Boundary before anything is searched, with its day; where there is none, a sentence says so',
    async () => {
      const { page, requests } = await openConsole({ session, at: '#/boundary' });
      await goTo(page, 'Ames, IA');
      await page.getByText(`The scene of ${dayText(DATE)}. Contains modified Copernicus Sentinel data.`).waitFor();
      await eventually(async () => {
        expect(await picturedAround(page, [longitude, latitude])).toBeGreaterThan(0.9);
      });
      expect(await axeFindings(page)).toEqual([]);
      await goTo(page, 'Honolulu, HI');
      await page.getByText('No scene of the last 20 days shows this place free of clouds.').waitFor();
      await goTo(page, 'Ames, IA');
      await page.getByText(`The scene of ${dayText(DATE)}`).waitFor();
      const asked = requests.filter(({ url }) => url.includes('latitude=42.03'));
      expect(asked).toHaveLength(1);
    },
    LIMIT_MS,
  );

  test(
    'lies under a field while it is drawn, and no longer',
    async () => {
      const { page, requests } = await openConsole({ session, isPhone: true, theme: 'dark', at: '#/add' });
      await goTo(page, 'Ames, IA');
      expect(requests.filter(({ url }) => url.includes('/console/scene.tiff'))).toEqual([]);
      await page.getByRole('button', { name: 'Draw a field' }).click();
      await page.getByText(`The scene of ${dayText(DATE)}`).waitFor();
      await eventually(async () => {
        expect(await picturedAround(page, [longitude, latitude])).toBeGreaterThan(0.9);
      });
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByText(`The scene of ${dayText(DATE)}`).waitFor({ state: 'detached' });
      await eventually(async () => {
        expect(await picturedAround(page, [longitude, latitude])).toBeLessThan(0.5);
      });
    },
    LIMIT_MS,
  );
});
