import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { newCustomer, submit, untilIngested } from '../contract/enrollmentCalls.js';
import { service, tokenOf } from '../contract/service.js';
import { aFeature } from '../enrollments/builders.js';
import { writeFarmlandScene } from '../support/farmlandScenes.js';
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
import { paintedAt, pixelOf } from './mapPlaces.js';
import { fieldNamesOf, newOwnTenant } from './ownTenant.js';

const { longitude, latitude } = service.pointOnSurface;
/** Days whose scenes nobody else looks for. */
const IMAGERY = { from: '2026-04-02', to: '2026-04-14' };
const SCENES = [
  { date: '2026-04-05', looksLike: '2026-06-12' },
  { date: '2026-04-10', looksLike: '2026-06-07' },
];
const combo = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });
const jobIn = (page: Page): string => page.url().split('/').at(-1) ?? '';

/** A field of four sides, north of the last one. */
const squareAt = (row: number) => {
  const [west, south] = [longitude, latitude + row * 0.008];
  const corners = [
    [west, south],
    [west + 0.008, south],
    [west + 0.008, south + 0.006],
    [west, south + 0.006],
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [corners] };
};

/** A file of three features, whose second is a line: no field is one. */
function fileWithOneBadFeature(): string {
  const line = { type: 'LineString', coordinates: squareAt(1).coordinates[0] };
  const feature = (name: string, geometry: object) => ({ type: 'Feature', properties: { name }, geometry });
  const features = [feature('Lower', squareAt(0)), feature('Drain', line), feature('Upper', squareAt(2))];
  return JSON.stringify({ type: 'FeatureCollection', features });
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Renames the chosen field, and takes a corner from its outline by buttons alone. */
async function changesField(page: Page): Promise<void> {
  const chosen = page.locator('.features .feature-on');
  await press(page, 'Rename the field');
  await page.getByLabel('New name of the field').fill('Top');
  await page.keyboard.press('Enter');
  await chosen.getByRole('button', { name: /^Top/ }).waitFor();
  const before = await chosen.locator('.figure').first().textContent();
  await press(page, 'Edit the outline');
  await press(page, 'Next corner');
  await page.getByText('Corner 1 of 4').waitFor();
  await press(page, 'Remove corner');
  expect(await axeFindings(page)).toEqual([]);
  await press(page, 'Save the outline');
  await eventually(async () => {
    expect(await chosen.locator('.figure').first().textContent()).not.toBe(before);
  });
  expect(await page.getByRole('button', { name: 'Remove corner' }).count()).toBe(0);
}

/** Deletes the chosen field, then all that there is: whoever is asked may keep it. */
async function deletesAll(page: Page): Promise<void> {
  await press(page, 'Delete the field');
  await page.getByText('Delete Top, with its seasons?').waitFor();
  await press(page, 'Keep it');
  await press(page, 'Delete the field');
  expect(await axeFindings(page)).toEqual([]);
  await press(page, 'Delete it');
  await page.locator('.features .feature', { hasText: 'Top' }).waitFor({ state: 'detached' });
  await press(page, 'Rename the farm');
  await page.getByLabel('New name of the farm').fill('Hill farm');
  await page.keyboard.press('Enter');
  await eventually(async () => {
    expect(await combo(page, 'Farm').inputValue()).toBe('Hill farm');
  });
  await press(page, 'Delete the farm');
  await press(page, 'Delete it');
  await press(page, 'Delete the party');
  await press(page, 'Delete it');
  await page.getByText('No party yet.').waitFor();
}

describeInBrowser('the console on farm data', () => {
  let session: Session;
  beforeAll(async () => {
    const { apiKey } = await newCustomer();
    session = { apiKey, token: service.jwt };
    const scenes = join(dirname(process.env['SERVICE_FILE'] ?? ''), 'scenes');
    for (const scene of SCENES) await writeFarmlandScene(scenes, service.pointOnSurface, scene);
  }, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'picks a field by name with keys alone, calculates its degree-days and lists them with it',
    async () => {
      const { page } = await openConsole({ session, at: '#/degree-days' });
      await tabTo(page, combo(page, 'Field'));
      expect(await combo(page, 'Party').inputValue()).toBe('Demo grower');
      await page.keyboard.type('ridge');
      await page.getByRole('option', { name: /^Ridge field, Iowa/ }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await combo(page, 'Field').inputValue()).toBe('');
      await page.keyboard.type('ridge');
      await page.keyboard.press('Enter');
      expect(await combo(page, 'Field').inputValue()).toMatch(/^Ridge field, Iowa/);
      await page.getByRole('region', { name: 'Map of the fields: click one to choose it' }).waitFor();
      await page.getByLabel('Planted').fill('2025-05-01');
      await page.getByLabel('Until').fill('2025-08-31');
      await page.keyboard.press('Enter');
      await page.locator('.season-figures').waitFor({ timeout: LIMIT_MS });
      const seasons = page.locator('.recent', { hasText: 'Seasons of this field' });
      await seasons.locator(`a[href$="${jobIn(page)}"][aria-current="true"]`).waitFor();
      expect(await seasons.textContent()).toMatch(/Corn1 May 2025 to 31 August 2025 · [\d,]+ °C·day/);
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'calculates the field that the map was left with, and lists it among the fields of the farm',
    async () => {
      const { apiKey } = await newCustomer();
      const features = ['North', 'South'].map((fieldId) => aFeature({ fieldId }));
      const submitted = await submit(features, {}, { apiKey });
      await untilIngested((submitted.json as { readonly enrollment_id: string }).enrollment_id, apiKey);
      const { page } = await openConsole({ session: { ...session, apiKey }, at: '#/fields/South' });
      await page.getByRole('heading', { name: 'South' }).waitFor();
      await views(page).getByRole('link', { name: 'Degree-days' }).click();
      const ofMap = page.getByLabel('A field of the map');
      for (const name of ['South', 'North']) {
        if (name === 'North') await ofMap.selectOption(name);
        else expect(await ofMap.inputValue()).toBe(name);
        // It has no seasons yet, and nothing is wrong with that.
        expect(await page.locator('.fault').count()).toBe(0);
        await combo(page, 'Field').waitFor({ state: 'detached' });
        await combo(page, 'Farm').fill('prairie');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Calculate' }).click();
        await page.getByRole('heading', { name: `${name}: Corn` }).waitFor({ timeout: LIMIT_MS });
        await eventually(async () => {
          expect([await combo(page, 'Field').inputValue(), await ofMap.inputValue()]).toEqual([name, '']);
        });
      }
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'saves a found boundary as a field of the farm, once, and shows it there',
    async () => {
      const { page } = await openConsole({ session, at: '#/boundary' });
      await combo(page, 'Farm').fill('prairie');
      await page.keyboard.press('Enter');
      await page.getByLabel('Imagery from').fill(IMAGERY.from);
      await page.getByLabel('to', { exact: true }).fill(IMAGERY.to);
      await page.getByLabel('Place, latitude and longitude').fill(`${latitude}, ${longitude}`);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.locator('.figures').waitFor({ timeout: LIMIT_MS * 2 });
      const name = page.getByRole('textbox', { name: 'Name it, to enrol it or save it' });
      for (const wanted of ['Found first', 'Found and renamed']) {
        await name.fill(wanted);
        await page.getByRole('button', { name: 'Save as field' }).click();
        await page.getByRole('button', { name: 'Saved as field' }).waitFor();
      }
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Show it in Farms' }).click();
      const row = page.locator('.feature-on', { hasText: 'Found and renamed' });
      await row.getByText(/^Smart Boundary · changed on/).waitFor();
      expect(await combo(page, 'Farm').inputValue()).toBe('Prairie and Plains');
      const names = await fieldNamesOf(service.partyId, service.jwt);
      expect(names.filter((each) => each.startsWith('Found'))).toEqual(['Found and renamed']);
      // The region that was searched is nobody's field.
      expect(await page.locator('.features .feature').count()).toBeLessThan(names.length);

      await row.getByRole('button', { name: 'Enrol' }).click();
      await page.getByText('1 field without a fault').waitFor();
    },
    LIMIT_MS * 3,
  );

  test(
    'begins with nothing: a party and a farm are created, a file is imported, its fields shown, changed and deleted',
    async () => {
      const token = await newOwnTenant();
      const own = { apiKey: session.apiKey, token };
      const { page } = await openConsole({ session: own, at: '#/degree-days' });
      await page.getByText('No party yet').waitFor();
      await page.getByRole('link', { name: 'Go to Farms' }).click();
      await page.getByText('No party yet.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'New party' }).click();
      await page.getByLabel('Name of the party').fill('Nygaard <b>Farming</b>');
      await page.keyboard.press('Enter');
      await page.getByText('No field here yet').waitFor();
      await page.getByRole('button', { name: 'New farm' }).click();
      await page.getByLabel('Name of the farm').fill('Home farm');
      await page.keyboard.press('Enter');
      await eventually(async () => {
        expect(await combo(page, 'Party').inputValue()).toBe('Nygaard <b>Farming</b>');
        expect(await combo(page, 'Farm').inputValue()).toBe('Home farm');
      });

      await page.getByRole('button', { name: 'Import' }).click();
      await page.locator('input[type="file"]').setInputFiles({
        name: 'fields.geojson',
        mimeType: 'application/geo+json',
        buffer: Buffer.from(fileWithOneBadFeature()),
      });
      await page.getByText('2 fields imported, 1 not').waitFor({ timeout: LIMIT_MS });
      const faults = page.getByRole('list', { name: 'Features that were not imported' });
      expect(await faults.getByRole('listitem').count()).toBe(1);
      expect(await faults.textContent()).toMatch(/^Feature 2.*InvalidRequest/);
      const fields = page.getByRole('list', { name: 'Fields', exact: true });
      await fields.getByRole('button', { name: /^Lower/ }).waitFor();
      expect(await fields.getByRole('button').allTextContents()).toEqual([
        expect.stringMatching(/^Lower\d+\.\d ha$/),
        expect.stringMatching(/^Upper\d+\.\d ha$/),
      ]);
      const at = await pixelOf(page, [longitude + 0.004, latitude]);
      await eventually(async () => {
        expect(await paintedAt(page, '.map-fields canvas', at)).toBe(true);
      });
      expect(await axeFindings(page)).toEqual([]);

      await fields.getByRole('button', { name: /^Upper/ }).click();
      expect(page.url()).toMatch(/#\/farms\/[^/]+\/[^/]+\/[^/]+$/);
      await changesField(page);
      await page.reload();
      await fields.getByRole('link', { name: 'Degree-days' }).click();
      await eventually(async () => {
        expect(await combo(page, 'Field').inputValue()).toBe('Top');
      });
      await page.goBack();
      await deletesAll(page);
    },
    LIMIT_MS * 2,
  );

  test(
    'fits a phone in the dark, and chooses a field on the map',
    async () => {
      const { page } = await openConsole({
        session,
        theme: 'dark',
        isPhone: true,
        at: `#/farms/${service.partyId}/${service.farmId}`,
      });
      await page.locator('.features .feature').first().waitFor();
      await page.locator('.map[data-view]').waitFor();
      await eventually(async () => {
        // Where the map is now: what is drawn above it later moves it.
        const [x, y] = await pixelOf(page, [longitude, latitude]);
        await page.mouse.click(x, y);
        await page.locator('.feature-on').waitFor({ timeout: 2_000 });
      });
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await page.getByRole('button', { name: 'Import' }).click();
      expect(await sideways(page)).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'lets people read who may not write, and asks those for ids who may not read',
    async () => {
      const readers = { ...session, token: tokenOf('demo', '--roles', 'Jobs.ReadWrite,Farm.Read') };
      const reading = await openConsole({ session: readers, at: '#/farms' });
      await reading.page.locator('.features .feature').first().waitFor();
      expect(await reading.page.getByRole('button', { name: /^(New|Import)/ }).count()).toBe(0);

      const jobs = { ...session, token: tokenOf('demo', '--roles', 'Jobs.ReadWrite') };
      const plain = await openConsole({ session: jobs, at: '#/degree-days' });
      await plain.page.getByLabel('Party id').waitFor();
      expect(await views(plain.page).getByRole('link', { name: 'Farms' }).count()).toBe(0);
      expect(plain.requests.filter(({ url }) => url.includes('/parties'))).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'says what could not be read, and reads it again when asked to',
    async () => {
      const { page, context } = await openConsole({
        session,
        at: '#/degree-days',
        prepare: (prepared) =>
          prepared.route(/\/parties\?/, (route) =>
            route.fulfill({ status: 500, json: { error: { code: 'InternalError', message: 'No list today.' } } }),
          ),
      });
      await page.getByText('Your farms could not be listed').waitFor();
      // The ids can be typed meanwhile.
      await page.getByLabel('Party id').waitFor();
      await context.unroute(/\/parties\?/);
      await context.route(/fields\.geojson/, (route) =>
        route.fulfill({ status: 500, json: { error: { code: 'InternalError', message: 'No map today.' } } }),
      );
      await page.getByRole('button', { name: 'Try again' }).click();
      await combo(page, 'Field').fill('ridge');
      await page.getByRole('option', { name: /^Ridge field, Iowa/ }).click();
      await page.goto(`${service.baseUrl}/console/#/farms`);
      await page.locator('.fault', { hasText: 'The map could not be filled' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await context.unroute(/fields\.geojson/);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('The map could not be filled').waitFor({ state: 'detached' });
    },
    LIMIT_MS,
  );
});
