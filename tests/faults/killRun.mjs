// Hundreds of GDD jobs of every crop and unit, a third of them cancelled, most of those while they run, while the
// functions host is killed at random.
//
//   npm run test:kills -- [--jobs 200] [--seed 1] [--kills 12] [--without fence]
//
// Passes when no accepted job is lost or stuck, none has two insights, and no acknowledged cancel is undone. With
// `--without fence` it passes when the run finds a breach: a check that cannot fail proves nothing.
import { parseArgs } from 'node:util';
import { appWithout, startService } from './runningService.mjs';

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '12' },
    without: { type: 'string' },
  },
});
const jobCount = Number(values.jobs);
const killCount = Number(values.kills);
const random = mulberry32(Number(values.seed));
const startedAt = Date.now();
const seconds = () => ((Date.now() - startedAt) / 1000).toFixed(0);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const crops = ['CANOLA', 'CORN', 'COTTON', 'SUGAR_BEET', 'SOYBEAN', 'WINTER_WHEAT'];
const app = await appWithout(values.without);
const running = await startService({ app, environment: { JOB_LEASE_SECONDS: '6' } });
const { service } = running;

/** One call; undefined when the host died under it: nobody knows then whether it was done. */
async function call(operation, body) {
  try {
    const response = await fetch(`${service.baseUrl}/solutions/partnerAgPowered.gdd:${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.jwt}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, json: await response.json() };
  } catch {
    return undefined;
  }
}

async function create(job) {
  for (;;) {
    const reply = await call('create', { requestPath: job.path, partnerRequestBody: job.parameters });
    if (reply?.status === 202 || reply?.status === 409) return;
    if (reply !== undefined && reply.status < 500)
      throw new Error(`create: ${reply.status} ${JSON.stringify(reply.json)}`);
    await pause(300);
  }
}

/** Cancels at once, or as soon as the job is seen running: then the worker and the cancel race for the row. */
async function cancel(job) {
  for (let look = 0; job.isRaced && look < 200; look += 1) {
    const reply = await call('fetch', { requestPath: job.path });
    if (reply?.status === 200 && reply.json.status !== 'WAITING') break;
    await pause(50);
  }
  for (;;) {
    const reply = await call('cancel', { requestPath: job.path });
    if (reply?.status === 200) job.cancelAcknowledged = true;
    if (reply !== undefined && reply.status < 500) return;
    await pause(300);
  }
}

async function untilEnded(job, deadline) {
  for (;;) {
    const reply = await call('fetch', { requestPath: job.path });
    if (reply?.status === 404) return { status: 'LOST' };
    if (reply?.status === 200 && !['WAITING', 'RUNNING'].includes(reply.json.status)) return reply.json;
    if (Date.now() > deadline) return { status: 'STUCK', last: reply?.json };
    await pause(700);
  }
}

const jobs = Array.from({ length: jobCount }, (_, index) => ({
  path: `/v1/gdd/kill-${values.seed}-${index}`,
  isCancelled: random() < 0.33,
  isRaced: random() < 0.7,
  parameters: {
    partyId: service.partyId,
    resourceType: 'Field',
    resourceId: service.fieldIds[index % service.fieldIds.length],
    crop: crops[index % crops.length],
    gddStartDate: '2025-04-01',
    gddEndDate: '2025-10-31',
    temperatureUnit: index % 2 === 0 ? 'c' : 'f',
  },
}));

// Reading a field takes a while, as it does over a real network: kills and cancels then meet jobs at work.
await fetch(`${service.dataManagerUrl}/.control/faults`, {
  method: 'POST',
  body: JSON.stringify({ kind: 'delay', method: 'GET', path: '/fields/', milliseconds: 500, times: 1_000_000 }),
});

let kills = 0;
const killing = (async () => {
  while (kills < killCount) {
    await pause(1500 + random() * 2500);
    if (running.killHost()) kills += 1;
  }
})();
await Promise.all(
  jobs.map(async (job) => {
    await pause(random() * killCount * 2500);
    await create(job);
    if (job.isCancelled) await cancel(job);
  }),
);
await killing;
const lastKill = Date.now();
// A message that a killed host held is hidden for ten minutes; rows are looked at two minutes after their last action.
const deadline = Date.now() + 5 * 60_000;
const ends = [];
for (const job of jobs) ends.push(await untilEnded(job, deadline));
const recovery = ((Date.now() - lastKill) / 1000).toFixed(0);

const readable = async (id) =>
  (await fetch(`${service.baseUrl}/v1/insights/${id}`, { headers: { authorization: `Bearer ${service.jwt}` } }))
    .status === 200;
const breaches = [];
const insightIds = new Map();
for (const [index, end] of ends.entries()) {
  const job = jobs[index];
  if (end.status === 'LOST' || end.status === 'STUCK') breaches.push(`${job.path} is ${end.status}`);
  if (job.cancelAcknowledged && end.status !== 'CANCELLED')
    breaches.push(`${job.path} was cancelled and is ${end.status}`);
  if (!job.isCancelled && end.status !== 'SUCCEEDED') breaches.push(`${job.path} is ${end.status}: ${end.message}`);
  if ((end.insightId !== undefined) !== (end.status === 'SUCCEEDED'))
    breaches.push(`${job.path}: insightId and status differ`);
  if (end.insightId !== undefined) {
    if (insightIds.has(end.insightId)) breaches.push(`${job.path} shares its insight`);
    insightIds.set(end.insightId, job.path);
    if (!(await readable(end.insightId))) breaches.push(`${job.path}: the insight cannot be read`);
  }
}
const requests = await (await fetch(`${service.dataManagerUrl}/.control/requests`)).json();
const published = new Set(
  (requests.value ?? requests).flatMap(
    ({ path, url }) => /\/insights\/([0-9a-f-]{36})/.exec(path ?? url ?? '')?.[1] ?? [],
  ),
);
if (published.size > jobs.length) breaches.push(`${published.size} insights were published for ${jobs.length} jobs`);
const crashed = running.log.join('').match(/unhandled/gi);
if (crashed) breaches.push(`${crashed.length} unhandled rejections`);
await running.stop();

const count = (status) => ends.filter((end) => end.status === status).length;
console.log(
  `${jobs.length} jobs, ${kills} kills, seed ${values.seed}: ${count('SUCCEEDED')} succeeded, ${count('CANCELLED')} cancelled, ${count('FAILED')} failed, ${count('LOST')} lost, ${count('STUCK')} stuck; ${published.size} insights published; all ended ${recovery} s after the last kill; ${seconds()} s`,
);
for (const breach of breaches.slice(0, 20)) console.log(`  breach: ${breach}`);
const passed = values.without === undefined ? breaches.length === 0 : breaches.length > 0;
console.log(passed ? `PASS (${breaches.length} breaches)` : `FAIL (${breaches.length} breaches)`);
process.exit(passed ? 0 : 1);

/** A small seeded generator, 0 ≤ value < 1. @see Tommy Ettinger's Mulberry32 (public domain) */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
