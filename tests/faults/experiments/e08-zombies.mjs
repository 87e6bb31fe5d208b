import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs, slowFields } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';
import { LEASE_SECONDS } from '../world.mjs';

const WORK_MS = 4_000;

const jobRows = async ({ storage }) =>
  (await storage.rows('jobs', "RowKey ge 'JOB_' and RowKey lt 'JOB`'")).map(({ job, etag }) => ({
    ...JSON.parse(job),
    etag,
  }));

/** What the hosts have printed about one job. */
const linesOf = (world, { jobId }) =>
  world
    .logText()
    .split('\n')
    .filter((line) => line.includes(`"jobId":"${jobId}"`));

const isRefused = (world, job) => linesOf(world, job).some((line) => line.includes('Job:AttemptLost'));

/** A host that was frozen has much to do when it wakes; on a busy machine its first write comes late. */
const REFUSED_WITHIN_MS = 20_000;

/** Waits until the late write of each was refused. @returns those of which no refusal was seen */
async function unseen(world, zombies) {
  const left = () => zombies.filter((job) => !isRefused(world, job));
  for (const deadline = Date.now() + REFUSED_WITHIN_MS; left().length > 0 && Date.now() < deadline;) await pause(500);
  return left();
}

/** Freezes the first host in the middle of its work until the other one has taken over. @returns what it held, ended */
async function freezeOnce(world) {
  const [frozen] = world.hosts;
  frozen.freeze();
  const held = new Map((await jobRows(world)).filter(({ lease }) => lease).map((job) => [job.jobId, job.attempt]));
  let taken = [];
  for (let look = 0; look < 20; look += 1) {
    await pause(look === 0 ? LEASE_SECONDS * 1_000 : 1_000);
    taken = (await jobRows(world)).filter(({ jobId, attempt }) => held.has(jobId) && attempt > held.get(jobId));
    const left = (await jobRows(world)).filter((job) => held.has(job.jobId) && job.attempt === held.get(job.jobId));
    if (taken.every(({ lease }) => lease === undefined) && left.every(({ lease }) => lease === undefined)) break;
  }
  frozen.thaw();
  return taken.filter(({ status }) => status === 'SUCCEEDED');
}

/** Rows that were written again after their job had ended. */
async function lateWrites(world, ended) {
  const now = new Map((await jobRows(world)).map((job) => [job.jobId, job.etag]));
  return ended.filter(({ jobId, etag }) => now.get(jobId) !== etag);
}

export const experiment = {
  id: 'E8',
  title: 'hosts frozen past their lease, awake again when another has done their work',
  passLine: 'no late write accepted, at least 90 % of them seen refused',
  run: async (context) => {
    const wanted = context.size(16, 100);
    const world = await context.start({ hosts: 2 });
    // Callers ask the host that is never frozen.
    world.client.baseUrls = [world.hosts[1].baseUrl];
    await slowFields(world, WORK_MS);
    const breaches = [];
    const jobs = [];
    let zombies = 0;
    let late = 0;
    const unrefused = [];
    for (let round = 0; zombies < wanted && round < wanted; round += 1) {
      const batch = plannedJobs(world, { count: 12, fetchShare: 0, prefix: `zombie-${round}` });
      jobs.push(...batch);
      await runJobs(world, batch, 12);
      await pause(200 + 500 * world.random());
      const ended = await freezeOnce(world);
      zombies += ended.length;
      await pause(3_000);
      unrefused.push(...(await unseen(world, ended)));
      const written = await lateWrites(world, ended);
      late += written.length;
      for (const { jobId } of written) breaches.push(`I4: ${jobId} was written after its end`);
    }
    const refusals = zombies - unrefused.length;
    const checked = await check(world, { quietMs: context.quietMs(120_000) });
    await fetchAll(world, jobs);
    if (refusals < zombies * 0.9)
      breaches.push(
        `only ${refusals} refusals for ${zombies} zombies`,
        ...unrefused.flatMap((job) => linesOf(world, job)),
      );
    if (zombies < wanted) breaches.push(`only ${zombies} of ${wanted} zombies`);
    return {
      counts: { zombies, lateWrites: late, refusals, ...checked.counts },
      breaches: [...breaches.slice(0, 5), ...checked.breaches],
    };
  },
};
