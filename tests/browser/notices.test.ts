import { afterEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { eventExamples } from '../../functions/events/examples.js';
import {
  deliveryPageExample,
  pingExample,
  webhookExample,
  webhookWithSecretExample,
} from '../../functions/webhooks/examples.js';
import { service } from '../contract/service.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  LIMIT_MS,
  openConsole,
  sideways,
  tabTo,
} from './consolePage.js';

const session = { apiKey: service.apiKey, token: service.jwt };
const { id } = webhookExample;
const disabled = { ...webhookExample, status: 'disabled', disabled_reason: 'gone_410', pending_events: 1000 };

/** A service whose operator has switched notices on, or not. */
const switchNotices = (context: BrowserContext, notices: boolean): Promise<unknown> =>
  context.route('**/console/settings.json', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), notices } });
  });

/** A service that tells of events: its answers are those of the OpenAPI document. */
async function withNotices(context: BrowserContext): Promise<readonly string[]> {
  const asked: string[] = [];
  let webhooks: readonly object[] = [disabled];
  await switchNotices(context, true);
  await context.route(/\/v1\/(webhooks|events)/, async (route) => {
    const request = route.request();
    const headers = request.headers();
    const [, path = ''] = /\/v1\/([^?]+)/.exec(request.url()) ?? [];
    const call = `${request.method()} ${path}`;
    asked.push(`${headers['api-key'] === undefined ? 'token' : 'key'} ${call}`);
    if (call === `DELETE webhooks/${id}`) webhooks = [];
    if (call === `PATCH webhooks/${id}`) webhooks = [webhookExample];
    const answers: Readonly<Record<string, object>> = {
      'GET webhooks': { items: webhooks },
      'POST webhooks': webhookWithSecretExample,
      [`PATCH webhooks/${id}`]: webhookExample,
      [`GET webhooks/${id}/deliveries`]: deliveryPageExample,
      [`POST webhooks/${id}/rotate`]: webhookWithSecretExample,
      [`POST webhooks/${id}/ping`]: pingExample,
      'GET events': { items: [eventExamples['partner.imagery.available']], cursor: 'c', has_more: false },
    };
    await route.fulfill({ status: request.method() === 'DELETE' ? 204 : 200, json: answers[call] ?? webhookExample });
  });
  return asked;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describeInBrowser('the console’s Notices', () => {
  afterEach(closeConsoles);

  test(
    'are neither shown nor asked for where the service tells of no events',
    async () => {
      const prepare = (context: BrowserContext) => switchNotices(context, false);
      const { page, requests } = await openConsole({ session, at: '#/notices', prepare });
      await page.getByText('its operator has not switched notices on').waitFor();
      expect(await page.getByRole('link', { name: 'Notices' }).count()).toBe(0);
      expect(requests.filter(({ url }) => /\/v1\/(webhooks|events)/.test(url))).toEqual([]);
    },
    LIMIT_MS,
  );

  test.each([{ theme: 'dark', isPhone: true }] as const)(
    'say why a webhook is disabled, show a secret once, and what became of events: $theme, on a phone $isPhone',
    async ({ theme, isPhone }) => {
      let asked: readonly string[] = [];
      const { page } = await openConsole({
        session,
        theme,
        isPhone,
        at: '#/enrollments',
        prepare: async (context) => (asked = await withNotices(context)),
      });
      await tabTo(page, page.getByRole('link', { name: 'Notices' }));
      await page.keyboard.press('Enter');
      await page.getByText('Its receiver answered 410: it wants no events any more.').waitFor();
      await page.getByText('1,000 or more events wait; none was taken yet').waitFor();
      await page.getByRole('rowheader', { name: 'New pictures of 2 fields, 3 May 2026' }).waitFor();
      const log = page.getByRole('region', { name: 'Latest events, as a table' });
      await log.getByText('Details').click();
      await log.getByText('partner.imagery.available, /v1/fields, place').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);

      await button(page, 'Rotate the secret').click();
      await page.getByText(webhookWithSecretExample.secret).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await button(page, 'I have stored it').click();
      expect(await page.getByText(webhookWithSecretExample.secret).count()).toBe(0);

      await page.getByText('Deliveries', { exact: true }).click();
      await page.getByText('4 May 2026, 06:00:10 UTC: 204 after 87 ms').waitFor();
      await page.getByRole('button', { name: /^Redeliver: Calculation or search: ready/ }).click();
      await page.getByText('It is sent once the webhook is enabled.').waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await button(page, 'Delete').click();
      expect(await button(page, 'Keep it').evaluate((element) => element === document.activeElement)).toBe(true);
      await button(page, 'Delete it').click();
      await page.getByText('No webhook yet.').waitFor();
      const sequence = deliveryPageExample.items[0]?.sequence ?? '';
      expect(asked).toContain(`key POST webhooks/${id}/deliveries/${sequence}/redeliver`);
    },
    LIMIT_MS,
  );

  test(
    'are made for jobs by keys alone, with the token',
    async () => {
      let asked: readonly string[] = [];
      const { page } = await openConsole({
        session,
        at: '#/notices/jobs',
        prepare: async (context) => (asked = await withNotices(context)),
      });
      await tabTo(page, button(page, 'New webhook'));
      await page.keyboard.press('Enter');
      await tabTo(page, page.getByLabel('Address of your receiver'));
      await page.keyboard.type('https://farm.contoso.com/hooks/fields');
      await tabTo(page, page.getByLabel('A calculation or a search has ended'));
      await page.keyboard.press('Space');
      expect(await axeFindings(page)).toEqual([]);
      await tabTo(page, button(page, 'Create'));
      await page.keyboard.press('Enter');
      await page.getByText(webhookWithSecretExample.secret).waitFor();
      await button(page, 'Enable').click();
      await page.getByText('The receiver is asked for its consent.').waitFor();
      expect(asked.filter((call) => !call.startsWith('token '))).toEqual([]);
      expect(asked).toContain('token POST webhooks');
    },
    LIMIT_MS,
  );
});
