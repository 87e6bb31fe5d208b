import type { HttpResponseInit } from '@azure/functions';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { JSON_TYPE, type Answer, type Encoding, type StoredContent } from '../kit/answer/answer.js';
import { limiter } from '../kit/limiter.js';
import { encoded, encodedOnce, encodingFor } from './answers/contentEncoding.js';
import { entityTag, isNamed, taggedAs } from './answers/entityTag.js';
import type { Route } from './route.js';

/** Headers of every answer: nothing is kept, sniffed or framed, and no one comes back over http. */
const STANDARD_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

/** Answers from so many bytes on are written one after the other: together they would take every processor and much memory. */
const LARGE_BYTES = 256 * 1024;
const oneAtATime = limiter(1);
const largeInTurn = (encode: () => Promise<string | Uint8Array>): Promise<string | Uint8Array> =>
  oneAtATime(async () => {
    const body = await encode();
    // The host copies it in this turn.
    await nextTurn();
    return body;
  });

/** What of a request decides how its answer is written. */
export interface Asked {
  readonly route: Route;
  readonly method: string;
  readonly headers: { get(name: string): string | null };
}

/**
 * An answer as it goes out: compressed when the caller takes that, 304 when the caller has it already, without its
 * content for HEAD.
 *
 * @param own headers of this very call
 */
export async function responseOf(
  answer: Answer,
  { route, method, headers: asked }: Asked,
  own: Readonly<Record<string, string>>,
): Promise<HttpResponseInit> {
  const headers = { ...STANDARD_HEADERS, vary: variedBy(route), ...own };
  if (answer.stored !== undefined)
    return storedResponse(answer.stored, { asked, method }, { ...headers, ...answer.headers });
  const content = contentOf(answer);
  if (content === undefined) return { status: answer.status, headers: { ...headers, ...answer.headers } };
  const { type, data } = content;
  const encoding = encodingFor(asked.get('accept-encoding'), Buffer.byteLength(data));
  const keeping = answer.status === 200 ? keepingOf(route, data, encoding) : {};
  if (keeping.etag !== undefined && isNamed(keeping.etag, asked.get('if-none-match'))) {
    return { status: 304, headers: { ...headers, ...keeping, ...answer.headers } };
  }
  const isForAll = keeping.etag !== undefined && route.caller === 'nobody';
  const encode = () => (isForAll ? encodedOnce(keeping.etag, data, encoding) : encoded(data, encoding));
  const body = await (Buffer.byteLength(data) > LARGE_BYTES ? largeInTurn(encode) : encode());
  const described = {
    'content-type': type,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    'content-length': String(Buffer.byteLength(body)),
  };
  return {
    status: answer.status,
    headers: { ...headers, ...keeping, ...described, ...answer.headers },
    ...(method === 'HEAD' ? {} : { body }),
  };
}

/** Content that lies ready: the encoding is a choice of files then, and nothing is compressed. */
async function storedResponse(
  { type, bytes, tag, cache, read }: StoredContent,
  { asked, method }: { readonly asked: Asked['headers']; readonly method: string },
  headers: Readonly<Record<string, string>>,
): Promise<HttpResponseInit> {
  const encoding = encodingFor(asked.get('accept-encoding'), bytes);
  const etag = taggedAs(tag, encoding);
  const kept = { ...headers, 'cache-control': cache, etag };
  if (isNamed(etag, asked.get('if-none-match'))) return { status: 304, headers: kept };
  const body = await read(encoding);
  return {
    status: 200,
    headers: {
      ...kept,
      'content-type': type,
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      'content-length': String(body.byteLength),
    },
    ...(method === 'HEAD' ? {} : { body }),
  };
}

function contentOf({ json, content }: Answer): Answer['content'] {
  return json === undefined ? content : { type: JSON_TYPE, data: JSON.stringify(json) };
}

/** Where callers may keep an answer, the mark by which they ask whether it is still the same. */
function keepingOf(
  { cache }: Route,
  data: string | Uint8Array,
  encoding: Encoding,
): { readonly 'cache-control'?: string; readonly etag?: string } {
  return cache === undefined ? {} : { 'cache-control': cache, etag: entityTag(data, encoding) };
}

const bearer = ['Authorization'] as const;
const credentials = {
  jwt: bearer,
  apiKey: ['Api-Key'],
  either: ['Authorization', 'Api-Key'],
  operator: bearer,
  nobody: [],
} as const;

/** The request headers that another answer may hang on. */
function variedBy({ caller, success }: Route): string {
  const isOneOfSeveral = Object.keys(success.content).length > 1;
  return [...credentials[caller], ...(isOneOfSeveral ? ['Accept'] : []), 'Accept-Encoding'].join(', ');
}
