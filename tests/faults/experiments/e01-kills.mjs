import { check } from '../checker.mjs';
import { fetchAll, killHosts, plannedJobs, runJobs } from '../jobLoad.mjs';

/** What strikes 2 % of all storage requests; a delay of 3 s outlasts the patience of a request. */
export const mixedFaults = (share) => ({
  share,
  kinds: ['dropBefore', 'dropAfter', 'status', 'statusAfter', 'truncate', 'delay'],
  statuses: [429, 500, 503],
  milliseconds: 3_500,
});

export const experiment = {
  id: 'E1',
  restsOn: ['work', 'storage', 'jobs'],
  title: 'jobs of both kinds while hosts are killed and 2 % of the storage requests fail',
  passLine: '0 lost, stuck, duplicate, SUCCEEDED without insight; all ended within 30 s after the last kill',
  run: async (context) => {
    const count = context.size(300, 1_000);
    const world = await context.start({ proxied: true, hosts: 2 });
    world.slowJobs(300);
    world.proxy.add(mixedFaults(0.02));
    const jobs = plannedJobs(world, { count, boundaryShare: 0.02, cancelShare: 0.25 });
    const kills = context.full ? 60 : Math.max(6, Math.round(count / 15));
    const [killed] = await Promise.all([killHosts(world, kills), runJobs(world, jobs)]);
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(120_000) });
    await fetchAll(world, jobs);
    if (counts.quietSeconds > 30) breaches.push(`I1: all ended ${counts.quietSeconds} s after the last kill, not 30`);
    return { counts: { jobs: count, kills: killed, ...counts }, breaches };
  },
};
