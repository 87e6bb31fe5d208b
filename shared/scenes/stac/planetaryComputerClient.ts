import { Type } from 'typebox';
import type { Clock } from '../../kit/clock.js';
import type { HttpAddress } from '../../raster/read/httpRangeClient.js';
import { isValid } from '../../kit/validation/validator.js';
import type { GetJson } from './catalogueHttpClient.js';
import { CatalogueError } from './catalogueError.js';

/** Makes the address from which a file is read, before every try. `isRenewal`: storage has refused the last address. */
export type AddressFor = (url: string, isRenewal: boolean) => Promise<HttpAddress>;

const TokenAnswer = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 4_000 }),
  'msft:expiry': Type.String({ format: 'date-time' }),
});

interface KeptToken {
  readonly token: string;
  readonly fetchedAt: number;
  readonly until: number;
}

/** A token is renewed this long before its end. */
const RENEWED_BEFORE_MS = 5 * 60_000;
/** A younger token is not renewed: when a token ends, storage refuses many reads at once, and one renewal is enough. */
const YOUNG_MS = 10_000;

/**
 * Signs addresses of the Planetary Computer's containers: one token per account and container, cached in memory, renewed
 * before its end or when storage refuses it. Tokens are never stored or logged.
 *
 * @param url of the SAS API, without a trailing slash
 */
export function planetaryComputerSigner({
  url: sasUrl,
  getJson,
  clock,
}: {
  readonly url: string;
  readonly getJson: GetJson;
  readonly clock: Pick<Clock, 'now'>;
}): AddressFor {
  const kept = new Map<string, Promise<KeptToken>>();

  const fetchToken = async (place: string): Promise<KeptToken> => {
    const answer = await getJson({ url: `${sasUrl}/token/${place}` });
    if (!isValid(TokenAnswer, answer)) throw new CatalogueError('invalid', 'The Planetary Computer sent no token.');
    const until = Date.parse(answer['msft:expiry']) - RENEWED_BEFORE_MS;
    return { token: answer.token, fetchedAt: clock.now().getTime(), until };
  };
  const keepNew = (place: string): Promise<KeptToken> => {
    const token = fetchToken(place);
    kept.set(place, token);
    token.catch(() => {
      if (kept.get(place) === token) kept.delete(place);
    });
    return token;
  };
  const tokenFor = async (place: string, isRefused: boolean): Promise<KeptToken> => {
    const known = kept.get(place);
    if (known === undefined) return keepNew(place);
    const { fetchedAt, until } = await known;
    const now = clock.now().getTime();
    const isGood = now < until && !(isRefused && now - fetchedAt > YOUNG_MS);
    if (isGood) return known;
    // Another caller may have begun to fetch a new token meanwhile.
    return kept.get(place) === known ? keepNew(place) : (kept.get(place) ?? keepNew(place));
  };

  return async (url, isRenewal) => {
    const { hostname, pathname } = new URL(url);
    const [, account] = /^([a-z0-9]+)\.blob\.core\.windows\.net$/.exec(hostname) ?? [];
    const container = pathname.split('/')[1];
    if (account === undefined || container === undefined) return { url };
    const { token } = await tokenFor(`${account}/${container}`, isRenewal);
    return { url: `${url}?${token}` };
  };
}
