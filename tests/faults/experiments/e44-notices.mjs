import { freePort } from '../../../infra/local/freePort.mjs';
import { check } from '../checker.mjs';
import { gddParameters } from '../jobLoad.mjs';
import { noticePoints } from '../noticePoints.mjs';
import { environmentOf, startReceiver } from '../noticeReceiver.mjs';
import { compare, listen, logOf, subjectOf } from '../noticesTold.mjs';
import { until } from '../quiet.mjs';

const REACH_MS = 120_000;
/** A death costs a lease and a sweep or two. */
const TOLD_MS = 120_000;
/** The host is killed by the receiver, which has the event and has not answered. */
const AT_RECEIVER = 'receiver-before-answer';

/** A job that ends by itself, or by a cancel where the point lies on that way. */
async function endJob({ client, service }, id, isCancelled) {
  await client.insist(() => client.create('gdd', id, gddParameters(service, id.length)));
  if (isCancelled) await client.insist(() => client.cancel('gdd', id));
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
    const world = await context.start({ points: noticePoints, environment: environmentOf(port) });
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
