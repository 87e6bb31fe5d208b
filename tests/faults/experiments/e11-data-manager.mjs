import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';
import { untilQuiet } from '../quiet.mjs';

/** Tries of one call, as the data manager's client has it. */
const TRIES = 4;
const RETRY_AFTER_S = 3;
const field = { method: 'GET', path: '/fields/' };
const insight = { method: 'PATCH', path: '/insights/' };
const attachment = { method: 'PATCH', path: '/insight-attachments/' };

/** What the data manager does to `jobs` jobs at a time, and how they must end. */
const cases = [
  {
    name: 'throttled thrice',
    fault: { kind: 'status', status: 429, retryAfter: String(RETRY_AFTER_S) },
    perJob: 3,
    ends: 'SUCCEEDED',
    leastMs: 3 * RETRY_AFTER_S * 1_000,
    leastPauseMs: RETRY_AFTER_S * 1_000,
  },
  { name: 'error 500 once', fault: { kind: 'status', status: 500 }, perJob: 1, ends: 'SUCCEEDED' },
  { name: 'unavailable twice', fault: { kind: 'status', status: 503 }, perJob: 2, ends: 'SUCCEEDED' },
  { name: 'cut off', fault: { kind: 'drop' }, perJob: 2, ends: 'SUCCEEDED' },
  { name: 'half an answer', fault: { kind: 'truncate' }, perJob: 1, ends: 'SUCCEEDED' },
  { name: 'garbage once', fault: { kind: 'garbage' }, perJob: 1, ends: 'SUCCEEDED' },
  {
    name: 'slow, 25 s',
    fault: { kind: 'delay', milliseconds: 25_000 },
    perJob: 1,
    ends: 'SUCCEEDED',
    leastMs: 25_000,
    share: 0.2,
  },
  { name: 'hangs once', fault: { kind: 'hang' }, perJob: 1, ends: 'SUCCEEDED', share: 0.2 },
  { name: 'publication lost', fault: { kind: 'lose', ...insight }, perJob: 1, ends: 'SUCCEEDED' },
  {
    name: 'publication throttled',
    fault: { kind: 'status', status: 429, retryAfter: '1', ...insight },
    perJob: 2,
    ends: 'SUCCEEDED',
  },
  { name: 'attachment lost', fault: { kind: 'lose', ...attachment }, perJob: 1, ends: 'SUCCEEDED' },
  { name: 'denied once', fault: { kind: 'status', status: 403 }, perJob: 1, ends: 'SUCCEEDED' },
  { name: 'away for 40 calls', fault: { kind: 'status', status: 503 }, perJob: 40, ends: 'SUCCEEDED', share: 0.2 },
  {
    name: 'asks for ten days',
    fault: { kind: 'status', status: 429, retryAfter: '900000' },
    perJob: 1,
    ends: 'SUCCEEDED',
  },
  { name: 'gone', fault: { kind: 'status', status: 404 }, perJob: 1, ends: 'FAILED', code: 'GDD-05' },
];

/** One job after the other, so that every fault meets the job it is meant for. */
async function runCase(world, one, count, breaches) {
  const { name, fault, perJob, ends, leastMs = 0, leastPauseMs = 0, code = '' } = one;
  const prefix = name.replaceAll(/[^a-z0-9]+/g, '-');
  const jobs = plannedJobs(world, { count, fetchShare: 0, prefix });
  for (const job of jobs) {
    const before = (await world.asked()).length;
    const strike = { ...field, ...fault, times: perJob };
    await world.script(strike);
    await runJobs(world, [job]);
    await untilEnded(world, job.id);
    const calls = (await world.asked())
      .slice(before)
      .filter(({ method, path }) => method === strike.method && path.includes(strike.path));
    const { status, failure = '', startedAt, endedAt } = await rowOf(world, job.id);
    if (status !== ends || !failure.startsWith(code)) breaches.push(`${job.id} is ${status} ${failure}`);
    if (endedAt - startedAt < leastMs)
      breaches.push(`${job.id}: done sooner than it can be (${endedAt - startedAt} ms)`);
    // Each pause by itself: a busy machine makes the whole long, whatever the pauses are.
    const pauses = calls.slice(1).map(({ at }, index) => at - calls[index].at);
    const tooShort = pauses.filter((pause) => pause < leastPauseMs);
    if (tooShort.length > 0)
      breaches.push(`${job.id}: asked again before Retry-After (after ${tooShort.join(', ')} ms)`);
    // A slow answer is an answer; every other fault makes the call be repeated.
    if (ends === 'SUCCEEDED' && fault.kind !== 'delay' && calls.length <= perJob)
      breaches.push(`${job.id}: the fault did not strike`);
    // Each look tries a call at most so often, and every look but the last met faults alone.
    if (calls.length > perJob + TRIES) breaches.push(`${job.id}: ${calls.length} calls for ${perJob} faults`);
  }
  await world.script(undefined);
  return jobs;
}

const rowOf = async ({ storage }, id) => (await storage.jobs()).find(({ jobId }) => jobId === id);

async function untilEnded(world, id) {
  const deadline = Date.now() + 150_000;
  while (Date.now() < deadline) {
    const { status } = await rowOf(world, id);
    if (!['WAITING', 'RUNNING'].includes(status)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export const experiment = {
  id: 'E11',
  restsOn: ['jobs', 'work'],
  title: 'a data manager that throttles, fails, hangs, answers garbage and is slow',
  passLine: 'the right end for every job, no call before Retry-After, at most 4 tries a call',
  run: async (context) => {
    const each = context.size(2, 30);
    const world = await context.start();
    const breaches = [];
    const jobs = [];
    for (const one of cases.filter(({ name }) => name.includes(context.only)))
      jobs.push(...(await runCase(world, one, Math.max(1, Math.round(each * (one.share ?? 1))), breaches)));
    await untilQuiet(world);
    const { counts, breaches: found } = await check(world, { quietMs: context.quietMs(120_000) });
    await fetchAll(world, jobs);
    return { counts: { cases: cases.length, ...counts }, breaches: [...breaches, ...found] };
  },
};
