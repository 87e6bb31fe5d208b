import { check } from '../checker.mjs';
import { fetchAll, killHosts, plannedJobs, runJobs } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';
import { soonRerun } from '../variants.mjs';

const DAY_MS = 86_400_000;
const day = (ahead) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);

/** An insight's blob is slow to write, so that a gap between two writings is seen by who reads all the while. */
const slowInsights = ({ proxy }) =>
  proxy.add({
    kind: 'delay',
    milliseconds: 2_000,
    matches: ({ method, path }) => method === 'PUT' && path.includes('/insights/'),
  });

/** Tells the weather what to do wrong; undefined: nothing any more. */
async function weatherDoes({ settings }, fault) {
  const url = new URL('/.control/faults', settings.OPEN_METEO_FORECAST_URL);
  const answer = await fetch(
    url,
    fault === undefined ? { method: 'DELETE' } : { method: 'POST', body: JSON.stringify(fault) },
  );
  if (answer.status !== 204) throw new Error(`The weather stand-in takes no such fault: ${answer.status}`);
}

/** Waits until all jobs are so; false when the time is over. */
async function untilAll(world, isSo, limitMs) {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await pause(500)) {
    if ((await world.storage.jobs()).every(isSo)) return true;
  }
  return false;
}

const lasting = ({ jobId, status, insightId, startedAt, endedAt, lastActionAt }) =>
  JSON.stringify({ jobId, status, insightId, startedAt, endedAt, lastActionAt });

/** Reads insights as callers do, over and over: every one is there at every moment, and whole. */
async function readOn(world, jobs, reading, breaches) {
  let reads = 0;
  while (reading.goesOn) {
    for (const { jobId, insightId } of jobs) {
      const { status, json } = await world.client.insist(() => world.client.insight(insightId));
      reads += 1;
      const isWhole =
        status === 200 && json.daily?.length === json.days && (json.incomplete ?? json.history) !== undefined;
      if (!isWhole) breaches.push(`I16: the insight of ${jobId} is ${status}, not a whole one`);
    }
    await pause(200);
  }
  return reads;
}

export const experiment = {
  id: 'E26',
  restsOn: ['jobs', 'gdd', 'work'],
  title: 'jobs that made do without a forecast run again while hosts are killed',
  passLine: 'a whole insight at every moment; all get the better one, with status, times and id as they were',
  run: async (context) => {
    const breaches = [];
    const world = await context.start({ proxied: true, hosts: 2, changes: soonRerun });
    await weatherDoes(world, { kind: 'status', status: 503, path: 'forecast', times: 1_000_000 });
    const jobs = plannedJobs(world, { count: context.size(16, 60), fetchShare: 0 }).map((job) => ({
      ...job,
      parameters: { ...job.parameters, gddStartDate: day(-60), gddEndDate: day(20) },
    }));
    await runJobs(world, jobs);
    if (!(await untilAll(world, ({ status }) => status === 'SUCCEEDED', context.quietMs(240_000))))
      breaches.push('I1: not all SUCCEEDED without a forecast');
    await weatherDoes(world, undefined);
    world.slowJobs(300);
    slowInsights(world);
    const before = await world.storage.jobs();
    if (!before.some(({ rerun }) => rerun !== undefined)) breaches.push('no job runs again');
    const reading = { goesOn: true };
    const reads = readOn(world, before, reading, breaches);
    await pause(20_000);
    const kills = await killHosts(world, context.size(8, 20));
    const isDone = ({ rerun }) => rerun === undefined;
    if (!(await untilAll(world, isDone, context.quietMs(300_000)))) breaches.push('I16: jobs still wait to run again');
    reading.goesOn = false;
    const after = new Map((await world.storage.jobs()).map((job) => [job.jobId, lasting(job)]));
    for (const job of before)
      if (after.get(job.jobId) !== lasting(job)) breaches.push(`I16: ${job.jobId} was changed by its rerun`);
    let poor = 0;
    for (const { insightId } of before) {
      const { json } = await world.client.insist(() => world.client.insight(insightId));
      if (json.incomplete !== undefined) poor += 1;
    }
    // A death in a run costs the run; who has met three has none left.
    if (poor > jobs.length / 4) breaches.push(`I16: ${poor} of ${jobs.length} insights are still without a forecast`);
    await fetchAll(world, jobs);
    const { counts, breaches: found } = await check(world, { quietMs: context.quietMs(120_000) });
    return {
      counts: { jobs: jobs.length, kills, reads: await reads, poor, ...counts },
      breaches: [...breaches, ...found],
    };
  },
};
