import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';

const MINUTE_MS = 60_000;
const SKEW_MS = 10 * MINUTE_MS;
const ALMOST_8_HOURS_MS = 8 * 60 * MINUTE_MS;

/** Status of a list of the customer's folder with that SAS. */
const listStatus = ({ service }, { sas_token: sas, path }) =>
  new Promise((resolve, reject) => {
    const query = `restype=container&comp=list&prefix=${encodeURIComponent(`${path}/`)}&${sas}`;
    const ca = readFileSync(service.caFile, 'utf8');
    request(`${service.blobEndpoint}/imagery?${query}`, { ca }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    })
      .once('error', reject)
      .end();
  });

const sasOf = async ({ client, service }, host) =>
  (
    await client.insist(() =>
      client.call('sas', '/v1/auth/sas-token', { headers: { 'api-key': service.apiKey }, host }),
    )
  ).json;

/** A SAS minted under a clock that is off by so much must be usable, or refused, at once. */
async function checkSas(world, host, { aheadMs, expected }, breaches) {
  host.setClock(aheadMs);
  const status = await listStatus(world, await sasOf(world, host.baseUrl));
  if (status !== expected)
    breaches.push(`a SAS of a clock ${aheadMs / MINUTE_MS} min ahead gives ${status}, not ${expected}`);
}

export const experiment = {
  id: 'E17',
  restsOn: ['work', 'jobs'],
  title: 'hosts whose clocks are 10 minutes ahead and behind, and one that steps back',
  passLine:
    'no breach of I5; a SAS is usable at once and refused after 8 h; a caller of a clock far behind is refused with 401',
  run: async (context) => {
    const count = context.size(150, 500);
    const world = await context.start({ hosts: 2, clock: true });
    const { client, hosts } = world;
    const [ahead, behind] = hosts;
    const breaches = [];
    world.slowJobs(300);
    ahead.setClock(SKEW_MS);
    behind.setClock(-SKEW_MS);
    // To a host that is 10 minutes behind a fresh token comes from the future.
    client.baseUrls = [ahead.baseUrl];
    const refused = await client.fetch('gdd', 'nobody', { host: behind.baseUrl });
    if (refused.status !== 401) breaches.push(`a clock 10 minutes behind answers ${refused.status} to a new token`);
    const jobs = plannedJobs(world, { count, cancelShare: 0.2 });
    const half = Math.floor(count / 2);
    await runJobs(world, jobs.slice(0, half));
    const running = runJobs(world, jobs.slice(half));
    await pause(1_500);
    ahead.setClock(0);
    await running;
    // What a clock ten minutes ahead has put off, the withdrawal of a cancelled job's insight above all, is due ten minutes
    // later by a right one: so much time passes for both.
    for (const host of hosts) host.setClock(SKEW_MS);
    const { counts, breaches: found } = await check(world, {
      quietMs: context.quietMs(180_000),
      clockSkewMs: 2 * SKEW_MS,
    });
    await fetchAll(world, jobs);
    await checkSas(world, ahead, { aheadMs: SKEW_MS, expected: 200 }, breaches);
    await checkSas(world, ahead, { aheadMs: -SKEW_MS, expected: 200 }, breaches);
    await checkSas(world, ahead, { aheadMs: MINUTE_MS - ALMOST_8_HOURS_MS, expected: 200 }, breaches);
    await checkSas(world, ahead, { aheadMs: -ALMOST_8_HOURS_MS - MINUTE_MS, expected: 403 }, breaches);
    return { counts, breaches: [...breaches, ...found] };
  },
};
