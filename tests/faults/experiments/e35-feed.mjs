import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E35',
  restsOn: ['imagery', 'scenes', 'work'],
  title: 'a feed that skips, repeats, reorders, shows late; missed and doubled polls, two hosts, lost messages',
  passLine:
    'every product known once in its best version, worked on once a version, in 20 minutes where the feed shows it',
  run: async (context) => {
    const plan = { skipped: 0.1, late: 0.05, repeated: 0.1 };
    const [result] = await livedThrough('feedDays', context, { days: context.size(20, 60), plan, isUnsteady: true });
    return result;
  },
};
