import type { TokenCredential } from '@azure/identity';

/** The name, else the id, that the operator's token for storage carries; storage checks the token, we only read it. */
export async function whoHolds(credential: TokenCredential): Promise<string> {
  const { token } = (await credential.getToken('https://storage.azure.com/.default')) ?? { token: '' };
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  const claims = JSON.parse(payload === '' ? '{}' : payload) as Record<string, unknown>;
  const names = [claims['upn'], claims['unique_name'], claims['oid'], claims['appid']];
  return names.find((name): name is string => typeof name === 'string') ?? 'unknown';
}
