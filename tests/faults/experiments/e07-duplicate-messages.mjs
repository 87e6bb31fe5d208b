import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';

const COPIES = 5;

/** Each message that the service sends to a job queue arrives so many times. */
function copying(world) {
  const state = { copies: 0, sends: [] };
  world.proxy.onRequest(({ service, method, path, body }) => {
    const queue = /\/(gdd-jobs|boundary-jobs)\/messages/.exec(path)?.[1];
    if (service !== 'queue' || method !== 'POST' || queue === undefined) return;
    const text = /<MessageText>([^<]*)<\/MessageText>/.exec(body.toString('utf8'))?.[1];
    for (let copy = 1; copy < COPIES; copy += 1) {
      state.copies += 1;
      state.sends.push(world.storage.queue(queue).sendMessage(text));
    }
  });
  return state;
}

/** How often the data manager was sent each insight. */
async function publications(world) {
  const byInsight = new Map();
  for (const { method, path, status } of await world.asked()) {
    const id = /\/insights\/([0-9a-f-]{36})\?/.exec(path)?.[1];
    if (id !== undefined && method === 'PATCH' && status < 300) byInsight.set(id, (byInsight.get(id) ?? 0) + 1);
  }
  return byInsight;
}

export const experiment = {
  id: 'E7',
  title: 'every message five times, on two hosts',
  passLine: 'one insight a job, each published once',
  run: async (context) => {
    const count = context.size(200, 500);
    const world = await context.start({ proxied: true, hosts: 2 });
    const copied = copying(world);
    const jobs = plannedJobs(world, { count, fetchShare: 0 });
    await runJobs(world, jobs);
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(120_000) });
    await Promise.all(copied.sends);
    const published = await publications(world);
    await fetchAll(world, jobs);
    const repeated = [...published.values()].filter((times) => times > 1).length;
    if (published.size !== count) breaches.push(`I3: ${published.size} insights were published for ${count} jobs`);
    if (repeated > 0) breaches.push(`I3: ${repeated} insights were published more than once`);
    if (copied.copies < count * (COPIES - 1)) breaches.push(`only ${copied.copies} copies were sent`);
    return { counts: { copies: copied.copies, publishedTwice: repeated, ...counts }, breaches };
  },
};
