import { SecretClient, type SecretProperties } from '@azure/keyvault-secrets';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificate } from '../../../infra/local/certificates.js';
import { type KeyVault, startKeyVault } from '../../../infra/local/standIns/keyVault.js';

const directory = mkdtempSync(join(tmpdir(), 'key-vault-'));
const scopes: string[] = [];
let cert: string;
let vault: KeyVault;

beforeAll(async () => {
  const files = await ensureCertificate(directory, new Date());
  cert = readFileSync(files.certificateFile, 'utf8');
  vault = await startKeyVault({
    secrets: {
      'imagery-client-id': 'client-1',
      'imagery-client-secret': [{ value: 'old' }, { value: 'new' }, { value: 'next', isEnabled: false }],
    },
    tls: { key: readFileSync(files.keyFile, 'utf8'), cert },
    tokenIsValid: (token) => token === 'good',
  });
});
afterAll(async () => {
  await vault.close();
  rmSync(directory, { recursive: true });
});
afterEach(() => {
  vault.script.reset();
  scopes.length = 0;
});

/** The real client; only the trust in the certificate is ours. */
function client({ token = 'good', maxRetries = 0 }: { token?: string; maxRetries?: number } = {}): SecretClient {
  const getToken = (scope: string | string[]): Promise<{ token: string; expiresOnTimestamp: number }> => {
    scopes.push(...[scope].flat());
    return Promise.resolve({ token, expiresOnTimestamp: Date.now() + 3_600_000 });
  };
  const options = { disableChallengeResourceVerification: true, retryOptions: { maxRetries, maxRetryDelayInMs: 1 } };
  return new SecretClient(vault.url, { getToken }, { ...options, tlsOptions: { ca: cert } });
}
async function versionsOf(name: string): Promise<SecretProperties[]> {
  const versions = [];
  for await (const version of client().listPropertiesOfSecretVersions(name)) versions.push(version);
  return versions;
}
const failureOf = (call: Promise<unknown>): Promise<{ statusCode: number; code: string }> =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (cause: unknown) => cause as { statusCode: number; code: string },
  );

describe('the real SecretClient', () => {
  test('is challenged, asks for a token for the vault and reads a secret', async () => {
    const secret = await client().getSecret('imagery-client-id');
    expect(secret).toMatchObject({
      value: 'client-1',
      properties: { enabled: true, version: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(scopes).toEqual(['https://vault.azure.net/.default']);
  });

  test('lists the versions of a secret without their values, and reads an earlier one by its id', async () => {
    const versions = await versionsOf('imagery-client-secret');
    expect(versions.map(({ enabled }) => enabled)).toEqual([true, true, false]);
    expect(versions[1]!.createdOn!.getTime()).toBeGreaterThan(versions[0]!.createdOn!.getTime());
    expect(JSON.stringify(versions)).not.toMatch(/"(old|new|next)"/);
    const earlier = await client().getSecret('imagery-client-secret', { version: versions[0]!.version! });
    expect(earlier.value).toBe('old');
  });

  test('rotates a secret: a version more, and the one before disabled', async () => {
    const [before] = await versionsOf('imagery-client-id');
    const after = await client().setSecret('imagery-client-id', 'client-2');
    expect(after.properties.version).not.toBe(before!.version);
    await client().updateSecretProperties('imagery-client-id', before!.version!, { enabled: false });
    expect((await versionsOf('imagery-client-id')).map(({ enabled }) => enabled)).toEqual([false, true]);
    await expect(client().getSecret('imagery-client-id')).resolves.toMatchObject({ value: 'client-2' });
    await expect(failureOf(client().updateSecretProperties('imagery-client-id', 'f00', {}))).resolves.toMatchObject({
      statusCode: 400,
    });
  });

  test('follows the pages of a long list of versions', async () => {
    vault.setSecret(
      'imagery-client-secret',
      Array.from({ length: 60 }, (_, index) => ({ value: `v${index}` })),
    );
    const ids = new Set<string>();
    for await (const { version } of client().listPropertiesOfSecretVersions('imagery-client-secret')) ids.add(version!);
    expect(ids.size).toBe(60);
  });

  test('is told 404 for an unknown secret or version and 403 for a disabled one', async () => {
    expect(await failureOf(client().getSecret('nothing'))).toMatchObject({ statusCode: 404, code: 'SecretNotFound' });
    expect(await failureOf(client().getSecret('imagery-client-id', { version: 'f'.repeat(32) }))).toMatchObject({
      statusCode: 404,
    });
    expect(await failureOf(client().getSecret('imagery-client-secret'))).toMatchObject({
      statusCode: 403,
      code: 'Forbidden',
    });
  });

  test('is told 401 when its token is not good', async () => {
    expect(await failureOf(client({ token: 'bad' }).getSecret('imagery-client-id'))).toMatchObject({ statusCode: 401 });
  });

  test('meets the scripted faults: denied, throttled, away', async () => {
    vault.script.add({ kind: 'status', status: 403, path: 'client-id' });
    expect(await failureOf(client().getSecret('imagery-client-id'))).toMatchObject({ statusCode: 403 });
    vault.script.add({ kind: 'status', status: 429, path: 'client-id' });
    expect(await failureOf(client().getSecret('imagery-client-id'))).toMatchObject({ statusCode: 429 });
    vault.script.add({ kind: 'drop', path: 'client-id' });
    expect(await failureOf(client().getSecret('imagery-client-id'))).toMatchObject({ code: 'ECONNRESET' });
    vault.setSecret('imagery-client-id', undefined);
    expect(await failureOf(client().getSecret('imagery-client-id'))).toMatchObject({ statusCode: 404 });
  });
});
