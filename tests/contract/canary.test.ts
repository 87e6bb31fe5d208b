import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManagedIdentityCredential } from '@azure/identity';
import { runCanary, type CanaryRound } from '../../shared/operate/canary/runCanary.js';
import { systemClock } from '../../shared/kit/clock.js';
import { randomId } from '../../shared/kit/ids.js';
import { partyOf } from '../../infra/local/demo/farms.js';
import { SERVICE_TENANT_NAME } from '../../infra/local/standIns/tenants.js';
import { service } from './service.js';
import { settings } from './storage.js';

const { id: partyId, fields } = partyOf(SERVICE_TENANT_NAME);
const names = ['IDENTITY_ENDPOINT', 'IDENTITY_HEADER'] as const;
const before = names.map((name) => [name, process.env[name]] as const);

beforeAll(() => {
  for (const name of names) process.env[name] = settings[name];
});
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

/** A round of the canary with the token that the app's own identity gets for that audience. */
async function round(audience: string): Promise<{ round: CanaryRound; lines: readonly unknown[] }> {
  const credential = new ManagedIdentityCredential();
  const lines: unknown[] = [];
  const ports = {
    fetch,
    clock: systemClock,
    newId: randomId,
    log: (event: string, facts: object) => lines.push({ event, ...facts }),
    isDrained: () => Promise.resolve(false),
    getToken: async () => (await credential.getToken(`${audience}/.default`)).token,
  };
  const setting = { url: service.baseUrl, partyId, fieldId: fields[0]?.id ?? '' };
  return { round: await runCanary(ports)(setting, undefined), lines };
}

describe('the canary', () => {
  test('passes as a client of the service’s own tenant: a token of the app’s identity for its own app', async () => {
    const { round: seen, lines } = await round(settings['JWT_AUDIENCE'] ?? '');
    expect({ ...seen, lines }).toEqual({
      failedChecks: 0,
      passed: ['health', 'ready', 'refusals', 'gdd'],
      skipped: ['smart-boundary', 'imagery'],
      lines: [],
    });
  });

  test('fails by name with a token for anything else', async () => {
    const { round: seen, lines } = await round('https://storage.azure.com');
    expect(seen).toMatchObject({ failedChecks: 1, passed: ['health', 'ready', 'refusals'] });
    expect(lines).toEqual([
      expect.objectContaining({ event: 'Canary:Failed', check: 'gdd', detail: expect.stringContaining('401') }),
    ]);
  });
});
