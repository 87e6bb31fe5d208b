import { HttpRequest } from '@azure/functions';
import { describe, expect, test } from '@jest/globals';
import { operateCommandsCreate } from '../../functions/operate/commands.js';
import { operateOperationGet } from '../../functions/operate/operation.js';
import { operateStateGet } from '../../functions/operate/state.js';
import { serviceReady } from '../../functions/service/ready.js';
import type { OperatorRole } from '../../shared/access/auth/roles.js';
import { TokenRefusal } from '../../shared/access/auth/verifyToken.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { handleRequest } from '../../shared/http/handleRequest.js';
import type { Services } from '../../shared/wiring/services.js';
import type { ServiceRoute } from '../../shared/wiring/declare.js';
import { OperateWorld, OPERATOR } from '../operate/commands/operateWorld.js';

const reason = 'An incident of this very night.';

class Caller {
  readonly world = new OperateWorld();
  readonly rates: unknown[] = [];
  lastTick: string | null = null;

  async call(
    route: ServiceRoute,
    body?: unknown,
    { roles = ['Operate'] as readonly OperatorRole[], params = {}, query = '' } = {},
  ) {
    const services = {
      operate: this.world.ports,
      clock: this.world.clock,
      config: {},
      readiness: () =>
        Promise.resolve({ ready: true, dependencies: {}, notes: [], duties: {}, lastTick: this.lastTick }),
      verifyToken: () => Promise.reject(new Error("A tenant's token opens nothing here.")),
      verifyOperator: (header: string | null) =>
        header === 'Bearer ok'
          ? Promise.resolve({ tenant: 'home', objectId: OPERATOR, roles })
          : Promise.reject(new TokenRefusal('tenant')),
      limitRate: (...rate: unknown[]) => Promise.resolve(void this.rates.push(rate)),
      uploadSlots: { tryTake: () => () => undefined },
    } as unknown as Services;
    const request = new HttpRequest({
      method: route.method,
      url: `http://host/${route.path}${query}`,
      headers: { authorization: 'Bearer ok', 'content-type': 'application/json' },
      params,
      ...(body === undefined ? {} : { body: { string: JSON.stringify(body) } }),
    });
    const answer = await handleRequest(route, request, { services, write: () => undefined });
    return { status: answer.status, json: JSON.parse(answer.body as string) as Record<string, unknown> };
  }
}

describe('the operator API', () => {
  test('answers a quick command with what was done, a long one with its operation', async () => {
    const caller = new Caller();
    const quick = await caller.call(operateCommandsCreate, { command: 'drain.end', reason });
    expect(quick).toMatchObject({ status: 200, json: { status: 'Done', by: OPERATOR, result: { isDrained: false } } });
    const { status, json } = await caller.call(operateCommandsCreate, { command: 'backup.now', reason });
    expect([status, json['status']]).toEqual([202, 'Running']);
    await caller.world.live(5);
    const params = { id: String(json['operationId']) };
    expect(await caller.call(operateOperationGet, undefined, { params })).toMatchObject({
      status: 200,
      json: { status: 'Done', command: 'backup.now', result: { rows: 5 } },
    });
  });

  test('counts every call against a rate of its own', async () => {
    const caller = new Caller();
    await caller.call(operateCommandsCreate, { command: 'drain.end', reason });
    await caller.call(operateStateGet);
    expect(caller.rates).toEqual([
      [{ operator: OPERATOR }, 'operate'],
      [{ operator: OPERATOR }, 'operate'],
    ]);
  });

  test('gives a pipeline drain and state, and nothing else', async () => {
    const caller = new Caller();
    const roles = ['Release'] as const;
    const statusOf = async (route: ServiceRoute, body?: unknown) => (await caller.call(route, body, { roles })).status;
    expect(await statusOf(operateStateGet)).toBe(200);
    const start = { command: 'drain.start', target: { minutes: 10 }, reason };
    expect(await statusOf(operateCommandsCreate, start)).toBe(200);
    expect(await statusOf(operateCommandsCreate, { command: 'backup.now', reason })).toBe(403);
    expect(await statusOf(operateOperationGet)).toBe(403);
  });

  test('takes no more than 4 KB, and names every fault of a command', async () => {
    const caller = new Caller();
    const large = { command: 'drain.end', reason: 'x'.repeat(5_000) };
    expect((await caller.call(operateCommandsCreate, large)).status).toBe(413);
    const { status, json } = await caller.call(operateCommandsCreate, { command: 'keys.revoke' });
    const message = 'reason is missing. target.keyId is missing: keys.revoke needs it.';
    expect([status, json['error']]).toEqual([400, { code: 'InvalidCommand', message }]);
    expect(caller.world.rows('audit').all()).toEqual([]);
  });

  test('tells nothing of a fault inside', async () => {
    const caller = new Caller();
    caller.world.ports.drains.end = () => Promise.reject(new Error('secret detail'));
    const { status, json } = await caller.call(operateCommandsCreate, { command: 'drain.end', reason });
    expect([status, JSON.stringify(json).includes('secret')]).toEqual([500, false]);
    caller.world.ports.drains.end = () => Promise.reject(new ServiceError(commonFaults.unavailable, 'Away.'));
    expect((await caller.call(operateCommandsCreate, { command: 'drain.end', reason })).status).toBe(503);
  });
});

describe('GET /ready', () => {
  const recent = '2026-06-15T11:55:00.000Z';
  const late = '2026-06-15T11:49:00.000Z';
  test.each([
    { what: 'a late tick', lastTick: late, query: '', status: 200 },
    { what: 'a late tick, asked for the work', lastTick: late, query: '?work=true', status: 503 },
    { what: 'no tick yet, asked for the work', lastTick: null, query: '?work=true', status: 503 },
    { what: 'a recent tick, asked for the work', lastTick: recent, query: '?work=true', status: 200 },
    { what: 'a late tick, not asked for the work', lastTick: late, query: '?work=false', status: 200 },
    { what: 'a value that is none', lastTick: recent, query: '?work=maybe', status: 400 },
  ])('with $what is $status', async ({ lastTick, query, status }) => {
    const caller = new Caller();
    caller.lastTick = lastTick;
    const answer = await caller.call(serviceReady, undefined, { query });
    expect(answer.status).toBe(status);
    if (status !== 400) expect(answer.json['lastTick']).toBe(lastTick);
  });
});
