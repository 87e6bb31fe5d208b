import { freePort } from '../../../infra/local/freePort.mjs';
import { check } from '../checker.mjs';
import { gddParameters } from '../jobLoad.mjs';
import { noticePoints } from '../noticePoints.mjs';
import { startReceiver } from '../noticeReceiver.mjs';
import { pause } from '../quiet.mjs';

const REACH_MS = 120_000;
/** A death costs a lease and a sweep or two. */
const TOLD_MS = 120_000;
/** The host is killed by the receiver, which has the event and has not answered. */
const AT_RECEIVER = 'receiver-before-answer';

const subjectOf = (id) => `/v1/gdd/${id}`;

async function until(limitMs, look) {
  for (const deadline = Date.now() + limitMs; Date.now() < deadline; await pause(100)) if (await look()) return true;
  return false;
}

/** The whole log of the tenant, in order. */
async function logOf({ client }) {
  const events = [];
  for (let cursor, hasMore = true; hasMore;) {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, json } = await client.insist(() => client.call('events', `/v1/events?limit=200${query}`));
    if (status !== 200) throw new Error(`GET /v1/events was answered ${status}: ${JSON.stringify(json)}`);
    events.push(...json.items);
    ({ cursor, has_more: hasMore } = json);
  }
  return events;
}

/** A webhook whose receiver has consented; its owner is known to the host, which has just begun. */
async function listen({ client, hosts }, { url }) {
  const body = { url, types: ['partner.job.*'] };
  const { json } = await client.insist(() => client.call('webhook', '/v1/webhooks', { method: 'POST', body }));
  // A process that runs on believes for up to a minute that nobody listens.
  hosts[0].kill();
  const path = `/v1/webhooks/${json.id}`;
  const isEnabled = async () => (await client.insist(() => client.call('webhook', path))).json.status === 'enabled';
  if (!(await until(REACH_MS, isEnabled))) throw new Error('The receiver was not asked for its consent.');
}

/** A job that ends by itself, or by a cancel where the point lies on that way. */
async function endJob({ client, service }, id, isCancelled) {
  await client.insist(() => client.create('gdd', id, gddParameters(service, id.length)));
  if (isCancelled) await client.insist(() => client.cancel('gdd', id));
}

/** What the log and the receiver have of the jobs that have ended. */
function compare(ids, log, bodies) {
  const breaches = [];
  for (const id of ids) {
    const told = log.filter(({ subject }) => subject === subjectOf(id));
    if (told.length === 0) breaches.push(`${id} has ended and is not in the log`);
    if (told.length > 1) breaches.push(`${id} is ${told.length} times in the log`);
    for (const event of told) {
      const came = bodies.get(event.id) ?? [];
      if (came.length === 0) breaches.push(`${id} is in the log and was not delivered`);
      if (new Set(came).size > 1) breaches.push(`${id} came with different bytes`);
      if (came.some((body) => JSON.stringify(JSON.parse(body)) !== JSON.stringify(event)))
        breaches.push(`${id} came otherwise than it is in the log`);
    }
  }
  const logged = new Set(log.map(({ id }) => id));
  for (const id of bodies.keys()) if (!logged.has(id)) breaches.push(`${id} was delivered and is not in the log`);
  const sequences = log.map(({ sequence }) => Number(sequence));
  if (sequences.some((sequence, index) => sequence !== sequences[0] + index)) breaches.push('the log has a gap');
  return breaches;
}

/** Lets the host die at each point, the end of a job on its way. */
async function dieAt(world, receiver, { points, times }) {
  const [ids, breaches] = [[], []];
  let deaths = 0;
  for (const name of points) {
    for (let time = 0; time < times; time += 1) {
      const id = `${name}-${time}`;
      const reached = () => receiver.kills.get(name) ?? world.points.reached(name);
      const before = reached();
      if (name === AT_RECEIVER) receiver.kills.set(name, 0);
      else world.points.arm(name);
      ids.push(id);
      await endJob(world, id, name.startsWith('cancel-'));
      if (await until(REACH_MS, () => reached() > before)) deaths += 1;
      else breaches.push(`${name} was not reached`);
      // What is not told by then is counted at the end.
      await until(world.toldMs, () => receiver.hasCome(subjectOf(id)));
    }
  }
  return { ids, deaths, breaches };
}

export const experiment = {
  id: 'E44',
  restsOn: ['notices', 'work', 'jobs'],
  title: 'hosts that die between the end of a job and the answer of a receiver',
  passLine:
    'every point reached; every end is in the log exactly once and delivered at least once, id and bytes the same',
  run: async (context) => {
    const port = await freePort();
    // The source of the events; nobody calls it.
    const environment = { PUBLIC_URL: 'https://fields.example', WEBHOOK_LOCAL_HOSTS: `127.0.0.1:${port}` };
    const world = await context.start({ points: noticePoints, environment });
    const kills = new Map();
    const beforeAnswer = async () => {
      if (kills.get(AT_RECEIVER) !== 0) return;
      kills.set(AT_RECEIVER, 1);
      world.hosts[0].kill();
    };
    const receiver = await startReceiver({ port, beforeAnswer });
    const hasCome = (subject) => [...receiver.bodies.values()].some(([body]) => JSON.parse(body).subject === subject);
    try {
      await listen(world, receiver);
      const points = [...noticePoints.map(({ name }) => name), AT_RECEIVER].filter((name) =>
        name.includes(context.only),
      );
      const options = { points, times: context.size(1, 10) };
      const watched = { ...world, toldMs: context.quietMs(TOLD_MS) };
      const { ids, deaths, breaches } = await dieAt(watched, { kills, hasCome }, options);
      const { counts, breaches: found } = await check(world, { quietMs: context.quietMs(120_000) });
      const log = await logOf(world);
      const repeated = [...receiver.bodies.values()].filter((came) => came.length > 1).length;
      return {
        counts: { points: points.length, deaths, events: log.length, repeated, ...counts },
        breaches: [...breaches, ...compare(ids, log, receiver.bodies), ...found],
      };
    } finally {
      await receiver.stop();
    }
  },
};
