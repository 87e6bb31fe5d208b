import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E42',
  restsOn: ['work', 'jobs', 'imagery'],
  title: 'a release amid 200 jobs and a backfill: drain, switch of the process, end of the drain',
  passLine: 'the drain waits for what is at work, nothing begins during it, nothing fails, nothing is begun twice',
  run: async (context) => (await livedThrough('releaseDays', context, { jobs: context.size(200, 1_000) }))[0],
};
