// Jobs of both kinds as callers make them: created until accepted, some fetched on the way, some cancelled.
import { pick } from './random.mjs';
import { pause } from './quiet.mjs';

const CROPS = ['CANOLA', 'CORN', 'COTTON', 'SUGAR_BEET', 'SOYBEAN', 'WINTER_WHEAT'];
const DAY_MS = 86_400_000;
const day = (ago) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);

/** Parameters of a GDD job; `number` decides on crop, field and unit. */
export const gddParameters = ({ partyId, fieldIds }, number) => ({
  partyId,
  resourceType: 'Field',
  resourceId: fieldIds[number % fieldIds.length],
  crop: CROPS[number % CROPS.length],
  gddStartDate: '2025-04-01',
  gddEndDate: `2025-10-${String(1 + (number % 30)).padStart(2, '0')}`,
  temperatureUnit: number % 2 === 0 ? 'c' : 'f',
});

export const boundaryParameters = ({ partyId, farmId, pointOnSurface }) => ({
  partyId,
  resourceType: 'Farm',
  resourceId: farmId,
  imageStartDate: day(23),
  imageEndDate: day(10),
  pointOnSurface,
});

/**
 * Jobs to be made.
 *
 * @param options `count`; `boundaryShare` of Smart Boundary jobs; `cancelShare` to be cancelled, most of those while
 *   they run; `fetchShare` to be looked at on the way; `prefix` of their ids
 */
export function plannedJobs(world, { count, boundaryShare = 0, cancelShare = 0, fetchShare = 0.3, prefix = 'job' }) {
  const { random, service } = world;
  const boundaries = Math.round(count * boundaryShare);
  return Array.from({ length: count }, (_, number) => {
    const isBoundary = Math.floor(((number + 1) * boundaries) / count) > Math.floor((number * boundaries) / count);
    const kind = isBoundary ? 'boundary' : 'gdd';
    return {
      id: `${prefix}-${number}`,
      kind,
      parameters: kind === 'gdd' ? gddParameters(service, number) : boundaryParameters(service),
      isCancelled: random() < cancelShare,
      isRaced: random() < 0.7,
      isFetched: random() < fetchShare,
    };
  });
}

const isOpen = (entry) => entry.status === 200 && ['WAITING', 'RUNNING'].includes(entry.json.status);

/** Creates one job until it is accepted, and does with it what was planned. */
async function live({ client, random }, { kind, id, parameters, isCancelled, isRaced, isFetched }) {
  const created = await client.insist(() => client.create(kind, id, parameters));
  if (created.outcome === 'fail' && created.status !== 409)
    throw new Error(`create ${id}: ${created.status} ${JSON.stringify(created.json)}`);
  for (let look = 0; isCancelled && isRaced && look < 100; look += 1) {
    const seen = await client.fetch(kind, id);
    if (seen.status === 200 && seen.json.status !== 'WAITING') break;
    await pause(50 + 100 * random());
  }
  if (isCancelled) await client.insist(() => client.cancel(kind, id));
  for (let look = 0; isFetched && look < 5; look += 1) {
    if (!isOpen(await client.fetch(kind, id))) break;
    await pause(300 + 700 * random());
  }
}

/** Runs the jobs with so many callers at once; every job has been asked for when it returns. */
export async function runJobs(world, jobs, callers = 8) {
  const left = [...jobs];
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let job = left.shift(); job !== undefined; job = left.shift()) await live(world, job);
    }),
  );
}

/** Fetches every job and a share of the insights once more, for the checker to compare with what was seen before. */
export async function fetchAll({ client, random }, jobs) {
  for (const { kind, id } of jobs) {
    const { json } = await client.insist(() => client.fetch(kind, id));
    if (json?.insightId === undefined || random() > 0.1) continue;
    const insight = await client.insist(() => client.insight(json.insightId));
    if (insight.status !== 200) throw new Error(`The insight of ${id} cannot be read: ${insight.status}`);
  }
}

/** Kills a host of the world every 1.5 to 4 s until so many have died. @returns how many were killed */
export async function killHosts(world, kills, every = () => 1_500 + 2_500 * world.random()) {
  let killed = 0;
  while (killed < kills) {
    await pause(every());
    if (pick(world.random, world.hosts).kill()) killed += 1;
  }
  return killed;
}
