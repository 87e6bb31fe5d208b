import { describe, expect, test } from '@jest/globals';
import { JwksClient } from '../../shared/access/auth/jwksClient.js';
import { CONSUMERS, keyVerdict, ownJwk, TENANT, v1, v2 } from '../access/auth/keyVerdict.js';
import { ManualClock } from '../support/manualClock.js';
import { expectFigures, reasonsOf, type Verdict } from './figures.js';
import { describeGenuine, recordedAnswer, recordedIn } from './genuine.js';
import { unmadeKinds } from './kinds.js';
import { keyDocuments, type MadeKey } from './made/keyDocuments.js';

interface KeyDocument {
  readonly keys: readonly MadeKey[];
}

const documents = recordedIn('jwks').map(({ file }) => ({ file, ...(recordedAnswer('jwks', file) as KeyDocument) }));
const made = Object.entries(keyDocuments).map(([file, keys]) => ({ file, keys }));

const verdictOf = async (keys: readonly object[], kid: string, token = {}): Promise<Verdict> => {
  const verdict = await keyVerdict(keys, kid, token);
  return verdict === 'accepted' ? 'read' : verdict;
};

/** What each key does for a token of a work tenant. */
async function verdictsOf(all: readonly KeyDocument[]): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const { keys } of all) {
    for (const { kid = 'none' } of keys) verdicts.push(await verdictOf(keys, String(kid)));
  }
  return verdicts;
}

describeGenuine('key documents of Entra', recordedIn('jwks'), () => {
  // Our own numbers in its keys, since nobody has the private halves.
  const ours = documents.map(({ keys }) => ({
    keys: keys.map((key) => ({ ...key, n: ownJwk.n ?? '', e: ownJwk.e ?? '', x5c: undefined })),
  }));

  test('have keys for work tenants, which count, and keys for personal accounts, which do not', async () => {
    const verdicts = await verdictsOf(ours);
    expectFigures('identity keys', 'genuine', verdicts);
    expect(Object.keys(reasonsOf(verdicts))).toEqual(['key of another issuer']);
  });

  test.each(documents)('$file: a token of version 1 and one of a personal account fare by the issuer', async (one) => {
    const keys: readonly MadeKey[] = one.keys.map((key) => ({ ...key, n: ownJwk.n ?? '', x5c: undefined }));
    for (const { kid = '', issuer } of keys) {
      const isPersonal = issuer === v2(CONSUMERS);
      const expected = isPersonal ? 'key of another issuer' : 'read';
      await expect(verdictOf(keys, String(kid), { iss: v1(TENANT) })).resolves.toBe(expected);
      await expect(verdictOf(keys, String(kid), { tid: CONSUMERS })).resolves.toBe('read');
    }
  });

  test.each(documents)('$file: every key of it can be used as it stands', async ({ keys }) => {
    const fetchKeys = (): Promise<Response> => Promise.resolve(Response.json({ keys }));
    const client = new JwksClient({ uri: 'https://issuer.test', clock: new ManualClock(), fetch: fetchKeys });
    for (const { kid = '' } of keys) {
      await expect(client.find(String(kid))).resolves.toMatchObject({ issuer: expect.stringContaining('/v2.0') });
    }
  });

  test('have no kind of value that the made ones lack', () => {
    expect(unmadeKinds(documents, made)).toEqual([]);
  });
});

describe('contract: made key documents', () => {
  test('are read and refused as counted', async () => {
    const verdicts = await verdictsOf(made);
    expectFigures('identity keys', 'made', verdicts);
    expect(reasonsOf(verdicts)).toEqual({ 'key of another issuer': 9, 'unknown key id': 5 });
  });

  test.each(made)('$file: tokens of personal accounts fare by the issuer', async ({ file, keys }) => {
    const verdicts = [];
    for (const { kid = 'none' } of keys) verdicts.push(await verdictOf(keys, String(kid), { tid: CONSUMERS }));
    const expected: Record<string, number> = {
      'of every account: work and personal keys mixed': 7,
      'of organisations: work keys alone': 4,
      'with odd issuers': 1,
      'with keys that are not for signing tokens': 1,
    };
    expect(verdicts.filter((verdict) => verdict === 'read')).toHaveLength(expected[file] ?? 0);
  });
});
