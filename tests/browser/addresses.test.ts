import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { service } from '../contract/service.js';
import { axeFindings, closeConsoles, describeInBrowser, LIMIT_MS, openConsole, type Session } from './consolePage.js';
import { aFarm, at, DAYS, FARM_LIMIT_MS, NORTH } from './farm.js';
import { untilDrawn } from './mapPlaces.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describeInBrowser('an address that names something that is not there', () => {
  let session: Session;
  beforeAll(async () => {
    const { apiKey } = await aFarm();
    session = { apiKey, token: service.jwt };
  }, FARM_LIMIT_MS + LIMIT_MS);
  afterEach(closeConsoles);

  /** What must not be shown in the place of what is named. */
  const OTHERS = '.dock, .card-chosen, .season-figures, .feature-on';

  test.each([
    { of: 'a field', address: at('Sold Field', DAYS[0]), says: 'You have no field “Sold Field”' },
    { of: 'a view', address: '#/harvest/x', says: 'The console has no view “harvest”' },
    { of: 'an enrollment', address: `#/enrollments/${NOBODY}`, says: `You have no enrollment ${NOBODY}` },
    { of: 'an enrollment by what is no id', address: '#/enrollments/spring', says: 'You have no enrollment spring' },
    { of: 'a season', address: `#/degree-days/${NOBODY}`, says: 'This season is not there' },
    { of: 'a party', address: `#/farms/${NOBODY}`, says: `You have no party ${NOBODY}` },
    { of: 'a farm', address: `#/farms/${service.partyId}/${NOBODY}`, says: `You have no farm ${NOBODY}` },
    {
      of: 'a field of a farm',
      address: `#/farms/${service.partyId}/*/${NOBODY}`,
      says: `You have no field here ${NOBODY}`,
    },
    {
      of: 'the party of a season',
      address: `#/degree-days/${NOBODY}/*/${NOBODY}`,
      says: `You have no party ${NOBODY}`,
    },
    {
      of: 'the field of a season',
      address: `#/degree-days/${service.partyId}/*/${NOBODY}`,
      says: `You have no field here ${NOBODY}`,
    },
    {
      of: 'the field of a boundary',
      address: `#/boundary/${service.partyId}/${service.farmId}/${NOBODY}`,
      says: `You have no field ${NOBODY}`,
    },
  ])(
    'says so and shows no other: $of',
    async ({ address, says }) => {
      const { page } = await openConsole({ session, at: address });
      await page.getByText(says).first().waitFor();
      expect(await page.locator(OTHERS).count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expect(new URL(page.url()).hash).toBe(address);
    },
    LIMIT_MS,
  );

  test.each([
    { of: 'a layer', address: at(NORTH, DAYS[0], 'moisture'), says: '“moisture” in the address is no day' },
    { of: 'a day', address: at(NORTH, '2026-02-31'), says: '“2026-02-31” in the address is no day' },
    {
      of: 'a day to compare with',
      address: `${at(NORTH, DAYS[0])}/vs-2020-01-01`,
      says: 'no picture of 1 January 2020',
    },
  ])(
    'says so beside what else it names: $of',
    async ({ address, says }) => {
      const { page } = await openConsole({ session, at: address });
      await untilDrawn(page);
      await page.getByText(says).waitFor();
      expect(await page.locator('.dock h2').textContent()).toBe(NORTH);
      // What is looked at next is another address.
      const stop = page.getByRole('button', { name: 'Stop comparing' });
      await ((await stop.count()) > 0 ? stop : page.locator('.field-rows li').last()).click();
      await page.getByText(says).waitFor({ state: 'detached' });
    },
    LIMIT_MS,
  );

  test(
    'leaves all other fields as they are',
    async () => {
      const { page } = await openConsole({ session, at: at('Sold Field', DAYS[0]) });
      await page.getByRole('button', { name: /^Picture 5$/ }).waitFor();
    },
    LIMIT_MS,
  );

  test(
    'is of an enrollment that is older than those of the first page, which is shown above them',
    async () => {
      const { page } = await openConsole({
        session,
        at: '#/enrollments',
        prepare: (context) =>
          context.route(/\/v1\/enrollments\?/, (route) => route.fulfill({ json: { items: [], cursor: null } })),
      });
      await page.getByText('Nothing was enrolled yet').waitFor();
      const { items } = (await (
        await fetch(`${service.baseUrl}/v1/enrollments?limit=1`, { headers: { 'api-key': session.apiKey } })
      ).json()) as { readonly items: readonly { readonly enrollment_id: string }[] };
      await page.goto(`${service.baseUrl}/console/#/enrollments/${items[0]?.enrollment_id}`);
      await page.locator('.card-chosen').getByText('5 fields').waitFor();
      expect(await page.getByText('Nothing was enrolled yet').count()).toBe(0);
    },
    LIMIT_MS,
  );
});
