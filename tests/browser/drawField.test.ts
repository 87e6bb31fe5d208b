import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Polygon, Position } from '../../shared/geo/shapes/geoJson.js';
import { polygonAreaHa } from '../../shared/geo/grid/polygonArea.js';
import { service } from '../contract/service.js';
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
import { GRID, newSession } from './farm.js';
import { moveByKeys, pixelOf, untilInView } from './mapPlaces.js';

type Corner = readonly [column: number, row: number];
const CORNERS: readonly Corner[] = [
  [440, 80],
  [440, 110],
  [470, 110],
  [470, 80],
];
const places = CORNERS.map((corner) => positionOf(GRID, corner));
const closed = (ring: readonly Position[]): Polygon => ({
  type: 'Polygon',
  coordinates: [[...ring, ...ring.slice(0, 1)]],
});
const ofFile = {
  type: 'Feature',
  properties: { Parcel: 'Of the file' },
  geometry: closed(
    (
      [
        [400, 80],
        [400, 110],
        [430, 110],
        [430, 80],
      ] as const
    ).map((corner) => positionOf(GRID, corner)),
  ),
};
/** Its names are not where the service reads them. */
const FILE = {
  name: 'parcels.geojson',
  mimeType: 'application/geo+json',
  buffer: Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: [ofFile] })),
};

const begin = (page: Page): Promise<void> => page.getByRole('button', { name: 'Draw a field' }).click();
const cornersSet = (page: Page, text: string): Promise<void> => page.getByText(text, { exact: true }).waitFor();

/** Clicks places of the map one after the other, each once the one before is a corner. */
async function clickCorners(page: Page, corners: readonly Position[]): Promise<void> {
  for (const [index, place] of corners.entries()) {
    await page.mouse.click(...(await pixelOf(page, place)));
    await cornersSet(page, index === 0 ? '1 corner set' : `${index + 1} corners set`);
  }
}

interface SentField {
  readonly properties: { readonly field_id: string };
  readonly geometry: Polygon;
}

/** The fields of each check that the page asks for. */
async function openWithFile(session: Session): Promise<{ readonly page: Page; readonly sent: SentField[][] }> {
  const { page, context } = await openConsole({ session, at: '#/add' });
  const sent: SentField[][] = [];
  await context.route(/\/v1\/enrollments\?dry_run=true/, (route) => {
    const [, collection = '{}'] =
      /\r\n\r\n(\{"type":"FeatureCollection".*\})\r\n/.exec(route.request().postData() ?? '') ?? [];
    sent.push((JSON.parse(collection) as { readonly features: SentField[] }).features);
    return route.continue();
  });
  await page.locator('input[type=file]').setInputFiles(FILE);
  await page.getByText('1 field without a fault').waitFor();
  for (let steps = 0; steps < 2; steps += 1) await page.getByRole('button', { name: 'Zoom out' }).click();
  await untilInView(page, places);
  return { page, sent };
}

describeInBrowser('a field that is drawn in the console', () => {
  let session: Session;
  beforeAll(async () => {
    session = await newSession();
  }, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'is drawn corner by corner, adjusted and undone, named, and enrolled beside those of files',
    async () => {
      const { page, sent } = await openWithFile(session);
      await begin(page);
      await clickCorners(page, places.slice(0, 3));
      await page.keyboard.press('Backspace');
      await cornersSet(page, '2 corners set');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('An outline has three corners or more').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.mouse.click(...(await pixelOf(page, places[2]!)));
      await cornersSet(page, '3 corners set');
      const before = await page.locator('.map').getAttribute('data-view');
      await page.mouse.dblclick(...(await pixelOf(page, places[3]!)));
      const name = page.getByLabel(/^Name of the field, /);
      await name.waitFor();
      // The double click that ends it brings nothing nearer.
      expect(await page.locator('.map').getAttribute('data-view')).toBe(before);

      const area = await name.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent);
      await page.getByRole('button', { name: 'Next corner' }).click();
      await page.getByText('Corner 1 of 4').waitFor();
      await page.getByRole('button', { name: 'Remove corner' }).click();
      await page.getByText('Corner 1 of 3').waitFor();
      await page.keyboard.press('Control+z');
      await page.getByText('Corner 1 of 4').waitFor();
      expect(await name.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent)).toBe(area);
      expect(await page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true);
      expect(await axeFindings(page)).toEqual([]);

      await name.fill('Drawn by hand');
      await page.keyboard.press('Enter');
      await page.getByText('2 fields without a fault').waitFor();
      expect(sent.at(-1)?.map(({ properties }) => properties.field_id)).toEqual(['Of the file', 'Drawn by hand']);
      const { geometry } = sent.at(-1)?.[1] ?? {};
      expect(polygonAreaHa(geometry!) / polygonAreaHa(closed(places))).toBeCloseTo(1, 1);

      // It stays when another file is chosen, and when the view is left.
      await page.locator('input[type=file]').setInputFiles({ ...FILE, name: 'again.geojson' });
      await page.getByText('again.geojson').waitFor();
      await page.getByText('2 fields without a fault').waitFor();
      await page.getByRole('link', { name: 'Enrollments' }).click();
      await page.goBack();
      await page.locator('.feature-name', { hasText: 'Drawn by hand' }).waitFor();
      await page.getByRole('button', { name: 'Enrol 2 fields' }).click();
      await page.waitForURL(/#\/enrollments\/[0-9a-f-]{36}$/);
    },
    LIMIT_MS,
  );

  test(
    'is drawn where a town lies that is typed by its name, which is asked of nobody',
    async () => {
      const { page, requests } = await openConsole({ session, at: '#/add' });
      const place = page.getByRole('combobox', { name: 'Go to a place' });
      await place.click();
      await page.keyboard.type('ames, ia');
      await page.getByRole('option', { name: 'Ames, IA, United States' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await untilInView(page, [[-93.62, 42.03]]);
      expect(await place.inputValue()).toBe('Ames, IA, United States');
      const elsewhere = requests.map(({ url }) => new URL(url).origin).filter((origin) => origin !== service.baseUrl);
      expect(elsewhere.filter((origin) => origin !== new URL(service.blobEndpoint).origin)).toEqual([]);
      await page.getByText('GeoNames (CC BY 4.0). Where yours is missing').waitFor();
    },
    LIMIT_MS,
  );

  test(
    'does not cross itself: neither drawn so nor dragged so',
    async () => {
      const { page } = await openWithFile(session);
      await begin(page);
      const [one, two, three, four] = places as [Position, Position, Position, Position];
      await clickCorners(page, [one, three, two, four]);
      await page.getByRole('button', { name: 'End outline' }).click();
      await page.getByRole('alert').getByText('The outline crosses itself').waitFor();
      for (let steps = 0; steps < 3; steps += 1) await page.getByRole('button', { name: 'Take corner back' }).click();
      await cornersSet(page, '1 corner set');
      await page.mouse.click(...(await pixelOf(page, two)));
      await page.mouse.click(...(await pixelOf(page, three)));
      await page.mouse.click(...(await pixelOf(page, four)));
      await cornersSet(page, '4 corners set');
      await page.getByRole('button', { name: 'End outline' }).click();
      const name = page.getByLabel(/^Name of the field, /);
      const area = await name.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent);
      const [from, past] = [await pixelOf(page, one), await pixelOf(page, positionOf(GRID, [500, 95]))];
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(from[0] + 10, from[1] + 10);
      await page.mouse.move(...past);
      await page.mouse.up();
      await page.getByRole('alert').getByText('it stays as it was').waitFor();
      expect(await name.evaluate((input: HTMLInputElement) => input.labels?.[0]?.textContent)).toBe(area);
      await page.getByRole('button', { name: 'Discard it' }).click();
      await page.getByText('1 field without a fault').waitFor();
      expect(await page.locator('.feature-name').count()).toBe(1);
    },
    LIMIT_MS,
  );

  test(
    'is drawn by keys alone, and on a phone before there is any file',
    async () => {
      const { page } = await openConsole({ session, isPhone: true, at: '#/add' });
      await begin(page);
      const map = page.locator('.map');
      await eventually(async () => {
        expect(await map.evaluate((element) => element === document.activeElement)).toBe(true);
      });
      await page.keyboard.press('Space');
      await page.keyboard.press('Escape');
      await begin(page);
      for (const [index, key] of ['ArrowRight', 'ArrowDown', 'ArrowLeft'].entries()) {
        await page.keyboard.press('Space');
        await cornersSet(page, index === 0 ? '1 corner set' : `${index + 1} corners set`);
        await moveByKeys(page, key);
      }
      await page.keyboard.press('Space');
      await cornersSet(page, '4 corners set');
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
      await page.keyboard.press('Enter');
      await page.getByLabel(/^Name of the field, /).fill('By keys');
      await page.keyboard.press('Enter');
      // As large as the world is shown, it is no field; that is for the service to say.
      await page.locator('.feature-name', { hasText: 'By keys' }).waitFor();
      await page.locator('.feature-fault').first().waitFor();
    },
    LIMIT_MS,
  );
});
