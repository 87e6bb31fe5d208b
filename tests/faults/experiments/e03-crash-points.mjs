import { check } from '../checker.mjs';
import { crashPoints } from '../crashPoints.mjs';
import { gddParameters } from '../jobLoad.mjs';
import { pause, untilNothingOpen } from '../quiet.mjs';
import { submission } from '../submissions.mjs';

const REACH_MS = 120_000;

const reached = async ({ points }, name, before) => {
  const deadline = Date.now() + REACH_MS;
  while (points.reached(name) === before && Date.now() < deadline) await pause(50);
  return points.reached(name) > before;
};

const createGdd = ({ client, service }, id) =>
  client.insist(() => client.create('gdd', id, gddParameters(service, id.length)));

/** Fields cannot be read so many times. */
const noFields = ({ proxy }, times) =>
  proxy.add({
    ...{ kind: 'status', status: 503, service: 'table', times },
    matches: ({ method, path }) => method === 'GET' && path.includes('/farmFields('),
  });

/** Waits until a job that was refused waits for its next attempt: nobody has it. */
async function untilGivenBack({ storage }, id) {
  const isGivenBack = ({ rowKey, claim, epoch }) => rowKey.endsWith(`|${id}`) && claim === undefined && epoch > 0;
  for (const deadline = Date.now() + REACH_MS / 2; Date.now() < deadline; await pause(100))
    if ((await storage.work('gdd')).some(isGivenBack)) return;
}

/** Cancels the job in the very moment in which its success is to be written. */
function cancelAtTheEnd(world, id) {
  let isDone = false;
  world.proxy.onRequest(async ({ service, body }) => {
    if (isDone || service !== 'table') return;
    const text = body.toString('utf8');
    if (!text.includes(`|${id}`) || !text.includes('\\"status\\":\\"SUCCEEDED\\"')) return;
    isDone = true;
    await world.client.insist(() => world.client.cancel('gdd', id));
  });
}

const DAY_MS = 86_400_000;
const daysAgo = (days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** A few days of the present, so that there is something to search for and to render. */
const submitLatest = ({ client, service }, id) =>
  client.insist(() => submission(client, service, { fieldIds: [id], startDate: daysAgo(6), endDate: daysAgo(1) }));

/** By the first part of a point's name: what leads there. */
const ways = {
  create: createGdd,
  claim: createGdd,
  work: createGdd,
  finish: createGdd,
  publish: createGdd,
  insight: createGdd,
  // A field that does not exist makes a job that fails.
  fail: ({ client, service }, id) => {
    const parameters = { ...gddParameters(service, id.length), resourceId: '00000000-0000-4000-8000-000000000000' };
    return client.insist(() => client.create('gdd', id, parameters));
  },
  retry: async (world, id) => {
    // Other jobs must not use up what this one is to meet.
    await untilNothingOpen(world, REACH_MS / 2);
    noFields(world, 4);
    await createGdd(world, id);
  },
  cancel: async (world, id) => {
    await createGdd(world, id);
    await world.client.insist(() => world.client.cancel('gdd', id));
  },
  cancelWaiting: async (world, id) => {
    await untilNothingOpen(world, REACH_MS / 2);
    noFields(world, 1_000);
    await createGdd(world, id);
    await untilGivenBack(world, id);
    await world.client.insist(() => world.client.cancel('gdd', id));
    world.proxy.clear();
  },
  withdraw: async (world, id) => {
    cancelAtTheEnd(world, id);
    await createGdd(world, id);
  },
  // A job whose message was never sent is what a sweeper finds.
  sweep: async (world, id) => {
    world.points.arm('create-after-insert');
    await createGdd(world, id);
  },
  // See `oneAtWork`.
  lane: createGdd,
  ingest: ({ client, service }, id) => client.insist(() => submission(client, service, { fieldIds: [id] })),
  // What a backfill does not know yet it looks for again.
  wait: submitLatest,
  plan: submitLatest,
  backfill: submitLatest,
  render: submitLatest,
  // Whoever does not know what became of a submission sends it again under its key.
  submit: (world, id) => submitAtOnce(world, id, 1),
  // Of those at once one makes the enrollment, the others give way.
  repeat: (world, id) => submitAtOnce(world, id, 8),
};

/** Sends one submission so many times at once, each until it is answered. @returns what is wrong with the answers */
async function submitAtOnce({ client, service, storage }, id, times) {
  const enrollments = async () => (await storage.rows('enrollments', "RowKey ge 'E_' and RowKey lt 'E`'")).length;
  const before = await enrollments();
  const send = () => client.insist(() => submission(client, service, { fieldIds: [id], key: id }));
  const answers = await Promise.all(Array.from({ length: times }, send));
  const ids = new Set(answers.map(({ status, json }) => `${status} ${json?.enrollment_id}`));
  const made = (await enrollments()) - before;
  return ids.size === 1 && made === 1 ? [] : [`${id}: ${made} enrollments, answered with ${[...ids].join(', ')}`];
}

/**
 * Lets the host die at each point so many times, each time with a job or a submission on the way.
 *
 * @param options `points`, `times`, settings of the service as `environment`
 */
export async function crashes(context, { points, times, environment = {} }) {
  const world = await context.start({ proxied: true, points: crashPoints, environment });
  const breaches = [];
  let deaths = 0;
  for (const { name } of points) {
    for (let time = 0; time < times; time += 1) {
      const before = world.points.reached(name);
      world.points.arm(name);
      const going = ways[name.split('-')[0]](world, `${name}-${time}`);
      if (await reached(world, name, before)) deaths += 1;
      else breaches.push(`${name} was not reached`);
      const wrong = await going;
      if (Array.isArray(wrong)) breaches.push(...wrong);
    }
  }
  const { counts, breaches: found } = await check(world, { quietMs: context.quietMs(180_000) });
  return { counts: { points: points.length, times, deaths, ...counts }, breaches: [...breaches, ...found] };
}

/** Every job stands in its tenant's lane. */
export const oneAtWork = { JOBS_AT_WORK: '1' };

export const experiment = {
  id: 'E3',
  restsOn: ['work', 'storage', 'jobs'],
  title: 'hosts that die at every named point',
  passLine: 'every point reached, everything accepted comes to its end',
  run: async (context) => {
    const points = crashPoints.filter(({ name }) => name.includes(context.only));
    const isOfLanes = ({ name }) => name.startsWith('lane-');
    const times = context.size(1, 20);
    const others = await crashes(context, { points: points.filter((point) => !isOfLanes(point)), times });
    await context.stopAll();
    const inLane = { points: points.filter(isOfLanes), times, environment: oneAtWork };
    const lanes = await crashes(context, inLane);
    const { points: lanePoints, deaths: laneDeaths, jobs: laneJobs } = lanes.counts;
    return {
      counts: { ...others.counts, lanePoints, laneDeaths, laneJobs },
      breaches: [...others.breaches, ...lanes.breaches],
    };
  },
};
