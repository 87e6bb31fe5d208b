import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { check } from '../checker.mjs';
import { boundaryParameters } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';

const MANY = 1_000_000;
/** A request must be answered within this time, whatever the vault does. */
const LONGEST_MS = 10_000;
/** A job takes some 15 s. */
const JOB_MS = 120_000;
const secrets = { path: '/secrets/', times: MANY };

/** What the vault does, and what a create must then be answered. */
const cases = [
  { name: 'denied', fault: { kind: 'status', status: 403 }, status: 403, code: 'IMG-04104' },
  { name: 'no token taken', fault: { kind: 'status', status: 401 }, status: 403, code: 'IMG-04104' },
  { name: 'missing', fault: { kind: 'status', status: 404 }, status: 403, code: 'IMG-04104' },
  { name: 'no version enabled', fault: disabledVersions(), status: 403, code: 'IMG-04104', path: '/versions' },
  {
    name: 'throttled',
    fault: { kind: 'status', status: 429, retryAfter: '1' },
    status: 503,
    code: 'ServiceUnavailable',
  },
  { name: 'error 500', fault: { kind: 'status', status: 500 }, status: 503, code: 'ServiceUnavailable' },
  { name: 'cut off', fault: { kind: 'drop' }, status: 503, code: 'ServiceUnavailable' },
  { name: 'garbage', fault: { kind: 'garbage' }, status: 503, code: 'ServiceUnavailable' },
  { name: 'hangs', fault: { kind: 'hang' }, status: 503, code: 'ServiceUnavailable', share: 0.2 },
  { name: 'slow', fault: { kind: 'delay', milliseconds: 20_000 }, status: 503, code: 'ServiceUnavailable', share: 0.2 },
];

/** The list of a secret all of whose versions are disabled. */
function disabledVersions() {
  const value = [{ id: 'https://vault/secrets/imagery-client-secret/1', attributes: { enabled: false, created: 1 } }];
  return { kind: 'status', status: 200, body: JSON.stringify({ value }) };
}

/** Asks the vault. @returns what it answers, or undefined when it has nothing to say; throws when it refuses */
const vault = ({ settings, service }, { method, path, token, body }) =>
  new Promise((resolve, reject) => {
    const { keyVaultUrl } = Object.values(JSON.parse(settings.TENANTS))[0];
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    request(keyVaultUrl + path, { method, headers, ca: readFileSync(service.caFile) }, (answer) => {
      if (answer.statusCode === 200) resolve(json(answer));
      else answer.resume().once('end', resolve);
      if (answer.statusCode >= 300) reject(new Error(`The vault answers ${method} ${path} with ${answer.statusCode}`));
    })
      .once('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });

/** Gives the vault's stand-in faults to play; undefined takes all away. */
const script = (world, faults) =>
  vault(world, { method: faults === undefined ? 'DELETE' : 'POST', path: '/.control/faults', body: faults });

/** Rotates the licence's secret as its owner does: a version more, and the one before disabled. */
async function rotate(world) {
  const { IDENTITY_ENDPOINT, IDENTITY_HEADER } = world.settings;
  const query = new URLSearchParams({ resource: 'https://vault.azure.net', 'api-version': '2019-08-01' });
  const headers = { 'x-identity-header': IDENTITY_HEADER };
  const { access_token: token } = await (await fetch(`${IDENTITY_ENDPOINT}?${query}`, { headers })).json();
  const ask = (method, path, body) => vault(world, { method, path: `${path}?api-version=7.5`, token, body });
  const before = await ask('GET', '/secrets/imagery-client-secret');
  await ask('PUT', '/secrets/imagery-client-secret', { value: before.value });
  await ask('PATCH', new URL(before.id).pathname, { attributes: { enabled: false } });
}

/** Rows of jobs of such ids: those of other jobs come and go meanwhile. */
const rowsOf = async ({ storage }, prefix) =>
  (await storage.rows('work')).filter(({ rowKey }) => rowKey.includes(`|${prefix}-`)).length;

async function runCase(world, { name, fault, path, share = 1, ...expected }, each, breaches) {
  const { client, service } = world;
  const prefix = name.replaceAll(/[^a-z0-9]+/g, '-');
  const ids = Array.from({ length: Math.max(2, Math.round(each * share)) }, (_, number) => `${prefix}-${number}`);
  await script(world, { ...secrets, ...fault, ...(path === undefined ? {} : { path }) });
  const replies = await Promise.all(ids.map((id) => client.create('boundary', id, boundaryParameters(service))));
  for (const { id, status, json, ms, retryAfter } of replies) {
    if (status !== expected.status || json?.error?.code !== expected.code)
      breaches.push(`${name}: ${id} was answered ${status} ${JSON.stringify(json)}`);
    if (ms > LONGEST_MS) breaches.push(`${name}: ${id} was answered after ${Math.round(ms)} ms`);
    if (status === 503 && !/^\d+$/.test(retryAfter ?? '')) breaches.push(`${name}: ${id} has no Retry-After`);
  }
  if ((await rowsOf(world, prefix)) !== 0) breaches.push(`${name}: a refused create left a row`);
  await script(world, undefined);
  // What was refused is not remembered: the vault is asked again, and the same id is free.
  const again = await client.create('boundary', ids[0], boundaryParameters(service));
  if (again.status !== 202) breaches.push(`${name}: once the vault was well, ${ids[0]} was answered ${again.status}`);
  await client.insist(() => client.cancel('boundary', ids[0]));
  return ids.length;
}

/** A job to its end. */
async function runJob({ client, service }, id, breaches) {
  const created = await client.insist(() => client.create('boundary', id, boundaryParameters(service)));
  if (created.status !== 202) return breaches.push(`rotated: ${id} was answered ${created.status}`);
  for (const start = Date.now(); Date.now() - start < JOB_MS; await pause(500)) {
    const { json: job } = await client.insist(() => client.fetch('boundary', id));
    if (job.status === 'SUCCEEDED') return undefined;
    if (job.status === 'FAILED') return breaches.push(`rotated: ${id} FAILED: ${job.errorMessage ?? ''}`);
  }
  return breaches.push(`rotated: ${id} has not ended`);
}

/** A secret is rotated between two jobs: the second uses the version that is there then. */
async function rotatedSecret(world, breaches) {
  await runJob(world, 'before-rotation', breaches);
  await rotate(world);
  await runJob(world, 'after-rotation', breaches);
}

export const experiment = {
  id: 'E21',
  restsOn: ['access', 'jobs', 'boundary'],
  title: 'a key vault that denies, throttles, fails, hangs, lacks the licence, and whose secret is rotated',
  passLine:
    'the right code within 10 s, 0 rows on a refusal, the canary secret nowhere, nothing remembered; jobs before and after a rotation succeed',
  run: async (context) => {
    const each = Math.ceil(context.size(60, 200) / cases.length);
    const world = await context.start();
    const breaches = [];
    let creates = 0;
    for (const one of cases.filter(({ name }) => name.includes(context.only)))
      creates += await runCase(world, one, each, breaches);
    if ('rotated'.includes(context.only)) await rotatedSecret(world, breaches);
    const { counts, breaches: found } = await check(world, { quietMs: context.quietMs(120_000) });
    return { counts: { cases: cases.length + 1, refused: creates, ...counts }, breaches: [...breaches, ...found] };
  },
};
