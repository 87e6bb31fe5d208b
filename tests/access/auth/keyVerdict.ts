import { generateKeyPairSync } from 'node:crypto';
import { JwksClient } from '../../../shared/access/auth/jwksClient.js';
import { verifyToken } from '../../../shared/access/auth/verifyToken.js';
import { ManualClock } from '../../support/manualClock.js';
import { AUDIENCE, claimsOf, signedToken } from './signedToken.js';

/** A registered tenant. */
export const TENANT = '0f2f0a1e-9f53-4d0e-8f3a-0d6f7a1b2c3d';
/** The tenant of personal accounts, registered too. */
export const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad';

const clock = new ManualClock();
const now = clock.now().getTime() / 1000;
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** The numbers of the key that `keyVerdict` signs with. */
export const ownJwk = own.publicKey.export({ format: 'jwk' });

export const v2 = (tid: string): string => `https://login.microsoftonline.com/${tid}/v2.0`;
export const v1 = (tid: string): string => `https://sts.windows.net/${tid}/`;

/** What becomes of a token of the tenant signed by key `kid` of the document. */
export function keyVerdict(
  keys: readonly object[],
  kid: string,
  token: { readonly tid?: string; readonly iss?: string } = {},
): Promise<string> {
  const fetchKeys = (): Promise<Response> => Promise.resolve(Response.json({ keys }));
  const signingKeys = new JwksClient({ uri: 'https://issuer.test/keys', clock, fetch: fetchKeys });
  const verify = verifyToken(
    { signingKeys, clock },
    {
      issuers: [v2('{tid}'), v1('{tid}')],
      audience: AUDIENCE,
      isTenant: (tid) => Promise.resolve([TENANT, CONSUMERS].includes(tid)),
    },
  );
  const { tid = TENANT, iss = v2(tid) } = token;
  const text = signedToken({ alg: 'RS256', kid }, claimsOf(tid, iss, now), own.privateKey);
  return verify(`Bearer ${text}`).then(
    () => 'accepted',
    (error: unknown) => (error as { reason?: string }).reason ?? String(error),
  );
}
