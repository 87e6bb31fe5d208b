import { SecretClient } from '@azure/keyvault-secrets';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificate } from '../../../infra/local/certificates.js';
import { type KeyVault, startKeyVault } from '../../../infra/local/standIns/keyVault.js';
import { LicenceError } from '../../../shared/access/licence/imageryLicence.js';
import { KeyVaultLicenceStore } from '../../../shared/access/licence/keyVaultLicenceStore.js';

const CANARY = 'canary-that-must-stay-in-the-vault';
const directory = mkdtempSync(join(tmpdir(), 'licence-'));
let vault: KeyVault;
let cert: string;
const bodies: string[] = [];

beforeAll(async () => {
  const files = await ensureCertificate(directory, new Date());
  cert = readFileSync(files.certificateFile, 'utf8');
  vault = await startKeyVault({
    secrets: { id: ' the-client \n', secret: [{ value: 'old' }, { value: CANARY }, { value: 'x', isEnabled: false }] },
    tls: { key: readFileSync(files.keyFile, 'utf8'), cert },
  });
});
afterAll(async () => {
  await vault.close();
  rmSync(directory, { recursive: true });
});
afterEach(() => {
  vault.script.reset();
  bodies.length = 0;
});

/** The real client; every answer that it reads is noted. */
function storeAt(url: string, limitMs = 5_000): KeyVaultLicenceStore {
  const getToken = () => Promise.resolve({ token: 'good', expiresOnTimestamp: Date.now() + 3_600_000 });
  const secrets = new SecretClient(
    url,
    { getToken },
    {
      disableChallengeResourceVerification: true,
      retryOptions: { maxRetries: 1, retryDelayInMs: 1, maxRetryDelayInMs: 5 },
      tlsOptions: { ca: cert },
      additionalPolicies: [
        {
          position: 'perRetry',
          policy: {
            name: 'note',
            sendRequest: async (request, next) => {
              const response = await next(request);
              bodies.push(response.bodyAsText ?? '');
              return response;
            },
          },
        },
      ],
    },
  );
  const found = { url, clientIdSecret: 'id', clientSecretSecret: 'secret', secrets };
  return new KeyVaultLicenceStore({
    vaultOf: (tenant) => Promise.resolve(tenant === 'tenant-a' ? found : tenant === 'public' ? 'not needed' : 'none'),
    clock: { now: () => new Date() },
    limitMs,
  });
}
const failureOf = (store: KeyVaultLicenceStore, tenant = 'tenant-a'): Promise<LicenceError> =>
  store.require(tenant).then(
    () => {
      throw new Error('there is a licence');
    },
    (cause: unknown) => cause as LicenceError,
  );

describe('the licence of a tenant', () => {
  test('is there with a client id and an enabled version of its secret', async () => {
    await expect(storeAt(vault.url).require('tenant-a')).resolves.toBeUndefined();
  });

  test('is not needed, and no vault is asked, for a tenant whose images are public', async () => {
    await storeAt(vault.url).require('public');
    expect(vault.script.requests()).toEqual([]);
  });

  test('is read without the value of the secret: the vault is never asked for it', async () => {
    await storeAt(vault.url).require('tenant-a');
    const paths = vault.script.requests().map(({ path }) => path.split('?')[0]);
    expect(paths.filter((path) => path!.includes('secret/') || path!.endsWith('/secret'))).toEqual([
      '/secrets/secret/versions',
    ]);
    expect(bodies.join()).not.toContain(CANARY);
  });

  test.each([
    ['no vault', (): Promise<LicenceError> => failureOf(storeAt(vault.url), 'stranger'), /no key vault registered/],
    [
      'no client id',
      (): Promise<LicenceError> => {
        vault.setSecret('id', undefined);
        return failureOf(storeAt(vault.url));
      },
      /has no secret id/,
    ],
    [
      'an empty client id',
      (): Promise<LicenceError> => {
        vault.setSecret('id', '  ');
        return failureOf(storeAt(vault.url));
      },
      /secret id of .* is empty/,
    ],
    [
      'a disabled client id',
      (): Promise<LicenceError> => {
        vault.setSecret('id', [{ value: 'x', isEnabled: false }]);
        return failureOf(storeAt(vault.url));
      },
      /or the secret is disabled/,
    ],
    [
      'no client secret',
      (): Promise<LicenceError> => {
        vault.setSecret('secret', undefined);
        return failureOf(storeAt(vault.url));
      },
      /has no secret secret/,
    ],
    [
      'no enabled version of the client secret',
      (): Promise<LicenceError> => {
        vault.setSecret('secret', [{ value: 'x', isEnabled: false }]);
        return failureOf(storeAt(vault.url));
      },
      /missing, disabled or expired/,
    ],
    [
      'no permission',
      (): Promise<LicenceError> => {
        vault.script.add({ kind: 'status', status: 403, path: 'versions' });
        return failureOf(storeAt(vault.url));
      },
      /does not let this service read the secret secret/,
    ],
  ])('is missing with %s, and the text says what', async (_what, failure, text) => {
    expect(await failure()).toMatchObject({
      name: 'LicenceError',
      kind: 'missing',
      message: expect.stringMatching(text),
    });
  });

  test.each([
    ['throttled', { kind: 'status', status: 429, times: 9 }],
    ['failing', { kind: 'status', status: 500, times: 9 }],
    ['cut off', { kind: 'drop', times: 9 }],
    ['talking nonsense', { kind: 'garbage', times: 9 }],
    ['refusing without a reason (403)', { kind: 'status', status: 403, body: '', times: 9 }],
    ['refusing without a reason (401)', { kind: 'status', status: 401, body: '', times: 9 }],
  ] as const)('is unavailable while the vault is %s', async (_what, fault) => {
    vault.script.add(fault);
    expect(await failureOf(storeAt(vault.url))).toMatchObject({ kind: 'unavailable' });
  });

  test('is unavailable when the vault is slower than the limit', async () => {
    vault.script.add({ kind: 'hang', times: 9 });
    // Without the limit the hanging answer would never come.
    expect(await failureOf(storeAt(vault.url, 300))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('a version of the client secret', () => {
  const at = (day: string): Date => new Date(`${day}T00:00:00Z`);
  interface Version {
    readonly enabled?: boolean;
    readonly notBefore?: Date;
    readonly expiresOn?: Date;
  }

  /** Whether a secret of these versions is one on 15 June. */
  function isLicence(versions: readonly Version[]): Promise<boolean> {
    async function* list() {
      await Promise.resolve();
      for (const [n, version] of versions.entries())
        yield { vaultUrl: 'u', name: 'secret', version: String(n), ...version };
    }
    const secrets = {
      getSecret: () => Promise.resolve({ name: 'id', value: 'client', properties: { vaultUrl: 'u', name: 'id' } }),
      listPropertiesOfSecretVersions: list,
    } as unknown as SecretClient;
    const store = new KeyVaultLicenceStore({
      vaultOf: () => Promise.resolve({ url: 'u', clientIdSecret: 'id', clientSecretSecret: 'secret', secrets }),
      clock: { now: () => at('2026-06-15') },
      limitMs: 1000,
    });
    return store.require('any').then(
      () => true,
      () => false,
    );
  }

  test.each([
    { why: 'that is enabled', version: {}, expected: true },
    { why: 'that is disabled', version: { enabled: false }, expected: false },
    { why: 'that has expired', version: { expiresOn: at('2026-06-15') }, expected: false },
    { why: 'that expires later', version: { expiresOn: at('2026-06-16') }, expected: true },
    { why: 'that begins later', version: { notBefore: at('2026-06-16') }, expected: false },
    { why: 'that has begun', version: { notBefore: at('2026-06-15') }, expected: true },
  ])('$why counts: $expected, whatever the others are', async ({ version, expected }) => {
    const disabled = { enabled: false };
    expect(await isLicence([version])).toBe(expected);
    expect(await isLicence([disabled, version, disabled])).toBe(expected);
  });
});
