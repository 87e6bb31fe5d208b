import { describe, expect, test } from '@jest/globals';
import { CONSUMERS, keyVerdict, ownJwk, TENANT, v1, v2 } from './keyVerdict.js';

describe('a key counts for the issuer it names', () => {
  const key = (issuer?: unknown): object[] => [{ ...ownJwk, kid: 'key-1', use: 'sig', issuer }];
  const another = 'key of another issuer';

  test.each<[string, unknown, { tid?: string; iss?: string }, string]>([
    ['of work tenants: a work tenant', v2('{tenantid}'), {}, 'accepted'],
    ['of work tenants: a token of version 1', v2('{tenantid}'), { iss: v1(TENANT) }, 'accepted'],
    ['of personal accounts: a work tenant', v2(CONSUMERS), {}, another],
    ['of personal accounts: a work tenant, version 1', v2(CONSUMERS), { iss: v1(TENANT) }, another],
    ['of personal accounts: their own tenant', v2(CONSUMERS), { tid: CONSUMERS }, 'accepted'],
    ['of one tenant: that tenant', v2(TENANT), {}, 'accepted'],
    ['of another cloud: a work tenant', 'https://login.microsoftonline.us/{tenantid}/v2.0', {}, another],
    ['of another path: a work tenant, version 1', `https://evil.test/${TENANT}/v2.0/x`, { iss: v1(TENANT) }, another],
    ['that is empty: a work tenant', '', {}, another],
    ['that is no text: a work tenant', { '{tenantid}': true }, {}, another],
    ['that is null: a work tenant', null, {}, another],
    ['that is absent: an issuer of ours', undefined, {}, 'accepted'],
    ['that is absent: an issuer that is not configured', undefined, { iss: 'https://evil.test/' }, 'issuer'],
  ])('%s', async (_what, issuer, token, expected) => {
    await expect(keyVerdict(key(issuer), 'key-1', token)).resolves.toBe(expected);
  });
});
