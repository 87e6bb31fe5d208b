import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';

const COPIES = 5;

/** So long the writing of an insight is held, for a copy of the message to arrive meanwhile. */
const MEETING_MS = 400;

/**
 * Each message that the service sends to a job queue arrives so many times: all but one copy at once, the last one
 * while the job's insight is being written.
 */
function copying(world) {
  const state = { copies: 0, sends: [] };
  const copy = (send) => {
    state.copies += 1;
    state.sends.push(send);
  };
  world.proxy.onRequest(async ({ service, method, path, body }) => {
    const queue = /\/(jobs-gdd|jobs-boundary)\/messages/.exec(path)?.[1];
    if (service === 'queue' && method === 'POST' && queue !== undefined) {
      const text = /<MessageText>([^<]*)<\/MessageText>/.exec(body.toString('utf8'))?.[1];
      for (let number = 2; number < COPIES; number += 1) copy(world.storage.queue(queue).sendMessage(text));
    }
    if (service === 'blob' && method === 'PUT' && /\/insights\/.*\/record\.json/.test(path) && body.length > 0) {
      copy(world.storage.sendJobAgain(JSON.parse(body.toString('utf8')).job));
      await pause(MEETING_MS);
    }
  });
  return state;
}

/** How often each insight was written to farm data, by its id. */
function publications(world) {
  const byInsight = new Map();
  world.proxy.onAnswer(({ service, method, body }, { status, body: answer }) => {
    // A transaction that is refused is answered 202: the refusal lies in its parts.
    const isTaken = status < 300 && !/^HTTP\/1\.1 4\d\d/m.test(answer.toString('utf8'));
    if (service !== 'table' || method !== 'POST' || !isTaken) return;
    const id = /"RowKey":"i\|[^"]*\|([0-9a-f-]{36})"/.exec(body.toString('utf8'))?.[1];
    if (id !== undefined) byInsight.set(id, (byInsight.get(id) ?? 0) + 1);
  });
  return byInsight;
}

export const experiment = {
  id: 'E7',
  restsOn: ['work', 'jobs'],
  title: 'every message five times, on two hosts',
  passLine: 'one insight a job, each published once',
  run: async (context) => {
    const count = context.size(200, 500);
    const world = await context.start({ proxied: true, hosts: 2 });
    const copied = copying(world);
    const published = publications(world);
    const jobs = plannedJobs(world, { count, fetchShare: 0 });
    await runJobs(world, jobs);
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(120_000) });
    await Promise.all(copied.sends);
    await fetchAll(world, jobs);
    const repeated = [...published.values()].filter((times) => times > 1).length;
    if (published.size !== count) breaches.push(`I3: ${published.size} insights were published for ${count} jobs`);
    if (repeated > 0) breaches.push(`I3: ${repeated} insights were published more than once`);
    if (copied.copies < count * (COPIES - 1)) breaches.push(`only ${copied.copies} copies were sent`);
    return { counts: { copies: copied.copies, publishedTwice: repeated, ...counts }, breaches };
  },
};
