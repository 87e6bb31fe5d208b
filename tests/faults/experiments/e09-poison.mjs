import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';
import { pick } from '../random.mjs';

const base64 = (text) => Buffer.from(text, 'utf8').toString('base64');
const TRIES = 5;

/** Messages that nobody can do anything with. A newer version is no poison: it goes back for a newer host. */
const poisons = [
  base64('not JSON at all'),
  base64('{"v":1,"kind":"unknown"}'),
  base64('{"v":0,"kind":"gdd","id":"t|old"}'),
  base64('null'),
  base64(`{"v":1,"huge":"${'x'.repeat(40_000)}"}`),
  '%%% not base64 %%%',
];

/** Milliseconds from creation to end of the jobs whose ids begin so, the median. */
async function medianMs({ storage }, prefix) {
  const jobs = (await storage.jobs()).filter(({ jobId }) => jobId.startsWith(prefix));
  const times = jobs.map(({ createdAt, endedAt = createdAt }) => endedAt - createdAt).sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? 0;
}

const linesWith = (text, ...parts) =>
  text.split('\n').filter((line) => parts.every((part) => line.includes(part))).length;

export const experiment = {
  id: 'E9',
  restsOn: ['work', 'jobs'],
  title: 'poison messages among good ones',
  passLine: 'all jobs done, each poison given up after at most 5 tries, others at most twice as slow',
  run: async (context) => {
    const count = context.size(150, 500);
    const poisonCount = Math.round(count / 10);
    // The host tries a message again after 30 s; the experiment cannot wait for that five times.
    const world = await context.start({ hostJson: { queueVisibility: '00:00:02' } });
    const alone = plannedJobs(world, { count, fetchShare: 0, prefix: 'alone' });
    await runJobs(world, alone);
    const among = plannedJobs(world, { count, fetchShare: 0, prefix: 'among' });
    const poisoning = (async () => {
      for (let sent = 0; sent < poisonCount; sent += 1) {
        await world.storage.queue('jobs-gdd').sendMessage(pick(world.random, poisons));
        await pause(50);
      }
    })();
    await Promise.all([poisoning, runJobs(world, among)]);
    const givenUp = () => linesWith(world.logText(), 'goes to jobs-gdd-poison');
    for (let look = 0; look < 60 && givenUp() < poisonCount; look += 1) await pause(1_000);
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(120_000) });
    await fetchAll(world, [...alone, ...among]);
    const tries = linesWith(world.logText(), 'Message:Unreadable', '"gddCalculate"');
    const [before, during] = [await medianMs(world, 'alone'), await medianMs(world, 'among')];
    if (givenUp() !== poisonCount) breaches.push(`${givenUp()} of ${poisonCount} messages went to the poison queue`);
    if (tries > poisonCount * TRIES)
      breaches.push(`${tries} tries of ${poisonCount} messages, more than ${TRIES} each`);
    if (counts.succeeded !== 2 * count) breaches.push(`I1: ${counts.succeeded} of ${2 * count} jobs succeeded`);
    if (during > 2 * Math.max(before, 500)) breaches.push(`jobs took ${during} ms among poison, ${before} ms alone`);
    return {
      counts: {
        poison: poisonCount,
        givenUp: givenUp(),
        tries,
        medianAloneMs: before,
        medianAmongMs: during,
        ...counts,
      },
      breaches,
    };
  },
};
