import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { functionTable } from '../../functions/functionTable.js';
import type { Route } from '../../shared/http/route.js';
import { newCustomer, submit } from '../contract/enrollmentCalls.js';
import { call, createGdd, fetchGdd, newJobId, service, tokenOf, untilEnded } from '../contract/service.js';
import { bodyOf, credentialOf, guardedRoutes, sampleOf } from './operations.js';
import { closeConnections, sendRaw, type RawReply } from './rawRequest.js';

afterAll(closeConnections);

const title = ({ method, path }: Route): string => `${method} /${path}`;
const routesNamed = (pattern: RegExp): Route[] => functionTable.routes.filter(({ name }) => pattern.test(name));

/** The answer without what differs between any two answers. */
function comparable({ status, headers, text }: RawReply, id?: string): object {
  const { date: _date, traceparent: _trace, ...rest } = headers;
  const { 'x-ms-request-id': _request, 'x-ms-invocation-id': _invocation, ...others } = rest;
  const body = (id === undefined ? text : text.replaceAll(id, 'ID')).replace(
    /"trace(Id|_id)":"[0-9a-f]{32}"/,
    '"trace":""',
  );
  return { status, headers: { ...others, 'content-length': undefined }, body };
}

describe("what belongs to one tenant is to another what doesn't exist (API1)", () => {
  let other: Record<string, string>;
  /** By kind of object: an id the demo tenant has, of the form of those it does not have. */
  const owned = { gdd: newJobId(), smartBoundary: newJobId(), insight: '' };

  beforeAll(async () => {
    other = { authorization: `Bearer ${tokenOf('unlicensed')}` };
    await createGdd(owned.gdd);
    const [create, cancel] = [routesNamed(/^smartBoundaryCreate$/)[0]!, routesNamed(/^smartBoundaryCancel$/)[0]!];
    for (const route of [create, cancel]) {
      const { path, body } = sampleOf(route, { jobId: owned.smartBoundary });
      await call(path, { method: 'POST', body });
    }
    const ended = (await untilEnded(() => fetchGdd(owned.gdd))).json as { readonly insightId: string };
    owned.insight = ended.insightId;
  });

  test.each(
    routesNamed(/^(gdd|smartBoundary)(Fetch|Cancel)$|^insightGet$/).map((route) => [title(route), route] as const),
  )('%s: same status, bytes equal but for traceId, nothing changed', async (_title, route) => {
    const kind = (['gdd', 'smartBoundary'] as const).find((solution) => route.name.startsWith(solution)) ?? 'insight';
    const ask = async (id: string): Promise<object> => {
      const { headers, ...sample } = sampleOf(route, { jobId: id, id });
      return comparable(await sendRaw({ ...sample, headers: { ...headers, ...other } }), id);
    };
    const before = await asOwner(kind);
    const unknown = kind === 'insight' ? randomUUID() : newJobId();
    expect(await ask(owned[kind])).toEqual(await ask(unknown));
    expect(await asOwner(kind)).toEqual(before);
  });

  async function asOwner(kind: keyof typeof owned): Promise<object> {
    const route = routesNamed(kind === 'insight' ? /^insightGet$/ : new RegExp(`^${kind}Fetch$`))[0]!;
    const { headers, ...sample } = sampleOf(route, { jobId: owned[kind], id: owned[kind] });
    const reply = await sendRaw({ ...sample, headers: { ...headers, ...credentialOf(route) } });
    expect(reply.status).toBe(200);
    return comparable(reply);
  }

  test('a create of an id that another tenant has used is a create', async () => {
    const { headers, ...sample } = sampleOf(routesNamed(/^gddCreate$/)[0]!, { jobId: owned.gdd });
    const reply = await sendRaw({ ...sample, headers: { ...headers, ...other } });
    expect(reply.status).toBe(202);
  });
});

describe("what belongs to one customer is to another what doesn't exist (API1)", () => {
  test('each operation of area C answers a customer with something as it answers one without', async () => {
    const [owner, first, second] = await Promise.all([newCustomer(), newCustomer(), newCustomer()]);
    const submitted = (await submit(undefined, {}, owner)).json as { readonly enrollment_id: string };
    const ask = async (path: string, apiKey: string, id?: string): Promise<object> =>
      comparable(await sendRaw({ method: 'GET', path, headers: { 'api-key': apiKey } }), id);
    const foreign = submitted.enrollment_id;
    const unknown = randomUUID();
    expect(await ask(`/v1/enrollments/${foreign}`, first.apiKey, foreign)).toEqual(
      await ask(`/v1/enrollments/${unknown}`, first.apiKey, unknown),
    );
    expect(await ask('/v1/enrollments', first.apiKey)).toEqual(await ask('/v1/enrollments', second.apiKey));
    const access = JSON.parse(
      (await sendRaw({ method: 'GET', path: '/v1/auth/sas-token', headers: { 'api-key': first.apiKey } })).text,
    ) as { readonly path: string };
    expect(access.path).toBe(`${first.customer}/field-imagery`);
  });
});

describe("a credential opens its own area's operations only (API2, API5)", () => {
  const wrong: readonly (readonly [string, (route: Route) => Record<string, string>])[] = [
    ['none', () => ({})],
    [
      "the other area's, in its own header",
      ({ caller }) => credentialOf({ caller: caller === 'jwt' ? 'apiKey' : 'jwt' }),
    ],
    [
      "the other area's, in this area's header",
      ({ caller }) => (caller === 'jwt' ? { authorization: `Bearer ${service.apiKey}` } : { 'api-key': service.jwt }),
    ],
    [
      "the right one, in the other area's header",
      ({ caller }) => (caller === 'jwt' ? { 'api-key': service.jwt } : { authorization: `Bearer ${service.apiKey}` }),
    ],
    [
      'the right one, in a cookie',
      ({ caller }) => ({ cookie: `${caller === 'jwt' ? 'token' : 'api-key'}=${service.jwt}` }),
    ],
    [
      'the right one, in a proxy header',
      () => ({ 'x-forwarded-authorization': `Bearer ${service.jwt}`, 'x-ms-client-principal-id': 'demo' }),
    ],
    ['the right one, twice', (route) => doubled(credentialOf(route))],
  ];
  /** As a proxy joins a header that was sent twice. */
  const doubled = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}, ${value}`]));

  test.each(guardedRoutes.map((route) => [title(route), route] as const))(
    '%s is 401 in one and the same words',
    async (_title, route) => {
      const bodies = new Set<string>();
      for (const [what, headersOf] of wrong) {
        const { headers, ...sample } = sampleOf(route);
        const sent = headersOf(route);
        const reply = await sendRaw({ ...sample, headers: { ...headers, ...sent } });
        expect([what, reply.status]).toEqual([what, 401]);
        // Who has sent no token at all is told the scheme alone.
        const bearer = sent['authorization'] === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
        const { 'www-authenticate': challenge, ...others } = reply.headers;
        expect(challenge).toBe(route.caller === 'jwt' ? bearer : 'ApiKey');
        bodies.add(JSON.stringify(comparable({ ...reply, headers: others })));
      }
      expect(bodies.size).toBe(1);
    },
  );

  test('no operation that changes or shows something of somebody is open to nobody', () => {
    const open = functionTable.routes.filter(({ caller }) => caller === 'nobody').map(({ name }) => name);
    const service = ['serviceDocs', 'serviceDocsFile', 'serviceHealth', 'serviceOpenApi', 'serviceReady'];
    // The consent of a receiver is opened by the key in its address alone.
    expect(open.sort()).toEqual(['eventsSchema', ...service, 'webhooksConfirm', 'webhooksConfirmPage']);
  });
});

describe('what answers hold cannot be set by a request (API3)', () => {
  const names = [
    ...['id', 'e2eId', 'status', 'message', 'insightId', 'tenant', 'tid', 'customer', 'attempts', 'leaseEndsAt'],
    ...['jobCreatedDateTime', 'jobLastActionDateTime', 'jobProcessingStartDateTime', 'jobProcessingEndDateTime'],
    ...['jobProcessingDurationInSeconds', 'modelSpec', 'error', 'errors', 'traceId', 'constructor', 'toString'],
  ];

  /** What callers write on a party, farm or field. */
  const WRITTEN_OF_FARM = ['status'];

  test.each(
    functionTable.routes.filter(({ body }) => body !== undefined).map((route) => [title(route), route] as const),
  )('%s refuses each of its names', async (_title, route) => {
    const written = route.tag === 'Farm data' ? WRITTEN_OF_FARM : [];
    for (const name of names.filter((each) => !written.includes(each))) {
      const { headers, ...sample } = sampleOf(route);
      const body = JSON.stringify({ ...bodyOf(route, newJobId()), [name]: 'SUCCEEDED' });
      const reply = await sendRaw({ ...sample, body, headers: { ...headers, ...credentialOf(route) } });
      expect([name, reply.status]).toEqual([name, route.errors === 'enrollments' ? 422 : 400]);
      expect(reply.text).toContain(name);
    }
  });

  test.each(routesNamed(/^(gdd|smartBoundary)Create$/).map((route) => [title(route), route] as const))(
    '%s refuses each of them in partnerRequestBody too',
    async (_title, route) => {
      for (const name of names) {
        const { partnerRequestBody, ...others } = bodyOf(route, newJobId()) as { partnerRequestBody: object };
        const body = { ...others, partnerRequestBody: { ...partnerRequestBody, [name]: 'SUCCEEDED' } };
        const reply = await call(`/${route.path}`, { method: 'POST', body });
        expect([name, reply.status]).toEqual([name, 400]);
      }
    },
  );

  test('a prototype in a body is refused and changes nothing', async () => {
    const body = `{"__proto__":{"isAdmin":true},"requestPath":"/v1/gdd/${newJobId()}"}`;
    expect((await call('/solutions/partnerAgPowered.gdd:fetch', { method: 'POST', body })).status).toBe(400);
  });

  test('nothing in a query gives access to another folder', async () => {
    const { customer, apiKey } = await newCustomer();
    for (const query of [
      'customer=demo',
      'path=demo%2Ffield-imagery',
      'tenant=demo',
      'params=%7B%7D',
      'CUSTOMER=demo',
    ]) {
      const headers = { 'api-key': apiKey };
      const reply = await sendRaw({ method: 'GET', path: `/v1/auth/sas-token?${query}`, headers });
      const { path } = JSON.parse(reply.text) as { readonly path: string };
      expect([query, reply.status, path]).toEqual([query, 200, `${customer}/field-imagery`]);
    }
  });
});
