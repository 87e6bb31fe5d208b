import { check } from '../checker.mjs';
import { fetchAll, killHosts, plannedJobs, runJobs } from '../jobLoad.mjs';

/** Ingests that the data manager runs at a time. */
const SLOTS = 5;

export const experiment = {
  id: 'E27',
  restsOn: ['work', 'jobs', 'boundary'],
  title: 'more Smart Boundary jobs than the data manager runs ingests, while hosts are killed',
  passLine: 'the data manager is never asked for a sixth ingest, every job gets its turn, nobody keeps a slot',
  run: async (context) => {
    const world = await context.start({ proxied: true, hosts: 2 });
    const count = context.size(15, 60);
    const jobs = plannedJobs(world, { count, boundaryShare: 1, fetchShare: 0 });
    await runJobs(world, jobs, count);
    const kills = await killHosts(world, context.size(5, 20));
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(300_000) });
    const orders = (await world.asked()).filter(
      ({ method, path }) => method === 'PUT' && path.includes('/ingest-data/'),
    );
    const refused = orders.filter(({ status }) => status === 429).length;
    if (refused > 0) breaches.push(`I14: ${refused} times more ingests than ${SLOTS} were asked for`);
    if (orders.length < count) breaches.push(`only ${orders.length} ingests were ordered by ${count} jobs`);
    await fetchAll(world, jobs);
    return { counts: { ingests: orders.length, refused, kills, ...counts }, breaches };
  },
};
