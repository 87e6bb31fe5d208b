// Proves that a deployed service serves: node tools/smoke/smoke.mjs <base url> [--commit <sha>]
// TOKEN is a bearer token of a registered tenant with the role Jobs.ReadWrite. With PARTY_ID and FIELD_ID of that tenant's data manager a whole GDD
// job is done and its insight read; without them a job is created, found, refused twice and cancelled.
// The colon of `gdd:create` is sent as it is and as %3A: front ends have been seen to treat them differently.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';

const MINUTE_MS = 60_000;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { commit: { type: 'string' } } });
const baseUrl = positionals[0]?.replace(/\/+$/, '');
const { TOKEN: token, PARTY_ID: partyId, FIELD_ID: fieldId } = process.env;
const isWhole = Boolean(partyId) && Boolean(fieldId);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (line) => console.log(`${new Date().toISOString()} ${line}`);

/** Throws with what was expected and what came, never with a token. */
function expectThat(isTrue, expected, came) {
  if (!isTrue) throw new Error(`Expected ${expected}; got ${typeof came === 'string' ? came : JSON.stringify(came)}`);
}

async function ask(path, { method = 'GET', body, withToken = true } = {}) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(withToken ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
  return { status: response.status, json };
}

/** Asks again until the answer is good or the time is up; a service that is being replaced may fail meanwhile. */
async function eventually(what, limitMs, attempt) {
  const until = Date.now() + limitMs;
  for (;;) {
    const came = await attempt().catch((error) => ({ isGood: false, came: String(error) }));
    if (came.isGood) return came;
    if (Date.now() > until)
      throw new Error(`${what}: not within ${limitMs / 1000} s; last: ${JSON.stringify(came.came)}`);
    await pause(5_000);
  }
}

const gdd = (operation, colon, body) =>
  ask(`/solutions/partnerAgPowered.gdd${colon}${operation}`, { method: 'POST', body });

async function createdJob(colon) {
  const id = `smoke-${randomUUID()}`;
  const season = new Date().getUTCFullYear() - 1;
  const body = {
    requestPath: `/v1/gdd/${id}`,
    partnerRequestBody: {
      partyId: partyId || randomUUID(),
      resourceType: 'Field',
      resourceId: fieldId || randomUUID(),
      crop: 'CORN',
      gddStartDate: `${season}-05-01`,
      gddEndDate: `${season}-05-31`,
    },
  };
  const created = await gdd('create', colon, body);
  expectThat(created.status === 202, `202 for gdd${colon}create`, created);
  const again = await gdd('create', colon, body);
  expectThat(again.status === 409, `409 for the same id again`, again);
  return { requestPath: body.requestPath };
}

async function finishedJob(colon, job) {
  const { came } = await eventually('The job ends', 5 * MINUTE_MS, async () => {
    const fetched = await gdd('fetch', colon, job);
    return { isGood: ['SUCCEEDED', 'FAILED'].includes(fetched.json?.status), came: fetched };
  });
  expectThat(came.json.status === 'SUCCEEDED', 'a job that succeeds', came.json.message ?? came.json);
  const insight = await ask(`/v1/insights/${came.json.insightId}`);
  expectThat(insight.status === 200, '200 for the insight', insight.status);
}

async function cancelledJob(colon, job) {
  const fetched = await gdd('fetch', colon, job);
  expectThat(fetched.status === 200, '200 for gdd:fetch', fetched);
  const cancelled = await gdd('cancel', colon, job);
  // A worker may have been quicker to find that the party is not known.
  expectThat([200, 409].includes(cancelled.status), '200 or 409 for gdd:cancel', cancelled);
}

async function run() {
  expectThat(Boolean(baseUrl), 'the base url as first argument', 'nothing');
  expectThat(Boolean(token), 'a token in TOKEN', 'nothing');
  await eventually('The commit shows', 10 * MINUTE_MS, async () => {
    const health = await ask('/health', { withToken: false });
    const isNew = values.commit === undefined || values.commit.startsWith(health.json?.commit ?? 'none');
    return { isGood: health.status === 200 && isNew, came: health };
  });
  say(`/health answers${values.commit === undefined ? '' : ` with commit ${values.commit}`}`);
  await eventually('All that a request needs is there', 3 * MINUTE_MS, async () => {
    const ready = await ask('/ready', { withToken: false });
    return { isGood: ready.status === 200, came: ready };
  });
  say('/ready answers 200');
  const stranger = await ask('/solutions/partnerAgPowered.gdd:fetch', { method: 'POST', body: {}, withToken: false });
  expectThat(stranger.status === 401, '401 without a token', stranger);
  for (const colon of [':', '%3A']) {
    const job = await createdJob(colon);
    await (isWhole ? finishedJob(colon, job) : cancelledJob(colon, job));
    say(`gdd${colon}create, fetch and ${isWhole ? 'insight' : 'cancel'} work`);
  }
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
