import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { startService, type RunningService } from '../faults/runningService.mjs';
import { describeInFull } from '../support/fullRun.js';
import { createGdd, fetchGdd, newJobId, service, tokenOf } from './service.js';
import { settings, tableOf } from './storage.js';

const localDirectory = dirname(process.env['SERVICE_FILE'] ?? '');

/** Runs the command of operators on the service of that folder. */
function tenants(directory: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const env = { ...process.env, ...environment, LOCAL_DIR: directory };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/local/tenants.mjs', ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, stderr, printed: (status === 0 ? JSON.parse(stdout) : undefined) as unknown };
}
/** On the storage of the service of all tests, named as Azure's would be. */
const here = (...args: readonly string[]) =>
  tenants(localDirectory, args, { ...settings, NODE_EXTRA_CA_CERTS: service.caFile });

/** Looks again while what is known of the register may be five seconds old. */
async function eventually<T>(look: () => Promise<T>, isThere: (seen: T) => boolean): Promise<T> {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const seen = await look();
    if (isThere(seen) || Date.now() > deadline) return seen;
    await new Promise((done) => setTimeout(done, 250));
  }
}
const statusOf = async (tid: string): Promise<number> => {
  const reply = await fetchGdd('none', { token: tokenOf(tid) });
  return reply.status;
};

describe('a tenant', () => {
  test('is served some seconds after its operator has added it, without deployment or restart', async () => {
    const tid = randomUUID();
    expect(await statusOf(tid)).toBe(401);
    expect(here('add', tid).status).toBe(0);
    expect(
      await eventually(
        () => statusOf(tid),
        (status) => status !== 401,
      ),
    ).toBe(404);
    expect(here('show', tid).printed).toMatchObject({
      state: 'enabled',
      changes: [{ action: 'add', by: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
    });
  });

  test('that is disabled as soon as it was added is refused: 401', async () => {
    const tid = randomUUID();
    here('add', tid);
    expect(here('disable', tid).status).toBe(0);
    // A stranger whom another test sends between the two commands has the register read: that reading is used for a minute.
    expect(
      await eventually(
        () => statusOf(tid),
        (status) => status === 401,
      ),
    ).toBe(401);
    const removed = here('remove', tid);
    expect(removed.status).toBe(1);
    expect(removed.stderr).toMatch(/may still be known to an instance; wait \d+ s/);
  });

  test('whose row cannot be used gets 503 TenantMisconfigured, and nobody else does', async () => {
    const tid = randomUUID();
    const row = {
      partitionKey: 'tenants',
      rowKey: `tenant_${tid}`,
      settings: '{"keyVaultUrl":"http://canary.test"}',
    };
    await tableOf('tenants').createEntity(row);
    const look = () => createGdd(newJobId(), undefined, { token: tokenOf(tid) });
    const refused = await eventually(look, ({ status }) => status !== 401);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('300');
    expect(refused.json.error).toEqual({
      code: 'TenantMisconfigured',
      message: 'The registration of your tenant at this service cannot be used; its operator has to mend it.',
    });
    expect((await createGdd(newJobId())).status).toBe(202);
    await tableOf('tenants').deleteEntity('tenants', `tenant_${tid}`);
  });
});

describeInFull('a service that goes live', () => {
  let running: RunningService;
  beforeAll(async () => {
    running = await startService({ app: resolve('.'), environment: { TENANTS: '{}' } });
  });
  afterAll(async () => {
    await running.stop();
  });

  test('is not ready until the tenants are imported, and then serves them', async () => {
    const { baseUrl } = running.service;
    const ready = () =>
      fetch(`${baseUrl}/ready`).then(async (reply) => ({ status: reply.status, body: await reply.json() }));
    // Storage that has just started may take longer than a look waits.
    const before = await eventually(
      ready,
      ({ body }) => (body as { dependencies: object }).dependencies['tables' as never] === 'ok',
    );
    expect(before).toMatchObject({
      status: 503,
      body: { ready: false, dependencies: { tables: 'ok', tokenIssuer: 'ok', tenants: 'away' } },
    });
    expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
    const seed = { TENANTS: JSON.stringify({ [tidOf(running.service.jwt)]: {} }) };
    expect(tenants(running.directory, ['import'], seed).printed).toEqual({
      added: [tidOf(running.service.jwt)],
      changed: [],
      unchanged: [],
    });
    expect(await eventually(ready, ({ status }) => status === 200)).toMatchObject({
      status: 200,
      body: { ready: true },
    });
    const answer = await fetch(`${baseUrl}/solutions/partnerAgPowered.gdd:fetch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.service.jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify({ requestPath: '/v1/gdd/none' }),
    });
    expect(answer.status).toBe(404);
  });
});

const tidOf = (jwt: string): string =>
  (JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')) as { readonly tid: string }).tid;

describe('the settings of the app', () => {
  test('no longer say who may call: the register does', () => {
    const help = execFileSync(process.execPath, ['build/local/tenants.mjs', 'list'], {
      env: { ...process.env, LOCAL_DIR: localDirectory },
      encoding: 'utf8',
    });
    const listed = (JSON.parse(help) as readonly { readonly tid: string }[]).map(({ tid }) => tid);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(JSON.parse(settings['TENANTS'] ?? '{}') as object)));
  });
});
