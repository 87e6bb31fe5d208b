/**
 * What the service adds to the storage calls of a GDD job: CPU of create and fetch, through the whole route wrapper,
 * against the same storage calls made raw, on the same Azurite in the same run.
 *
 *   npm run bench:jobs            (starts a service of its own, storage in memory)
 *
 * Five rounds warm up; rounds of both alternate, so that a busy machine slows both. CPU of this process only: Azurite is another.
 */
import azureFunctions from '@azure/functions';
import { ManagedIdentityCredential } from '@azure/identity';
import { TableClient } from '@azure/data-tables';
import { QueueClient } from '@azure/storage-queue';
import jwt from 'jsonwebtoken';
import { createPublicKey, randomUUID, type JsonWebKey, type KeyObject } from 'node:crypto';
import { gddCreate } from '../../functions/gdd/create.js';
import { gddFetch } from '../../functions/gdd/fetch.js';
import { readConfig, type Config } from '../../shared/wiring/settings/config.js';
import { handleRequest } from '../../shared/http/handleRequest.js';
import { createServices, type Services } from '../../shared/wiring/services.js';
import type { ServiceRoute } from '../../shared/wiring/declare.js';
import { cpuMsOf, median, startedService, type BenchService } from './service.js';
import { say, sized } from './figures.js';

// A CommonJS package whose exports Node cannot name.
const { HttpRequest } = azureFunctions;

const ROUNDS = sized(12);
/** Calls of a process that has just started are dear: much of its code is not compiled yet. */
const WARM_UP_ROUNDS = sized(5);
const CALLS = sized(60, 4);

/** A request as the library hands it over; made before the clock runs, for the library makes it whatever we do. */
function requestOf(route: ServiceRoute, body: object, token: string): azureFunctions.HttpRequest {
  return new HttpRequest({
    method: 'POST',
    url: `http://127.0.0.1/${route.path}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: { string: JSON.stringify(body) },
  });
}

/** One call through the wrapper, as the host makes it; the answer must have the status. */
async function callRoute(
  route: ServiceRoute,
  request: azureFunctions.HttpRequest,
  { services, status }: { readonly services: Services; readonly status: number },
): Promise<void> {
  const answer = await handleRequest(route, request, { services, write: () => undefined });
  if (answer.status !== status)
    throw new Error(`${route.name} answered ${String(answer.status)}: ${JSON.stringify(answer.body)}`);
}

async function rawCallsOf(config: Config, { service }: BenchService) {
  const credential = new ManagedIdentityCredential();
  const table = new TableClient(config.DATA_STORAGE__tableServiceUri, 'work', credential);
  const queue = new QueueClient(`${config.DATA_STORAGE__queueServiceUri}/jobs-gdd`, credential);
  const key = await signingKeyOf(config, service.jwt);
  return {
    create: async (jobId: string): Promise<void> => {
      const rows = [
        {
          partitionKey: 'bench',
          rowKey: `JOB|bench|gdd|${jobId}`,
          job: 'x'.repeat(700),
          revision: randomUUID(),
          status: 'WAITING',
        },
        { partitionKey: 'bench', rowKey: `W|gdd|bench|${jobId}`, checkAt: new Date().toISOString() },
      ] as const;
      await table.submitTransaction(rows.map((row) => ['create', { ...row }]));
      // Hidden for a while, so that the running host does not meet a message that is none.
      await queue.sendMessage(Buffer.from('{}').toString('base64'), { visibilityTimeout: 3600 });
    },
    fetch: async (jobId: string): Promise<void> => {
      jwt.verify(service.jwt, key, { algorithms: ['RS256'] });
      await table.getEntity('bench', `JOB|bench|gdd|${jobId}`);
    },
  };
}

async function signingKeyOf(config: Config, token: string): Promise<KeyObject> {
  const kid = jwt.decode(token, { complete: true })?.header.kid;
  const { keys } = (await (await fetch(config.JWKS_URI)).json()) as { keys: (JsonWebKey & { kid: string })[] };
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) throw new Error('The issuer does not have the key of the token.');
  return createPublicKey({ key, format: 'jwk' });
}

/** What goes on after the answers (lanes of tenants are filled in the background) belongs to the calls before it. */
const AFTERMATH_MS = 1_500;

/** CPU of one round of calls, one after the other, and of what they leave to do, per call. */
async function perCallMs(call: (index: number) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CALLS; index += 1) await call(index);
  await new Promise((resolve) => setTimeout(resolve, AFTERMATH_MS));
  return cpuMsOf(process.cpuUsage(before)) / CALLS;
}

async function measure(bench: BenchService): Promise<void> {
  const config = readConfig();
  const services = createServices(config, []);
  const raw = await rawCallsOf(config, bench);
  const { jwt: token, partyId, fieldIds } = bench.service;
  const parameters = {
    partyId,
    resourceType: 'Field',
    resourceId: fieldIds[0],
    crop: 'CORN',
    gddStartDate: '2025-05-01',
    gddEndDate: '2025-05-31',
  };
  const costs: Record<'create' | 'rawCreate' | 'fetch' | 'rawFetch', number[]> = {
    create: [],
    rawCreate: [],
    fetch: [],
    rawFetch: [],
  };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const ids = Array.from({ length: CALLS }, () => `bench-${randomUUID()}`);
    const id = (index: number): string => ids[index] ?? '';
    const requestPath = (index: number): string => `/v1/gdd/${id(index)}`;
    const creates = ids.map((_id, index) =>
      requestOf(gddCreate, { requestPath: requestPath(index), partnerRequestBody: parameters }, token),
    );
    const fetches = ids.map((_id, index) => requestOf(gddFetch, { requestPath: requestPath(index) }, token));
    const send =
      (route: ServiceRoute, requests: readonly azureFunctions.HttpRequest[], status: number) => (index: number) => {
        const request = requests[index];
        if (request === undefined) throw new Error('There are as many requests as calls.');
        return callRoute(route, request, { services, status });
      };
    const measured = {
      rawCreate: await perCallMs((index) => raw.create(id(index))),
      create: await perCallMs(send(gddCreate, creates, 202)),
      rawFetch: await perCallMs((index) => raw.fetch(id(index))),
      fetch: await perCallMs(send(gddFetch, fetches, 200)),
    };
    if (round >= 0) for (const name of Object.keys(costs) as (keyof typeof costs)[]) costs[name].push(measured[name]);
  }
  for (const [name, goal] of [
    ['create', 1.25],
    ['fetch', 1.4],
  ] as const) {
    const ours = median(costs[name]);
    const baseline = median(costs[name === 'create' ? 'rawCreate' : 'rawFetch']);
    const what = name === 'create' ? 'raw insert of both rows + enqueue' : 'raw verify + point read';
    say(
      `${name}: ${ours.toFixed(2)} ms CPU per request, ${what} ${baseline.toFixed(2)} ms: ratio ${(ours / baseline).toFixed(2)} (goal ≤ ${goal}), median of ${ROUNDS} rounds of ${CALLS}`,
    );
  }
}

/** Whole jobs of one round of a tenant. */
const JOBS = sized(60, 4);
/** Rounds of each tenant in turns; the first warms the host up. */
const JOB_ROUNDS = sized(5, 2);

/** What one round took: CPU of the host process for each job, and the whole time. */
interface JobsRound {
  readonly cpuMs: number;
  readonly wallS: number;
}

/** Whole jobs of one tenant: created by HTTP, calculated, fetched until done. */
async function jobsRound(bench: BenchService): Promise<JobsRound> {
  const tenant = bench.service;
  const headers = { authorization: `Bearer ${tenant.jwt}`, 'content-type': 'application/json' };
  const post = async (operation: string, body: object) => {
    const url = `${bench.service.baseUrl}/solutions/partnerAgPowered.gdd:${operation}`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const { status } = (await answer.json()) as { status: string };
    return { status, retryAfterMs: Number(answer.headers.get('retry-after') ?? 0) * 1000 };
  };
  const job = async (name: string, index: number): Promise<void> => {
    const requestPath = `/v1/gdd/${name}-${index}`;
    const parameters = {
      partyId: tenant.partyId,
      resourceType: 'Field',
      resourceId: tenant.fieldIds[index % 4],
      crop: 'CORN',
    };
    let seen = await post('create', {
      requestPath,
      partnerRequestBody: { ...parameters, gddStartDate: '2025-04-01', gddEndDate: '2025-10-17' },
    });
    // A caller looks again when it is told to, as the documents ask.
    while (seen.status !== 'SUCCEEDED') {
      await new Promise((resolve) => setTimeout(resolve, seen.retryAfterMs));
      seen = await post('fetch', { requestPath });
    }
  };
  const round = randomUUID();
  const before = bench.hostCpuMs();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: JOBS }, (_, index) => job(round, index)));
  return { cpuMs: (bench.hostCpuMs() - before) / JOBS, wallS: (performance.now() - startedAt) / 1000 };
}

/** Whole jobs. Other work on the machine only adds to them: the quietest round counts. */
async function endToEnd(bench: BenchService): Promise<void> {
  const rounds: JobsRound[] = [];
  // The first warms up.
  await jobsRound(bench);
  for (let round = 1; round < JOB_ROUNDS; round += 1) rounds.push(await jobsRound(bench));
  const costs = rounds.map(({ cpuMs }) => cpuMs);
  const quietest = Math.min(...costs);
  const wall = rounds.find(({ cpuMs }) => cpuMs === quietest)?.wallS ?? 0;
  say(
    `end to end: ${quietest.toFixed(1)} ms CPU of the host per job of 200 days (all requests, work and insight), ${JOBS} jobs in ${wall.toFixed(1)} s`,
  );
  say(`  the quietest of ${rounds.length} rounds; their median: ${median(costs).toFixed(1)} ms`);
}

const bench = await startedService();
try {
  Object.assign(process.env, bench.settings);
  await measure(bench);
  await endToEnd(bench);
} finally {
  await bench.stop();
}
