import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CALLER_AUDIENCE } from '../../infra/local/standIns/identity/callerTokens.js';
import { CONSOLE_APP } from '../../infra/local/standIns/identity/codeFlow.js';
import { DEFAULT_TENANT, tenantId } from '../../infra/local/standIns/tenants.js';
import type { PageSettings } from '../../shared/http/pages/consoleSettings.js';
import { service } from '../contract/service.js';
import { settings } from '../contract/storage.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  LIMIT_MS,
  openConsole,
  type ConsolePage,
} from './consolePage.js';
import { newSession } from './farm.js';
import { frontedWith, type Fronted } from './fronted.js';

const AUTHORITY = `${settings['AZURE_AUTHORITY_HOST'] ?? ''}/${tenantId(DEFAULT_TENANT)}`;
const LOGIN = { clientId: CONSOLE_APP, authority: AUTHORITY, scope: `${CALLER_AUDIENCE}/.default` };

describeInBrowser('signing in to the console with an organisation', () => {
  let apiKey: string;
  let front: Fronted | undefined;
  beforeAll(async () => {
    ({ apiKey } = await newSession());
  }, LIMIT_MS);
  afterEach(async () => {
    // First the front: what is found of the pages may end this.
    await front?.close();
    front = undefined;
    await closeConsoles();
  });

  async function signInWith(login: PageSettings['login']): Promise<ConsolePage> {
    front = await frontedWith({ login });
    const opened = await openConsole({ origin: front.baseUrl, trustsAll: true });
    opened.secrets.push(apiKey);
    const { page } = opened;
    const leave = page.getByRole('button', { name: 'Sign in with your organisation' });
    await leave.waitFor();
    expect(await leave.isDisabled()).toBe(true);
    await page.getByLabel('API key').fill(apiKey);
    await leave.click();
    return opened;
  }

  const tokenIn = async (page: Page): Promise<string> => {
    const kept = await page.evaluate(() => sessionStorage.getItem('field-console'));
    return (JSON.parse(kept ?? '{}') as { readonly token?: string }).token ?? '';
  };

  test(
    'gives a token by authorization code and PKCE, which the service takes for jobs; the code leaves the address',
    async () => {
      const { page, requests, secrets } = await signInWith(LOGIN);
      await page.getByText('No fields yet').waitFor();
      expect(page.url()).toBe(`${front?.baseUrl}/console/`);
      const token = await tokenIn(page);
      secrets.push(token);
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
      expect(claims).toMatchObject({ azp: CONSOLE_APP, scp: 'Jobs.ReadWrite Farm.ReadWrite' });
      expect(claims).toHaveProperty('tid', tenantId(DEFAULT_TENANT));

      const asked = new URL(requests.find(({ url }) => url.startsWith(`${AUTHORITY}/oauth2`))?.url ?? '');
      expect(Object.fromEntries(asked.searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: `${front?.baseUrl}/console/`,
      });
      // Nobody but the authority of the settings was asked anything.
      const origins = new Set(requests.map(({ url }) => new URL(url).origin));
      const { blobEndpoint } = (await (await fetch(`${service.baseUrl}/console/settings.json`)).json()) as PageSettings;
      expect([front?.baseUrl, new URL(AUTHORITY).origin, new URL(blobEndpoint).origin]).toEqual(
        expect.arrayContaining([...origins]),
      );

      const listed = page.waitForResponse(/\/v1\/jobs\?/);
      await page.getByRole('link', { name: 'Degree-days' }).click();
      expect((await listed).status()).toBe(200);
    },
    LIMIT_MS,
  );

  test(
    'says so when it did not succeed, and leaves the other ways open',
    async () => {
      const { page } = await signInWith({ ...LOGIN, scope: 'api://something-else/.default' });
      await page.getByText('Signing in with your organisation did not succeed').waitFor();
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );
});
