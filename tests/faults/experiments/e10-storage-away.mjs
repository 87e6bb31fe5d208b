import { check } from '../checker.mjs';
import { fetchAll, gddParameters } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';

const PER_SECOND = 10;
const LONGEST_MS = 10_000;
const BACK_MS = 30_000;

/** Sends requests at their times, whether earlier ones are answered or not. @returns when all are */
async function requests(world, jobs, { seconds }) {
  const { client, service } = world;
  const running = [];
  for (let number = 0; number < seconds * PER_SECOND; number += 1) {
    const id = `away-${jobs.length}`;
    // Two creates, then a fetch of one that may exist.
    if (number % 3 < 2) {
      jobs.push({ kind: 'gdd', id });
      running.push(client.create('gdd', id, gddParameters(service, number)));
    } else running.push(client.fetch('gdd', jobs[0].id));
    await pause(1_000 / PER_SECOND);
  }
  await Promise.all(running);
}

export const experiment = {
  id: 'E10',
  title: 'storage away while ten requests a second come',
  passLine:
    'only 503 with Retry-After while it is away, each within 10 s; answers again within 30 s; nothing accepted is lost',
  run: async (context) => {
    const seconds = context.full ? 60 : 30;
    const world = await context.start({ proxied: true });
    const { client, proxy } = world;
    const jobs = [];
    await requests(world, jobs, { seconds: 2 });
    await proxy.closePorts();
    const closedAt = Date.now();
    await requests(world, jobs, { seconds });
    const openedAt = Date.now();
    await proxy.openPorts();
    const first = await client.insist(
      () => client.create('gdd', 'after', gddParameters(world.service, 0)),
      BACK_MS + 10_000,
    );
    const backMs = Date.now() - openedAt;
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(180_000) });
    const during = client.history.filter(({ t0, t1 }) => t0 > closedAt && t1 < openedAt);
    const slowest = Math.max(...during.map(({ ms }) => ms));
    const others = during.filter(({ status }) => status !== 503);
    if (others.length > 0) breaches.push(`I11: ${others.length} answers were not 503, one was ${others[0].status}`);
    if (slowest > LONGEST_MS) breaches.push(`I11: an answer took ${Math.round(slowest)} ms`);
    if (during.length < seconds * PER_SECOND * 0.9)
      breaches.push(`only ${during.length} answers came while storage was away`);
    if (backMs > BACK_MS || first.outcome !== 'ok') breaches.push(`I11: answers came again after ${backMs} ms`);
    await fetchAll(world, [{ kind: 'gdd', id: 'after' }]);
    return {
      counts: { secondsAway: seconds, refused: during.length, slowestMs: Math.round(slowest), backMs, ...counts },
      breaches,
    };
  },
};
