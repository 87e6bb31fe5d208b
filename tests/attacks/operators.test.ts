import { afterAll, describe, expect, test } from '@jest/globals';
import { dirname, join } from 'node:path';
import { callerToken } from '../../infra/local/standIns/identity/callerTokens.js';
import { SigningKeys } from '../../infra/local/standIns/identity/signingKeys.js';
import { OPERATOR_TENANT, SERVICE_TENANT_NAME } from '../../infra/local/standIns/tenants.js';
import type { Route } from '../../shared/http/route.js';
import { commandNames, formOf } from '../../shared/operate/commands/commandBody.js';
import { openApi, service, tokenOf } from '../contract/service.js';
import { operatorRoutes, sampleOf } from './operations.js';
import { closeConnections, sendRaw, type RawReply } from './rawRequest.js';

afterAll(closeConnections);

const reason = 'An attack that a test makes.';
const TENANT = '11111111-1111-4111-8111-111111111111';
const members = {
  ...{ customer: service.customer, keyId: 'none', tenant: TENANT, kind: 'gdd', id: `${TENANT}|none`, jobId: 'none' },
  ...{ duty: 'none', minutes: 1 },
  ...{ owner: `c_${service.customer}-none`, webhook: 'wh_none', sequence: '0000000000001' },
  fingerprint: '000000000000',
};

/** A command with everything that it needs, on targets that are not there. */
function bodyOf(command: (typeof commandNames)[number]): object {
  const { needs } = formOf(command);
  const confirmed = needs.find((name) => name === 'tenant' || name === 'customer' || name === 'owner');
  const confirm = confirmed && members[confirmed];
  const target = Object.fromEntries(needs.map((name) => [name, name === 'confirm' ? confirm : members[name]]));
  return { command, reason, target };
}

const cases = operatorRoutes.map((route) => [`${route.method} /${route.path}`, route] as const);

function ask(route: Route, token: string, body?: string): Promise<RawReply> {
  const { headers, ...sample } = sampleOf(route);
  const authorized = { ...headers, authorization: `Bearer ${token}` };
  return sendRaw({ ...sample, headers: authorized, ...(body === undefined ? {} : { body }) });
}
const give = (token: string, body: object): Promise<RawReply> => ask(commands, token, JSON.stringify(body));
const commands = operatorRoutes.find(({ method }) => method === 'POST')!;

/** A token of the tenant that runs the service, with these claims beside or instead of its roles. */
const tokenWith = (claims: Readonly<Record<string, unknown>>): string => {
  const keys = new SigningKeys(join(dirname(process.env['SERVICE_FILE'] ?? ''), 'identity'));
  return callerToken(keys.current(), new Date(), { tenant: OPERATOR_TENANT, roles: [], claims });
};

describe('the operator API opens to no token', () => {
  test.each(cases)('of a tenant, whatever roles it carries: %s', async (_title, route) => {
    for (const tenant of ['demo', 'unlicensed', SERVICE_TENANT_NAME]) {
      const roles = 'Operate,Release,Jobs.ReadWrite,Farm.ReadWrite';
      expect((await ask(route, tokenOf(tenant, '--roles', roles))).status).toBe(401);
    }
  });

  test.each([
    { what: 'of version 1', claims: { roles: ['Operate'], ver: '1.0' }, status: 401 },
    { what: 'for another audience', claims: { roles: ['Operate'], aud: 'api://other' }, status: 401 },
    { what: 'without a role', claims: {}, status: 403 },
    { what: 'with roles of tenants', claims: { roles: ['Jobs.ReadWrite', 'Farm.ReadWrite'] }, status: 403 },
    { what: 'with roles of other names', claims: { roles: ['Operate.All', 'operate', 'Admin'] }, status: 403 },
    { what: 'of a person without the scope', claims: { roles: ['Operate'], scp: 'Jobs.ReadWrite' }, status: 403 },
    { what: 'of a person who has the scope alone', claims: { scp: 'Operate' }, status: 403 },
  ])('$what: $status', async ({ claims, status }) => {
    for (const [, route] of cases) expect((await ask(route, tokenWith(claims))).status).toBe(status);
  });

  test.each(cases)('that is missing, or in another header: %s', async (_title, route) => {
    const { headers, ...sample } = sampleOf(route);
    const token = tokenOf(OPERATOR_TENANT, '--roles', 'Operate');
    for (const sent of [{}, { 'api-key': token }, { 'x-forwarded-authorization': `Bearer ${token}` }]) {
      expect((await sendRaw({ ...sample, headers: { ...headers, ...sent } })).status).toBe(401);
    }
  });
});

describe('the token of an operator', () => {
  const token = tokenOf(OPERATOR_TENANT, '--roles', 'Operate');

  test('opens nothing of any tenant', async () => {
    const body = JSON.stringify({ requestPath: '/v1/gdd/none' });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const path = '/solutions/partnerAgPowered.gdd:fetch';
    expect((await sendRaw({ method: 'POST', path, headers, body })).status).toBe(401);
  });

  test('has no command carried out without a reason', async () => {
    for (const command of commandNames) {
      for (const without of [
        { reason: undefined },
        { reason: '' },
        { reason: 'because' },
        { reason: 'x'.repeat(201) },
      ]) {
        const reply = await give(token, { ...bodyOf(command), ...without });
        expect([command, reply.status]).toEqual([command, 400]);
        expect(reply.text).toContain('reason');
      }
    }
  });

  test.each(['tenants.add', 'tenants.enable', 'tenants.set', 'customers.create', 'keys.rotate', 'backup.restore'])(
    'has nothing widened: %s is no command',
    async (command) => {
      expect((await give(token, { command, reason, target: {} })).status).toBe(400);
    },
  );

  test.each(['customers.purge', 'tenants.purge', 'notices.drop'] as const)(
    'purges nothing that is not named twice: %s',
    async (name) => {
      const { target, ...body } = bodyOf(name) as { readonly target: object };
      for (const confirm of [undefined, '', 'yes', '*']) {
        expect((await give(token, { ...body, target: { ...target, confirm } })).status).toBe(400);
      }
    },
  );

  test('has no larger command read than 4 KB', async () => {
    expect((await give(token, { command: 'drain.end', reason, target: { kind: 'x'.repeat(5_000) } })).status).toBe(413);
  });
});

describe('the token of a pipeline', () => {
  const token = tokenOf(OPERATOR_TENANT, '--roles', 'Release');

  test.each(commandNames.filter((name) => formOf(name).isOfRelease !== true))('may not give %s', async (command) => {
    for (const dryRun of [false, true]) {
      expect((await give(token, { ...bodyOf(command), dryRun })).status).toBe(403);
    }
  });

  test('may look at the state, and whether a drain would begin', async () => {
    expect((await give(token, { ...bodyOf('drain.start'), dryRun: true })).status).toBe(200);
    const statuses = cases.map(async ([title, route]) => [title, (await ask(route, token)).status] as const);
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual({
      'POST /operate/v1/commands': 403,
      'GET /operate/v1/operations/{id}': 403,
      'GET /operate/v1/state': 200,
    });
  });
});

test('the OpenAPI document says which role each operation needs', async () => {
  const { paths } = await openApi();
  const roles = operatorRoutes.map(({ method, path }) => {
    const { security } = paths[`/${path}`]?.[method.toLowerCase()] as unknown as { security: { operator: string[] }[] };
    return [path, security.flatMap(({ operator }) => operator)];
  });
  expect(Object.fromEntries(roles)).toEqual({
    'operate/v1/commands': ['Release', 'Operate'],
    'operate/v1/operations/{id}': ['Operate'],
    'operate/v1/state': ['Release', 'Operate'],
  });
});
