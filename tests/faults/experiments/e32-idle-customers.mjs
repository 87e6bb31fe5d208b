import { createHash, randomUUID } from 'node:crypto';
import { check } from '../checker.mjs';
import { pause } from '../quiet.mjs';

const OVERDUE = 3;
/** Requests to storage of one round of the sweep: eight partitions of work, its lanes. */
const MOST_IDLE = 8 + 1 + 2;
const MOST_OVERDUE = 20 + 40;
const ROUNDS = 3;
/** Every sweep asks these. */
const SWEPT = /\/(?:work|customers|enrollments|fields|fieldDates)\b|\/\$batch/;
const SWEEP = 'upkeepWorkSweep';

const LOST = 'lost';

/** The row of a customer's backfill, see workStore.ts. */
function workOf(customer, name, columns) {
  const id = `${customer}|${name}`;
  const createdAt = new Date().toISOString();
  return {
    partitionKey: `w${createHash('sha256').update(id).digest()[0] % 8}`,
    rowKey: `W|backfill|${id}`,
    ...{ epoch: 1, asks: 1, attempts: 0, failures: '{}', createdAt },
    ...columns,
  };
}

const roundsDone = (world) =>
  world
    .logText()
    .split('\n')
    .filter((line) => line.includes('Timer:Done') && line.includes(`"${SWEEP}"`)).length;

const untilRound = async (world, count) => {
  while (roundsDone(world) < count) await pause(100);
};

/** Waits for the end of so many rounds of the sweeps. @returns requests of each */
async function requestsOf(world, counted, rounds) {
  const first = roundsDone(world) + 1;
  await untilRound(world, first);
  const before = counted.requests;
  await untilRound(world, first + rounds);
  return (counted.requests - before) / rounds;
}

/** Has something found by the sweeps. @returns requests of a round that finds it, `idle` being those of one that doesn't */
async function requestsToFind(world, counted, { idle, work }) {
  const [first, before] = [roundsDone(world), counted.requests];
  await work();
  await untilRound(world, roundsDone(world) + 2);
  return counted.requests - before - idle * (roundsDone(world) - first - 1);
}

/** Customers under monitoring of whom nothing is to be done before tomorrow. */
async function addIdle({ storage }, count) {
  const names = Array.from({ length: count }, () => `idle-${randomUUID()}`);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await storage.write(
    'customers',
    names.map((name) => ({ partitionKey: 'customers', rowKey: name, fieldLimit: 250, createdAt: tomorrow })),
  );
  for (const name of names)
    await storage.write('work', [workOf(name, 'later', { notBefore: tomorrow, checkAt: tomorrow })]);
  return names;
}

/** Work of some of them whose worker was lost: its lease goes on, and nobody renews it. */
async function loseWork({ storage }, names) {
  const checkAt = new Date(Date.now() - 1_000).toISOString();
  const notBefore = new Date(Date.now() + 600_000).toISOString();
  for (const name of names)
    await storage.write('work', [workOf(name, LOST, { attempts: 1, claim: 'lost', notBefore, checkAt })]);
}

export const experiment = {
  id: 'E32',
  restsOn: ['imagery', 'work'],
  title: 'sweeps while a thousand customers have nothing open, and three have',
  passLine: 'as many requests as with one customer, at most 60 with three pieces of work overdue; these are sent again',
  run: async (context) => {
    const world = await context.start({ proxied: true });
    const counted = { requests: 0 };
    world.proxy.onRequest(({ service, path }) => {
      if (service === 'table' && SWEPT.test(path)) counted.requests += 1;
    });
    const counts = { alone: await requestsOf(world, counted, ROUNDS) };
    const names = await addIdle(world, context.size(1_000, 1_000));
    counts.idle = await requestsOf(world, counted, ROUNDS);
    const work = () => loseWork(world, names.slice(0, OVERDUE));
    counts.overdue = await requestsToFind(world, counted, { idle: counts.idle, work });
    const breaches = [];
    const sent = (await world.storage.work('backfill')).filter(
      ({ rowKey, checkAt }) => rowKey.endsWith(LOST) && Date.parse(checkAt) > Date.now(),
    );
    if (sent.length < OVERDUE) breaches.push(`only ${sent.length} of ${OVERDUE} pieces of work were sent again`);
    if (counts.idle > Math.min(counts.alone + 2, MOST_IDLE))
      breaches.push(`I17: a round of sweeps takes ${counts.idle} requests, ${counts.alone} with one customer`);
    if (counts.overdue <= counts.idle) breaches.push('the round that found the work was not counted');
    if (counts.overdue > MOST_OVERDUE) breaches.push(`I17: ${counts.overdue} requests with ${OVERDUE} overdue`);
    await world.storage.forgetWork('backfill');
    const { counts: found, breaches: more } = await check(world, { quietMs: context.quietMs(60_000) });
    return { counts: { ...counts, ...found }, breaches: [...breaches, ...more] };
  },
};
