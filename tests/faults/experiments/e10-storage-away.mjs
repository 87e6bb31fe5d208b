import { check } from '../checker.mjs';
import { services } from '../faultProxy.mjs';
import { fetchAll, gddParameters } from '../jobLoad.mjs';
import { pause } from '../quiet.mjs';

const PER_SECOND = 10;
const LONGEST_MS = 10_000;
const BACK_MS = 30_000;
const BUSY_SECONDS = 4;
/** Longer than any request or worker waits for storage. */
const HANG_MS = 35_000;

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

/** Breaches of the answers that came between two instants; 503 is the only one. @returns their number and the slowest */
function answersDuring({ client }, { from, until, least }, breaches) {
  const during = client.history.filter(({ t0, t1 }) => t0 > from && t1 < until);
  const slowestMs = Math.round(Math.max(0, ...during.map(({ ms }) => ms)));
  const others = during.filter(({ status }) => status !== 503);
  if (others.length > 0) breaches.push(`I11: ${others.length} answers were not 503, one was ${others[0].status}`);
  if (slowestMs > LONGEST_MS) breaches.push(`I11: an answer took ${slowestMs} ms`);
  if (during.length < least) breaches.push(`only ${during.length} answers came while storage was away`);
  return { refused: during.length, slowestMs };
}

/** Asks until the service answers again. @returns milliseconds until then */
async function untilBack(world, id, breaches) {
  const start = Date.now();
  const create = () => world.client.create('gdd', id, gddParameters(world.service, 0));
  const { outcome } = await world.client.insist(create, BACK_MS + 10_000);
  const backMs = Date.now() - start;
  if (backMs > BACK_MS || outcome !== 'ok') breaches.push(`I11: answers came again after ${backMs} ms`);
  return backMs;
}

/** One of the three services busy, the others there: a caller sees an answer or 503, and may create without the queue. */
async function busyService(world, service, jobs, breaches) {
  const { client, proxy } = world;
  const start = client.history.length;
  proxy.add({ kind: 'status', statuses: [429, 500, 503], service });
  await requests(world, jobs, { seconds: BUSY_SECONDS });
  proxy.clear();
  const creates = client.history.slice(start).filter(({ op }) => op === 'create');
  const accepted = creates.filter(({ status }) => status === 202).length;
  const expected = service === 'table' ? 0 : creates.length;
  if (accepted !== expected) breaches.push(`I11: ${service} busy: ${accepted} of ${creates.length} creates accepted`);
  return accepted;
}

export const experiment = {
  id: 'E10',
  restsOn: ['storage', 'http', 'jobs'],
  title: 'storage refuses connections, hangs, and is busy service by service, while ten requests a second come',
  passLine:
    'only 503 with Retry-After while it is away, each within 10 s; answers again within 30 s; nothing accepted is lost',
  run: async (context) => {
    const seconds = context.full ? 60 : 30;
    const world = await context.start({ proxied: true });
    const { proxy } = world;
    const jobs = [];
    const breaches = [];
    await requests(world, jobs, { seconds: 2 });
    await proxy.closePorts();
    const closedAt = Date.now();
    await requests(world, jobs, { seconds });
    const openedAt = Date.now();
    await proxy.openPorts();
    const backMs = await untilBack(world, 'after-refusal', breaches);
    proxy.add({ kind: 'delay', milliseconds: HANG_MS });
    const hangsAt = Date.now();
    await requests(world, jobs, { seconds: seconds / 2 });
    const endsAt = Date.now();
    proxy.clear();
    const backFromHangMs = await untilBack(world, 'after-hang', breaches);
    const busy = {};
    for (const service of services)
      busy[`acceptedWithout_${service}`] = await busyService(world, service, jobs, breaches);
    const { counts, breaches: found } = await check(world, { quietMs: context.quietMs(180_000) });
    const least = seconds * PER_SECOND * 0.9;
    const away = answersDuring(world, { from: closedAt, until: openedAt, least }, breaches);
    const hung = answersDuring(world, { from: hangsAt, until: endsAt, least: least / 2 }, breaches);
    await fetchAll(world, [{ kind: 'gdd', id: 'after-refusal' }]);
    const times = { secondsAway: seconds, refused: away.refused, slowestMs: away.slowestMs, backMs };
    const hangs = { hung: hung.refused, slowestOfHungMs: hung.slowestMs, backFromHangMs };
    return { counts: { ...times, ...hangs, ...busy, ...counts }, breaches: [...breaches, ...found] };
  },
};
