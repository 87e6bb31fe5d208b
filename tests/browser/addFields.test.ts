import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { zipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { newCustomer } from '../contract/enrollmentCalls.js';
import { dbfFile, shpFile, WGS84, zipped } from '../farm/shapefiles.js';
import { positionOf } from '../support/sceneFiles.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  LIMIT_MS,
  openConsole,
  sideways,
  type Session,
} from './consolePage.js';
import { GRID, newSession } from './farm.js';
import { untilCentred } from './mapPlaces.js';

type Corner = readonly [column: number, row: number];
const feature = (fieldId: unknown, corners: readonly Corner[]): object => ({
  type: 'Feature',
  properties: { field_id: fieldId },
  geometry: { type: 'Polygon', coordinates: [corners.map((corner) => positionOf(GRID, corner))] },
});
const square = (left: number, top: number, side: number): readonly Corner[] => [
  [left, top],
  [left, top + side],
  [left + side, top + side],
  [left + side, top],
  [left, top],
];
const file = (name: string, content: unknown) => ({
  name,
  mimeType: 'application/geo+json',
  buffer: Buffer.isBuffer(content)
    ? content
    : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});
const collection = (...features: readonly object[]): object => ({ type: 'FeatureCollection', features });
const good = feature('East Meadow', square(400, 80, 30));
const second = feature('West Meadow', square(440, 80, 30));

const choose = (page: Page, chosen: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(chosen);

/** Files that are refused whole, and what is said of them. */
const UNUSABLE = [
  { why: 'is no JSON', content: '{"type": ', text: 'This file is not JSON' },
  { why: 'is nested without end', content: '['.repeat(200_000), text: 'This file is not JSON' },
  { why: 'is another kind of GeoJSON', content: good, text: 'must be FeatureCollection' },
  { why: 'has no features', content: collection(), text: 'at least one feature' },
  {
    why: 'has another reference system',
    content: { ...collection(good), crs: { type: 'name', properties: { name: 'EPSG:3857' } } },
    text: 'convert the file to WGS 84',
  },
  {
    why: 'has an id that is markup',
    content: collection(feature('<img src=x onerror=alert(1)>', square(400, 80, 30))),
    text: 'must not hold any of',
  },
  {
    why: 'has an id twice',
    content: collection(good, { ...second, properties: { field_id: 'EAST MEADOW' } }),
    text: 'is the name of feature 0 too',
  },
];

describeInBrowser('the console’s Add fields', () => {
  let session: Session;
  beforeAll(async () => {
    session = await newSession();
  }, LIMIT_MS);
  afterEach(closeConsoles);

  test(
    'shows each fault of a field at the field and at its place, by the service’s codes, and enrols the others',
    async () => {
      const { page } = await openConsole({ session, at: '#/add' });
      const bow: readonly Corner[] = [
        [480, 80],
        [500, 110],
        [500, 80],
        [480, 110],
        [480, 80],
      ];
      const hole = {
        ...feature('Hole', []),
        geometry: {
          type: 'Polygon',
          coordinates: [square(400, 150, 30), square(440, 150, 5)].map((ring) =>
            ring.map((corner) => positionOf(GRID, corner)),
          ),
        },
      };
      await choose(
        page,
        file(
          'meadows.geojson',
          collection(
            good,
            feature('Bow', bow),
            feature('Open', square(480, 150, 20).slice(0, 4)),
            hole,
            feature('Tiny', square(400, 220, 0.5)),
            second,
          ),
        ),
      );
      const faults = page.locator('.feature-fault code');
      await faults.first().waitFor();
      expect(await faults.allTextContents()).toEqual([
        'self_crossing',
        'ring_not_closed',
        'hole_outside',
        'area_too_small',
      ]);
      await page.getByRole('status').getByText('4 of 6 fields with a fault').waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await page.locator('.feature-name', { hasText: 'Bow' }).click();
      await untilCentred(page, positionOf(GRID, [490, 95]));

      await page.getByRole('button', { name: 'Leave out 4 fields with faults' }).click();
      // A name that is changed stays when somebody looks elsewhere meanwhile.
      await page.getByRole('button', { name: 'Rename East Meadow' }).click();
      await page.getByLabel('New name of East Meadow').fill('Long Meadow');
      await page.keyboard.press('Enter');
      await page.getByText('2 fields without a fault').waitFor();
      // A good one may be left out as well, and come back with all others.
      await page.getByRole('button', { name: 'Leave out West Meadow' }).click();
      await page.getByText('1 field without a fault').waitFor();
      await page.getByRole('button', { name: 'Take back 5 fields left out' }).click();
      await page.getByRole('button', { name: 'Leave out 4 fields with faults' }).click();
      await page.getByText('2 fields without a fault').waitFor();
      await page.getByRole('link', { name: 'Enrollments' }).click();
      await page.goBack();
      await page.locator('.feature-name', { hasText: 'Long Meadow' }).waitFor();
      await page.getByRole('button', { name: 'Enrol 2 fields' }).click();
      await page.waitForURL(/#\/enrollments\/[0-9a-f-]{36}$/);
    },
    LIMIT_MS,
  );

  test(
    'replaces what names can’t have by one press, and makes several enrollments of more fields than one takes',
    async () => {
      const { apiKey } = await newCustomer(2);
      const { page } = await openConsole({ session: { ...session, apiKey }, at: '#/add' });
      const names = ['Hill 7/1', 'Hill 7:1', 'Dale'];
      const fields = names.map((name, at) => feature(name, square(400 + at * 40, 80, 30)));
      await choose(page, file('fields.json', collection(...fields)));
      await page.getByText('Hill 7:1 → Hill 7-1 2').waitFor();
      await page.locator('.feature-fault', { hasText: 'the name must not hold any of' }).first().waitFor();
      expect(await page.locator('.feature-sign:not(.feature-bad) svg').count()).toBe(1);
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Replace them in all names' }).click();
      await page.getByText('3 fields without a fault').waitFor();
      await page.getByText('These become 2 enrollments').waitFor();
      await page.getByLabel('Description, if you like').fill('Hills');
      await page.getByRole('button', { name: 'Enrol 3 fields' }).click();
      await page.getByRole('heading', { name: 'Hills (2 of 2)' }).waitFor();
      await page.getByRole('heading', { name: 'Hills (1 of 2)' }).waitFor();
      expect(await page.locator('.card').count()).toBe(2);
    },
    LIMIT_MS,
  );

  test(
    'takes KMZ and zipped shapefiles, says what it leaves out and which map it does not know',
    async () => {
      const { page, context } = await openConsole({ session, at: '#/add' });
      const sent: string[] = [];
      await context.route(/\/v1\/enrollments\?dry_run=true/, (route) => {
        sent.push(route.request().postData() ?? '');
        return route.continue();
      });
      const corners = square(400, 80, 30).map((corner) => positionOf(GRID, corner));
      const ring = corners.map((corner) => `${corner.join(',')},231`).join(' ');
      const polygon = `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
      const gate = '<Placemark><name>Gate</name><Point><coordinates>9,55</coordinates></Point></Placemark>';
      const kml = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Meadow of KMZ</name>${polygon}</Placemark>${gate}</Document></kml>`;
      await choose(page, file('fields.kmz', Buffer.from(zipSync({ 'doc.kml': new TextEncoder().encode(kml) }))));
      await page.locator('.feature-name', { hasText: 'Meadow of KMZ' }).waitFor();
      await page.getByText('1 of 2 placemarks are left out').waitFor();
      await page.getByText('1 field without a fault').waitFor();
      expect(sent.at(-1)).toContain('Meadow of KMZ');

      const parts = {
        'fields.shp': shpFile([[corners.toReversed()]]),
        'fields.dbf': dbfFile([{ name: 'NAME' }], [['Søndermark']]),
        'fields.prj': WGS84,
      };
      await choose(page, file('fields.zip', zipped(parts)));
      await page.locator('.feature-name', { hasText: 'Søndermark' }).waitFor();
      await page.getByText('1 field without a fault').waitFor();
      await choose(page, file('other.zip', zipped({ ...parts, 'fields.prj': 'LOCAL_CS["mine"]' })));
      await page.getByText('Convert the shapefile: ogr2ogr').waitFor();
      expect(await page.getByRole('button', { name: /^Enrol/ }).isDisabled()).toBe(true);
    },
    LIMIT_MS,
  );

  test(
    'says what is wrong with a file as a whole, its own words as text',
    async () => {
      const { page } = await openConsole({ session, at: '#/add' });
      for (const { why, content, text } of UNUSABLE) {
        await choose(page, file(`${why}.json`, content));
        await page.locator('.split-panel', { hasText: `${why}.json` }).waitFor();
        await page.locator('.split-panel :is(.fault, .feature-fault)', { hasText: text }).first().waitFor();
        expect(await page.getByRole('button', { name: /^Enrol/ }).isDisabled()).toBe(true);
      }
      expect(await page.locator('img').count()).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'does not read a file of more than 50 MB',
    async () => {
      const { page, requests } = await openConsole({ session, at: '#/add' });
      await page.locator('input[type=file]').evaluate((input: HTMLInputElement) => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(51 * 1024 * 1024)], 'large.geojson'));
        input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await page.getByText('The file has 51 MB; at most 50 MB are allowed.').waitFor();
      expect(requests.filter(({ url }) => url.includes('/v1/enrollments'))).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'shows what is wrong with the period at its input, and checks again when it changes',
    async () => {
      const { page } = await openConsole({ session, at: '#/add' });
      await choose(page, file('fields.json', collection(good)));
      await page.getByRole('button', { name: 'Enrol 1 field' }).waitFor();
      await page.getByLabel('Until').fill('2026-01-01');
      await page.getByText('is before the first day; it must be the same day or later').waitFor();
      expect(await page.getByLabel('Until').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('From').fill('2025-12-01');
      await page.getByText('1 field without a fault').waitFor();
    },
    LIMIT_MS,
  );

  test(
    'counts down when the service wants it later, and goes on by itself: a check changes nothing',
    async () => {
      const { page, context } = await openConsole({ session, at: '#/add' });
      let calls = 0;
      await context.route(/\/v1\/enrollments\?dry_run=true/, async (route) => {
        calls += 1;
        if (calls > 1) return route.continue();
        const json = {
          code: 'TooManyRequests',
          message: 'Too many submissions.',
          trace_id: '0'.repeat(32),
          details: null,
        };
        return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json });
      });
      // It is counted for a second, which may be over before this test gets its turn again.
      const counted = page.getByText(/Trying again in \d s/).waitFor();
      await choose(page, file('fields.json', collection(good)));
      await counted;
      await page.getByText('1 field without a fault').waitFor();
    },
    LIMIT_MS,
  );

  test(
    'makes one enrollment though the answer to the first was lost',
    async () => {
      const { page, context } = await openConsole({ session: await newSession(), at: '#/add' });
      const keys: (string | undefined)[] = [];
      await context.route(/\/v1\/enrollments$/, async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        if (keys.length > 1) return route.continue();
        await route.fetch();
        return route.abort('connectionreset');
      });
      await choose(page, file('fields.json', collection(good)));
      await page.getByRole('button', { name: 'Enrol 1 field' }).click();
      await page.waitForURL(/#\/enrollments\/[0-9a-f-]{36}$/);
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]);
    },
    LIMIT_MS,
  );

  test.each([
    { theme: 'light', isPhone: false },
    { theme: 'dark', isPhone: true },
  ] as const)(
    'has no finding of axe and doesn’t scroll sideways: $theme, phone $isPhone',
    async ({ theme, isPhone }) => {
      const { page } = await openConsole({ session, theme, isPhone, at: '#/add' });
      await page.getByText('Drop a file of fields here').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await choose(page, file('fields.json', collection(good, second)));
      await page.getByText('2 fields without a fault').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
    },
    LIMIT_MS,
  );
});
