/** The client of Event Grid that npm has, and ours: what arrives at the topic is the same. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  expect(theirs!.events).toEqual((JSON.parse(readFileSync(events, 'utf8')) as string[]).map((body) => JSON.parse(body) as object));
  expect(own).toEqual(theirs);
});

test('neither is let in with a token for something else', async () => {
  grid!.script.reset();
  const other = { ...environment, IDENTITY_ENDPOINT: `${identity!.url}/elsewhere` };
  for (const program of ['eventGrid/theirs.mjs', ours]) {
    await expect(outputOf([process.execPath, program], here, other)).rejects.toThrow();
  }
  expect(grid!.published()).toEqual([]);
});
