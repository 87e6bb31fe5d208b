import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';
import { LEASE_SECONDS } from '../world.mjs';

const WORK_MS = 4_000;

/** What the hosts have printed about one job and its work. */
const linesOf = (world, { jobId }) =>
  world
    .logText()
    .split('\n')
    .filter((line) => line.includes(`"jobId":"${jobId}"`) || line.includes(`"id":"${jobId}"`));

const isRefused = (world, job) => linesOf(world, job).some((line) => line.includes('Work:AttemptLost'));

/** The jobs that an attempt holds, and the epoch of its claim. */
const heldNow = async ({ storage }) =>
  new Map(
    (await storage.work('gdd'))
      .filter(({ claim }) => claim !== undefined)
      .map(({ rowKey, epoch }) => [rowKey.slice(rowKey.lastIndexOf('|') + 1), Number(epoch)]),
  );

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
  const held = await heldNow(world);
  let taken = [];
  for (let look = 0; look < 20; look += 1) {
    await pause(look === 0 ? LEASE_SECONDS * 1_000 : 1_000);
    const atWork = await heldNow(world);
    taken = (await world.storage.jobs()).filter(({ jobId, epoch }) => held.has(jobId) && epoch > held.get(jobId));
    if ([...held.keys()].every((jobId) => !atWork.has(jobId))) break;
  }
  frozen.thaw();
  return taken.filter(({ status }) => status === 'SUCCEEDED');
}

/** Rows that were written again after their job had ended. */
async function lateWrites(world, ended) {
  const now = new Map((await world.storage.jobs()).map((job) => [job.jobId, job.etag]));
  return ended.filter(({ jobId, etag }) => now.get(jobId) !== etag);
}

export const experiment = {
  id: 'E8',
  restsOn: ['work', 'jobs', 'storage'],
  title: 'hosts frozen past their lease, awake again when another has done their work',
  passLine: 'no late write accepted, at least 90 % of them seen refused',
  run: async (context) => {
    const wanted = context.size(16, 100);
    const world = await context.start({ hosts: 2 });
    // Callers ask the host that is never frozen.
    world.client.baseUrls = [world.hosts[1].baseUrl];
    world.slowJobs(WORK_MS);
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
