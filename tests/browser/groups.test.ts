import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { positionOf } from '../support/sceneFiles.js';
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
import { aFarm, DAYS, FARM_LIMIT_MS, features, GRID } from './farm.js';
import { untilDrawn } from './mapPlaces.js';

const [, HALF] = DAYS;
const CLIENTS = { 'East 1': 'Müller & Söhne', 'East 2': 'Müller & Söhne', 'East 10': 'O’Brien: north' };
const NAMES = Object.keys(CLIENTS);

/** Fields in the half that has no cloud on the second day, with their clients as a file of an adviser has them. */
const fileOfClients = (): { readonly name: string; readonly mimeType: string; readonly buffer: Buffer } => {
  const fields = Object.entries(CLIENTS).map(([name, Client], index) => {
    const [left, top] = [380 + 40 * index, 300];
    const corners = [[left, top] as const, [left, top + 30] as const, [left + 30, top + 30] as const];
    const ring = [...corners, [left + 30, top] as const, [left, top] as const].map((corner) =>
      positionOf(GRID, corner),
    );
    return { type: 'Feature', properties: { name, Client }, geometry: { type: 'Polygon', coordinates: [ring] } };
  });
  const buffer = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: fields }));
  return { name: 'clients.geojson', mimeType: 'application/geo+json', buffer };
};

const listed = (page: Page): Promise<string[]> => page.locator('.field-name b').allTextContents();
const lists = (page: Page, names: readonly string[]): Promise<void> =>
  eventually(async () => {
    expect(await listed(page)).toEqual(names);
  });
const choice = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true });

describeInBrowser('the fields of several clients', () => {
  let session: Session;
  beforeAll(async () => {
    session = await aFarm();
  }, FARM_LIMIT_MS + LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'are grouped by a property of their file, shown by themselves on their newest day, and filtered by an address',
    async () => {
      const { page, requests } = await openConsole({ session, at: '#/add' });
      await page.locator('input[type=file]').setInputFiles(fileOfClients());
      await page.getByText('3 fields without a fault').waitFor();
      await page.getByLabel('Its group, such as farm or client, is in').selectOption('Client');
      await page.locator('.feature-name', { hasText: 'East 1 · Müller & Söhne' }).first().waitFor();
      await page.getByLabel('From').fill('2026-06-01');
      await page.getByLabel('Until').fill('2026-06-08');
      await page.getByText('3 fields without a fault').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Enrol 3 fields' }).click();
      await page.getByText(/^3 of 3 with a picture · /).waitFor({ timeout: FARM_LIMIT_MS });

      // Those that were enrolled alone, though others have newer pictures.
      await page.locator('.card-chosen').getByRole('link', { name: 'Show the fields' }).click();
      await lists(page, NAMES);
      await page.locator('.day-now', { hasText: '7 June 2026' }).waitFor();
      await page.waitForURL(`**/${HALF}/ndvi/enrollment**`);
      await untilDrawn(page);
      const pictures = requests.map(({ url }) => decodeURIComponent(url)).filter((url) => url.includes('.tiff'));
      expect(pictures.some((url) => url.includes('/East 10/'))).toBe(true);
      expect(pictures.filter((url) => !url.includes('/East '))).toEqual([]);

      await choice(page, 'Group').selectOption('Müller & Söhne (2)');
      await lists(page, ['East 1', 'East 2']);
      await page.locator('.dock-field', { hasText: 'Müller & Söhne' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const { page: another } = await openConsole({ session, at: new URL(page.url()).hash });
      await lists(another, ['East 1', 'East 2']);
      const chosen = choice(another, 'Enrollment').locator('option:checked');
      await eventually(async () => {
        expect(await chosen.textContent()).toMatch(/^3 fields · /);
      });

      await choice(page, 'Enrollment').selectOption('All enrollments');
      await lists(page, ['East 1', 'East 2']);
      await choice(page, 'Group').selectOption(`Without a group (${features.length})`);
      await eventually(async () => {
        expect(await listed(page)).toHaveLength(features.length);
      });
      await choice(page, 'Group').selectOption('All groups');
      await eventually(async () => {
        expect(await listed(page)).toHaveLength(features.length + NAMES.length);
      });
      await page.waitForURL(({ hash }) => !/group|enrollment/.test(hash));
    },
    FARM_LIMIT_MS + LIMIT_MS,
  );

  test(
    'are filtered on a phone as well; a group that nobody has is said to be none',
    async () => {
      const { page } = await openConsole({
        session,
        isPhone: true,
        at: `#/fields/${encodeURIComponent('group:Nobody')}`,
      });
      await page.getByText('No field is of the group and the enrollment that are chosen').waitFor();
      await page.getByRole('button', { name: 'Find' }).click();
      await choice(page, 'Group').selectOption('O’Brien: north (1)');
      await lists(page, ['East 10']);
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
    },
    LIMIT_MS,
  );
});
