import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificate } from '../../../infra/local/certificates.js';
import { FaultScript } from '../../../infra/local/standIns/http/faultScript.js';
import { startServer } from '../../../infra/local/standIns/http/server.js';
import { federatedTokenReply } from '../../../infra/local/standIns/identity/federatedTokens.js';
import { signJwt } from '../../../infra/local/standIns/identity/jwt.js';
import {
  EXCHANGE_AUDIENCE,
  EXCHANGE_ISSUER,
  SERVICE_PRINCIPAL,
  SERVICE_TENANT,
} from '../../../infra/local/standIns/identity/managedIdentity.js';
import { SigningKeys } from '../../../infra/local/standIns/identity/signingKeys.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { KeyVaultLicenceStore } from '../../../shared/access/licence/keyVaultLicenceStore.js';
import { tenantCredentials, type CredentialOf } from '../../../shared/wiring/clients/tenantCredentials.js';
import { ForeignTenantRefusal } from '../../../shared/access/tenants/foreignTenant.js';

const FOREIGN = '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11';
const APP = '5e3b6c1a-1111-4222-8333-444455556666';
const RESOURCE = 'https://vault.azure.net';
const directory = mkdtempSync(join(tmpdir(), 'foreign-'));
const consented = new Set<string>();

let keys: SigningKeys;
let entra: { readonly url: string; close(): Promise<void> };
let ca: string;
/** The service's own identity: its tokens are those of its own Entra tenant. */
const own = {
  getToken: (scope: string | string[]) => {
    const seconds = Math.floor(Date.now() / 1000);
    const claims = { nbf: seconds, exp: seconds + 3600, tid: SERVICE_TENANT, sub: SERVICE_PRINCIPAL };
    const aud = [scope]
      .flat()
      .join()
      .replace(/\/\.default$/, '');
    const iss = aud === EXCHANGE_AUDIENCE ? EXCHANGE_ISSUER : `https://sts.windows.net/${SERVICE_TENANT}/`;
    const token = signJwt(keys.current(), { ...claims, aud, iss });
    return Promise.resolve({ token, expiresOnTimestamp: (seconds + 3600) * 1000 });
  },
};

beforeAll(async () => {
  keys = new SigningKeys(directory);
  const files = await ensureCertificate(directory, new Date());
  ca = readFileSync(files.certificateFile, 'utf8');
  entra = await startServer({
    answer: (exchange) => federatedTokenReply(exchange, { keys, appId: APP, consented, now: new Date() }),
    script: new FaultScript(),
    tls: { key: readFileSync(files.keyFile, 'utf8'), cert: ca },
  });
});
afterAll(async () => {
  await entra.close();
  rmSync(directory, { recursive: true });
});

let credentialOf: CredentialOf;
beforeEach(() => {
  consented.clear();
  credentialOf = tenantCredentials(own, { authorityHost: entra.url, appId: APP }, { ...{ tlsOptions: { ca } } });
});
const tokenFor = (tenant: string) => credentialOf(tenant).getToken(`${RESOURCE}/.default`);

describe('a token of the Entra tenant of a customer', () => {
  test('is had once its administrator has consented', async () => {
    consented.add(FOREIGN);
    await expect(tokenFor(FOREIGN)).resolves.toMatchObject({ token: expect.any(String) });
  });

  test('without consent says what the administrator has to do', async () => {
    const refused = tokenFor(FOREIGN);
    await expect(refused).rejects.toBeInstanceOf(ForeignTenantRefusal);
    await expect(refused).rejects.toThrow(`${entra.url}/${FOREIGN}/adminconsent?client_id=${APP}`);
  });

  test('is had as soon as consent is there', async () => {
    await expect(tokenFor(FOREIGN)).rejects.toBeInstanceOf(ForeignTenantRefusal);
    consented.add(FOREIGN);
    await expect(tokenFor(FOREIGN)).resolves.toBeDefined();
  });
});

describe('the token that proves the service', () => {
  test.each([
    { host: 'https://login.microsoftonline.com', audience: 'api://AzureADTokenExchange' },
    { host: 'https://login.microsoftonline.us', audience: 'api://AzureADTokenExchangeUSGov' },
    { host: 'https://login.partner.microsoftonline.cn', audience: 'api://AzureADTokenExchangeChina' },
  ])('is for $audience where tokens come from $host', async ({ host, audience }) => {
    const asked: string[] = [];
    const identity = {
      getToken: (scope: string | string[]) => {
        asked.push(...[scope].flat());
        return Promise.reject(new Error('AADSTS65001'));
      },
    };
    const hosts: string[] = [];
    const httpClient = {
      sendRequest: ({ url }: { readonly url: string }) => {
        hosts.push(new URL(url).origin);
        return Promise.reject(new Error('nobody is called here'));
      },
    };
    const credential = tenantCredentials(identity, { authorityHost: host, appId: APP }, { ...{ httpClient } })(FOREIGN);
    const refused = credential.getToken(`${RESOURCE}/.default`);
    await expect(refused).rejects.toThrow(`${host}/${FOREIGN}/adminconsent`);
    expect(asked).toEqual([`${audience}/.default`]);
    expect(new Set(hosts)).toEqual(new Set(hosts.length === 0 ? [] : [host]));
  });
});

describe('a vault in the Entra tenant of a customer', () => {
  const licenceFor = (tenantId?: string) => {
    const getSecret = async () => {
      await credentialOf(FOREIGN).getToken('https://vault.azure.net/.default', { ...(tenantId && { tenantId }) });
      throw new Error('a token was given');
    };
    const secrets = { getSecret } as never;
    const vault = { url: 'https://v.test', clientIdSecret: 'id', clientSecretSecret: 'secret', secrets };
    const vaultOf = () => Promise.resolve(vault);
    return new KeyVaultLicenceStore({ vaultOf, clock: systemClock, limitMs: 5_000 }).require('any');
  };

  test('without consent is a licence that the tenant has to mend, not a vault that is away', async () => {
    await expect(licenceFor()).rejects.toMatchObject({
      kind: 'missing',
      message: expect.stringContaining('adminconsent'),
    });
  });

  test('in another tenant than registered is no vault that is away either', async () => {
    consented.add(FOREIGN);
    await expect(licenceFor(SERVICE_TENANT)).rejects.toMatchObject({
      kind: 'missing',
      message: expect.stringContaining('correct azureTenantId'),
    });
  });
});
