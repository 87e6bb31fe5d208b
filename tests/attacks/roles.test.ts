import { afterAll, describe, expect, test } from '@jest/globals';
import { dirname, join } from 'node:path';
import { callerToken } from '../../infra/local/standIns/identity/callerTokens.js';
import { SigningKeys } from '../../infra/local/standIns/identity/signingKeys.js';
import type { Route } from '../../shared/http/route.js';
import { newJobId, openApi, tokenOf } from '../contract/service.js';
import { guardedRoutes, sampleOf } from './operations.js';
import { closeConnections, sendRaw, type RawReply } from './rawRequest.js';

afterAll(closeConnections);

/** What the issue of the roles says, written down apart from the declarations. */
const READING = ['gddFetch', 'smartBoundaryFetch', 'jobsList', 'insightGet'];
const WRITING = ['gddCreate', 'gddCancel', 'smartBoundaryCreate', 'smartBoundaryCancel'];
/** Operations on farm data have roles of their own. */
const FARM_READING = [
  ...['farmPartiesList', 'farmPartyGet', 'farmCascadePartyGet', 'farmFarmsList', 'farmFarmsOfPartyList', 'farmFarmGet'],
  ...['farmCascadeFarmGet', 'farmFieldsSearch', 'farmFieldsList', 'farmFieldsOfPartyList', 'farmFieldGet'],
  ...['farmCascadeFieldGet', 'farmInsightsList', 'farmInsightGet', 'farmAttachmentsList', 'farmAttachmentGet'],
  ...['farmAttachmentFileGet', 'farmImportGet', 'farmFieldsGeoJson'],
];
const FARM_WRITING = [
  ...['farmPartyPut', 'farmPartyRemove', 'farmCascadePartyPut', 'farmFarmPut', 'farmFarmRemove', 'farmCascadeFarmPut'],
  ...['farmFieldPut', 'farmFieldRemove', 'farmCascadeFieldPut', 'farmImportsCreate'],
];

/** The roles that an operation takes, the weakest first. */
function rolesFor(name: string): readonly string[] {
  if (FARM_READING.includes(name)) return ['Farm.Read', 'Farm.ReadWrite'];
  if (FARM_WRITING.includes(name)) return ['Farm.ReadWrite'];
  return READING.includes(name) ? ['Jobs.Read', 'Jobs.ReadWrite'] : ['Jobs.ReadWrite'];
}

const routes = guardedRoutes.filter(({ caller }) => caller === 'jwt');
const cases = routes.map((route) => [`${route.method} /${route.path}`, route] as const);

const ask = (route: Route, token: string, body?: string): Promise<RawReply> => {
  const { headers, ...sample } = sampleOf(route);
  const authorized = { ...headers, authorization: `Bearer ${token}` };
  return sendRaw({ ...sample, headers: authorized, ...(body === undefined ? {} : { body }) });
};

/** A token of the demo tenant with these claims beside or instead of its roles. */
const tokenWith = (claims: Readonly<Record<string, unknown>>): string => {
  const keys = new SigningKeys(join(dirname(process.env['SERVICE_FILE'] ?? ''), 'identity'));
  return callerToken(keys.current(), new Date(), { roles: [], claims });
};

function expectForbidden(reply: RawReply, route: Route): void {
  expect(reply.status).toBe(403);
  const body = JSON.parse(reply.text) as { error: { code: string; message: string }; errors?: readonly object[] };
  expect(body.error.code).toBe('Forbidden');
  expect(body.error.message).toContain(rolesFor(route.name).join(' or '));
  expect(body).toHaveProperty('traceId');
  if (route.name.endsWith('Fetch')) expect(body.errors).toEqual([body.error]);
}

describe('a token without a right (API5)', () => {
  test('no operation that takes tokens is missing here', () => {
    expect(routes.map(({ name }) => name).sort()).toEqual(
      [...READING, ...WRITING, ...FARM_READING, ...FARM_WRITING].sort(),
    );
  });

  const none = tokenOf('demo', '--roles', 'none');
  test.each(cases)('%s is 403 that names the role, even with a bad body', async (_title, route) => {
    expectForbidden(await ask(route, none), route);
    if (route.body !== undefined) expectForbidden(await ask(route, none, '{'), route);
  });

  test.each(cases)('%s is 401 for a bad token, whatever its body', async (_title, route) => {
    expect((await ask(route, `${none}x`, route.body === undefined ? undefined : '{')).status).toBe(401);
  });

  const others = tokenOf('demo', '--roles', 'Admin,Jobs.ReadWrite.All,Farm.ReadWrite.All');
  test.each(cases)('%s is 403 for roles of other names', async (_title, route) => {
    expectForbidden(await ask(route, others), route);
  });
});

describe('a token with Jobs.Read', () => {
  const token = tokenOf('demo', '--roles', 'Jobs.Read');
  test.each(cases.filter(([, { name }]) => READING.includes(name)))('reads: %s', async (_title, route) => {
    // A list is there for everybody; what is asked for by a made-up id is not.
    expect((await ask(route, token)).status).toBe(route.name === 'jobsList' ? 200 : 404);
  });

  test.each(cases.filter(([, { name }]) => WRITING.includes(name)))('changes nothing: %s', async (_title, route) => {
    expectForbidden(await ask(route, token), route);
  });

  test('leaves the job that a create with it named uncreated', async () => {
    const [create, fetch] = ['gddCreate', 'gddFetch'].map((name) => routes.find((route) => route.name === name)!);
    const jobId = newJobId();
    const authorization = `Bearer ${token}`;
    for (const [route, status] of [
      [create!, 403],
      [fetch!, 404],
    ] as const) {
      const { headers, ...sample } = sampleOf(route, { jobId });
      expect((await sendRaw({ ...sample, headers: { ...headers, authorization } })).status).toBe(status);
    }
  });
});

describe('tokens of one area', () => {
  const isOfFarm = ({ name }: Route): boolean => name.startsWith('farm');
  test.each([
    ['Jobs.ReadWrite', cases.filter(([, route]) => isOfFarm(route))],
    ['Farm.ReadWrite', cases.filter(([, route]) => !isOfFarm(route))],
    ['Farm.Read', cases.filter(([, { name }]) => FARM_WRITING.includes(name))],
  ] as const)('with %s alone are refused by every operation of the other', async (role, refused) => {
    const token = tokenOf('demo', '--roles', role);
    for (const [, route] of refused) expectForbidden(await ask(route, token), route);
  });
});

describe('a token of a person', () => {
  const create = routes.find(({ name }) => name === 'gddCreate')!;
  test.each([
    { what: 'who let the application write', claims: { scp: 'Jobs.ReadWrite' }, status: 202 },
    { what: 'who let it read', claims: { scp: 'Jobs.Read', roles: ['Jobs.ReadWrite'] }, status: 403 },
    { what: 'who let it do nothing here', claims: { scp: 'openid', roles: ['Jobs.ReadWrite'] }, status: 403 },
    { what: 'with an empty scp', claims: { scp: '', roles: ['Jobs.ReadWrite'] }, status: 403 },
  ])('$what: create is $status', async ({ claims, status }) => {
    expect((await ask(create, tokenWith(claims))).status).toBe(status);
  });
});

test('the OpenAPI document says which operation wants which role', async () => {
  const { paths } = await openApi();
  for (const { method, path, name } of routes) {
    const operation = paths[`/${path}`]?.[method.toLowerCase()] as unknown as {
      security: object[];
      description: string;
    };
    expect(operation.security).toEqual(rolesFor(name).map((role) => ({ bearer: [role] })));
    expect(operation.description).toContain(
      rolesFor(name)
        .map((role) => `\`${role}\``)
        .join(' or '),
    );
  }
});
