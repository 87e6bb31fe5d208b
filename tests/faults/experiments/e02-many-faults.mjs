import { check } from '../checker.mjs';
import { fetchAll, plannedJobs, runJobs } from '../jobLoad.mjs';
import { mixedFaults } from './e01-kills.mjs';

export const experiment = {
  id: 'E2',
  restsOn: ['work', 'storage', 'jobs'],
  title: 'jobs while 10 % of the storage requests fail',
  passLine: '0 lost, stuck, duplicate, SUCCEEDED without insight; callers may see 503, never 500',
  run: async (context) => {
    const count = context.size(250, 600);
    const world = await context.start({ proxied: true });
    world.proxy.add(mixedFaults(0.1));
    const jobs = plannedJobs(world, { count, boundaryShare: 0.01, cancelShare: 0.2 });
    await runJobs(world, jobs);
    const { counts, breaches } = await check(world, { quietMs: context.quietMs(120_000) });
    await fetchAll(world, jobs);
    return { counts: { ...counts, ...world.proxy.counts }, breaches };
  },
};
