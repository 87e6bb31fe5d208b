/** The client of Event Grid that npm has, and ours: what arrives at the topic is the same. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ensureCertificate } from '../../infra/local/certificates.js';
import type { EventGrid } from '../../infra/local/standIns/eventGrid.js';
import { startIdentity, type Identity } from '../../infra/local/standIns/identity.js';
import { startLocalTopic } from '../../infra/local/standIns/localTopic.js';
import { here, outputOf } from './generators.js';

const directory = mkdtempSync(join(tmpdir(), 'event-grid-'));
const events = join(directory, 'events.json');
// Beside node_modules, where it finds what it imports.
const ours = resolve('build/clients/eventGrid.mjs');
let [identity, grid]: [Identity | undefined, EventGrid | undefined] = [undefined, undefined];
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  const vectors = JSON.parse(readFileSync('tests/fixtures/notices/vectors.json', 'utf8')) as {
    readonly symmetric: readonly { readonly body: string }[];
  };
  writeFileSync(events, JSON.stringify([...new Set(vectors.symmetric.map(({ body }) => body))]));
  const certificate = await ensureCertificate(directory, new Date());
  identity = await startIdentity({ directory: join(directory, 'identity') });
  grid = await startLocalTopic({ certificate, identity });
  environment = {
    NODE_EXTRA_CA_CERTS: certificate.caFile,
    IDENTITY_ENDPOINT: identity.identityEndpoint,
    IDENTITY_HEADER: identity.identityHeader,
    TOPIC_URL: grid.topicUrl,
    EVENTS: events,
  };
  mkdirSync(resolve('build/clients'), { recursive: true });
  const bundle = ['--bundle', '--platform=node', '--format=esm', '--packages=external', `--outfile=${ours}`];
  await outputOf([resolve('node_modules/.bin/esbuild'), 'eventGrid/ours.ts', ...bundle], here);
});
afterAll(async () => {
  await grid?.close();
  await identity?.close();
  rmSync(directory, { recursive: true });
});

test('npm @azure/eventgrid and the service send the same events, by the same rules', async () => {
  for (const program of ['eventGrid/theirs.mjs', ours]) await outputOf([process.execPath, program], here, environment);
  const [theirs, own, ...more] = grid!.published();
  expect(more).toEqual([]);
  expect(theirs!.events.length).toBeGreaterThan(9);
  expect(theirs!.events).toEqual(
    (JSON.parse(readFileSync(events, 'utf8')) as string[]).map((body) => JSON.parse(body) as object),
  );
  expect(own).toEqual(theirs);
});

test('the topic takes tokens for Event Grid alone', async () => {
  const tokenFor = async (resource: string): Promise<string> => {
    const asked = `${identity!.identityEndpoint}?api-version=2019-08-01&resource=${resource}`;
    const answer = await fetch(asked, { headers: { 'x-identity-header': identity!.identityHeader } });
    return ((await answer.json()) as { readonly access_token: string }).access_token;
  };
  const ca = readFileSync(environment['NODE_EXTRA_CA_CERTS'] ?? '');
  const statusWith = async (token: string): Promise<number | undefined> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/cloudevents-batch+json' };
    const call = request(`${grid!.topicUrl}?api-version=2018-01-01`, { method: 'POST', headers, ca });
    call.end('[]');
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  await expect(statusWith(await tokenFor('https://vault.azure.net'))).resolves.toBe(401);
  await expect(statusWith(await tokenFor('https://eventgrid.azure.net'))).resolves.toBe(200);
});
