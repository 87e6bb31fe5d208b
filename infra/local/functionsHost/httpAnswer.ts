import type { ServerResponse } from 'node:http';
import type { Cookie, HttpData, TypedData } from './rpc.js';

/** Statuses whose body the host drops. */
const withoutBody = new Set([204, 205, 304]);

/** Hop-by-hop headers belong to the connection, not to the function. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer', 'te']);

const sameSiteNames: Readonly<Record<string, string>> = { lax: 'lax', strict: 'strict', explicitNone: 'none' };

/** One attribute of a cookie, left out when it has no value; `true` stands for a name without a value. */
const attribute = (name: string, value: string | number | boolean | undefined): string[] => {
  if (value === undefined || value === false) return [];
  return [value === true ? name : `${name}=${value}`];
};

const expiryOf = ({ expires }: Cookie): string | undefined =>
  expires === undefined || expires === null ? undefined : new Date(expires.value.seconds * 1000).toUTCString();

const setCookieValue = (cookie: Cookie): string =>
  [
    `${encodeURIComponent(cookie.name)}=${encodeURIComponent(cookie.value)}`,
    ...attribute('expires', expiryOf(cookie)),
    ...attribute('max-age', cookie.maxAge?.value),
    ...attribute('domain', cookie.domain?.value),
    ...attribute('path', cookie.path?.value ?? '/'),
    ...attribute('secure', cookie.secure?.value),
    ...attribute('samesite', sameSiteNames[cookie.sameSite ?? 'none']),
    ...attribute('httponly', cookie.httpOnly?.value),
  ].join('; ');

/** The bytes of a value as the host writes them. */
function bytesOf(data: TypedData | null | undefined): Buffer {
  if (data === undefined || data === null) return Buffer.alloc(0);
  if (data.bytes !== undefined) return Buffer.from(data.bytes);
  return Buffer.from(data.string ?? data.json ?? '', 'utf8');
}

/** Answers with a status and nothing else, as the host does for everything that no function answers. */
export function answerEmpty(response: ServerResponse, status: number): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(status, { server: 'Kestrel', 'content-length': '0' }).end();
}

/** Answers with what a function gave back outside streaming mode; nothing given back is 204. */
export function answerWith(response: ServerResponse, data: HttpData | undefined): void {
  if (data === undefined) {
    answerEmpty(response, 204);
    return;
  }
  const status = Number(data.statusCode ?? '200');
  for (const [name, value] of Object.entries(data.headers ?? {})) {
    if (!connectionHeaders.has(name)) response.setHeader(name, value);
  }
  if (data.cookies !== undefined && data.cookies.length > 0) {
    response.setHeader('set-cookie', data.cookies.map(setCookieValue));
  }
  response.setHeader('server', 'Kestrel');
  const body = withoutBody.has(status) ? Buffer.alloc(0) : bytesOf(data.body);
  if (!withoutBody.has(status)) response.setHeader('content-length', body.length);
  response.writeHead(status).end(body);
}
